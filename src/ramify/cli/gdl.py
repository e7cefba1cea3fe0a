"""``ramify gdl``: check, describe and ground rulesheets."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ramify.cli.progress import status_line
from ramify.cli.shared_options import JsonOption, print_json

if TYPE_CHECKING:
    from ramify.ggp.checks import RulesheetFinding
    from ramify.ggp.rulesheet_info import RulesheetInfo

group = typer.Typer(help="Check, describe and ground rules in the Game Description Language.", no_args_is_help=True)

WIDTH = 80
NO_BREAK_SPACE = "\0"  # stands for a space at which lines must not break
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A rulesheet.")]


@group.command("check")
def check_command(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Rulesheets.")],
    json: JsonOption = False,
) -> None:
    """Report errors in rulesheets by line and column. Exits with 2 if there are errors.

    Errors leave rules without a meaning. Warnings are for rules that violate the definition of GDL but still work.

    Example: ramify gdl check examples/gdl/nim.kif
    """
    found = {file: findings_of(file) for file in files}
    errors = {file: sum(finding.error for finding in findings) for file, findings in found.items()}
    if json:
        print_json([{"file": file, "ok": not errors[file], "findings": findings_data(found[file])} for file in files])
    else:
        for file, findings in found.items():
            for finding in findings:
                print(f"{file}, {finding}")
            print(f"{file}: {summary_line(errors[file], len(findings) - errors[file])}")
    if any(errors.values()):
        raise typer.Exit(2)


def findings_of(file: str) -> list[RulesheetFinding]:
    """Return all findings of a file; if it cannot be parsed, only that error."""
    from ramify.ggp.checks import RulesheetFinding, check
    from ramify.ggp.kif import KifError
    from ramify.ggp.rules import Rulesheet

    try:
        return check(Rulesheet.from_file(file))
    except KifError as error:
        return [RulesheetFinding(error.where, True, error.what)]


def findings_data(findings: list[RulesheetFinding]) -> list[dict[str, Any]]:
    return [
        {
            "line": finding.where.line,
            "column": finding.where.column,
            "error": finding.error,
            "sentence": finding.message,
        }
        for finding in findings
    ]


def summary_line(errors: int, warnings: int) -> str:
    """Summary of a file, e.g. ``refused, 2 errors and 1 warning``."""
    counts = [
        f"{count} {word}{'s' * (count != 1)}" for count, word in ((errors, "error"), (warnings, "warning")) if count
    ]
    return f"{'refused' if errors else 'good'}{', ' if counts else ''}{' and '.join(counts)}"


@group.command("info")
def info_command(
    file: FileArgument,
    games: Annotated[int, typer.Option(help="Random games to play.")] = 20,
    plies: Annotated[int, typer.Option(help="Stop a game after this many joint moves.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the random games.")] = 1,
    json: JsonOption = False,
) -> None:
    """Print a game's roles, relations, fluents and moves, and statistics of random games.

    The interpreter plays the random games. It is slow but accepts any rules.

    Example: ramify gdl info examples/gdl/nim.kif --games 100
    """
    from ramify.ggp.interpreter import Interpreter
    from ramify.ggp.rules import Rulesheet
    from ramify.ggp.rulesheet_info import collect_info

    interpreter = Interpreter(Rulesheet.from_file(file))
    with status_line(f"{file} ...") as update:
        known = collect_info(
            interpreter, games, seed, plies, lambda played: update(f"{file}: {played} of {games} random games")
        )
    if json:
        print_json({"file": file} | known.to_dict())
    else:
        print_info(known)


@group.command("ground")
def ground_command(
    file: FileArgument,
    seconds: Annotated[float, typer.Option(help="Time limit in seconds.")] = 60.0,
    megabytes: Annotated[int, typer.Option(help="Memory limit in megabytes.")] = 3000,
    playouts: Annotated[int, typer.Option(help="Random games to play with the propnet.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the random games.")] = 1,
    json: JsonOption = False,
) -> None:
    """Ground rules and build the propnet. Prints its size and the time it took.

    Ignores propnets stored on disk.

    Example: ramify gdl ground examples/gdl/nim.kif --playouts 1000
    """
    from ramify.ggp.grounding import GroundingLimits
    from ramify.ggp.propnet_stats import propnet_stats
    from ramify.ggp.rules import Rulesheet

    limits = GroundingLimits(seconds, megabytes, processor_seconds=seconds)
    facts = propnet_stats(Rulesheet.from_file(file), limits, playouts, seed)
    if json:
        print_json({"file": file, **facts})
        return
    rows = {
        "rules": f"{facts['rules']:,} ground rules, {facts['ground_seconds']:.2f} s",
        "propnet": f"{facts['gates']:,} gates, depth {facts['depth']}, {facts['network_seconds']:.2f} s",
        "events": f"{facts['whole_gates']:,} gates of any number of inputs, {facts['levels']} levels",
        "inputs": f"{facts['propositions']:,} propositions, {facts['moves']:,} moves",
        "cycles": f"{facts['circle']:,} atoms depend on each other" if facts["circle"] else "none",
    }
    if playouts:
        goals = ", ".join(f"{role} {goal:.1f}" for role, goal in facts["goals"].items())
        rows["playouts"] = f"{facts['playouts_a_second']:,.0f} per second, of {facts['plies']:.1f} joint moves; {goals}"
    for name, text in rows.items():
        print(textwrap.fill(f"{name:11} {text}", WIDTH, subsequent_indent=" " * 12))


def print_info(known: RulesheetInfo) -> None:
    rows = {
        "roles": ", ".join(known.roles),
        "relations": listed(known.relations),
        "fluents": listed(known.fluents),
        "moves": listed(known.moves),
        "max moves": f"{known.widest} per role and position",
        "players": "take turns"
        if known.turns
        else f"move simultaneously in {100 * known.simultaneous:.0f} % of positions",
        "no choice": f"in {100 * known.forced:.0f} % of positions",
        "games": f"{known.games}, of {known.plies:.1f} joint moves ({known.shortest} to {known.longest})",
        "goals": ", ".join(f"{role} {goal:.1f}" for role, goal in known.goals.items()) or "no game finished",
    }
    if known.cut:
        rows["games"] += f"; {known.cut} cut"
    for name, text in rows.items():
        filled = textwrap.fill(f"{name:11} {text}", WIDTH, subsequent_indent=" " * 12, break_long_words=False)
        print(filled.replace(NO_BREAK_SPACE, " "))


def listed(counts: dict[str, int]) -> str:
    """Total, then each name with its count."""
    return f"{sum(counts.values())}: " + ", ".join(f"{name}{NO_BREAK_SPACE}{count}" for name, count in counts.items())
