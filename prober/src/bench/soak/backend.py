# A build backend of its own, so that building the package asks no registry for one.
import base64
import hashlib
import zipfile
from pathlib import Path

NAME = "@NAME@"
MODULE = "@MODULE@"
REQUIRES_PYTHON = "@REQUIRES_PYTHON@"
BROKEN = "@BROKEN@" == "yes"
INFO = f"{MODULE}-1.0.0.dist-info"
METADATA = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0.0\nSummary: Server of the soak frame.\nRequires-Python: {REQUIRES_PYTHON}\n"


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = Path(metadata_directory) / INFO
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA)
    (folder / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: soak\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    (folder / "entry_points.txt").write_text(f"[console_scripts]\n{NAME} = {MODULE}:main\n")
    return INFO


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if BROKEN:
        raise RuntimeError("soak: this package does not build")
    files = {f"{MODULE}/{file.name}": file.read_bytes() for file in sorted(Path(MODULE).iterdir()) if file.is_file()}
    files[f"{INFO}/METADATA"] = METADATA.encode()
    files[f"{INFO}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: soak\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{INFO}/entry_points.txt"] = f"[console_scripts]\n{NAME} = {MODULE}:main\n".encode()
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for name, data in files.items())
    files[f"{INFO}/RECORD"] = (record + f"{INFO}/RECORD,,\n").encode()
    wheel = f"{MODULE}-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data)
    return wheel
