"""Every rulesheet of a folder: grounded, compared with the interpreter and in lanes, and timed; a line of JSON each.

``python -m benchmarks.rulesheets FOLDER OUT [SECONDS]`` from the checkout; what OUT has already is not done again.
"""

import json
import sys
import traceback
from pathlib import Path
from time import monotonic

from tests.oracle.gdl_lockstep import lanes_in_lockstep, lockstep

from ramify.errors import RamifyError
from ramify.ggp.compiling import make
from ramify.ggp.grounding import Limits
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.network_game import NetworkGame
from ramify.ggp.playouts import random_games
from ramify.ggp.rules import Rules

COMPARING = 5.0  # seconds for a rulesheet
MOST_PLIES = 300
STRETCH = 20


def row(file: Path, seconds: float):
    """What there is to say of a rulesheet."""
    rules = Rules.of_file(file)
    made = make(rules, Limits(processor_seconds=seconds))
    game = NetworkGame(f"gdl:{file}", made.network)
    found = {
        "seconds": made.ground_seconds + made.network_seconds,
        "rules": made.rules,
        "gates": len(made.network.gates),
        "whole_gates": game.wiring.count,
        "levels": game.wiring.levels,
        "circle": made.network.circle,
    }
    interpreter, plies, began = Interpreter(rules), 0, monotonic()
    while plies < MOST_PLIES and monotonic() - began < COMPARING:
        lockstep(game, interpreter, STRETCH, seed=plies)
        plies += STRETCH
    found["lockstep"] = plies
    if game.lanes(1) is not None:
        found["lanes"] = lanes_in_lockstep(game, 70, STRETCH, seed=1)
        games = 64
        while (found := found | random_games(game.wiring, games, seed=1))["playouts"] < 2e6:
            if games > 0.3 * found["playouts_a_second"]:
                break
            games *= 4
    return found


def main() -> None:
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 60.0
    known = {json.loads(line)["name"] for line in out.read_text().splitlines()} if out.exists() else set()
    for file in sorted(folder.glob("*.kif")):
        if file.stem in known:
            continue
        try:
            found = row(file, seconds)
        except RamifyError as error:
            found = {"refused": str(error)}
        except AssertionError:
            found = {"differs": traceback.format_exc()[-500:]}
        with out.open("a") as lines:
            lines.write(json.dumps({"name": file.stem, **found}) + "\n")


if __name__ == "__main__":
    main()
