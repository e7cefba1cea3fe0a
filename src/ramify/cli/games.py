"""``ramify games``: the games that are built in."""

from ramify.cli.common import JsonOption, print_json


def command(json: JsonOption = False) -> None:
    """List the built-in games with their parameters.

    Example: ramify games
    """
    from ramify.games.compiled import parameters_of
    from ramify.games.registry import builtin_module, names
    from ramify.grammar import Call

    rows = []
    for name in names():
        module = builtin_module(name)
        parameters = parameters_of(module)
        about = (module.__doc__ or "").strip().partition("\n")[0]
        rows.append({"name": name, "parameters": parameters, "players": module.PLAYERS, "about": about})
    if json:
        print_json(rows)
        return
    calls = [str(Call(str(row["name"]), tuple(row["parameters"].items()))) for row in rows]
    width = max(map(len, calls))
    for call, row in zip(calls, rows, strict=True):
        print(f"{call:{width}}  {row['about']}")
    print("\nAlso: ./mygame.py, and openspiel:NAME for the games of OpenSpiel.")
