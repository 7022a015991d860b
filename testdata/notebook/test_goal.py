"""Replays the GOAL schedule that a traced run exports, with a reader of its own."""

import collections
import heapq
import os
import pathlib
import re
import subprocess

import pyarrow.feather
import pytest

RUN = pathlib.Path(os.environ["SIGVIEW_RUN"])
SIGVIEW = os.environ["SIGVIEW"]

LINE = re.compile(r"(?:(\w+): )?(?:calc (\d+)(?: cpu (\d+))?|(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+))$")
Op = collections.namedtuple("Op", "kind size peer tag cpu needs")


def read(text):
    """The operations of each rank, by label."""
    ranks, ops = [], None
    lines = [line for line in text.splitlines() if line and not line.startswith("//")]
    assert re.fullmatch(r"num_ranks \d+", lines[0])
    for line in lines[1:]:
        if m := re.fullmatch(r"rank (\d+) {", line):
            assert int(m[1]) == len(ranks) and ops is None
            ops = {}
        elif line == "}":
            ranks.append(ops)
            ops = None
        elif m := re.fullmatch(r"(\w+) requires (\w+)", line):
            ops[m[1]].needs.append(m[2])
            assert m[2] in ops
        else:
            m = LINE.fullmatch(line)
            assert m, line
            if m[2]:
                ops[m[1]] = Op("calc", int(m[2]), None, None, int(m[3] or 0), [])
            else:
                ops[m[1]] = Op(m[4], int(m[5]), int(m[6]), int(m[7]), 0, [])
    assert len(ranks) == int(lines[0].split()[1])
    return ranks


def replay(ranks, latency):
    """Returns when each rank ends. A message arrives after its own latency; a CPU does one thing at a time."""
    left = [{name: len(o.needs) for name, o in ops.items()} for ops in ranks]
    after = [collections.defaultdict(list) for _ in ranks]
    for rank, ops in enumerate(ranks):
        for name, o in ops.items():
            for need in o.needs:
                after[rank][need].append(name)
    waiting = [dict() for _ in ranks]  # receives and messages, by sender and tag
    free, ended = collections.Counter(), [0] * len(ranks)
    events = [(0, rank, name) for rank, ops in enumerate(ranks) for name in ops if not left[rank][name]]
    heapq.heapify(events)
    done = 0

    def end(at, rank, name):
        nonlocal done
        done += 1
        ended[rank] = max(ended[rank], at)
        for n in after[rank][name]:
            left[rank][n] -= 1
            if not left[rank][n]:
                heapq.heappush(events, (at, rank, n))

    while events:
        at, rank, name = heapq.heappop(events)
        o = ranks[rank][name]
        if o.kind == "calc":
            begin = max(at, free[rank, o.cpu]) if o.cpu == 0 else at
            free[rank, o.cpu] = begin + o.size
            end(begin + o.size, rank, name)
            continue
        if o.kind == "send":
            end(at, rank, name)
            key, to, at = (rank, o.tag), o.peer, at + latency[rank, o.peer, o.tag]
        else:
            key, to = (o.peer, o.tag), rank
        if key not in waiting[to]:
            waiting[to][key] = (at, name)
            continue
        other, n = waiting[to].pop(key)
        end(max(at, other), to, n if o.kind == "send" else name)
    assert done == sum(map(len, ranks)), "operations that wait for ever"
    return ended


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    out = tmp_path_factory.mktemp("goal") / "run.goal"
    subprocess.run([SIGVIEW, "export", RUN, "--to", "goal", "-o", out, "--quiet"], check=True)
    text = out.read_text()
    assert "// sigview.workload: " in text and "// sigview.specification_digest: " in text
    return read(text)


def arrow(name):
    return pyarrow.feather.read_table(RUN / (name + ".arrow")).to_pylist()


@pytest.fixture(scope="module")
def packets():
    """The packets with a request, by the nodes and their number among those of these nodes."""
    found, count = {}, collections.Counter()
    for a in arrow("actors"):
        if a["type"] == "packet":
            pair = a["node"], a["peer"]
            count[pair] += 1
            found[*pair, count[pair]] = a
    return found


def test_every_packet_is_sent_and_received(ranks, packets):
    sends = {(rank, o.peer, o.tag): o.size for rank, ops in enumerate(ranks) for o in ops.values() if o.kind == "send"}
    recvs = {(o.peer, rank, o.tag): o.size for rank, ops in enumerate(ranks) for o in ops.values() if o.kind == "recv"}
    assert sends == recvs == {key: a["size_bytes"] for key, a in packets.items()} and sends


def test_computation_is_that_of_the_processors(ranks):
    kinds = {a["actor"]: a["type"] for a in arrow("actors")}
    want, pieces = collections.Counter(), 0
    for w in arrow("waits"):
        shared = w["resource"] in ("memory_bus", "io_bus", "sram_bus")
        busy = w["what"] == "service" or w["what"] == "waiting" and shared or w["what"] == "idle" and w["resource"] == "cpu"
        if kinds[w["actor"]] in ("process", "handler") and busy:
            want[w["instance"]] += (w["end_ps"] - w["begin_ps"]) / 1000
            pieces += 1
    for rank, ops in enumerate(ranks):
        assert abs(sum(o.size for o in ops.values() if o.kind == "calc" and o.cpu == 0) - want[rank]) <= pieces


def test_replay_takes_as_long_as_the_run(ranks, packets):
    there = {(p["sender"], p["number"]): p["t6_ns"] for p in arrow("packets")}
    latency = {key: there[a["node"], a["number"]] - a["begin_ps"] / 1000 for key, a in packets.items()}
    took = max(a["end_ps"] for a in arrow("actors") if a["type"] == "process") / 1000
    with_packets, without = max(replay(ranks, latency)), max(replay(ranks, collections.Counter()))
    assert abs(with_packets - took) < 0.08 * took
    assert without < 0.9 * took, "packets are a part of the run time"
