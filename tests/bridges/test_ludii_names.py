"""Names and options of Ludii's games, and what is said where Java, JPype or the jar is missing; no jar is needed."""

import sys
import zipfile

import pytest

import ramify
from ramify.bridges.ludii import catalogue, category, jvm
from ramify.bridges.ludii.catalogue import GameFacts, GameFilter
from ramify.bridges.ludii.names import entries, parse_name, resolve_options
from ramify.errors import RamifyError

FILES = (
    "lud/board/space/line/Nine Men's Morris.lud",
    "lud/board/war/custodial/Siga (Sri Lanka).lud",
    "lud/board/war/custodial/Siga.lud",
    "lud/board/hunt/Tablut.lud",
    "lud/reconstruction/done/board/sow/Awari.lud",
    "lud/math/nim/Nim.lud",
    "lud/test/Broken.lud",
    "other/readme.txt",
)
OPTIONS = ["Board Size/6x6", "Board Size/8x8", "Players/2 (a)", "Swap Rules/Off"]


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """A jar with the names of some games and nothing else."""
    path = tmp_path / "ludii.jar"
    with zipfile.ZipFile(path, "w") as made:
        for file in FILES:
            made.writestr(file, "")
    monkeypatch.setenv("RAMIFY_LUDII_JAR", str(path))
    return path


def test_games_are_those_that_are_finished(archive):
    names = [entry.name for entry in entries().values()]
    assert sorted(names) == ["Awari", "Nim", "Nine Men's Morris", "Siga", "Siga (Sri Lanka)", "Tablut"]


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("Nine Men's Morris", "Nine Men's Morris", "options"),
        ("nine_mens_morris", "Nine Men's Morris", "options"),
        ("Siga", "Siga", "options"),
        ("Siga (Sri Lanka)", "Siga (Sri Lanka)", "options"),
        ('Siga ( sri lanka )("Board Size/6x6")', "Siga (Sri Lanka)", 'options("Board Size/6x6")'),
        ("Siga(board_size=6x6)", "Siga", "options(board_size=6x6)"),
        ('Tablut("Players/2 (a)")', "Tablut", 'options("Players/2 (a)")'),
    ],
)
def test_names_and_options_are_read(archive, text, name, options):
    entry, call = parse_name(text)
    assert (entry.name, str(call)) == (name, options)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Tablet", "Ludii has no game 'Tablet'; did you mean 'Tablut'?"),
        ("Zzzzzz", "Ludii has no game 'Zzzzzz'; `ramify ludii list` lists them"),
        ("", "Ludii has no game ''; `ramify ludii list` lists them"),
        ("Broken", "Ludii has no game 'Broken'"),
        ("Nim(", "Ludii has no game 'Nim('; did you mean 'Nim'?"),
        ("Nim(=)", "cannot read"),
    ],
)
def test_bad_names_get_a_sentence(archive, text, sentence):
    with pytest.raises(RamifyError) as told:
        ramify.load(f"ludii:{text}")
    assert sentence in str(told.value)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('Nim("board size/8X8")', ["Board Size/8x8"]),
        ("Nim(swap_rules=off, board_size=6x6)", ["Board Size/6x6", "Swap Rules/Off"]),
        ('Nim(players="2 (a)")', ["Players/2 (a)"]),
    ],
)
def test_options_become_ludiis_own(archive, text, options):
    assert resolve_options(*parse_name(text), OPTIONS) == options


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Nim(board_size=7x7)", 'Nim has no option \'board_size/7x7\'; use one of "Board Size/6x6", "Board Size/8x8"'),
        ("Nim(colour=red)", "Nim has no option 'colour/red'; use one of \"Board Size/6x6\""),
        ("Nim(board_size=6x6, board_size=8x8)", "duplicate option 'Board Size' of Nim"),
    ],
)
def test_bad_options_get_a_sentence(archive, text, sentence):
    with pytest.raises(RamifyError) as told:
        resolve_options(*parse_name(text), OPTIONS)
    assert str(told.value).startswith(sentence)


def test_a_game_without_options_says_so(archive):
    with pytest.raises(RamifyError, match="Nim has no option 'a/b'; it has no options"):
        resolve_options(*parse_name("Nim(a=b)"), [])


def test_categories_come_from_the_folders(archive):
    kinds = {entry.name: entry.category for entry in entries().values()}
    assert kinds["Tablut"] == "hunt"
    assert kinds["Awari"] == "sow"
    assert kinds["Nim"] == "math"
    assert category("ludii:nine mens morris") == "space"


def test_filters():
    dice = GameFacts("a", "race", 2, ("chance",), 0)
    cards = GameFacts("b", "war", 4, ("hidden", "chance"), 0)
    broken = GameFacts("c", "war", 2, (), 0, "it fails")
    games = [dice, cards, broken]

    def fitting(**wanted):
        return [one.name for one in games if GameFilter(**wanted).matches(one)]

    assert fitting() == ["a", "b", "c"]
    assert fitting(players=2) == ["a", "c"]
    assert fitting(chance=True, hidden=False) == ["a"]
    assert fitting(chance=False) == ["c"]
    assert fitting(searchable=True) == ["a"]
    assert fitting(category="war", searchable=False) == ["b", "c"]


