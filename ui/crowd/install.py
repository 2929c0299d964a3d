"""Makes the crowd environment: `python -m crowd.install FOLDER` (standard library only).

Python packages in a virtual environment with the versions of requirements.txt; a changed copy of Mephisto's
router; the built page. Nothing is written elsewhere. Done again, it brings the folder up to date.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from crowd import layout
from crowd.router import copy_router
from crowd.trouble import CrowdError

NODE_MAJOR = 18


def install(environment: Path) -> None:
    """Raises `CrowdError` naming what is missing or which step failed."""
    npm = _node()
    if sys.version_info[:2] != (3, 11):
        raise CrowdError(
            f"the crowd environment needs Python 3.11, for which its versions were tried; this is "
            f"{sys.version.split()[0]}: call it with python3.11 (make crowd CROWD_PYTHON=python3.11)"
        )
    _packages(environment)
    _engine(environment)
    _router(environment, npm)
    _page(environment, npm)


def _node() -> str:
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise CrowdError("node and npm are missing; on Debian and Ubuntu: apt install nodejs npm")
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = said.removeprefix("v").partition(".")[0]
    if not major.isdigit() or int(major) < NODE_MAJOR:
        raise CrowdError(f"node {NODE_MAJOR} or later is needed; {node} is {said or 'silent'}")
    return npm


def _packages(environment: Path) -> None:
    python = environment / "bin" / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
    (environment / ".gitignore").write_text("*\n", encoding="ascii")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _call([*pip, "-r", str(layout.SOURCE / "requirements.txt")])
    # Their own pins contradict one another and Python 3.11: requirements.txt stands in for them.
    _call([*pip, "--no-deps", f"parlai=={layout.PARLAI}", f"mephisto=={layout.MEPHISTO}"])
    _call([*pip, "--no-deps", "-r", str(layout.SOURCE / "engine.txt")])


def _engine(environment: Path) -> None:
    """Links to kbqa, so that ParlAI's own commands find its teacher and agent (kbqa/parlai)."""
    home = next((f for f in layout.SOURCE.parents if (f / "kbqa" / "parlai").is_dir()), None)
    if home is None:
        raise CrowdError(f"there is no package kbqa beside {layout.SOURCE}; install kbqa again")
    site = _mephisto(environment).parents[1]
    for name in ("kbqa", "freebase_stub"):
        link = site / name
        link.unlink(missing_ok=True)
        link.symlink_to(home / name)
    # The places where ParlAI looks for `-t kbqa` and `-m kbqa`.
    for place, text in (
        ("tasks/kbqa/agents.py", "from kbqa.parlai.teacher import DefaultTeacher\n"),
        ("agents/kbqa/kbqa.py", "from kbqa.parlai.agent import KbqaAgent\n"),
    ):
        file = site / "parlai" / place
        file.parent.mkdir(exist_ok=True)
        (file.parent / "__init__.py").touch()
        file.write_text(text, encoding="ascii")


def _router(environment: Path, npm: str) -> None:
    target = layout.router(environment)
    copy_router(_mephisto(environment) / "architects" / "router" / "node", target)
    _call([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], target)


def _mephisto(environment: Path) -> Path:
    found = sorted(environment.glob("lib/python*/site-packages/mephisto/abstractions"))
    if not found:
        raise CrowdError(f"there is no Mephisto under {environment}; remove the folder and try again")
    return found[-1]


def _page(environment: Path, npm: str) -> None:
    target = layout.page(environment)
    for name in ("src", "static", "build"):
        shutil.rmtree(target / name, ignore_errors=True)
    wanted = shutil.ignore_patterns("node_modules", "build")
    shutil.copytree(layout.SOURCE / "webapp", target, dirs_exist_ok=True, ignore=wanted)
    _call([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], target)
    _call([npm, "run", "--silent", "build"], target)
    # Mephisto copies these by name out of src/static.
    static = target / "src" / "static"
    static.mkdir()
    shutil.copy2(target / "static" / "index.html", static)
    shutil.copy2(_mephisto(environment) / "blueprints/parlai_chat/webapp/src/static/notif.mp3", static)


def _call(command: list[str], folder: Path | None = None) -> None:
    print("+ " + " ".join(command), flush=True)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    if subprocess.run(command, cwd=folder, env=environment, check=False).returncode:
        raise CrowdError(f"this failed (see above): {' '.join(command)}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m crowd.install", description="Make the crowd environment."
    )
    parser.add_argument("environment", type=Path, help="the folder, such as .venv-crowd")
    given = parser.parse_args(arguments)
    try:
        install(given.environment.resolve())
    except CrowdError as e:
        print(f"crowd: {e}", file=sys.stderr)
        return 1
    print(f"The crowd environment is in {given.environment}. Next: kbqa crowd check")
    return 0


if __name__ == "__main__":
    sys.exit(main())
