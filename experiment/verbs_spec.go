package experiment

import (
	"cmp"

	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/internal/bounds"
)

// VerbsSpec asks for tests of RDMA verbs, as the perftest tools make them, on each of these platforms.
// Each operation is measured with each number of queue pairs and of operations under way.
type VerbsSpec struct {
	Platforms   []string             `json:"platforms"`
	Operations  []perftest.Operation `json:"operation"`                            // none: those of the listing, or write
	Measure     perftest.Measure     `json:"measure" optional:"yes"`               // "": that of the listing, or latency
	Sizes       []int64              `json:"sizes" range:"1..67108864 bytes"`      // none: those of the listing, or 2 B to 8 MB
	QueuePairs  []int64              `json:"queue_pairs" range:"1..16384"`         // of bandwidth; none: the listing's, or 1
	Outstanding []int64              `json:"outstanding" range:"1..65536"`         // operations of a pair, or of a thread of a swarm, of bandwidth; none: the listing's, or 128
	Threads     int64                `json:"threads" range:"1..64"`                // of each side, which post on pairs of their own
	Swarm       bool                 `json:"swarm"`                                // threads draw the pair of each operation, and both sides send
	Count       int64                `json:"count" range:"0..100000000 (0: auto)"` // operations, or round trips; 0: as perftest, fewer if they are long
	Switch      bool                 `json:"switch"`                               // of the platform between the cards, in place of a cable
	Beside      string               `json:"beside"`                               // file with a listing of perftest; "": none
	Seed        uint64               `json:"seed" range:"0.."`
}

// DefaultVerbs returns the specification for latencies of writes on a platform that has verbs.
func DefaultVerbs() VerbsSpec {
	return VerbsSpec{Platforms: []string{"cx7"}, Threads: 1, Seed: DefaultSeed}
}

// Validate checks what can be checked without loading a file.
func (s VerbsSpec) Validate(known Catalogue) error {
	if len(s.Platforms) == 0 {
		return wrong("platforms", "empty", "a name or a .toml file")
	}
	for _, p := range s.Platforms {
		if err := known.checkPlace(p, ""); err != nil {
			return err
		}
	}
	err := cmp.Or(
		bounds.Check("", s), once("platforms", "platform", s.Platforms), once("operation", "operation", s.Operations),
		once("sizes", "size", s.Sizes), once("queue_pairs", "number", s.QueuePairs), once("outstanding", "number", s.Outstanding),
	)
	switch {
	case err != nil:
		return err
	case s.Measure == perftest.Latency && s.QueuePairs != nil:
		return wrong("queue_pairs", s.QueuePairs, "none for latency, which is that of one operation at a time")
	case s.Measure == perftest.Latency && s.Outstanding != nil:
		return wrong("outstanding", s.Outstanding, "none for latency, which is that of one operation at a time")
	case s.Measure == perftest.Latency && (s.Threads > 1 || s.Swarm):
		return wrong("measure", s.Measure, "bandwidth, because of threads or swarm")
	case s.Beside != "" && len(s.Operations) > 1:
		return wrong("operation", s.Operations, "one beside a listing")
	}
	return nil
}
