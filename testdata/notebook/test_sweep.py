"""Opens the tables of a sweep with the readers that people have.

SIGVIEW is the program. The sweep has two layers, one of which cannot carry programs.
"""

import json
import os
import pathlib
import subprocess

import duckdb
import pandas
import polars
import pyarrow.dataset
import pytest

SWEEP = """
programs = ["alltoall", "random"]
platforms = ["ppro", "shrimp"]
layers = ["gam", "vmmc", "bip"]
nodes = [4]
message_bytes = [64, "1K"]
seeds = 2
[run]
pattern.count = 5
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep")
    file = folder / "small.toml"
    file.write_text(SWEEP)
    out = folder / "small"
    done = subprocess.run([os.environ["SIGVIEW"], "sweep", file, "-q", "--json", "-o", out], check=True, capture_output=True)
    return out, json.loads(done.stdout)


def with_pandas(table):
    return pandas.read_parquet(table, dtype_backend="pyarrow").to_dict("records")


def with_polars(table):
    return polars.read_parquet(table, hive_partitioning=True).to_dicts()


def with_pyarrow(table):
    return pyarrow.dataset.dataset(table, partitioning="hive").to_table().to_pylist()


def with_duckdb(table):
    result = duckdb.sql(f"SELECT * FROM read_parquet('{table}/**/*.parquet', hive_partitioning=true)")
    return [dict(zip(result.columns, r)) for r in result.fetchall()]


READERS = [with_pandas, with_polars, with_pyarrow, with_duckdb]


def clean(row):
    return {k: None if v is pandas.NA else v for k, v in row.items()}


def key(row):
    return row["run"], row.get("kind"), row.get("stage"), row.get("size_lo_bytes"), str(row.get("first")), row.get("tag")


@pytest.mark.parametrize("table", ["sweep", "signature"])
def test_every_reader_sees_the_same(made, table):
    out, _ = made
    first, *others = [sorted((clean(r) for r in read(out / table)), key=key) for read in READERS]
    assert len(first) >= 24
    assert {(r["platform"], r["layer"]) for r in first} == {("ppro", "gam"), ("ppro", "vmmc"), ("shrimp", "vmmc")}
    for rows in others:
        assert rows == first


def test_rows_are_the_runs(made):
    out, document = made
    rows = [clean(r) for r in with_pandas(out / "sweep")]
    assert len(rows) == document["runs"] == 24
    for row in rows:
        run = json.loads((out / "runs" / row["run"] / "run.json").read_text())
        assert row["event_digest"] == run["event_digest"]
        assert row["run_time_ns"] == max(p["run_time_ns"] for p in run["tags"])
        assert row["packets"] == run["packets"]
        assert row["platform"] == run["platform"]["name"]
        assert json.loads(row["specification"]) == run["specification"]
        assert (row["nodes"], row["seed"], row["message_bytes"]) == (run["nodes"], run["seed"], run["specification"]["pattern"]["message_bytes"])
        shares = [s for s in run["run_time_shares"]]
        assert row["computing_ns"] == pytest.approx(sum(s["computing_ns"] for s in shares) / len(shares))


def test_means_of_the_document(made):
    out, document = made
    rows = duckdb.sql(f"""SELECT workload, platform, layer, nodes, message_bytes, avg(run_time_ns) / 1000
        FROM read_parquet('{out}/sweep/**/*.parquet', hive_partitioning=true) GROUP BY ALL""").fetchall()
    want = {tuple(r[:5]): r[5] for r in rows}
    assert len(want) == len(document["combinations"]) == 12
    for c in document["combinations"]:
        place = tuple(c[k] for k in ["workload", "platform", "layer", "nodes", "message_bytes"])
        assert c["run_time_us"]["mean"] == pytest.approx(want[place])


def test_what_cannot_work_is_listed(made):
    _, document = made
    skipped = [name for s in document["skipped"] for name in s["combinations"]]
    assert len(skipped) == 12  # bip on both, gam on shrimp
    assert all(s["reason"] for s in document["skipped"])


def test_units_are_in_the_schema(made):
    schema = pyarrow.dataset.dataset(made[0] / "sweep", partitioning="hive").schema
    assert schema.field("run_time_ns").metadata[b"unit"] == b"ns"
    assert schema.metadata[b"sigview.table"] == b"sweep"


def test_export_is_one_table(made, tmp_path):
    out, _ = made
    subprocess.run([os.environ["SIGVIEW"], "export", out, "--to", "parquet", "-o", tmp_path / "out", "-q"], check=True)
    rows = polars.read_parquet(tmp_path / "out" / "sweep.parquet").to_dicts()
    assert sorted(rows, key=key) == sorted(with_polars(out / "sweep"), key=key)
