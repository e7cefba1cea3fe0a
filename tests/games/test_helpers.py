"""Where helpers of games live, and which games an edit of one compiles anew."""

import json
import shutil
from pathlib import Path

import pytest

import ramify
from ramify.contract.registry import GAMES, builtin_module
from ramify.core.kernels.compiling import JIT
from ramify.core.kernels.source_digest import imported_author_modules
from tests import processes
from tests.core.kernels.test_cache import PLAYOUT

DIGESTS = """
import json
import ramify
from ramify.contract.registry import builtin_module
from ramify.core.kernels.source_digest import digest
print(json.dumps({name: digest(builtin_module(name)) for name in ramify.games()}))
"""


def users_of(path):
    """The games that import a file, directly or not."""
    return {
        name
        for name in ramify.games()
        if str(path) in {module.__file__ for module in imported_author_modules(builtin_module(name))}
    }


def modules_in(folder):
    return [path for path in folder.glob("*.py") if path.stem != "__init__"]


FOLDERS = {path.parent for path in GAMES.glob("*/*.py")} - {GAMES / "boards"}


@pytest.mark.parametrize("folder", sorted(FOLDERS), ids=lambda folder: folder.name)
def test_a_folder_holds_one_game_and_helpers_that_no_other_game_uses(folder):
    modules = modules_in(folder)
    assert len(modules) > 1
    assert [users_of(path) for path in modules] == [{folder.name}] * len(modules)


@pytest.mark.parametrize("path", modules_in(GAMES / "boards"), ids=lambda path: path.stem)
def test_several_games_share_each_module_of_boards(path):
    assert len(users_of(path)) > 1


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Path:
    """A copy of the package, to be edited."""
    folder = tmp_path_factory.mktemp("edited") / "ramify"
    shutil.copytree(processes.PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def digests(package):
    return json.loads(processes.run("-c", DIGESTS, source=package.parent, PYTHONDONTWRITEBYTECODE="1"))


@pytest.mark.parametrize(
    ("helper", "users"),
    [
        ("amazons/queen_lines.py", {"amazons"}),  # which the game imports, and its other helper
        ("cannon/text.py", {"cannon"}),
        ("boards/chains.py", {"atarigo", "go", "nogo", "pentalath"}),
    ],
)
def test_an_edit_of_a_helper_changes_the_kernels_of_the_games_that_import_it(helper, users, package):
    before = digests(package)
    edited = package / "games" / helper
    edited.write_text(edited.read_text() + "\nNEW = 1\n")
    after = digests(package)
    assert {name for name in before if before[name] != after[name]} == users


def test_a_game_in_a_new_folder_is_found(package):
    folder = package / "games" / "new_game"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""A game."""\n')
    source = (package / "games" / "tictactoe.py").read_text()
    (folder / "new_game.py").write_text(source + "\n\nfrom ramify.games.new_game.helper import MOVE_CLASSES\n")
    (folder / "helper.py").write_text("MOVE_CLASSES = 11\n")
    script = "import ramify; print(ramify.load('new_game').move_classes(), *ramify.games())"
    classes, *names = processes.run("-c", script, source=package.parent).split()
    assert (int(classes), names) == (11, sorted([*ramify.games(), "new_game"]))


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize("game", ["p_game", "atarigo"])
def test_helpers_that_are_given_a_function_are_kept_on_disk(game, tmp_path):
    """A game hands its rule to ``hashed_tree`` or ``placement``; the next process finds what was compiled."""
    first, second = (json.loads(processes.run("-c", PLAYOUT, game, NUMBA_CACHE_DIR=str(tmp_path))) for _ in range(2))
    assert first["compiled"] > 0
    assert second == {**first, "compiled": 0}