def test_without_a_jar(monkeypatch):
    monkeypatch.delenv("RAMIFY_LUDII_JAR", raising=False)
    with pytest.raises(RamifyError, match=r"Ludii.s games need its jar: download it from https://ludii\.games"):
        ramify.load("ludii:Hex")


def test_a_jar_that_is_none(tmp_path, monkeypatch):
    other = tmp_path / "other.jar"
    other.write_text("hello", encoding="utf-8")
    monkeypatch.setenv("RAMIFY_LUDII_JAR", str(other))
    with pytest.raises(RamifyError, match=r"other\.jar is not Ludii's jar$"):
        ramify.load("ludii:Hex")
    with zipfile.ZipFile(other, "w") as made:
        made.writestr("a.txt", "")
    with pytest.raises(RamifyError, match=r"other\.jar is not Ludii's jar: it contains no games"):
        ramify.load("ludii:Hex")
    monkeypatch.setenv("RAMIFY_LUDII_JAR", str(tmp_path / "nowhere.jar"))
    with pytest.raises(RamifyError, match=r"Ludii's jar not found: .*nowhere\.jar; download it"):
        ramify.load("ludii:Hex")


def test_without_jpype(archive, monkeypatch):
    monkeypatch.setitem(sys.modules, "jpype", None)
    with pytest.raises(RamifyError, match=r'games need JPype: pip install "ramify\[ludii\]"'):
        jvm.start_jvm.__wrapped__()


def test_without_java(archive, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(RamifyError, match=r"games need a Java compiler: install a Java development kit"):
        jvm.java_home()


def test_a_jar_that_is_not_the_right_one_is_found_out(archive, tmp_path, monkeypatch, capsys):
    home = tmp_path / "jdk"
    (home / "bin").mkdir(parents=True)
    javac = home / "bin" / "javac"
    javac.write_text(
        "#!/bin/sh\necho 'Rules.java:8: error: package game does not exist' >&2\nexit 1\n", encoding="utf-8"
    )
    javac.chmod(0o755)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(RamifyError, match=r"cannot compile the Java helper: .*package game does not exist"):
        jvm.helper_classes(archive, home)
    assert "compiling the Java helper for Ludii" in capsys.readouterr().err
    assert list((tmp_path / "cache" / "ramify" / "ludii").iterdir()) == []


def test_damaged_classes_are_compiled_again(archive, tmp_path, monkeypatch, capsys):
    home = tmp_path / "jdk"
    (home / "bin").mkdir(parents=True)
    javac = home / "bin" / "javac"
    javac.write_text(
        '#!/bin/sh\nwhile [ "$1" != -d ]; do shift; done\necho code > "$2/One.class"\necho more > "$2/Two.class"\n',
        encoding="utf-8",
    )
    javac.chmod(0o755)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))

    def compiled():
        folder = jvm.helper_classes(archive, home)
        assert [(folder / name).read_text() for name in ("One.class", "Two.class")] == ["code\n", "more\n"]
        return "compiling the Java helper" in capsys.readouterr().err

    assert compiled()
    assert not compiled()
    (folder,) = (tmp_path / "cache" / "ramify" / "ludii").iterdir()
    for name in ("One.class", jvm.CHECKSUMS):
        for damage in (lambda file: file.write_bytes(b"c0de\n"), lambda file: file.unlink()):
            damage(folder / name)
            assert compiled()
            assert not compiled()
    (folder / "One.class").rename(folder / "Three.class")
    assert compiled()


def test_damaged_facts_are_found_out_again(archive, tmp_path, monkeypatch):
    """Each line of the catalogue has a checksum."""
    inspected = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(
        catalogue, "inspect_game", lambda entry: inspected.append(entry.name) or GameFacts(entry.name, "", 2, (), 9)
    )
    first = catalogue.load_facts()
    assert len(inspected) == len(first) == 6
    assert catalogue.load_facts() == first
    assert len(inspected) == 6
    (file,) = (tmp_path / "cache" / "ramify" / "ludii").iterdir()
    whole = file.read_bytes()
    for damaged in (whole.replace(b'"moves": 9', b'"moves": 8', 1), whole[:-9] + b"\xff" + whole[-8:], b"{}\n" + whole):
        inspected.clear()
        file.write_bytes(damaged)
        assert catalogue.load_facts() == first
        assert len(inspected) == (not damaged.endswith(whole))


@pytest.mark.parametrize("heap", ["many", "12", "-1", "1e3"])
def test_a_strange_heap(monkeypatch, heap):
    monkeypatch.setenv("RAMIFY_LUDII_HEAP", heap)
    with pytest.raises(RamifyError, match=r"invalid RAMIFY_LUDII_HEAP '.*': use an integer number of MB, at least 64"):
        jvm.heap()
