"""What is built works outside the checkout, and importing costs next to nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kbqa import assets

CAPITAL = "SELECT ?x WHERE { ns:m.02k54 ns:location.country.capital ?x }"


def python(*words: str, cwd: Path | None = None, path: Path | None = None, stdin: str = "") -> str:
    """What a fresh interpreter prints; its stderr if it fails."""
    environment = dict(os.environ) | ({"PYTHONPATH": str(path)} if path else {})
    ran = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


# --- importing ---------------------------------------------------------------------------------------


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement loads, by their top names and in full."""
    found = python("-c", f"import json, sys; {statement}; print(json.dumps(list(sys.modules)))")
    modules = json.loads(found)
    return {*modules, *(m.partition(".")[0] for m in modules)}


def test_importing_kbqa_loads_no_torch_and_nothing_else_that_is_large() -> None:
    assert not loaded_by("import kbqa") & {
        "torch",
        "numpy",
        "rdflib",
        "streamlit",
        "transformers",
        "typer",
        "rich",
    }


def test_importing_kbqa_takes_less_than_300_ms_of_a_processor() -> None:
    code = "import time; t = time.process_time(); import kbqa, kbqa.dialogue; print(time.process_time() - t)"
    assert min(float(python("-c", code)) for _ in range(3)) < 0.3


TEXT = ("types", "errors", "protocols", "dialogue", "sparql", "decompose", "templates", "lexicon")
HEAVY = {"torch", "transformers", "streamlit", "pyoxigraph", "SPARQLWrapper", "tantivy", "sqlite3", "ui"}
ENGINE = {"kbqa.store", "kbqa.models", "kbqa.link", "kbqa.parse", "kbqa.engine"}


@pytest.mark.parametrize("name", TEXT)
def test_types_and_text_conversions_load_no_store_model_or_page(name: str) -> None:
    loaded = loaded_by(f"import kbqa.{name}")
    # rdflib itself loads sqlite3 and SPARQLWrapper only where one of its stores is used.
    assert not loaded & (HEAVY | ENGINE)


def test_names_that_kbqa_offers_are_there() -> None:
    import kbqa

    for name in set(kbqa.__all__) - {"Engine"}:
        assert getattr(kbqa, name) is not None
    assert set(kbqa.__all__) <= set(dir(kbqa))
    with pytest.raises(AttributeError, match="nonsense"):
        kbqa.nonsense  # noqa: B018


# --- what is declared --------------------------------------------------------------------------------


def test_torch_is_pinned_alike_everywhere(checkout: Path) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    pins = [d for d in project["dependencies"] if d.startswith("torch")]
    assert pins == ["torch==2.13.0"]
    assert f"install {pins[0]}\n" in (checkout / "Makefile").read_text()
    assert not [
        d for extra in project["optional-dependencies"].values() for d in extra if d.startswith("torch")
    ]


def test_the_commands_are_declared(checkout: Path) -> None:
    project: dict[str, Any] = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"kbqa": "kbqa.cli:main"}
    assert {"ui", "train", "crowd", "evaluate", "dev"} == set(project["optional-dependencies"])


# --- the wheel ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("build", reason="the package 'build' is not installed (extra dev)")
    pytest.importorskip("hatchling", reason="the package 'hatchling' is not installed (extra dev)")
    out = tmp_path_factory.mktemp("dist")
    python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(checkout))
    [built] = out.glob("kbqa-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    python("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target), str(wheel))
    return target


def belongs_inside(checkout: Path, folder: str) -> list[str]:
    """The files of a folder that git does not ignore."""
    words = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", folder)
    ran = subprocess.run(["git", *words], cwd=checkout, capture_output=True, text=True)
    if ran.returncode:
        pytest.skip("this is no git checkout, so what belongs into the wheel can't be told")
    return [name for name in ran.stdout.split("\0") if name and (checkout / name).is_file()]


@pytest.mark.parametrize(
    ("folder", "inside"),
    [
        ("kbqa", "kbqa"),
        ("freebase_stub", "freebase_stub"),
        ("ui", "kbqa/_assets/ui"),
        ("models", "kbqa/_assets/models"),
    ],
)
def test_the_wheel_holds_library_stub_page_and_checkpoints(
    wheel: Path, checkout: Path, folder: str, inside: str
) -> None:
    expected = {inside + name.removeprefix(folder) for name in belongs_inside(checkout, folder)}
    held = set(zipfile.ZipFile(wheel).namelist())
    assert sorted(expected - held) == []


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {"kbqa", "freebase_stub", "kbqa-0.1.0.dist-info"}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    assert "kbqa/py.typed" in names


def test_the_installed_wheel_works_in_another_folder(installed: Path, tmp_path: Path) -> None:
    where = python(
        "-c", "import kbqa, freebase_stub as s; print(kbqa.__file__, s.TABLES)", cwd=tmp_path, path=installed
    )
    assert where.split() == [
        str(installed / "kbqa" / "__init__.py"),
        str(installed / "freebase_stub" / "tables"),
    ]
    assert "decompose" in python("-m", "kbqa.cli", "--help", cwd=tmp_path, path=installed)
    row = json.dumps({"id": 1, "sparql": CAPITAL, "entities": {"m.02k54": "Egypt"}})
    out = python("-m", "kbqa.cli", "decompose", "--input", "-", cwd=tmp_path, path=installed, stdin=row)
    assert "[Egypt]" in json.loads(out)["steps"][0]["template"]


def test_the_installed_wheel_finds_its_own_page(installed: Path, tmp_path: Path, checkout: Path) -> None:
    if not (checkout / "ui" / "app.py").is_file():
        pytest.skip("ui/app.py is not there yet")
    found = python("-c", "from kbqa import assets; print(assets.ui())", cwd=tmp_path, path=installed)
    assert Path(found.strip()) == installed / "kbqa" / "_assets" / "ui"


def test_the_checkout_finds_its_own_page_and_checkpoints(checkout: Path) -> None:
    assert assets.ui() == checkout / "ui"
    assert assets.models() == checkout / "models"
