"""Exports a run in every form and opens each with the tools that it is for."""

import csv
import json
import os
import pathlib
import subprocess

import duckdb
import pandas
import polars
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

RUN = pathlib.Path(os.environ["SIGVIEW_RUN"])
SIGVIEW = os.environ["SIGVIEW"]
MANIFEST = json.loads((RUN / "run.json").read_text())
INDEX = "packet_batches"  # of the Arrow file only
TABLES = sorted(p.stem for p in RUN.glob("*.arrow") if p.stem != INDEX)


@pytest.fixture(scope="session")
def export(tmp_path_factory):
    """Returns what sigview exports to a form."""
    done = {}

    def to(form):
        if form not in done:
            done[form] = tmp_path_factory.mktemp("export") / form
            subprocess.run([SIGVIEW, "export", RUN, "--to", form, "-o", done[form], "--quiet"], check=True)
        return done[form]

    return to


def arrow(name):
    return pyarrow.feather.read_table(RUN / (name + ".arrow"))


def test_parquet_has_every_table(export):
    assert sorted(p.stem for p in export("parquet").iterdir()) == TABLES


@pytest.mark.parametrize("name", TABLES)
def test_parquet_loses_nothing(export, name):
    path, want = export("parquet") / (name + ".parquet"), arrow(name)
    got = pyarrow.parquet.read_table(path)
    assert got.schema.equals(want.schema, check_metadata=True), "columns, types, units, docs and labels"
    assert got.equals(want)
    rows = want.to_pylist()
    assert polars.read_parquet(path).to_dicts() == rows
    result = duckdb.sql(f"SELECT * FROM '{path}'")
    assert [dict(zip(result.columns, r)) for r in result.fetchall()] == rows
    frame = pandas.read_parquet(path, dtype_backend="pyarrow")
    assert pyarrow.Table.from_pandas(frame, schema=want.schema, preserve_index=False).equals(want)


def test_files_say_of_what_run_they_are(export):
    want = {
        "sigview.tool_version": MANIFEST["tool_version"],
        "sigview.workload": MANIFEST["workload"],
        "sigview.platform": MANIFEST["platform"]["name"],
        "sigview.seed": str(MANIFEST["seed"]),
        "sigview.event_digest": MANIFEST["event_digest"],
        "sigview.tags": json.dumps({str(t["tag"]): t["name"] for t in MANIFEST["tags"]}, separators=(",", ":")),
    }
    with pyarrow.ipc.open_file(RUN / "packets.arrow") as f:
        of_arrow = {k.decode(): v.decode() for k, v in f.schema.metadata.items()}
    path = export("parquet") / "packets.parquet"
    of_parquet = {k.decode(): v.decode() for k, v in duckdb.sql(f"SELECT key, value FROM parquet_kv_metadata('{path}')").fetchall()}
    with open(export("csv") / "run.csv", newline="") as f:
        of_csv = {r["key"]: r["value"] for r in csv.DictReader(f)}
    of_log = dict(line[1:].split(": ", 1) for line in export("hlog").read_text().splitlines() if line.startswith("#sigview."))
    for labels in [of_arrow, of_parquet, of_csv, of_log]:
        assert want.items() <= labels.items()
        assert len(labels["sigview.specification_digest"]) == 64


@pytest.mark.parametrize("name", TABLES)
def test_csv_loses_nothing(export, name):
    want = arrow(name)
    convert = {"int64": int, "float64": float, "bool": {"true": True, "false": False}.get, "utf8": str}
    with open(export("csv") / "columns.csv", newline="") as f:
        columns = [r for r in csv.DictReader(f) if r["table"] == name]
    assert [c["column"] for c in columns] == want.column_names
    for c in columns:
        field = want.schema.field(c["column"])
        assert (c["unit"], c["doc"]) == (field.metadata[b"unit"].decode(), field.metadata[b"doc"].decode())

    def value(text, column):
        if text == "" and column["type"] != "utf8":
            assert column["nullable"] == "true"
            return None
        return convert[column["type"]](text)

    path = export("csv") / (name + ".csv")
    with open(path, newline="") as f:
        got = [{c["column"]: value(r[c["column"]], c) for c in columns} for r in csv.DictReader(f)]
    assert got == want.to_pylist()
    assert duckdb.sql(f"SELECT count(*) FROM read_csv('{path}', header = true)").fetchall() == [(len(got),)]
    assert len(pandas.read_csv(path)) == len(polars.read_csv(path, infer_schema_length=None)) == len(got)


def histograms(path):
    """The histograms of a log, as HdrHistogram for Python reads them."""
    reader, found = HistogramLogReader(str(path), HdrHistogram(1, 1 << 40, 3)), {}
    while (h := reader.get_next_interval_histogram()) is not None:
        found[h.get_tag()] = h
    return found


def test_hlog_has_the_histograms_of_the_run(export):
    logs = [histograms(p) for p in sorted(RUN.glob("*.hlog"))]
    want, got = {k: h for log in logs for k, h in log.items()}, histograms(export("hlog"))
    assert got.keys() == want.keys() and len(got) == sum(len(log) for log in logs) > 0
    for tag, h in got.items():
        assert h.get_total_count() == want[tag].get_total_count()
        for p in [0, 50, 90, 99, 100]:
            assert h.get_value_at_percentile(p) == want[tag].get_value_at_percentile(p)


def test_hlog_counts_the_packets_of_the_bins(export):
    counts = {}
    for r in arrow("histograms").to_pylist():
        label = f"tag{r['tag']}.{r['kind']}.{r['stage']}"
        counts[label] = counts.get(label, 0) + r["count"]
    got = histograms(export("hlog"))
    shared = counts.keys() & got.keys()
    assert len([k for k in shared if ".all." in k]) == 4
    for label in shared:
        assert got[label].get_total_count() == counts[label]


def test_hgrm_has_the_percentiles(export):
    logs = histograms(export("hlog"))
    files = {p.stem: p for p in export("hgrm").iterdir()}
    assert len(files) == len(logs)
    for tag, h in logs.items():
        lines = [line.split() for line in files[tag].read_text().splitlines() if line and line[0] == " " and "Value" not in line]
        recorded = [(i.value_iterated_to, i.count_added_in_this_iter_step) for i in h.get_recorded_iterator()]
        assert int(lines[-1][2]) == h.get_total_count() and float(lines[-1][1]) == 1
        for value, quantile, count, _ in lines:
            assert int(count) == sum(n for v, n in recorded if v <= float(value) * 1000 + 0.5)
            assert int(count) >= (float(quantile) - 1e-6) * h.get_total_count()
