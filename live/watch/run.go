package watch

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/trace"
)

// sample is a message with all its instants, in ns of the monotonic clock.
type sample struct {
	At       [5]uint64 // sent, queued, handed, arrived, read
	Served   uint64    // ns since its sender has read what came last, 0: not known
	Woken    uint64    // when its reader was woken last
	Waited   uint64    // ns that its reader has waited for a processor since it arrived
	Bytes    uint32
	Program  uint32
	ToServer uint32
	UDP      uint32
	Why, _   uint32
}

// result is what a watch leaves.
type result struct {
	spec       Spec
	began      time.Time
	origin     int64 // ns of the monotonic clock: when it began
	took       time.Duration
	histograms map[sort]*histogram
	programs   map[int]string // names by the kernel's numbers
	counts     counts
	packets    *trace.Joiner
	numbers    [2]uint32 // by sender: the number of its next packet
	warnings   []string
	seen       seen
}

// take makes the two records of a sample.
func (r *result) take(s *sample) {
	from, to := sort{toServer: s.ToServer != 0}.nodes()
	ends := trace.Half{
		Sender: int32(from), Receiver: int32(to), Number: r.numbers[from], Bytes: int32(s.Bytes),
		Tag: trace.Tag(s.Program), Kind: kindOf(s.UDP != 0), First: true,
	}
	r.numbers[from]++
	r.seen.add(s)
	sent, received := ends, ends
	at := func(i int) int64 { return int64(s.At[i]) - r.origin }
	sent.Sent = true
	sent.At = [4]int64{at(0), at(1), at(2), at(2)}
	received.At = [4]int64{at(2), at(3), at(4), 0}
	r.packets.Add([]trace.Half{sent, received})
}

// counted returns a copy of what was counted.
func (r *result) counted() *result {
	out := &result{counts: r.counts, histograms: map[sort]*histogram{}}
	out.counts.drops, out.seen.other = maps.Clone(r.counts.drops), slices.Clone(r.seen.other)
	for s, h := range r.histograms {
		whole := *h
		out.histograms[s] = &whole
	}
	return out
}

// less takes away what was counted before.
func (r *result) less(before *result) {
	for i, n := range before.counts.of {
		r.counts.of[i] -= n
	}
	for reason, n := range before.counts.drops {
		r.counts.drops[reason] -= n
	}
	r.seen.less(&before.seen)
	for s, h := range before.histograms {
		if now := r.histograms[s]; now.messages() == h.messages() {
			delete(r.histograms, s)
		} else {
			now.less(h)
		}
	}
}

// others is the name of programs beyond those that the kernel numbers.
const others = "others"

// tables makes the tables of a run. It returns an error if no message was seen.
func (r *result) tables() (*trace.Run, error) {
	if len(r.histograms) == 0 {
		why := strings.Join(append([]string{"wanted TCP and UDP of " + r.spec.words()}, r.counts.warnings()...), "; ")
		return nil, fmt.Errorf("no message was seen in %v, %s", r.took.Round(time.Millisecond), why)
	}
	spec, err := json.Marshal(r.spec)
	if err != nil {
		return nil, err
	}
	host := live.ThisHost(netip.Addr{})
	platform, err := json.MarshalIndent(host, "", "  ")
	if err != nil {
		return nil, err
	}
	last := 0
	nodes := make([]collect.Node, 2)
	for s, h := range r.histograms {
		last = max(last, s.program)
		from, _ := s.nodes()
		nodes[from].Packets += h.messages()
	}
	// Messages in no table were sent too, by whom is not told.
	nodes[0].Packets += r.counts.missing()
	records := collect.Records{
		Manifest: trace.Manifest{
			Workload: trace.DetailWatch, Detail: trace.DetailWatch, Nodes: 2, Spec: spec,
			Platform: trace.Platform{Name: host.Words(), Digest: live.DigestOf(host)},
			Began:    r.began.UTC(), SimulatedNs: r.took.Nanoseconds(), Stamps: []string{trace.StampSched, trace.StampHand, trace.StampKernel},
			Seen:     r.seen.rows(r.programs),
			Warnings: append(r.warnings, r.counts.warnings()...), Lost: trace.Lost{NotRecorded: int64(r.counts.missing()), TraceRecords: int64(r.counts.of[unsampled])},
		},
		Packets: r.packets, Nodes: nodes,
	}
	for i := range last + 1 {
		name, known := r.programs[i]
		if !known {
			name = others
		}
		records.Programs = append(records.Programs, collect.Program{Name: name, TookNs: r.took.Nanoseconds(), How: "a program as it is"})
	}
	records.Programs[0].How += "; " + r.counts.words()
	if records.Histograms, err = banks(r.histograms, last+1); err != nil {
		return nil, err
	}
	records.Refine = fine(r.histograms).refine
	run, err := collect.Run(records)
	if err != nil {
		return nil, err
	}
	run.Histograms = fine(r.histograms).rows(run.Histograms)
	run.Extra = append(run.Extra, trace.Extra{Name: trace.PlatformFile, Data: append(platform, '\n')})
	return run, nil
}
