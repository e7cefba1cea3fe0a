"""Files of the user's: how a name means one, how it is imported, and what it depends on."""

import hashlib
import importlib.util
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

from ramify.errors import RamifyError

PACKAGE = Path(__file__).resolve().parent


def is_path(name: str) -> bool:
    """Whether a name means a file of the user's."""
    return name.endswith(".py") or "/" in name


def import_file(name: str) -> ModuleType:
    """Import a file by its path; its folder is on the import path, so that it can import its neighbours."""
    path = Path(name).expanduser().resolve()
    if not path.is_file():
        raise RamifyError(f"there is no file {name}")
    unique = f"ramify_user_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(unique, path)
    if spec is None or spec.loader is None:
        raise RamifyError(f"{name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[unique]
        raise RamifyError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    return module


def imported_files_digest(module: ModuleType) -> str:
    """Digest of the user's own files that the module imports, directly or not; library files do not count."""
    libraries = [Path(sysconfig.get_path(key)).resolve() for key in ("stdlib", "purelib", "platlib")] + [PACKAGE]
    digest = hashlib.sha256()
    seen = {module.__name__}
    waiting = [module]
    while waiting:
        for value in list(vars(waiting.pop()).values()):
            owner = (
                value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
            )
            file = getattr(owner, "__file__", None)
            if owner is None or file is None or owner.__name__ in seen:
                continue
            seen.add(owner.__name__)
            path = Path(file).resolve()
            if path.suffix == ".py" and not any(path.is_relative_to(library) for library in libraries):
                digest.update(path.read_bytes())
                waiting.append(owner)
    return digest.hexdigest()
