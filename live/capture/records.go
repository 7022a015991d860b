package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"math/bits"
	"net/netip"
	"time"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// kinds are the kinds of packets in the words of traces.
var kinds = [...]trace.Kind{segment: trace.Stream, control: trace.Ack, message: trace.Message, other: trace.Data}

// Names in runs.
const (
	traffic   = "traffic"           // the program of all packets
	estimator = "packets both ways" // how clocks were compared
	oneClock  = "one clock for both captures"
)

// mostNodes is how many addresses a run may have.
const mostNodes = 256

// records are the records of a run, as they are made of crossings.
type records struct {
	files        [2]*File
	spec         Spec
	observations *observations
	ends         ends
	clocks       clocks

	begin, length int64 // by the first capture's clock: the first stamp, and the time to the last
	from, until   int64 // since begin, while both captures ran
	list          []address
	node          map[address]int32
	numbers       []uint32 // of the next packet of each node
	banks         []*histo.Bank
	out           collect.Records

	again, alike, outside, missed, foreign int64 // packets without a row
}

// time returns the time of a stamp since the run began, in ns by the first capture's clock, and the bound of
// the error of its difference to a time of the other capture.
func (r *records) time(e end, stamp int64) (ns, bound int64) {
	bound = r.clocks.grainNs
	if e == 1 {
		var offset int64
		offset, bound = r.clocks.offset(stamp)
		stamp -= offset
	}
	return stamp - r.begin, bound
}

// place gives the nodes numbers and the run its time. It returns an error for too many addresses, and for
// captures of quite different times.
func (r *records) place() error {
	if r.list = r.ends.nodes(); len(r.list) > mostNodes {
		return r.files[0].wrong("shares packets of %d addresses with the other capture, wanted at most %d: choose hosts as you capture", len(r.list), mostNodes)
	}
	r.node = map[address]int32{}
	for i, a := range r.list {
		r.node[a] = int32(i)
		r.out.Nodes = append(r.out.Nodes, collect.Node{Firmware: map[trace.Kind]uint64{}})
	}
	r.numbers = make([]uint32, len(r.list))
	var first, last [2]int64
	for e, f := range r.files {
		first[e], _ = r.time(end(e), f.first)
		last[e], _ = r.time(end(e), f.last)
	}
	// begin is 0 until here, so that time has returned times of the clock.
	r.begin = min(first[0], first[1])
	r.length = max(last[0], last[1]) - r.begin
	r.from, r.until = max(first[0], first[1])-r.begin, min(last[0], last[1])-r.begin
	// About 104 days: beyond that a float64 is no longer exact to the ns.
	if r.length > 1<<53 {
		return r.files[1].wrong("ends %d days after the first capture begins, or the other way round: wanted captures of the same time", r.length/(24*3600*1_000_000_000))
	}
	return nil
}

// take makes records of crossings, which can be read twice: once for the widths of bins, once for the records.
// It returns an error if there is no layout of histograms, or if Net is too long to be added up.
func (r *records) take(packets iter.Seq[crossing]) error {
	layout, err := r.layout(packets)
	if err != nil {
		return err
	}
	for range r.list {
		r.banks = append(r.banks, histo.New(layout))
	}
	r.out.Packets = trace.NewJoiner()
	for c := range packets {
		r.add(&c)
	}
	if r.out.Histograms, err = histo.Together(r.banks); err != nil {
		return r.files[1].wrong("has packets whose Net adds up to more than 292 years (%v), wanted captures of the same time", err)
	}
	return nil
}

// layout plans histograms with latency bins as wide as the traffic needs.
func (r *records) layout(packets iter.Seq[crossing]) (*histo.Layout, error) {
	var tally [65]int // by the bits of Net
	all := 0
	for c := range packets {
		if c.fate == joined && c.sort != control {
			_, net, _ := r.way(&c)
			// Powers of two are near enough for a width.
			tally[bits.Len64(uint64(max(net, 0)))]++
			all++
		}
	}
	// reach returns as many bits as all packets but some have.
	reach := func(but int) (n int) {
		for below := tally[0]; n < 62 && below < all-but; below += tally[n] {
			n++
		}
		return n
	}
	// 999 of 1000 packets, of which one alone makes bins 64 times as wide at most.
	longest := min(reach(all/1000), reach(all/1000+1)+6)
	const bins = 512
	// At least 10 ns, at most a second. Twice the range is wanted: the last bin is open.
	width := min(max(int64(1)<<longest/(bins/2), 10), 1e9)
	spec := histo.Published()
	spec.BudgetBytes = max(32<<20/len(r.list), spec.BudgetBytes)
	spec.TickHz, spec.Tags, spec.Nodes = 1e9, 1, len(r.list)
	spec.Kinds = []trace.Kind{trace.Stream, trace.Message, trace.Data}
	spec.MaxBytes, spec.SizeBytes, spec.LatencyTop = 1<<16, 64, bins
	for stage := range spec.LatencyNs {
		spec.LatencyNs[stage] = width
	}
	return histo.Plan(spec)
}

