"""Executes the notebooks of the project as a reader would, from their folder."""

import os
import pathlib

import nbclient
import nbformat
import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks():
    assert [p.stem for p in NOTEBOOKS] == ["contention", "logp", "papers", "signature", "sweep"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook(path, monkeypatch):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    code = [c for c in book.cells if c.cell_type == "code"]
    assert not any(c.outputs or c.execution_count for c in code), "committed with outputs"

    sigview = pathlib.Path(os.environ["SIGVIEW"])
    assert sigview.name == "sigview"
    monkeypatch.setenv("PATH", str(sigview.parent) + os.pathsep + os.environ["PATH"])
    nbclient.NotebookClient(book, timeout=None, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    outputs = [o for c in code for o in c.outputs]
    assert not [o for o in outputs if o.output_type == "stream" and o.name == "stderr"]
    assert any("image/png" in o.get("data", {}) for o in outputs), "a notebook draws something"
