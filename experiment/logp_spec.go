package experiment

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/workloads/microbench"
)

// Methods of measuring LogP parameters.
const (
	MethodSignature = measure.Signature
	MethodSweep     = measure.Sweep
	MethodPLogP     = measure.PLogP
)

// pattern names who sends to whom.
type pattern = names.Word[microbench.Pattern]

var (
	patternPair = pattern(microbench.OneToOne.String())
	allPairs    = pattern(microbench.AllPairs.String())
)

// LogPSpec asks for LogP parameters. Sizes are those of a sweep's messages, or of bulk
// transfers measured beside a signature.
type LogPSpec struct {
	PlacesSpec
	Method  measure.Method   `json:"method" optional:"yes"` // "": signature for layers of requests and replies, else sweep
	Pattern pattern          `json:"pattern"`
	Pair    Pair             `json:"pair" range:"0..1023"`  // of the pattern pair; zero: node 0 and the first of those farthest from it
	Peers   int              `json:"peers" range:"0..1023"` // K of one-to-many and many-to-one, pairs of all-pairs; 0: 3, all nodes
	Monitor Build            `json:"monitor"`
	Noise   []measure.Source `json:"noise"`
	PLogP   PLogPSpec        `json:"plogp"`
}

// PLogPSpec are the constants of the method plogp, and whether it measures gaps also by
// saturation.
type PLogPSpec struct {
	logp.Search
	Saturate bool `json:"saturate"`
}

// Pair is two nodes of a platform.
type Pair [2]int

// String returns the two nodes with a comma between, as the flag has them.
func (p Pair) String() string { return fmt.Sprintf("%d,%d", p[0], p[1]) }

// DefaultLogP returns the specification for the default platform's layer.
func DefaultLogP() LogPSpec {
	return LogPSpec{
		PlacesSpec: PlacesSpec{Platforms: []string{DefaultPlatform}, Seed: DefaultSeed},
		Pattern:    patternPair, Monitor: BuildOff, PLogP: PLogPSpec{logp.Published(), true},
	}
}

// sweepSizes are the message sizes of a sweep that names none.
func sweepSizes() []int64 {
	return []int64{4, 16, 64, 128, 256, 512, 1 << 10, 2 << 10, 4 << 10, 16 << 10, 64 << 10}
}

// Validate checks what can be checked without loading a platform's file.
func (s LogPSpec) Validate(known Catalogue) error {
	err := cmp.Or(
		s.validate(known),
		bounds.Check("", s),
		once("noise", "noise", s.Noise),
	)
	switch {
	case err != nil:
		return err
	case s.Peers > 1 && s.Pattern == patternPair:
		return wrong("peers", s.Peers, "1 for the pattern pair; %s take more", strings.Join(s.Pattern.Words().Names()[1:], ", "))
	case s.Pair != Pair{} && s.Pattern != patternPair:
		return wrong("pair", s.Pair, "none for the pattern %s, which takes the first nodes", s.Pattern)
	case s.Pair != Pair{} && s.Pair[0] == s.Pair[1]:
		return wrong("pair", s.Pair, "two different nodes")
	case s.Pattern != patternPair && s.Method != MethodSignature && s.Method != "":
		return wrong("pattern", s.Pattern, "pair for the method %s, whose programs run on two nodes", s.Method)
	case s.Method == MethodPLogP && len(s.Sizes) > 0:
		return wrong("sizes", s.Sizes, "none for the method plogp, which finds its sizes (exponent, most_exponent)")
	case s.Method != MethodPLogP && s.PLogP != DefaultLogP().PLogP:
		return wrong("plogp", "given", "the method plogp (--method plogp)")
	}
	return nil
}

// methodFor returns the method for a layer, or an error that says why it is impossible.
func (s LogPSpec) methodFor(p platform.Place) (measure.Method, error) {
	asks := p.Traits.Requests
	switch {
	case s.Method == MethodSignature && !asks:
		return "", wrong("method", s.Method, "sweep for layer %s (--method sweep): a signature needs requests with replies, and the layer's model is %s", p.Layer, p.Traits.Model)
	case s.Pattern != patternPair && !asks:
		return "", wrong("pattern", s.Pattern, "pair for layer %s: other patterns need requests with replies, and the layer's model is %s", p.Layer, p.Traits.Model)
	case s.Method != "":
		return s.Method, nil
	case asks:
		return MethodSignature, nil
	}
	return MethodSweep, nil
}

// pairOn returns the pair of a platform that is measured. The published round trips of
// machines with several distances are given up to the longest, and L follows from that
// (logp, Table 3).
func (s LogPSpec) pairOn(p platform.Place) (*bench.Pair, error) {
	network := p.FabricSpec(p.Nodes)
	out := bench.Pair{Nodes: s.Pair}
	switch {
	case s.Pair == Pair{}:
		out.Nodes[1] = network.Farthest()
	case max(s.Pair[0], s.Pair[1]) >= p.Nodes:
		return nil, wrong("pair", s.Pair, "nodes 0 to %d of platform %s", p.Nodes-1, p.Name)
	}
	out.Switches = network.Switches(out.Nodes[0], out.Nodes[1])
	return &out, nil
}

// peersFor returns how many peers or pairs there are on a platform.
func (s LogPSpec) peersFor(p platform.Place) (int, error) {
	most, usual := 1, 1
	switch s.Pattern {
	case patternPair:
	case allPairs:
		most = p.Nodes / 2
		usual = most
	default:
		most = p.Nodes - 1
		usual = min(3, most)
	}
	switch {
	case s.Peers == 0:
		return usual, nil
	case s.Peers > most:
		return 0, wrong("peers", s.Peers, "at most %d for %s on platform %s, which has %d nodes", most, s.Pattern, p.Name, p.Nodes)
	}
	return s.Peers, nil
}
