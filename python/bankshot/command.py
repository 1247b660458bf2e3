# SPDX-License-Identifier: Apache-2.0
"""The program `bankshot`: where it is, and what it answers."""
import json
import os
import shutil
import subprocess
import tempfile


class BankshotError(Exception):
    """The program refused or failed. status is its exit status: 1 a kernel failed, 2 a mistake in the input, 3 deadlock."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def program():
    """Path of the program: the environment variable BANKSHOT, else what PATH has."""
    path = os.environ.get("BANKSHOT") or shutil.which("bankshot")
    if not path:
        raise BankshotError(2, "bankshot is not in PATH; set the environment variable BANKSHOT to its path")
    return path


def call(*args):
    """Runs it and returns what it printed."""
    try:
        done = subprocess.run([program(), *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as e:
        raise BankshotError(2, f"{program()}: {e.strerror}") from e
    if done.returncode != 0:
        raise BankshotError(done.returncode, done.stderr.strip() or f"bankshot ended with status {done.returncode}")
    return done.stdout


def call_json(*args):
    """Runs it with --json and returns the answer. A file, since commands print other things as well."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "answer.json")
        call(*args, "--quiet", "--json", path)
        with open(path, encoding="utf-8") as f:
            return json.load(f)


def settings(options):
    """{"sm.collectors": 4} as the command line has it."""
    words = []
    for name, value in (options or {}).items():
        words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    return words


def joined(mechs):
    """Mechanisms of one machine: None, "rba,shuffle" or a list of names."""
    return mechs if isinstance(mechs, str) else ",".join(mechs) if mechs else "base"
