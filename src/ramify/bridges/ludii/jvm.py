"""Finds Java and Ludii's jar, compiles the Java helper once, and starts the JVM that runs both.

Users download Ludii's jar themselves. The helper's sources are next to this file. The user's ``javac`` compiles them
once per jar, and the classes are cached with Ramify's other compiled code.
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

from ramify.core.kernels import checked_files
from ramify.core.kernels.cache_location import cache_root
from ramify.errors import RamifyError, os_error_text
from ramify.numerals import is_whole_number
from ramify.paths import expanded, is_file, resolved

JAR = "RAMIFY_LUDII_JAR"
HEAP = "RAMIFY_LUDII_HEAP"  # heap of the JVM in MB
DEFAULT_HEAP_MB = 1024
SOURCES = Path(__file__).parent / "java"
CHECKSUMS = "checksums"  # file next to the classes
JDK = "a Java development kit (17 or later, https://adoptium.net), with javac in PATH or JAVA_HOME set"
DOWNLOAD_URL = "https://ludii.games/download.php"


def jar() -> Path:
    """Return the path of Ludii's jar."""
    setting = os.environ.get(JAR)
    if not setting:
        raise RamifyError(
            f"Ludii's games need its jar: download it from {DOWNLOAD_URL} and set {JAR} or pass --ludii-jar"
        )
    path = expanded(setting)
    if not is_file(path):
        raise RamifyError(f"Ludii's jar not found: {setting}; download it from {DOWNLOAD_URL}")
    return resolved(path)


@cache
def start_jvm() -> Any:
    """Start the JVM with Ludii and the helper in this process. Return the ``jpype`` module."""
    file = jar()
    try:
        jpype = importlib.import_module("jpype")
        importlib.import_module("jpype.nio")
    except ImportError:
        raise RamifyError('Ludii\'s games need JPype: pip install "ramify[ludii]"') from None
    home = java_home()
    classes = helper_classes(file, home)
    library = home / "lib" / "server" / ("jvm.dll" if os.name == "nt" else "libjvm.so")
    if sys.platform == "darwin":
        library = library.with_suffix(".dylib")
    if not jpype.isJVMStarted():
        try:
            jpype.startJVM(
                str(library) if library.is_file() else jpype.getDefaultJVMPath(),
                f"-Xmx{heap()}m",
                "-XX:+UseSerialGC",
                "-Xrs",  # Python handles signals
                *crash_log_options(),
                "-Djava.awt.headless=true",
                classpath=[str(file), str(classes)],
                convertStrings=True,
                interrupt=False,
            )
        except Exception as error:  # noqa: BLE001  (JPype raises various exceptions)
            raise RamifyError(f"cannot start Java: {' '.join(str(error).split())}; install {JDK}") from None
        _silence_output(jpype)
        _decouple_garbage_collectors()
    return jpype


def _silence_output(jpype: Any) -> None:
    """Discard what Ludii prints; its exceptions still reach Python."""
    system, stream = jpype.JClass("java.lang.System"), jpype.JClass("java.io.PrintStream")
    nowhere = stream(jpype.JClass("java.io.OutputStream").nullOutputStream())
    system.setOut(nowhere)
    system.setErr(nowhere)


def _decouple_garbage_collectors() -> None:
    """Collect Python's and Java's garbage independently.

    In JPype every Java collection triggers a Python collection, which takes half a second with Numba's objects. No
    garbage here needs both: positions are released by their handles.
    """
    for hook in list(gc.callbacks):
        if getattr(hook, "__name__", "") == "_collect":
            gc.callbacks.remove(hook)


def crash_log_options() -> list[str]:
    """Return the options that make Java write crash logs to the temporary folder, not to the current one."""
    folder = Path(tempfile.gettempdir())
    return [
        f"-XX:ErrorFile={folder / 'ramify_java_crash_%p.log'}",
        f"-XX:ReplayDataFile={folder / 'ramify_java_replay_%p.log'}",
    ]


def java_class(name: str) -> Any:
    """Return a class of the helper."""
    return start_jvm().JClass(f"ramify.{name}")


def heap() -> int:
    """Return the heap of the JVM in MB."""
    setting = os.environ.get(HEAP)
    if setting is None:
        return DEFAULT_HEAP_MB
    if not is_whole_number(setting) or int(setting) < 64:
        raise RamifyError(f"invalid {HEAP} '{setting}': use an integer number of MB, at least 64")
    return int(setting)


def java_home() -> Path:
    """Return the folder of the Java development kit."""
    setting = os.environ.get("JAVA_HOME")
    if setting and (Path(setting) / "bin" / "javac").exists():
        return Path(setting)
    found = shutil.which("javac")
    if found is None:
        raise RamifyError(f"Ludii's games need a Java compiler: install {JDK}")
    return Path(found).resolve().parents[1]


def cache_folder() -> Path:
    """Return the cache folder for Ludii's games."""
    return cache_root() / "ludii"


def helper_classes(file: Path, home: Path) -> Path:
    """Return the folder of the helper's classes, compiled for this jar."""
    folder = cache_folder() / _digest(file)
    if not _intact(folder):
        sys.stderr.write("compiling the Java helper for Ludii (once) ...\n")
        shutil.rmtree(folder, ignore_errors=True)
        _compile_helper(file, home, folder)
    return folder


def _intact(folder: Path) -> bool:
    """Whether the classes in the folder are those that were compiled."""
    return checked_files.read(folder / CHECKSUMS, folder.name) == _checksums(folder)


def _checksums(folder: Path) -> bytes:
    """Return a line per class of the folder: its checksum and its path."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.class"))
    lines = [f"{checked_files.checksum(name, (folder / name).read_bytes()).hex()} {name}" for name in names]
    return "\n".join(lines).encode()


def jar_fingerprint(file: Path) -> str:
    """Return a hash of the jar's path, size and time; its content would take long to read."""
    status = file.stat()
    return hashlib.sha256(f"{file} {status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:16]


def _digest(file: Path) -> str:
    """Return a hash of the jar's fingerprint and the helper's sources."""
    digest = hashlib.sha256(jar_fingerprint(file).encode())
    for path in sorted(SOURCES.rglob("*.java")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _compile_helper(file: Path, home: Path, folder: Path) -> None:
    """Compile into a temporary folder, then rename it: other processes may compile at the same time."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError as error:
        raise _cannot_write(folder, error) from None
    try:
        sources = [str(path) for path in sorted(SOURCES.rglob("*.java"))]
        crash = [f"-J{option}" for option in crash_log_options()]
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
            raise RamifyError(f"cannot compile the Java helper: {file} is not Ludii 1.3.14's jar: {first}")
        try:
            checked_files.write(made / CHECKSUMS, folder.name, _checksums(made))
        except OSError as error:
            raise _cannot_write(folder, error) from None
        with suppress(OSError):  # another process was faster
            made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _cannot_write(folder: Path, error: OSError) -> RamifyError:
    return RamifyError(f"cannot write the Java helper for Ludii to {folder.parent}: {os_error_text(error)}")
