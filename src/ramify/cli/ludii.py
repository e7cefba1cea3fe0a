"""``ramify ludii``: which games Ludii has, and what one of them is like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.shared_options import JsonOption, print_json
from ramify.errors import RamifyError, suggestion

if TYPE_CHECKING:
    from ramify.bridges.ludii.catalogue import GameFacts

group = typer.Typer(help="The games of Ludii, from the jar that RAMIFY_LUDII_JAR names.", no_args_is_help=True)


@group.command("list")
def list_command(
    players: Annotated[int | None, typer.Option(help="Only games for so many players.")] = None,
    category: Annotated[str | None, typer.Option(help="Only games of a kind: hunt, race, sow, space, war ...")] = None,
    chance: Annotated[
        bool | None, typer.Option("--chance/--no-chance", help="Only games with chance, or without.")
    ] = None,
    hidden: Annotated[
        bool | None, typer.Option("--hidden/--no-hidden", help="Only games that hide something, or that do not.")
    ] = None,
    searchable: Annotated[
        bool | None,
        typer.Option("--searchable/--not-searchable", help="Only games that a search can play, or cannot."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List Ludii's games with what they are like.

    The first time Ludii compiles all of its games, which takes some minutes; what it says is kept on disk.

    Example: ramify ludii list --players 2 --no-chance --category hunt
    """
    from ramify.bridges.ludii.catalogue import GameFilter, categories

    known = categories()
    if category is not None and category not in known:
        raise RamifyError(f"Ludii has no category '{category}'; {suggestion(category, known)}")
    if players is not None and players < 0:
        raise RamifyError(f"--players must be a number of players, not {players}")
    wanted = GameFilter(players, chance, hidden, searchable, category)
    rows = [one for one in load_catalogue() if wanted.matches(one)]
    if json:
        print_json([described(one) for one in rows])
        return
    for one in rows:
        print(line(one))
    print(f"{len(rows)} games")


def load_catalogue() -> list[GameFacts]:
    """What all games are like; a line says how far Ludii is where it is not known yet."""
    from rich.console import Console

    from ramify.bridges.ludii.catalogue import load_facts

    with Console(stderr=True).status("looking at Ludii's games ...") as status:
        return load_facts(
            lambda done, of: status.update(f"looking at Ludii's games, which is done once: {done} of {of}")
        )


def described(one: GameFacts) -> dict[str, object]:
    """A game for programs."""
    return {
        "name": f"ludii:{one.name}",
        "category": one.category,
        "players": one.players,
        "kinds": list(one.kinds),
        "moves": one.moves,
        "searchable": one.searchable,
        "failure": one.failure,
    }


def line(one: GameFacts) -> str:
    """A game in a line."""
    words = [one.category, f"{one.players} player{'s' * (one.players != 1)}", *one.kinds]
    return f"{'ludii:' + one.name:44} {', '.join(words)}" + (f"  {one.failure}" if one.failure else "")


@group.command("info")
def info_command(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A game of Ludii's, as Breakthrough.")],
    json: JsonOption = False,
) -> None:
    """Say what a game is like, and which options it has.

    Example: ramify ludii info Breakthrough
    """
    from ramify.bridges.ludii.catalogue import inspect_game
    from ramify.bridges.ludii.game import make_rules
    from ramify.bridges.ludii.names import parse_name

    entry, _ = parse_name(name.removeprefix("ludii:"))
    one = inspect_game(entry)
    options = [] if one.failure else [str(option) for option in make_rules(entry.file, []).options()]
    if json:
        print_json(described(one) | {"options": options})
        return
    print(line(one))
    for option in options:
        print(f'  "{option}"')
