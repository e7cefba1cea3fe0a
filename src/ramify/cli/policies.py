"""``ramify policies``: the selection policies that are built in, or those of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ramify.cli.shared_options import JsonOption, print_json
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.strategies.constants import Constant
    from ramify.strategies.policy.policy import Policy


def command(
    name: Annotated[
        str | None, typer.Argument(help="One of them, or ./mine.py:my_rule of yours; all built-in ones if not given.")
    ] = None,
    json: JsonOption = False,
    kernel: Annotated[bool, typer.Option("--kernel", help="Print the source that is made of one of them.")] = False,
) -> None:
    """List the selection policies: formula, constants with their defaults, what each needs, source.

    Example: ramify policies ucb1

    Example: ramify policies ./mine.py:my_rule --kernel
    """
    from ramify.strategies.policy.registry import named, policies

    if kernel:
        if name is None:
            raise RamifyError("--kernel needs the name of a policy, as in: ramify policies ucb1 --kernel")
        sources = named(name).sources()
        if json:
            print_json(sources)
        else:
            print("\n".join(f"# {what}\n{text}" for what, text in sources.items()), end="")
        return
    found = policies() if name is None else {name: named(name)}
    rows = [row(called, policy) for called, policy in found.items()]
    if json:
        print_json(rows)
        return
    for one, policy in zip(rows, found.values(), strict=True):
        constants = ", ".join(written(constant) for constant in policy.constants)
        print(f"{one['name']}({constants})" if constants else one["name"])
        for title in ("formula", "source"):
            if one[title]:
                print(f"    {one[title]}")
        if one["needs"]:
            print(f"    needs {', '.join(one['needs'])}")
    if name is None:
        print("\nAs in: ramify search connect4 --simulations 10000 --agent 'mcts(select=ucb1_tuned)'")
        print("Also ./mine.py:my_rule, a function of yours; docs/policies.md shows how.")


def row(name: str, policy: Policy) -> dict[str, Any]:
    """A policy as plain data."""
    formula, source = policy.formula_and_source()
    return {
        "name": name,
        "formula": formula,
        "constants": {
            constant.name: {
                "default": constant.default,
                "words": list(constant.words),
                "limits": str(constant.limits) if constant.limits else None,
            }
            for constant in policy.constants
        },
        "needs": policy.needs(),
        "form": "choice" if policy.returns_arm else "index",
        "source": source,
    }


def written(constant: Constant) -> str:
    """A constant with its default, or with the words it may be, the default first."""
    if constant.words:
        return f"{constant.name}={'|'.join(sorted(constant.words, key=lambda word: word != constant.default))}"
    if isinstance(constant.default, bool):
        return f"{constant.name}={str(constant.default).lower()}"
    return constant.name if constant.default is None else f"{constant.name}={constant.default:g}"
