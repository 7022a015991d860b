"""Reads the trace that a run exports for Perfetto by Perfetto's own schema.

The schema comes with the package perfetto. Its trace_processor is a program that
the package fetches from elsewhere; set TRACE_PROCESSOR to the path of one to load
the trace with it too. No package has that program: not perfetto 0.59.1 on PyPI, not
Debian's perfetto 56.0 (in sid only: tracer, daemons and library), none on npm.
"""

import collections
import os
import pathlib
import subprocess

import pyarrow.feather
import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TracePacket, TrackDescriptor, TrackEvent

RUN = pathlib.Path(os.environ["SIGVIEW_RUN"])
SIGVIEW = os.environ["SIGVIEW"]

Slice = collections.namedtuple("Slice", "node row name begin end depth args flow last")


def arrow(name):
    return pyarrow.feather.read_table(RUN / (name + ".arrow")).to_pylist()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    out = tmp_path_factory.mktemp("perfetto") / "run.pftrace"
    subprocess.run([SIGVIEW, "export", RUN, "--to", "perfetto", "-o", out, "--quiet"], check=True)
    return out


@pytest.fixture(scope="module")
def trace(path):
    data = path.read_bytes()
    t = Trace.FromString(data)
    assert t.ByteSize() == len(data)
    t.DiscardUnknownFields()
    assert t.ByteSize() == len(data), "a field that the schema does not have"
    return t


@pytest.fixture(scope="module")
def slices(trace):
    """Slices as the trace_processor makes them: names by their numbers, events by time, equal ones as written."""
    tracks, names, events = {}, {"event_names": {}, "debug_annotation_names": {}}, []
    assert trace.packet[0].sequence_flags == TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
    for p in trace.packet:
        assert p.trusted_packet_sequence_id == 1
        for kind, known in names.items():
            for entry in getattr(p.interned_data, kind):
                assert entry.iid not in known and entry.iid > 0
                known[entry.iid] = entry.name
        if p.HasField("track_descriptor"):
            d = p.track_descriptor
            assert d.uuid not in tracks and (d.HasField("process") or d.parent_uuid in tracks)
            tracks[d.uuid] = d
        elif p.HasField("track_event"):
            args = {names["debug_annotation_names"][a.name_iid]: a.int_value for a in p.track_event.debug_annotations}
            events.append((p.timestamp, p.track_event, names["event_names"].get(p.track_event.name_iid), args))
    assert all(t.child_ordering == TrackDescriptor.EXPLICIT for t in tracks.values())
    shift = next(int(a.string_value) for p in trace.packet for a in p.trace_attributes.attribute if a.key == "sigview.time_0_ns")
    stacks, out = collections.defaultdict(list), []
    for at, e, name, args in sorted(events, key=lambda e: e[0]):
        stack = stacks[e.track_uuid]
        if e.type == TrackEvent.TYPE_SLICE_BEGIN:
            stack.append((at, e, name, args))
            continue
        assert e.type == TrackEvent.TYPE_SLICE_END and stack, "an end without a begin"
        begin, b, name, args = stack.pop()
        track = tracks[e.track_uuid]
        flow = (list(b.flow_ids) + list(b.terminating_flow_ids) + [None])[0]
        node = tracks[track.parent_uuid].process.process_name
        out.append(Slice(node, track.name, name, begin + shift, at + shift, len(stack), args, flow, bool(b.terminating_flow_ids)))
    assert not any(stacks.values()), "slices without an end"
    return out


def test_trace_says_of_what_run_it_is(trace):
    found = {a.key: a.string_value for p in trace.packet for a in p.trace_attributes.attribute}
    want = pyarrow.feather.read_table(RUN / "packets.arrow").schema.metadata
    for key in ["sigview.workload", "sigview.seed", "sigview.specification_digest", "sigview.tags"]:
        assert found[key] == want[key.encode()].decode()


def test_every_packet_is_on_its_tracks(slices):
    facts = {s.flow: s.args for s in slices if "number" in s.args}
    got = {(facts[s.flow]["sender"], facts[s.flow]["number"], s.row): s for s in slices if s.flow is not None}
    stages = {"Source": ("sender", "t1_ns", "t2_ns"), "LANai": ("sender", "t2_ns", "t4_ns"), "Dest": ("receiver", "t5_ns", "t6_ns")}
    want = 0
    for p in arrow("packets"):
        for row, (node, begin, end) in stages.items():
            if p[begin] is None or p[end] is None:
                continue
            s = got[p["sender"], p["number"], row]
            want += 1
            assert (s.node, s.name, s.begin, s.end) == (f"node {p[node]}", p["kind"], p[begin], max(p[begin], p[end]))
            for column in ["tag", "sender", "receiver", "size_bytes", "span"]:
                assert facts[s.flow][column] == p[column]
    assert len(got) == want > 0


