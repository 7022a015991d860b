package watch

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
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
	Why      uint32
	Deferred uint32 // ns that it has waited for the kernel to receive packets
}

// sampleOf reads one of the kernel's, in 88 bytes.
func sampleOf(b []byte) (s sample) {
	n := binary.NativeEndian
	for i, at := range []*uint64{&s.At[0], &s.At[1], &s.At[2], &s.At[3], &s.At[4], &s.Served, &s.Woken, &s.Waited} {
		*at = n.Uint64(b[8*i:])
	}
	for i, at := range []*uint32{&s.Bytes, &s.Program, &s.ToServer, &s.UDP, &s.Why, &s.Deferred} {
		*at = n.Uint32(b[64+4*i:])
	}
	return s
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
	packets    *trace.Joiner // nil: no rows are made
	samples    []timed       // those that become rows: one in 1<<halved that were taken
	taken      uint64
	halved     uint
	slowest    slowest
	numbers    [2]uint32 // by sender: the number of its next packet
	warnings   []string
	failed     *CommandError // nil: there was no command, or it has ended well
	seen       seen
	joining    *joining    // nil: no other host
	ends       bool        // what the other host has counted is that of the end of a run
	tags       map[int]int // by program, if there are programs of another host; nil: a program's number
}

// timed is a sample whose Net is known within a bound, in ns.
type timed struct {
	sample
	bound int64
}

// take takes a sample of a message that was read on this host, or acknowledged by another one.
func (r *result) take(s *sample) {
	if s.At[4] == 0 {
		r.seen.acknowledged(s)
		return
	}
	if s.Why&drawn == 0 {
		r.slowest.keep(s)
		return
	}
	r.slowest.meets(s.took())
	r.keep(s, 0)
}

// drawn is in Why of a sample that was drawn at random; the others took long.
const drawn = 1

// mostSamples is how many messages are rows at most.
const mostSamples = 1 << 19

// keep keeps a sample. When there are too many, every second one is forgotten, of those to come too.
func (r *result) keep(s *sample, bound int64) {
	r.seen.add(s)
	if r.taken&(1<<r.halved-1) == 0 {
		r.samples = append(r.samples, timed{*s, bound})
	}
	r.taken++
	if len(r.samples) < mostSamples {
		return
	}
	for i := range mostSamples / 2 {
		r.samples[i] = r.samples[2*i]
	}
	r.samples = r.samples[:mostSamples/2]
	r.halved++
}

// join makes rows of the samples, and returns how many samples were forgotten.
func (r *result) join() (forgotten uint64) {
	if r.halved > 0 {
		r.warnings = append(r.warnings, fmt.Sprintf("rows are one message in %d, as they would be more than %d: the histograms have all", r.spec.Every<<r.halved, mostSamples))
	}
	forgotten = r.taken - uint64(len(r.samples))
	for _, s := range r.slowest.kept {
		r.samples = append(r.samples, timed{sample: s})
	}
	slices.SortStableFunc(r.samples, func(x, y timed) int { return cmp.Compare(x.At[4], y.At[4]) })
	for i := range r.samples {
		r.row(&r.samples[i].sample, r.samples[i].bound)
	}
	return forgotten
}

// row makes the two records of a message.
func (r *result) row(s *sample, bound int64) {
	from, to := sort{toServer: s.ToServer != 0}.nodes()
	ends := trace.Half{
		Sender: int32(from), Receiver: int32(to), Number: r.numbers[from], Bytes: int32(s.Bytes),
		Tag: trace.Tag(r.tag(int(s.Program))), Kind: kindOf(s.UDP != 0), First: true,
	}
	r.numbers[from]++
	sent, received := ends, ends
	at := func(i int) int64 { return int64(s.At[i]) - r.origin }
	sent.Sent = true
	sent.At = [4]int64{at(0), at(1), at(2), at(2)}
	received.At = [4]int64{at(2), at(3), at(4), bound}
	r.packets.Add([]trace.Half{sent, received})
}

