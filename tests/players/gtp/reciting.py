"""A GTP engine that recites an exchange: ``> command`` lines, each with its response below; run as a program."""

import sys
from pathlib import Path

for part in Path(sys.argv[1]).read_text(encoding="utf-8").split("> ")[1:]:
    wanted, _, response = part.partition("\n")
    asked = sys.stdin.readline().strip()
    if asked == "quit":
        break
    print(response.rstrip() + "\n" if asked == wanted else f"? '{wanted}' was wanted, not '{asked}'\n", flush=True)
