"""Asks the person at this desktop through the `askdeck` command."""

import json
import subprocess
import sys


def ask(payload, *flags):
    """Whether the person answered, and what there is to tell the model."""
    command = ["askdeck", "ask", *flags]
    run = subprocess.run(command, input=json.dumps(payload), capture_output=True, text=True)
    sys.stderr.write(run.stderr)
    match run.returncode:
        case 0:
            return True, run.stdout.strip()
        # Declined, closed, timed out or withdrawn: stdout says which.
        case 1 | 124 | 130:
            return False, run.stdout.strip()
        # Whoever made the payload can correct it.
        case 2:
            return False, json.dumps({"status": "refused", "problems": run.stderr.splitlines()})
        case code:
            raise SystemExit(code)