// way returns when a packet was sent, how long it took, and the bound of the error of that, all in ns.
func (r *records) way(c *crossing) (sent, net, bound int64) {
	sent, a := r.time(c.sender, c.sent)
	arrived, b := r.time(c.sender.other(), c.arrived)
	return sent, arrived - sent, max(a, b)
}

// add makes the records of a packet.
func (r *records) add(c *crossing) {
	t := r.observations.tracks[c.flow]
	from, to := r.node[t.from], r.node[t.to]
	node := &r.out.Nodes[from]
	switch c.fate {
	case again:
		r.again++
		node.Retransmitted++
		return
	case lost, missed:
		e, stamp := c.sender, c.sent
		if c.fate == missed {
			e, stamp = c.sender.other(), c.arrived
		}
		// The other capture did not run then, and cannot have it.
		if at, _ := r.time(e, stamp); at < r.from || at > r.until {
			r.outside++
			return
		}
	}
	switch {
	case c.fate == missed:
		r.missed++
		return
	case c.sort == control:
		node.Firmware[trace.Ack]++
		return
	}
	// Only packets that carry data count, as in a model those with a host request.
	node.Packets++
	if c.fate == alike {
		r.alike++
		return
	}
	h := trace.Half{Sender: from, Receiver: to, Number: r.numbers[from], Bytes: c.bytes, Kind: kinds[c.sort], First: true, Wire: true}
	r.numbers[from]++
	if c.fate == lost {
		node.Dropped++
		at, _ := r.time(c.sender, c.sent)
		h.Sent, h.At = true, [4]int64{at, at, at, at}
		r.out.Packets.Add([]trace.Half{h})
		return
	}
	sent, net, bound := r.way(c)
	r.banks[to].Record(histo.Packet{Kind: h.Kind, Bytes: int(h.Bytes), Peer: int(from)}, trace.Net, net)
	received := h
	// T1 to T4 are one stamp, T5 and T6 another: what a capture does not see takes no time.
	h.Sent, h.At = true, [4]int64{sent, sent, sent, sent}
	received.At = [4]int64{sent, sent + net, sent + net, bound}
	r.out.Packets.Add([]trace.Half{h, received})
}

// run makes the run of the records. The digest of the specification stands for a platform, which is not known.
func (r *records) run() (*trace.Run, error) {
	names := make([]string, len(r.list))
	for i, a := range r.list {
		names[i] = netip.AddrFrom16(a).Unmap().String()
	}
	spec, err := json.Marshal(struct {
		Captures  [2]*File `json:"captures"`
		SameClock bool     `json:"same_clock"`
		Nodes     []string `json:"addresses"`
	}{r.files, r.spec.SameClock, names})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(spec)
	r.clock()
	r.out.Manifest = trace.Manifest{
		Workload: traffic, Platform: trace.Platform{Name: trace.DetailCapture, Digest: "sha256:" + hex.EncodeToString(sum[:])},
		Nodes: len(r.list), Detail: trace.DetailCapture, Spec: spec, Began: time.Unix(0, r.begin).UTC(), SimulatedNs: r.length,
		Lost: trace.Lost{TraceRecords: r.missed, NotRecorded: r.alike}, Warnings: r.warnings(),
	}
	r.out.Programs = []collect.Program{{Name: traffic, TookNs: r.length, How: "packets of real hosts, whose programs are not known"}}
	return collect.Run(r.out)
}

// clock makes the table of clock rounds: a row for each knot and each node at the second end, whose clock is
// that capture's.
func (r *records) clock() {
	r.out.Estimator = oneClock
	if r.spec.SameClock {
		return
	}
	r.out.Estimator = estimator
	r.out.Nodes[0].Clock = collect.Clock{Rounds: len(r.clocks.knots), Messages: r.clocks.packets}
	for i, k := range r.clocks.knots {
		for node, a := range r.list {
			if r.ends[a] == 1 {
				r.out.Clock = append(r.out.Clock, trace.ClockRow{
					Estimator: estimator, Round: int64(i), Node: int64(node), TimeNs: k.at - k.offset - r.begin,
					OffsetNs: float64(k.offset), RatePPB: trace.Some(1e9 * k.steep), BoundNs: trace.Some(float64(k.bound)),
				})
			}
		}
	}
}
