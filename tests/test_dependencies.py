"""What the package imports is what pyproject.toml declares."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

from tests.processes import PACKAGE, ROOT


def normal(name):
    """A distribution's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def imported():
    """The top names of all imports, wherever they stand."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"ramify"}


def test_every_import_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [one for name, some in project["optional-dependencies"].items() if name != "dev" for one in some]
    declared = {normal(re.match(r"[\w.-]+", one)[0]) for one in [*project["dependencies"], *extras]}
    homes = packages_distributions()
    assert {name for name in imported() if not declared & {normal(home) for home in homes[name]}} == set()
