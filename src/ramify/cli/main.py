"""The ``ramify`` command: subcommands and error reporting."""

import os
import signal
import sys
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from ramify.cli import (
    bench,
    check_game,
    check_policy,
    games,
    gdl,
    ggp_match,
    ggp_player,
    gtp,
    kilothon,
    ludii,
    match,
    perft,
    play,
    policies,
    replay,
    report,
    reproduce,
    scale,
    search,
    solve,
    tournament,
    tune,
    warm,
)
from ramify.cli.failures import TRACEBACK, describe, is_of_author
from ramify.cli.interrupts import INTERRUPTED, Stage, exit_interrupted, exit_with_message, handle_ctrl_c
from ramify.cli.old_options import Command, old_name_notes
from ramify.errors import RamifyError
from ramify.paths import resolved
from ramify.terminal import printable_output

JAR_OPTION = "--ludii-jar"
MAX_MESSAGE_LENGTH = 4000  # characters; it may quote a long word of the command line


class Commands(TyperGroup):
    """All commands. Ctrl-C ends a command with a message; typer alone would print nothing."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Accept ``--ludii-jar`` anywhere on the command line."""
        for place, word in enumerate(args):
            if word == "--":
                break
            if word == JAR_OPTION or word.startswith(JAR_OPTION + "="):
                end = place + (2 if word == JAR_OPTION else 1)
                args = [*args[place:end], *args[:place], *args[end:]]
                break
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        Stage.command = True
        try:
            with old_name_notes():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            exit_with_message()


app = typer.Typer(
    name="ramify",
    cls=Commands,
    help="A Monte-Carlo tree search laboratory and general game player.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help: rich costs 0.15 s at every start
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = (
    games,
    policies,
    search,
    solve,
    play,
    gtp,
    ggp_player,
    match,
    ggp_match,
    tournament,
    kilothon,
    scale,
    tune,
    replay,
    report,
    reproduce,
    perft,
    bench,
    check_game,
    check_policy,
    warm,
)

GROUPS = (gdl, ludii)  # commands of several words

for module in COMMANDS:
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    app.command(name, cls=Command)(module.command)

for module in GROUPS:
    app.add_typer(module.group, name=module.__name__.rpartition(".")[2])


def print_version(wanted: bool) -> None:
    if wanted:
        from ramify import __version__

        print(f"ramify {__version__}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
    ] = False,
    ludii_jar: Annotated[
        str | None,
        typer.Option(
            JAR_OPTION,
            metavar="FILE",
            help="Path of Ludii's jar, for games such as ludii:Hex. (default: $RAMIFY_LUDII_JAR)",
        ),
    ] = None,
) -> None:
    """A Monte-Carlo tree search laboratory and general game player.

    Try: ramify search connect4 --simulations 10000
    """
    if ludii_jar is not None:
        os.environ["RAMIFY_LUDII_JAR"] = str(resolved(ludii_jar))  # workers inherit it


@printable_output()
def run() -> None:
    """Run the command line. Invalid input prints one line and exits with 2."""
    handle_ctrl_c()
    try:
        run_app()
    except KeyboardInterrupt:  # a second Ctrl-C while a command was ending
        exit_interrupted()
    except SystemExit as ended:
        if is_of_author(ended):
            exit_with_error(ended)
        if ended.code == INTERRUPTED:
            exit_interrupted()
        raise
    except BrokenPipeError:  # the reader of the output has closed it, e.g. `| head`
        sys.exit(0)
    except BaseException as error:
        if os.environ.get(TRACEBACK) and not isinstance(error, RamifyError):
            raise
        exit_with_error(error)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # no traceback while Python shuts down


def exit_with_error(error: BaseException) -> NoReturn:
    """Print the message for an exception and exit."""
    with suppress(OSError, RamifyError):  # the output may be what failed
        sys.stdout.flush()
    message, code = describe(error)
    if len(message) > MAX_MESSAGE_LENGTH:
        half = MAX_MESSAGE_LENGTH // 2
        message = f"{message[:half]} ... {message[-half:]}"
    print(f"ramify: {message}", file=sys.stderr)
    sys.exit(code)


def run_app() -> None:
    """Run the command and write its output, so that errors in writing are not left to Python's shutdown."""
    for word in sys.argv[1:]:
        if not is_text(word):
            raise RamifyError(
                f"{word!a} is not text in {sys.getfilesystemencoding()}: set LC_ALL=C.UTF-8, or rename the file"
            )
    try:
        app()
    except SystemExit:
        sys.stdout.flush()
        raise


def is_text(word: str) -> bool:
    """Return whether a word of the command line could be decoded."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