// newTags returns tags that are given as programs are met, or nil.
func (r *result) newTags() map[int]int {
	if r.joining == nil || r.tags != nil {
		return r.tags
	}
	return map[int]int{}
}

// tag returns that of a program.
func (r *result) tag(program int) int {
	if r.tags == nil {
		return program
	}
	t, known := r.tags[program]
	if !known {
		t = min(len(r.tags), math.MaxUint8)
		r.tags[program] = t
	}
	return t
}

// retag puts tags in the place of numbers of programs.
func (r *result) retag() {
	if r.tags == nil {
		return
	}
	histograms, names := map[sort]*histogram{}, map[int]string{}
	for s, h := range r.histograms {
		s.program = r.tag(s.program)
		histograms[s] = h
	}
	for program, tag := range r.tags {
		names[tag] = cmp.Or(r.programs[program], others)
	}
	r.histograms, r.programs = histograms, names
}

// counted returns a copy of what was counted.
func (r *result) counted() *result {
	out := &result{counts: r.counts, histograms: map[sort]*histogram{}, tags: r.tags}
	out.counts.drops, out.seen.other = maps.Clone(r.counts.drops), slices.Clone(r.seen.other)
	out.counts.dropped = maps.Clone(r.counts.dropped)
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
	r.counts.across.less(&before.counts.across)
	r.seen.less(&before.seen)
	for s, h := range before.histograms {
		if now := r.histograms[s]; now.messages() == h.messages() {
			delete(r.histograms, s)
		} else {
			now.less(h)
		}
	}
}

// hosts are those of the run, and their document.
func (r *result) hosts() (all []live.Host, text []byte, err error) {
	all = []live.Host{live.ThisHost(netip.Addr{})}
	if r.joining == nil {
		text, err = json.MarshalIndent(all[0], "", "  ")
		return all, text, err
	}
	other, _, _ := r.joining.other.Host()
	all = append(all, other)
	text, err = json.MarshalIndent(all, "", "  ")
	return all, text, err
}

// others is the name of programs beyond those that the kernel numbers.
const others = "others"

// CommandError is how the command has ended that was watched.
type CommandError struct {
	Command string
	Err     error
}

func (e *CommandError) Error() string { return fmt.Sprintf("%s: %v", e.Command, e.Err) }

func (e *CommandError) Unwrap() error { return e.Err }

// unseen adds how the command has failed to an error that no message was seen.
func (r *result) unseen(err error) error {
	if r.failed == nil {
		return err
	}
	return fmt.Errorf("%w; %w", r.failed, err)
}

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
	hosts, platform, err := r.hosts()
	if err != nil {
		return nil, err
	}
	causes := slices.Concat(r.losses(r.seen.rows(r.programs)), r.counts.dropsSeen(), r.longest())
	r.retag()
	last := 0
	nodes := make([]collect.Node, 2)
	for s, h := range r.histograms {
		last = max(last, s.program)
		from, _ := s.nodes()
		nodes[from].Packets += h.messages()
	}
	// Messages in no table were sent too, by whom is not told.
	nodes[0].Packets += r.counts.missing()
	lost := trace.Lost{NotRecorded: int64(r.counts.missing()), TraceRecords: int64(r.counts.of[unsampled] + r.join())}
	records := collect.Records{
		Manifest: trace.Manifest{
			Workload: trace.DetailWatch, Detail: trace.DetailWatch, Nodes: 2, Spec: spec,
			Platform: trace.Platform{Name: live.WordsOf(hosts), Digest: live.DigestOf(hosts...)},
			Began:    r.began.UTC(), SimulatedNs: r.took.Nanoseconds(), Stamps: []string{trace.StampSched, trace.StampHand, trace.StampKernel},
			Seen:     causes,
			Warnings: append(r.warnings, r.counts.warnings()...), Lost: lost,
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
	if r.joining != nil {
		r.joining.enter(&records, r)
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
