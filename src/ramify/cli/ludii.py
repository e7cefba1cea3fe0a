"""``ramify ludii``: list and describe Ludii's games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.progress import status_line
from ramify.cli.shared_options import JsonOption, print_json
from ramify.errors import RamifyError, suggestion

if TYPE_CHECKING:
    from ramify.bridges.ludii.catalogue import GameFacts

group = typer.Typer(help="List and describe Ludii's games, from the jar in $RAMIFY_LUDII_JAR.", no_args_is_help=True)


@group.command("list")
def list_command(
    players: Annotated[int | None, typer.Option(help="Only games for this number of players.")] = None,
    category: Annotated[
        str | None, typer.Option(help="Only games of this category: hunt, race, sow, space, war ...")
    ] = None,
    chance: Annotated[
        bool | None, typer.Option("--chance/--no-chance", help="Only games with chance, or only those without.")
    ] = None,
    hidden: Annotated[
        bool | None,
        typer.Option("--hidden/--no-hidden", help="Only games with hidden information, or only those without."),
    ] = None,
    searchable: Annotated[
        bool | None,
        typer.Option("--searchable/--not-searchable", help="Only games that a search can play, or only the others."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List Ludii's games with category, players and properties.

    The first call compiles all games of Ludii, which takes minutes; the result is stored on disk.

    Example: ramify ludii list --players 2 --no-chance --category hunt
    """
    from ramify.bridges.ludii.catalogue import GameFilter, categories

    known = categories()
    if category is not None and category not in known:
        raise RamifyError(f"Ludii has no category '{category}'; {suggestion(category, known)}")
    if players is not None and players < 0:
        raise RamifyError(f"invalid --players {players}: use a number from 0")
    wanted = GameFilter(players, chance, hidden, searchable, category)
    rows = [one for one in load_catalogue() if wanted.matches(one)]
    if json:
        print_json([described(one) for one in rows])
        return
    for one in rows:
        print(line(one))
    print(f"{len(rows)} games")


def load_catalogue() -> list[GameFacts]:
    """Return the facts about all games, with a progress line while Ludii computes them for the first time."""
    from ramify.bridges.ludii.catalogue import load_facts

    with status_line("reading Ludii's games ...") as update:
        return load_facts(lambda done, of: update(f"reading Ludii's games (done once): {done} of {of}"))


def described(one: GameFacts) -> dict[str, object]:
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
    words = [one.category, f"{one.players} player{'s' * (one.players != 1)}", *one.kinds]
    return f"{'ludii:' + one.name:44} {', '.join(words)}" + (f"  {one.failure}" if one.failure else "")


@group.command("info")
def info_command(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A game of Ludii, e.g. Breakthrough.")],
    json: JsonOption = False,
) -> None:
    """Describe a game and list its options.

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
