"""Opens a run directory's Arrow files the way a notebook would.

SIGVIEW_RUN is the run directory. SIGVIEW_REPORT is a report of it, JSON or
text; without it SIGVIEW, the program, is asked for both.
"""

import json
import math
import os
import pathlib
import re
import subprocess

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pytest

RUN = pathlib.Path(os.environ["SIGVIEW_RUN"])
STAGES = ["source", "lanai", "net", "dest", "net_minus_lanai"]
TABLES = ["signature", "classes", "pairs", "histograms", "clock"]
TRACED = ["packets", "spans", "stages"]
TABLES += [name for name in TRACED if (RUN / (name + ".arrow")).exists()]


def clean(v):
    """None for everything that a reader shows instead of a null."""
    if v is None or v is pandas.NA or isinstance(v, float) and math.isnan(v):
        return None
    return v


def with_pyarrow(path):
    with pyarrow.ipc.open_file(path) as f:
        return f.read_all().to_pylist()


def with_pandas(path):
    # The default types turn integers with nulls into floats; Arrow's do not.
    table = pandas.read_feather(path, dtype_backend="pyarrow")
    return [{k: clean(v) for k, v in r.items()} for r in table.to_dict("records")]


def with_polars(path):
    return polars.read_ipc(path).to_dicts()


def with_duckdb(path):
    rows = pyarrow.feather.read_table(path)  # noqa: F841, DuckDB finds it by name
    result = duckdb.sql("SELECT * FROM rows")
    return [dict(zip(result.columns, r)) for r in result.fetchall()]


READERS = [with_pyarrow, with_pandas, with_polars, with_duckdb]


def load(name, reader=with_pyarrow):
    return reader(RUN / (name + ".arrow"))


@pytest.fixture(scope="session")
def manifest():
    return json.loads((RUN / "run.json").read_text())


def report(kind):
    if "SIGVIEW_REPORT" in os.environ:
        text = pathlib.Path(os.environ["SIGVIEW_REPORT"]).read_text()
        is_json = text.lstrip().startswith("{")
        if is_json != (kind == "json"):
            pytest.skip("SIGVIEW_REPORT is not a report in " + kind)
        return text
    if "SIGVIEW" not in os.environ:
        pytest.skip("neither SIGVIEW_REPORT nor SIGVIEW is set")
    command = [os.environ["SIGVIEW"], "report", str(RUN), "--format", kind]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def doc():
    return json.loads(report("json"))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("reader", READERS)
def test_readers_agree(name, reader, manifest):
    rows = load(name, reader)
    assert rows == load(name)
    listed = {f["name"]: f["rows"] for f in manifest["files"]}
    assert len(rows) == listed[name + ".arrow"]


def test_every_arrow_file_is_checked():
    assert {p.stem for p in RUN.glob("*.arrow")} >= set(TABLES)


@pytest.mark.parametrize("path", sorted(RUN.glob("*.arrow")), ids=lambda p: p.name)
def test_metadata_and_types(path, manifest):
    with pyarrow.ipc.open_file(path) as f:
        schema = f.schema
    assert schema.metadata[b"sigview.table"].decode() == path.stem
    assert int(schema.metadata[b"sigview.schema_version"]) == manifest["schema_version"]
    assert b"net = t5-t3" in schema.metadata[b"sigview.stages"]
    for field in schema:
        assert field.metadata[b"doc"], field.name
        if field.name.endswith("_ns"):
            assert field.metadata[b"unit"] == b"ns"
            assert field.type in (pyarrow.int64(), pyarrow.float64())
        if field.name in ("min_ns", "max_ns", "p50_ns", "p90_ns", "p99_ns"):
            assert field.type == pyarrow.int64()
        if field.name in ("mean_ns", "baseline_ns", "deviation_ns", "ci_lo_ns", "ci_hi_ns"):
            assert field.type == pyarrow.float64()


def by_key(rows, keys):
    """Rows of all stages by what else tells them apart."""
    out = {}
    for r in rows:
        out.setdefault(tuple(r[k] for k in keys), {})[r["stage"]] = r
    return out


