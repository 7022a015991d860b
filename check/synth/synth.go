// Package synth makes synthetic records of interfaces for the tests of analysis:
// latencies that are known functions of size, with seeded noise.
package synth

import (
	"encoding/json"
	"fmt"
	"math/rand"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// Load describes a run: how many packets of each size each ordered pair of
// nodes exchanges, and what is added to the unloaded latencies.
type Load struct {
	Seed    int64
	Nodes   int
	Packets map[int]int // by payload size, per ordered pair
	// AddNs is the mean that contention adds per stage; for each packet it is between
	// zero and twice that.
	AddNs [trace.NumStages]int64
	// PairNs shifts all packets of a pair by up to this much.
	PairNs int64
	Tag    trace.Tag
	Exact  bool // keep sums of squares
	Later  bool // every other packet is a later one of its message
	Budget int  // bytes of the arrays; 0: enough for all
}

// Unloaded is a baseline over all sizes between two nodes.
func Unloaded() Load {
	l := Load{Seed: 1, Nodes: 2, Packets: map[int]int{}, Exact: true}
	for size := 32; size <= 4096; size += 32 {
		l.Packets[size] = 60
	}
	return l
}

// FFT is an application between eight nodes, contended everywhere.
func FFT() Load {
	return Load{
		Seed: 2, Nodes: 8, Exact: true,
		Packets: map[int]int{16: 40, 48: 30, 112: 20, 128: 2, 512: 5, 1024: 1, 2000: 3, 4096: 25},
		AddNs:   [trace.NumStages]int64{trace.Source: 4000, trace.LANai: 1500, trace.Net: 5500, trace.Dest: 2500},
		PairNs:  600,
	}
}

// BaseNs is the unloaded latency of a stage.
func BaseNs(stage trace.Stage, sizeBytes int) int64 {
	size := int64(sizeBytes)
	switch stage {
	case trace.Source:
		return 5000 + 8*size
	case trace.LANai:
		return 1500 + 6*size
	case trace.Net:
		return 5000 + 6*size
	default:
		return 3000 + 8*size
	}
}

// tickHz makes a tick one nanosecond.
const tickHz = 1_000_000_000

// Snapshot returns the merged records of all nodes' interfaces.
func (l Load) Snapshot() *histo.Snapshot {
	spec := histo.Published()
	if spec.BudgetBytes = l.Budget; l.Budget == 0 {
		spec.BudgetBytes = 8 << 20
	}
	spec.TickHz = tickHz
	spec.Tags, spec.Nodes, spec.Variance = int(l.Tag)+1, l.Nodes, l.Exact
	spec.Kinds = []trace.Kind{trace.Data, trace.PageReply}
	if l.Later {
		spec.Later = []trace.Kind{trace.PageReply}
	}
	layout, err := histo.Plan(spec)
	if err != nil {
		panic(fmt.Sprintf("synth: %v", err))
	}
	banks := make([]*histo.Bank, l.Nodes)
	for i := range banks {
		banks[i] = histo.New(layout)
	}
	rng := rand.New(rand.NewSource(l.Seed))
	for s := range l.Nodes {
		for r := range l.Nodes {
			if s != r {
				l.pair(banks, s, r, rng)
			}
		}
	}
	merged, err := histo.Together(banks)
	if err != nil {
		panic(fmt.Sprintf("synth: %v", err))
	}
	return merged
}

func (l Load) pair(banks []*histo.Bank, s, r int, rng *rand.Rand) {
	var shift int64
	if l.PairNs > 0 {
		shift = rng.Int63n(2*l.PairNs) - l.PairNs
	}
	for size := 0; size <= 4096; size++ {
		kind := trace.Data
		if size >= 1024 {
			kind = trace.PageReply
		}
		for i := range l.Packets[size] {
			p := histo.Packet{Tag: l.Tag, Kind: kind, Bytes: size, Later: l.Later && i%2 == 1}
			for stage := range trace.NumStages {
				ns := BaseNs(stage, size) + rng.Int63n(400) - 200 + shift
				if add := l.AddNs[stage]; add > 0 {
					ns += rng.Int63n(2 * add)
				}
				at, peer := s, r
				if stage == trace.Net || stage == trace.Dest {
					at, peer = r, s
				}
				p.Peer = peer
				banks[at].Record(p, stage, ns)
			}
		}
	}
}

// Manifest returns a manifest for a run.
func Manifest(nodes int) trace.Manifest {
	m := trace.Manifest{
		SchemaVersion: trace.SchemaVersion, ToolVersion: "v0.1.0", Seed: 1, Workload: "fft",
		Platform: trace.Platform{Name: "shrimp", Digest: "sha256:0123456789abcdef"}, Nodes: nodes,
		Tags: []trace.Program{{Tag: 0, Name: "fft"}}, Spec: json.RawMessage(`{"workload":"fft","points":262144}`),
		Verified: true, Verification: "relative error 3.1e-12 against an independent FFT, wanted under 1e-9",
		SimulatedNs: 1_234_567_890, Packets: 7056, FirmwarePackets: map[string]int64{"ack": 7056, "clock-query": 14, "clock-reply": 14, "clock-table": 14},
		Lost: trace.Lost{Retransmitted: 3},
	}
	m.Clock = trace.ClockQuality{Estimator: "midpoint", Rounds: 2, Messages: 42}
	bound, worst := 450.0, 812.5
	m.Clock.MedianBoundNs, m.Clock.MaxErrorNs = &bound, &worst
	for n := range nodes {
		m.Shares = append(m.Shares, trace.Shares{
			Node: n, RunTimeNs: 1_000_000_000, ComputingNs: 500_000_000 - int64(n)*1_000_000, PageWaitNs: 250_000_000, LockNs: 10_000_000,
			BarrierNs: 150_000_000 + int64(n)*1_000_000, ServiceNs: 80_000_000, MonitorNs: 10_000_000,
		})
	}
	return m
}
