"""``ramify games``."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from ramify.cli.progress import status_line
from ramify.cli.shared_options import JsonOption, announcing_compilation, print_json
from ramify.errors import RamifyError
from ramify.numerals import reject_endless


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Games to describe in full. (default: list all games)"),
    ] = None,
    stats: Annotated[
        bool, typer.Option("--stats", help="Play random games and print their lengths, branching and results.")
    ] = False,
    games: Annotated[int, typer.Option(help="Random games per game, with --stats.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the random games.")] = 1,
    openspiel: Annotated[bool, typer.Option("--openspiel", help="List OpenSpiel's games instead.")] = False,
    gdl: Annotated[bool, typer.Option("--gdl", help="List the built-in GDL rulesheets instead.")] = False,
    json: JsonOption = False,
) -> None:
    """List the built-in games, print the rules of some, or print statistics of random games.

    Example: ramify games hex

    Example: ramify games --stats tictactoe 'hex(size=5)'
    """
    from ramify.contract.registry import names as built_in

    if openspiel:
        print_openspiel_games(names, stats, json)
        return
    if gdl:
        print_rulesheets(names, stats, json)
        return
    chosen = names or list(built_in())
    if stats:
        print_statistics(chosen, games, seed, json)
    elif json:
        print_json([described(name) for name in chosen])
    elif names:
        print("\n\n".join(rules_of(name) for name in names))
    else:
        print_games(chosen)


def print_openspiel_games(names: list[str] | None, stats: bool, json: bool) -> None:
    from ramify.bridges.openspiel import names as of_openspiel

    if names or stats:
        raise RamifyError("--openspiel lists all games: remove names and --stats")
    found = [f"openspiel:{name}" for name in of_openspiel()]
    if json:
        print_json(found)
    else:
        print("\n".join(found))


def print_rulesheets(names: list[str] | None, stats: bool, json: bool) -> None:
    from ramify.ggp.rulesheets import names as of_sheets
    from ramify.ggp.rulesheets import title

    if names or stats:
        raise RamifyError("--gdl lists all rulesheets: remove names and --stats")
    found = {f"gdl:{name}": title(name) for name in of_sheets()}
    if json:
        print_json([{"name": name, "about": text} for name, text in found.items()])
        return
    width = max(map(len, found))
    for name, text in found.items():
        print(f"{name:{width}}  {text}")


def described(name: str) -> dict[str, Any]:
    """Describe a game, without playing it, for JSON."""
    from ramify.contract.compiled_game import CompiledGame, parameters_of
    from ramify.contract.load import load
    from ramify.contract.parts import PARTS

    game = load(name)
    if not isinstance(game, CompiledGame):
        return {"name": game.name, "parameters": {}, "players": game.players, "about": "", "has": []}
    return {
        "name": game.name.partition("(")[0],
        "parameters": parameters_of(game.module) | game.parameters,
        "players": game.players,
        "about": (game.module.__doc__ or "").strip().partition("\n")[0],
        "has": [part.name for part in PARTS if part.arguments is not None and hasattr(game.module, part.name)],
    }


def print_games(names: list[str]) -> None:
    from ramify.grammar import Call

    rows = [described(name) for name in names]
    calls = [str(Call(row["name"], tuple(row["parameters"].items()))) for row in rows]
    width = max(map(len, calls))
    for call, row in zip(calls, rows, strict=True):
        print(f"{call:{width}}  {row['about']}")
    print("\nAlso: ./mygame.py; openspiel:NAME (list: `ramify games --openspiel`);")
    print("gdl:NAME for built-in rulesheets (list: `ramify games --gdl`), gdl:FILE for others;")
    print("ludii:NAME (list: `ramify ludii list`), if you have Ludii.")
    print("`ramify games NAME` prints the rules.")


def rules_of(name: str) -> str:
    """Rules of a game: the docstring or head comment of its file."""
    from ramify.contract.compiled_game import CompiledGame
    from ramify.contract.load import load
    from ramify.ggp.rulesheets import about
    from ramify.ggp.rulesheets import names as of_sheets

    game = load(name)
    row = described(name)
    text = (game.module.__doc__ or "").strip() if isinstance(game, CompiledGame) else ""
    prefix, _, sheet = name.partition(":")
    if prefix == "gdl" and sheet in of_sheets():
        text = about(sheet)
    parameters = ", ".join(f"{key}={value}" for key, value in row["parameters"].items()) or "none"
    optional = [
        part
        for part in row["has"]
        if part
        in (
            "sample",
            "playout",
            "heuristic",
            "heuristic_of",
            "script",
            "published_heuristic",
            "published_moves",
            "reckless_playout",
            "priors",
            "quality",
            "margin",
            "key",
        )
    ]
    has = ", ".join(optional) or "no optional parts"
    return f"{name}\n\n{text or 'no description'}\n\nParameters: {parameters}\nHas: {has}"


def print_statistics(names: list[str], games: int, seed: int, json: bool) -> None:
    """Play random games and print one line per game as soon as it is finished."""
    from ramify.agents.checking.survey import survey
    from ramify.contract.load import load

    if games < 1:
        raise RamifyError(f"--games must be at least 1, not {games}")
    reject_endless("--games", games)
    for name in names:
        load(name)
    rows = []
    if not json:
        heads = ("plies", 7), ("min", 5), ("max", 5), ("moves", 7), ("max", 5), ("first player", 18), ("drawn", 6)
        print(f"{'game':34} " + " ".join(f"{head:>{width}}" for head, width in heads))
    for name in names:
        with announcing_compilation(), status_line(f"{name} ...") as update:
            state = load(name).initial()

            def show(played: int, name: str = name) -> None:
                update(f"{name}: {played} of {games} random games")

            one = survey(state, games, seed, show)
        rows.append({"game": state.game.name, "players": state.game.players, **asdict(one)})
        if not json:
            score = f"{100 * one.first:.1f} ± {100 * one.half_width:.1f} %"
            print(
                f"{name:34} {one.plies:7.1f} {one.shortest:5} {one.longest:5} {one.branching:7.1f} {one.widest:5}"
                f" {score:>18} {100 * one.even:5.1f}%",
                flush=True,
            )
    if json:
        print_json(rows)
