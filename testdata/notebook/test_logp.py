"""Opens what logp and bandwidth leave the way a notebook would.

SIGVIEW is the program, which is asked for both.
"""

import hashlib
import json
import os
import re
import subprocess

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

from test_arrow import READERS

if "SIGVIEW" not in os.environ:
    pytest.skip("SIGVIEW is not set", allow_module_level=True)


@pytest.fixture(scope="session")
def logp(tmp_path_factory):
    out = tmp_path_factory.mktemp("logp") / "out"
    command = [os.environ["SIGVIEW"], "logp", "--platform", "ppro", "--layer", "gam,vmmc", "--size", "64,1K", "-q", "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return out


@pytest.fixture(scope="session")
def bandwidth(tmp_path_factory):
    out = tmp_path_factory.mktemp("bandwidth") / "out"
    command = [os.environ["SIGVIEW"], "bandwidth", "--platform", "ppro", "--layer", "gam,vmmc", "--size", "64,1K", "-q", "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return out


@pytest.mark.parametrize("reader", READERS)
def test_parameters(logp, reader):
    rows = reader(logp / "logp.arrow")
    for result in json.loads((logp / "logp.json").read_text())["results"]:
        mine = [r for r in rows if r["layer"] == result["layer"]]
        assert {r["method"] for r in mine} == {result["method"]}
        for key, estimate in result["parameters"].items():
            (row,) = [r for r in mine if r["quantity"] == key.removesuffix("_us") and r["size_bytes"] is None]
            if "not_identifiable" in estimate:
                assert row["value_ns"] is None and row["not_identifiable"] == estimate["not_identifiable"]
            else:
                assert row["value_ns"] == 1000 * estimate["value"]
                assert row["lo_ns"] <= row["value_ns"] <= row["hi_ns"]
        for size in result["sizes"]:
            quantities = {r["quantity"]: r for r in mine if r["size_bytes"] == size["size_bytes"]}
            if "T_us" in size:
                assert quantities["T"]["value_ns"] == 1000 * size["T_us"]["value"]
                assert quantities["bandwidth"]["value_mbps"] == size["bandwidth_MBps"]["value"]
            else:
                assert quantities["g"]["value_ns"] == 1000 * size["g_us"]["value"]


@pytest.mark.parametrize("reader", READERS)
def test_points(logp, reader):
    (gam,) = [r for r in json.loads((logp / "logp.json").read_text())["results"] if r["method"] == "signature"]
    cost = [r for r in reader(logp / "logp.arrow") if r["quantity"] == "cost" and r["size_bytes"] is None]
    assert [(r["m"], r["delta_ns"], r["value_ns"]) for r in cost] == [
        (p["m"], 1000 * p["delta_us"], 1000 * p["cost_us"]["value"]) for p in gam["points"]
    ]


@pytest.mark.parametrize("reader", READERS)
def test_bandwidth(bandwidth, reader):
    rows = reader(bandwidth / "bandwidth.arrow")
    points = [
        (r["layer"], p["size_bytes"], p["bandwidth_MBps"])
        for r in json.loads((bandwidth / "bandwidth.json").read_text())["results"]
        for p in r["points"]
    ]
    assert [(r["layer"], r["size_bytes"], r["bandwidth_mbps"]) for r in rows] == points


def test_metadata(logp, bandwidth):
    for path in [logp / "logp.arrow", bandwidth / "bandwidth.arrow"]:
        with pyarrow.ipc.open_file(path) as f:
            schema = f.schema
        assert schema.metadata[b"sigview.table"].decode() == path.stem
        for field in schema:
            assert field.metadata[b"doc"], field.name
            if field.name.endswith("_ns"):
                assert field.metadata[b"unit"] == b"ns"
                assert field.type == pyarrow.float64()
            if field.name.endswith("_mbps"):
                assert field.metadata[b"unit"] == b"1e6 B/s"


@pytest.mark.parametrize("name", ["logp", "bandwidth"])
def test_parquet_loses_nothing(name, request, tmp_path):
    made = request.getfixturevalue(name)
    subprocess.run([os.environ["SIGVIEW"], "export", made, "--to", "parquet", "-o", tmp_path / "out", "-q"], check=True)
    with pyarrow.ipc.open_file(made / (name + ".arrow")) as f:
        want = f.read_all()
    got = pyarrow.parquet.read_table(tmp_path / "out" / (name + ".parquet"))
    assert got.equals(want)
    labels = {k.decode(): v.decode() for k, v in got.schema.metadata.items()}
    document = (made / (name + ".json")).read_bytes()
    assert labels["sigview.platform"] == "ppro" and labels["sigview.layer"] == "gam,vmmc" and labels["sigview.seed"] == "1"
    assert labels["sigview.platform_digest"] == json.loads(document)["results"][0]["platform_digest"]
    without = re.sub(rb',\n  "document_sha256": "\w+"\n}\n$', b"\n}\n", document)
    assert labels["sigview.document_digest"] == hashlib.sha256(without).hexdigest() == json.loads(document)["document_sha256"]
