"""What the audit finds, as numbers and names. `claimaudit.words` says it in sentences.

`schema` is that of report/verdicts/ID.json, docs/verdicts.schema.json.
"""

from claimaudit.verdicts.evidence import *
from claimaudit.verdicts.exhibits import *
from claimaudit.verdicts.file import *