def same(ns, us):
    return us is None if ns is None else ns / 1000 == us


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "name, keys",
    [
        ("signature", ["tag", "kind", "first", "size_lo_bytes", "size_hi_bytes"]),
        ("classes", ["tag", "kind", "first", "class"]),
        ("pairs", ["tag", "kind", "first", "sender", "receiver"]),
    ],
)
def test_values_equal_the_report(name, keys, reader, doc):
    rows = load(name, reader)
    if name == "pairs":
        rows = [r for r in rows if r["class"] == "all"]
    rows = by_key(rows, keys)
    shown = {tuple(r[k] for k in keys): r for r in doc[name]}
    assert rows.keys() == shown.keys()
    assert name == "pairs" or rows, "a run has packets"
    for key, stages in rows.items():
        assert shown[key]["count"] == max(r["count"] for r in stages.values())
        for stage in STAGES:
            row, value = stages[stage], shown[key][stage]
            assert row["count"] == value["count"]
            for what in ["mean", "baseline", "deviation", "ci_lo", "ci_hi", "p50", "p90", "p99"]:
                assert same(row[what + "_ns"], value[what + "_us"]), (key, stage, what)
            for p in ["p50", "p90", "p99"]:
                assert (row[p + "_ns"] is None) == (p + "_reason" in value)
                assert row[p + "_lower_bound"] == (value.get(p + "_bound") == "lower")


def test_values_equal_the_text():
    """The text's table of classes shows the means, to the digits that it has."""
    names = dict(zip(["Source", "LANai", "Net", "Dest", "Net−LANai"], STAGES))
    wanted = {}
    for r in load("classes"):
        if r["kind"] == "all" and r["first"] is None:
            wanted.setdefault((r["tag"], r["class"]), {})[r["stage"]] = r
    seen, tag, name = set(), None, None
    for line in report("text").splitlines():
        if m := re.match(r"Performance signature of .* \(tag (\d+)\)", line):
            tag = int(m[1])
        if m := re.match(r"(under_128|128_to_1023|1024_to_4095|4096) +([0-9]+) ", line):
            name = m[1]
            assert int(m[2]) == max(r["count"] for r in wanted[tag, name].values())
        m = re.match(r"(?:\S+ +\d+| ) +(Source|LANai|Net|Dest|Net−LANai) +(-?[\d.]+|-) +(-?[\d.]+|-) +(-?[\d.]+|-) +([+-][\d.]+|-) ", line)
        if not m or name is None:
            continue
        row = wanted[tag, name][names[m[1]]]
        half = None if row["ci_lo_ns"] is None else (row["ci_hi_ns"] - row["ci_lo_ns"]) / 2
        for text, ns in [(m[2], row["mean_ns"]), (m[3], half), (m[4], row["baseline_ns"]), (m[5], row["deviation_ns"])]:
            assert (text == "-") == (ns is None), line
            if ns is not None:
                assert abs(float(text) - ns / 1000) <= 0.005 + 1e-9, line
        seen.add((tag, name, row["stage"]))
    assert seen == {(t, c, s) for (t, c), rows in wanted.items() for s in rows}


def test_histograms_hold_the_packets_of_the_classes():
    counts, bins = {}, {}
    for r in load("classes"):
        if r["kind"] == "all" and r["first"] is None and r["stage"] in STAGES[:4]:
            key = r["tag"], r["stage"]
            counts[key] = counts.get(key, 0) + r["count"]
    for r in load("histograms"):
        assert r["latency_hi_ns"] is None or r["latency_lo_ns"] < r["latency_hi_ns"]
        if r["kind"] == "all":
            key = r["tag"], r["stage"]
            bins[key] = bins.get(key, 0) + r["count"]
    if not bins:
        pytest.skip("the layout keeps no bins by size")
    assert bins == {k: n for k, n in counts.items() if n}


traced = pytest.mark.skipif(not set(TRACED) <= set(TABLES), reason="the run was not traced")


