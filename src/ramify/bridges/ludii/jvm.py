"""Java and Ludii: where they are, our helper in Java, which is compiled once, and the machine that runs both.

Ludii comes from its authors, as one jar that users fetch themselves. The helper's sources stand beside this file; the
user's own ``javac`` compiles them, once for each jar, and the classes are kept with our other compiled code.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ramify.core.kernels.disk_cache import cache_root
from ramify.errors import RamifyError, os_error_text

JAR = "RAMIFY_LUDII_JAR"
HEAP = "RAMIFY_LUDII_HEAP"  # megabytes for Java's objects
DEFAULT_HEAP_MB = 1024
SOURCES = Path(__file__).parent / "java"
JDK = "a Java development kit (17 or later: https://adoptium.net), with javac in PATH or JAVA_HOME set"
DOWNLOAD_URL = "https://ludii.games/download.php"


def jar() -> Path:
    """Ludii's jar."""
    said = os.environ.get(JAR)
    if not said:
        raise RamifyError(
            f"Ludii's games need its jar: fetch it from {DOWNLOAD_URL} and say where it is, by {JAR} or --ludii-jar"
        )
    path = Path(said).expanduser()
    if not path.is_file():
        raise RamifyError(f"there is no file {said}, where Ludii's jar should be; it comes from {DOWNLOAD_URL}")
    return path.resolve()


@cache
def start_jvm() -> Any:
    """Start Java with Ludii and the helper, in this process, and give the module that reaches them."""
    file = jar()
    try:
        jpype = importlib.import_module("jpype")
        importlib.import_module("jpype.nio")
    except ImportError:
        raise RamifyError('JPype is not installed, which Ludii\'s games need: pip install "ramify[ludii]"') from None
    home = java_home()
    classes = helper(file, home)
    library = home / "lib" / "server" / ("jvm.dll" if os.name == "nt" else "libjvm.so")
    if sys.platform == "darwin":
        library = library.with_suffix(".dylib")
    if not jpype.isJVMStarted():
        try:
            jpype.startJVM(
                str(library) if library.is_file() else jpype.getDefaultJVMPath(),
                f"-Xmx{heap()}m",
                "-XX:+UseSerialGC",
                "-Xrs",  # signals are Python's
                *crash_files(),
                "-Djava.awt.headless=true",
                classpath=[str(file), str(classes)],
                convertStrings=True,
                interrupt=False,
            )
        except Exception as error:  # noqa: BLE001  (JPype raises what it likes)
            raise RamifyError(f"Java does not start: {' '.join(str(error).split())}; install {JDK}") from None
        _silence(jpype)
        _decouple_garbage_collectors()
    return jpype


def _silence(jpype: Any) -> None:
    """Let what Ludii prints go nowhere: its exceptions come to us, too."""
    system, stream = jpype.JClass("java.lang.System"), jpype.JClass("java.io.PrintStream")
    nowhere = stream(jpype.JClass("java.io.OutputStream").nullOutputStream())
    system.setOut(nowhere)
    system.setErr(nowhere)


def _decouple_garbage_collectors() -> None:
    """Let Python's and Java's garbage be collected each for itself.

    JPype lets every collection of Java's start one of Python's, which takes half a second among Numba's objects. There
    is no garbage here that needs both: positions are given back by their numbers.
    """
    for hook in list(gc.callbacks):
        if getattr(hook, "__name__", "") == "_collect":
            gc.callbacks.remove(hook)


def crash_files() -> list[str]:
    """Options that send what Java writes when it crashes to the folder for such files, not to the current one."""
    folder = Path(tempfile.gettempdir())
    return [
        f"-XX:ErrorFile={folder / 'ramify_java_crash_%p.log'}",
        f"-XX:ReplayDataFile={folder / 'ramify_java_replay_%p.log'}",
    ]


def java_class(name: str) -> Any:
    """A class of the helper."""
    return start_jvm().JClass(f"ramify.{name}")


def heap() -> int:
    """Megabytes for Java's objects."""
    said = os.environ.get(HEAP)
    if said is None:
        return DEFAULT_HEAP_MB
    if not said.isdecimal() or int(said) < 64:
        raise RamifyError(f"{HEAP} must be a whole number of megabytes, 64 or more, not '{said}'")
    return int(said)


def java_home() -> Path:
    """The folder of the development kit."""
    said = os.environ.get("JAVA_HOME")
    if said and (Path(said) / "bin" / "javac").exists():
        return Path(said)
    found = shutil.which("javac")
    if found is None:
        raise RamifyError(f"no Java compiler was found, which Ludii's games need once: install {JDK}")
    return Path(found).resolve().parents[1]


def cache_folder() -> Path:
    """The folder for all that is kept of Ludii's games."""
    return cache_root() / "ludii"


def helper(file: Path, home: Path) -> Path:
    """The folder of the helper's classes, compiled for this jar."""
    folder = cache_folder() / _digest(file)
    if not folder.is_dir():
        sys.stderr.write("compiling the helper for Ludii; this is done once and kept on disk ...\n")
        _compile(file, home, folder)
    return folder


def jar_fingerprint(file: Path) -> str:
    """What tells one jar from another: where it is, its size and its time, for it is large."""
    status = file.stat()
    return hashlib.sha256(f"{file} {status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:16]


def _digest(file: Path) -> str:
    """Of the jar and of the helper's sources."""
    digest = hashlib.sha256(jar_fingerprint(file).encode())
    for path in sorted(SOURCES.rglob("*.java")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _compile(file: Path, home: Path, folder: Path) -> None:
    """Compile into a folder beside it, which then takes its name: another process may be at it, too."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError as error:
        raise RamifyError(f"the helper for Ludii cannot be kept in {folder.parent}: {os_error_text(error)}") from None
    try:
        sources = [str(path) for path in sorted(SOURCES.rglob("*.java"))]
        crash = [f"-J{option}" for option in crash_files()]
        command = [
            str(home / "bin" / "javac"),
            *crash,
            "-nowarn",
            "-encoding",
            "UTF-8",
            "-cp",
            str(file),
            "-d",
            str(made),
        ]
        done = subprocess.run([*command, *sources], capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            first = next((line for line in done.stderr.splitlines() if "error" in line), "javac failed")
            raise RamifyError(f"the helper does not compile with {file}, so that is not Ludii 1.3.14's jar: {first}")
        with suppress(OSError):  # somebody else was quicker
            made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
