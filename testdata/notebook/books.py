"""Executes the notebooks of the project as a reader would, from their folder.

As a program it stores them with their outputs: make notebooks.
"""

import base64
import io
import os
import pathlib

import nbclient
import nbformat
from PIL import Image

FOLDER = pathlib.Path(__file__).parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
COLOURS = 32  # of a stored picture, which keeps it small


def executed(path):
    """Returns a notebook with the outputs that it has now, without the times at which it ran."""
    sigview = pathlib.Path(os.environ["SIGVIEW"])
    assert sigview.name == "sigview"
    os.environ["PATH"] = str(sigview.parent) + os.pathsep + os.environ["PATH"]
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=None, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(FOLDER)}}).execute()
    book.metadata = nbformat.read(path, as_version=4).metadata  # without what is there of this machine's Python
    return book


def outputs(book):
    """Returns the outputs of a notebook, in their order."""
    return [o for c in book.cells if c.cell_type == "code" for o in c.outputs]


def smaller(png):
    """Returns a picture in fewer colours, both as base64."""
    out = io.BytesIO()
    Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode()


if __name__ == "__main__":
    for path in NOTEBOOKS:
        book = executed(path)
        for output in outputs(book):
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = smaller(output.data["image/png"])
        nbformat.write(book, path)
