"""Executes the notebooks, and compares what they say with the outputs that are stored."""

import os
import pathlib
import re

import nbformat
import pytest
from books import NOTEBOOKS, executed, outputs

MOST_BYTES = 100_000  # of a notebook


def test_there_are_notebooks():
    assert [p.stem for p in NOTEBOOKS] == ["contention", "logp", "papers", "signature", "sweep"]


def said(book):
    """Returns the texts of all outputs, and of pictures that there is one."""
    return [o.get("text") or (o.data["text/plain"], "image/png" in o.data) for o in outputs(book)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook(path, monkeypatch):
    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    assert path.stat().st_size <= MOST_BYTES
    assert [c.execution_count for c in stored.cells if c.cell_type == "code"] == list(range(1, 1 + sum(c.cell_type == "code" for c in stored.cells)))
    here = "|".join(re.escape(p) for p in [str(pathlib.Path.home()), os.getcwd(), "/tmp/", "/home/"])
    assert not re.search(here, path.read_text()), "a path of one machine"

    monkeypatch.setenv("PATH", os.environ["PATH"])
    book = executed(path)
    assert not [o for o in outputs(book) if o.output_type == "stream" and o.name == "stderr"]
    assert any("image/png" in o.get("data", {}) for o in outputs(book)), "a notebook draws something"
    assert said(book) == said(stored), "the stored outputs are not those of now: make notebooks"