@traced
@pytest.mark.parametrize("reader", READERS)
def test_packets_have_their_latencies(reader, manifest):
    rows = load("packets", reader)
    one_end = 0
    for r in rows:
        for name, begin, end in [("source", 1, 2), ("lanai", 2, 4), ("net", 3, 5), ("dest", 5, 6)]:
            a, b = r[f"t{begin}_ns"], r[f"t{end}_ns"]
            assert r[name + "_ns"] == (None if a is None or b is None else b - a)
        one_end += r["t1_ns"] is None or r["t5_ns"] is None
    assert manifest["lost"]["trace_records"] > 0 or len(rows) == manifest["packets"]
    assert (one_end > 0) == any("only one end" in w for w in manifest["warnings"])


@traced
def test_packets_are_those_of_the_histograms():
    """Sums of single packets make the means that the interfaces kept in ticks."""
    packets = [r for r in load("packets") if r["t1_ns"] is not None and r["t5_ns"] is not None]
    for c in load("classes"):
        if c["kind"] == "all" and c["first"] is None and c["stage"] != "net_minus_lanai" and c["count"]:
            lo, hi = c["size_lo_bytes"], c["size_hi_bytes"]
            mine = [r[c["stage"] + "_ns"] for r in packets if r["tag"] == c["tag"] and lo < r["size_bytes"] <= hi]
            assert len(mine) == c["count"]
            assert abs(sum(mine) / len(mine) - c["mean_ns"]) < 31, "within one tick"


@traced
@pytest.mark.parametrize("reader", READERS)
def test_stages_sum_to_their_operation(reader):
    sums = {}
    for r in load("stages", reader):
        key = r["tag"], r["span"]
        sums[key] = sums.get(key, 0) + r["duration_ns"]
    spans = [r for r in load("spans", reader) if r["operation"] != "phase"]
    assert sums == {(r["tag"], r["span"]): r["duration_ns"] for r in spans}
    assert all(r["duration_ns"] == r["end_ns"] - r["begin_ns"] for r in spans)


@traced
def test_operations_equal_the_report(doc):
    rows = {}
    for r in load("spans"):
        rows.setdefault((r["tag"], r["operation"], r["name"]), []).append(r)
    shown = {(o["tag"], o["operation"], o.get("name", "")): o for o in doc["operations"]}
    assert rows.keys() == shown.keys()
    for key, o in shown.items():
        times = sorted(r["duration_ns"] for r in rows[key])
        assert o["count"] == len(times)
        assert math.isclose(o["mean_us"], sum(times) / len(times) / 1000)
        assert o["max_us"] == times[-1] / 1000
        assert o["p99_us"] == times[math.ceil(len(times) * 0.99) - 1] / 1000
        assert o["packets"] == sum(r["packets"] for r in rows[key])
        if key[1] != "phase":
            assert math.isclose(sum(s["share"] for s in o["stages"]), 1)


@traced
def test_packets_of_an_operation_by_a_join():
    packets = pyarrow.feather.read_table(RUN / "packets.arrow")  # noqa: F841
    spans = pyarrow.feather.read_table(RUN / "spans.arrow")  # noqa: F841
    wrong = duckdb.sql("""
        SELECT s.tag, s.span FROM spans s LEFT JOIN packets p ON s.tag = p.tag AND s.span = p.span
        WHERE s.operation <> 'phase' GROUP BY s.tag, s.span, s.packets HAVING count(p.number) <> s.packets""")
    assert wrong.fetchall() == []


def test_duckdb_queries_without_a_helper():
    signature = pyarrow.feather.read_table(RUN / "signature.arrow")  # noqa: F841
    query = "SELECT count(*), sum(count) FROM signature WHERE kind = 'all' AND stage = 'source'"
    found = duckdb.sql(query).fetchall()
    rows = [r for r in load("signature") if r["kind"] == "all" and r["stage"] == "source"]
    assert found == [(len(rows), sum(r["count"] for r in rows))]
