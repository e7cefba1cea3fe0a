"""``ramify policies``."""

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
        str | None, typer.Argument(help="A policy, or ./mine.py:my_rule. (default: all built-in policies)")
    ] = None,
    json: JsonOption = False,
    kernel: Annotated[bool, typer.Option("--kernel", help="Print the kernel generated from the policy.")] = False,
) -> None:
    """List the selection policies with formula, constants and defaults, requirements and source.

    Example: ramify policies ucb1

    Example: ramify policies ./mine.py:my_rule --kernel
    """
    from ramify.strategies.policy.registry import named, policies

    if kernel:
        if name is None:
            raise RamifyError("--kernel needs a policy, e.g. ramify policies ucb1 --kernel")
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
        print("\nExample: ramify search connect4 --simulations 10000 --agent 'mcts(select=ucb1_tuned)'")
        print("Also ./mine.py:my_rule, your own function; see docs/policies.md.")


def row(name: str, policy: Policy) -> dict[str, Any]:
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
    """Format a constant with its default, or with its possible words, default first."""
    if constant.words:
        return f"{constant.name}={'|'.join(sorted(constant.words, key=lambda word: word != constant.default))}"
    if isinstance(constant.default, bool):
        return f"{constant.name}={str(constant.default).lower()}"
    return constant.name if constant.default is None else f"{constant.name}={constant.default:g}"
