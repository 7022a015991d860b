package why

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// traced is a study with three seeds in which a free host processor saves the first share of a run
// of 100 ms and a free I/O bus the second, and a trace whose replays save others.
func traced(cpu, pci float64, trc ...Traced) Explanation {
	s := Study{Programs: []string{"p"}, Parts: []Part{{trace.CPU}, {trace.PCI}}, Seeds: []uint64{1, 2, 3}, Outcomes: map[Variant][]Outcome{}}
	for v, saved := range map[Variant]float64{{}: 0, Alone(0): cpu, Alone(1): pci, {Free: First(2)}: cpu + pci} {
		for seed := range 3 {
			s.Outcomes[v] = append(s.Outcomes[v], Outcome{Packets: 100, Programs: []Program{{Name: "p", RunTimeNs: 1e8*(1-saved) + float64(seed)*1e4*(1+saved)}}})
		}
	}
	x := Explain(s)
	x.Traced = trc
	return x
}

func TestCompared(t *testing.T) {
	for _, c := range []struct {
		name     string
		x        Explanation
		want, no string
	}{
		{"no trace", traced(0.1, 0.02), "", "race"},
		{"agreement", traced(0.1, 0.02, Traced{5e6, 9e6}, Traced{1e6, 1e6}), "agrees that freeing the host processor saves most: 10.0%", "disagree"},
		{"another order", traced(0.1, 0.02, Traced{5e6, 6e6}, Traced{1e6, 8e6}), "saves most in runs, 10.0% of the run time", "agrees"},
		{"bus", traced(0.01, 0.08, Traced{5e6, 2e6}, Traced{1e6, 1e6}), "single transfers are faster too", "agrees"},
		{"overlap", traced(0.1, 0.02, Traced{30e6, 1e6}, Traced{1e6, 2e6}), "overlaps with something longer", "agrees"},
		{"share", traced(0.2, 0.02, Traced{5e6, 9e6}, Traced{1e6, 1e6}), "disagree about the host processor: runs save 20.0%", "bus:"},
	} {
		text := strings.Join(c.x.Compared(), "\n")
		require.Contains(t, text, c.want, c.name)
		require.NotContains(t, text, c.no, c.name)
	}
}
