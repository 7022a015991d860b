package watch

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sigview/sigview/trace"
)

// Look shows a watch to others while it goes on. Its methods may be called from any goroutine; when the watch has
// ended they return an error.
type Look struct {
	spec  Spec
	began time.Time
	open  *stopwatch
	count func() (counts, error)
	mu    sync.Mutex          // of read
	read  func(*result) error // nil: the watch has ended
	show  func(*seen)
}

// stopwatch sums times up. Any goroutine may read it while one starts and stops it.
type stopwatch struct {
	mu    sync.Mutex
	sum   time.Duration
	since time.Time // zero: it stands
}

func (s *stopwatch) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = time.Now()
}

func (s *stopwatch) stop() {
	sum, _ := s.read()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum, s.since = sum, time.Time{}
}

// read returns the sum so far, and whether it runs.
func (s *stopwatch) read() (sum time.Duration, runs bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		return s.sum, false
	}
	return s.sum + time.Since(s.since), true
}

var errEnded = errors.New("the watch has ended")

// now returns what has been counted so far, without single packets.
func (l *Look) now() (*result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read == nil {
		return nil, errEnded
	}
	r := &result{spec: l.spec, began: l.began, took: time.Since(l.began)}
	return r, l.read(r)
}

// Messages returns how many were followed so far, and whether there is a break now.
func (l *Look) Messages() (n uint64, isBreak bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read == nil {
		return 0, false, errEnded
	}
	c, err := l.count()
	_, runs := l.open.read()
	return c.messages(), !runs, err
}

// end waits for those who look, and lets nobody look any more.
func (l *Look) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read = nil
}

// Run returns the tables of the unfinished run.
func (l *Look) Run() (*trace.Run, error) {
	r, err := l.now()
	if err != nil {
		return nil, err
	}
	l.show(&r.seen)
	r.counts.pending = r.counts.missing()
	return r.tables()
}

// Series are the latencies of one stage of messages of one program, doubling of sizes and direction.
type Series struct {
	Program     string // that sends, or that receives from another host
	ToServer    bool
	UDP         bool
	Least, Most uint64 // bytes of a message
	Stage       trace.Stage
	Count, Sum  uint64 // messages, ns
	bins        *[numBins]uint32
}

// Bins calls f with how many latencies are at least low and less than high, in ns, in ascending order. Bounds of
// bins include all powers of two up to 2^36.
func (s *Series) Bins(f func(low, high int64, n uint64)) {
	for bin, n := range s.bins {
		if n > 0 {
			low, width := binRange(bin)
			f(low, low+width, uint64(n))
		}
	}
}

// Fate is how many messages have become what.
type Fate struct {
	Name  string
	Count uint64
}

// Totals is all that a watch has counted.
type Totals struct {
	Series   []Series
	Messages uint64
	Followed time.Duration // without breaks
	Measured []Fate        // they are in Series, with all stages or those of this host
	Missing  []Fate        // reasons why messages are in none
}

// fates names what becomes of messages.
var fates = [numCounters]string{
	attributed: "all", away: "sent", heard: "received",
	full: "full", unqueued: "unqueued", unhanded: "unhanded", unarrived: "unarrived", unseen: "unseen", replaced: "replaced", broken: "broken",
	unstarted: "unstarted", unlooked: "unlooked", fragmented: "fragmented", many: "many", dropped: "dropped",
}

// Totals returns what has been counted so far.
func (l *Look) Totals() (Totals, error) {
	r, err := l.now()
	if err != nil {
		return Totals{}, err
	}
	out := Totals{Messages: r.counts.messages()}
	out.Followed, _ = l.open.read()
	for s, h := range r.histograms {
		for i := range h.Stages {
			b := &h.Stages[i]
			if n := b.total(); n > 0 {
				out.Series = append(out.Series, Series{cmp.Or(r.programs[s.program], others), s.toServer, s.udp, 1 << s.bits, 2<<s.bits - 1, trace.Stage(i), n, b.Sum, &b.Bins})
			}
		}
	}
	c := &r.counts
	out.Measured = []Fate{
		{fates[attributed], c.of[attributed] + c.joined[0] + c.joined[1]}, {fates[away], c.of[away] - min(c.joined[0], c.of[away])}, {fates[heard], c.of[heard]},
	}
	for _, why := range reasons {
		out.Missing = append(out.Missing, Fate{fates[why.which], r.counts.of[why.which]})
	}
	out.Missing = append(out.Missing, Fate{fates[dropped], r.counts.of[dropped]})
	slices.SortFunc(out.Series, func(a, b Series) int {
		return cmp.Or(cmp.Compare(a.Program, b.Program), cmp.Compare(a.Least, b.Least), cmp.Compare(a.Stage, b.Stage))
	})
	return out, nil
}
