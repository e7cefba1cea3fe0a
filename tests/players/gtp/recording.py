"""Records what is said to an engine and what it answers: ``python -m tests.players.gtp.recording FILE COMMAND ...``."""

import subprocess
import sys
from pathlib import Path


def main():
    with (
        subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine,
        Path(sys.argv[1]).open("w", encoding="utf-8", buffering=1) as file,
    ):
        for line in sys.stdin:
            engine.stdin.write(line)
            engine.stdin.flush()
            file.write(f"> {line}")
            while (heard := engine.stdout.readline()) not in ("\n", ""):
                file.write(heard)
                sys.stdout.write(heard)
            print(flush=True)


if __name__ == "__main__":
    main()