def test_slices_within_packets(slices):
    packets = {(p["sender"], p["t3_ns"], p["t4_ns"]) for p in arrow("packets") if p["t4_ns"] is not None}
    assert {(int(s.node[5:]), s.begin, s.end) for s in slices if s.name == "send engine"} == packets
    taken = sorted((p["sender"], p["taken_ns"], p["t2_ns"]) for p in arrow("packets") if p["t1_ns"] is not None)
    assert sorted((int(s.node[5:]), s.begin, s.end) for s in slices if s.name == "taken up") == taken
    assert all(s.depth == 1 for s in slices if s.name in ("send engine", "taken up"))


def test_flows_lead_from_send_to_receive(slices):
    flows = collections.defaultdict(list)
    for s in slices:
        if s.flow is not None:
            flows[s.flow].append(s)
    whole = [p for p in arrow("packets") if p["t1_ns"] is not None and p["t5_ns"] is not None]
    ended = [f for f in flows.values() if f[-1].last]
    assert len(ended) == len(whole) > 0
    for f in flows.values():
        assert len([s for s in f if s.args]) == 1 and f[0].args, "the first slice of a packet says what it is"
    for f in ended:
        assert [s.row for s in f] == ["Source", "LANai", "Dest"]


def test_operations_and_their_steps(slices):
    spans, rows = arrow("spans"), arrow("stages")
    tops = {(s.args["tag"], s.args["span"]): s for s in slices if s.row == "operations" and "span" in s.args}
    operations = {(s["tag"], s["span"]): s for s in spans if s["operation"] != "phase"}
    assert tops.keys() == operations.keys()
    for key, s in tops.items():
        o = operations[key]
        assert (s.node, s.name, s.begin, s.end) == (f"node {o['node']}", o["operation"], o["begin_ns"], o["end_ns"])
    # A packet's flow may make slices of equal times; counts tell whether one is missing.
    steps = collections.Counter((s.name, s.begin, s.end) for s in slices if s.row == "operations" and "span" not in s.args)
    assert steps == collections.Counter((r["stage"], r["begin_ns"], r["begin_ns"] + r["duration_ns"]) for r in rows)
    phases = [s for s in slices if s.row == "phases"]
    assert sorted((s.name, s.begin, s.end) for s in phases) == sorted((s["name"], s["begin_ns"], s["end_ns"]) for s in spans if s["operation"] == "phase")
    parts = [s for s in spans if (s["tag"], s["parent"]) in operations]
    nested = [s for s in tops.values() if s.depth > 0]
    assert len(nested) <= len(parts)
    assert all(s.depth == 2 for s in nested), "within a step of the operation that it is part of"


def test_engines_have_their_service(slices):
    want = collections.Counter()
    for r in arrow("waits"):
        if r["what"] == "service":
            node, row = f"node {r['instance']}", r["resource"]
            if row == "port":
                node, row = "network", f"port {r['instance']}"
            want[node, row, r["actor"], r["begin_ps"] // 1000, r["end_ps"] // 1000] += 1
    got = collections.Counter((s.node, s.row, s.args["actor"], s.begin, s.end) for s in slices if "actor" in s.args)
    assert got == want and want
    assert {"cpu", "host_dma", "interface_processor", "port 0"} <= {k[1] for k in got}


@pytest.mark.skipif("TRACE_PROCESSOR" not in os.environ, reason="TRACE_PROCESSOR is not set: no package has a trace_processor")
def test_trace_processor_takes_it(path, slices):
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig

    with TraceProcessor(trace=str(path), config=TraceProcessorConfig(bin_path=os.environ["TRACE_PROCESSOR"])) as tp:
        count = lambda query: next(iter(tp.query(query))).n  # noqa: E731
        assert count("SELECT count(*) AS n FROM slice WHERE dur >= 0") == len(slices)
        assert count("SELECT count(*) AS n FROM flow") > 0
        assert count("SELECT count(*) AS n FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0") == 0
