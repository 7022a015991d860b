package experiment

import (
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/perftest"
)

// Fields of a profile on which a test of a card rests: those of a latency, and what a rate needs besides.
var (
	ofLatency = []string{
		"network.link_mbps", "host.pcie.write_ns", "host.pcie.read_ns", "verbs.host.post_ns", "verbs.host.poll_ns",
		"verbs.card.entry_ns", "verbs.card.packet_ns", "verbs.card.receive_ns", "verbs.card.pipeline_ns",
	}
	ofRate = []string{"verbs.window", "verbs.contexts", "verbs.cache_misses", "verbs.card.units", "verbs.card.answered_ns", "verbs.card.ack_ns"}
)

// trust says in a line which of the numbers that a test of a card rests on are published, or derived from published ones, which
// one published row has set, and which are assumed.
func trust(p *platform.Profile, of perftest.Measure) (string, error) {
	marked, err := p.Marked()
	if err != nil {
		return "", err
	}
	fields := slices.Clone(ofLatency)
	if of == perftest.Bandwidth {
		fields = append(fields, ofRate...)
	}
	known := map[platform.Origin][]string{}
	said := 0
	for _, m := range marked {
		if !slices.Contains(fields, m.Path) {
			continue
		}
		said++
		name := m.Path[strings.LastIndexByte(m.Path, '.')+1:]
		if row, ok := strings.CutPrefix(m.Says, "by "); ok && m.Origin == platform.IsFitted {
			name += " (" + strings.FieldsFunc(row, func(r rune) bool { return r == ' ' || r == ',' })[0] + ")"
		}
		known[m.Origin] = append(known[m.Origin], name)
	}
	var out []string
	for _, o := range []struct {
		words string
		of    platform.Origin
	}{{"published", platform.IsPublished}, {"derived", platform.IsDerived}, {"fitted", platform.IsFitted}, {"assumed", platform.IsAssumed}} {
		if names := known[o.of]; names != nil {
			out = append(out, o.words+" "+strings.Join(names, ", "))
		}
	}
	if said < len(fields) {
		out = append(out, "of unknown origin the rest, which the file does not mark")
	}
	return strings.Join(out, "; "), nil
}
