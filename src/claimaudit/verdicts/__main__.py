"""Print the JSON schema of the verdicts on a paper."""

import json

from claimaudit.verdicts import schema

if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
