"""What the audit finds, which `claimaudit.words` says in sentences; `schema` is docs/verdicts.schema.json."""

from claimaudit.verdicts.evidence import *
from claimaudit.verdicts.exhibits import *
from claimaudit.verdicts.file import *
