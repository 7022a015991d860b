package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Summary returns the results in sentences: how many runs there are, the fastest layers of each program and
// platform, and what free resources save.
func (s *Sweep) Summary() []string {
	out := []string{s.first()}
	best := s.Best()
	for len(best) > 0 {
		n := slices.IndexFunc(best, func(b Best) bool { return b.Group() != best[0].Group() })
		if n < 0 {
			n = len(best)
		}
		out = append(out, sentence(best[:n]))
		best = best[n:]
	}
	freed := s.Freed()
	for len(freed) > 0 {
		n := slices.IndexFunc(freed, func(f Freed) bool { return f.Group() != freed[0].Group() })
		if n < 0 {
			n = len(freed)
		}
		out = append(out, gain(freed[:n]))
		freed = freed[n:]
	}
	return out
}

// gain returns in how many combinations of one group free resources change the run time, and where they save
// most. freed is not empty.
func gain(freed []Freed) string {
	shown := slices.DeleteFunc(slices.Clone(freed), func(f Freed) bool { return !f.Saved.Shown() })
	f := freed[0]
	text := fmt.Sprintf("%v: in %d of %s the run time is shown to differ from that with nothing free (1 in 20 is by chance)", f.Group(), len(shown), analysis.Plural(len(freed), "combination"))
	if len(shown) == 0 {
		return text + "."
	}
	most := slices.MaxFunc(shown, func(a, b Freed) int { return cmp.Compare(a.share(), b.share()) })
	if most.share() <= 0 {
		return text + "; it is longer."
	}
	at := fmt.Sprintf("%s on %d nodes", most.Layer, most.Nodes)
	if most.Size.N > 0 {
		at += ", size " + most.Size.String()
	}
	return text + fmt.Sprintf("; most is saved by %s: %.1f%%.", at, 100*most.share())
}

// first returns how many runs and combinations there are, failed and cannot work.
func (s *Sweep) first() string {
	skipped := 0
	for _, k := range s.Skipped {
		skipped += len(k.Combinations)
	}
	text := fmt.Sprintf("%s: %s with seeds %s.", analysis.Plural(int(s.Runs), "run"), analysis.Plural(len(s.Cells), "combination"), trace.SeedsText(s.Seeds))
	if len(s.Failed) > 0 {
		text += fmt.Sprintf(" %s failed.", analysis.Plural(len(s.Failed), "run"))
	}
	if skipped > 0 {
		text += fmt.Sprintf(" %s cannot work.", analysis.Plural(skipped, "further combination"))
	}
	return text
}

// sentence returns the fastest layers of one group: in how many combinations each is shown to be fastest, and
// for the largest number of nodes the fastest by size. best is sorted, and not empty.
func sentence(best []Best) string {
	sure := map[string]int{}
	var layers []string
	unclear := 0
	for _, b := range best {
		switch {
		case b.Second == nil:
		case !b.Sure():
			unclear++
		default:
			if sure[b.First.Layer] == 0 {
				layers = append(layers, b.First.Layer)
			}
			sure[b.First.Layer]++
		}
	}
	slices.SortStableFunc(layers, func(a, b string) int { return sure[b] - sure[a] })
	var parts []string
	for _, l := range layers {
		parts = append(parts, fmt.Sprintf("%s in %d", l, sure[l]))
	}
	if unclear > 0 {
		parts = append(parts, fmt.Sprintf("unclear in %d", unclear))
	}
	text := fmt.Sprintf("%v: of %s of nodes and size the fastest layer is %s.", best[0].Where, analysis.Plural(len(best), "combination"), strings.Join(parts, ", "))
	most := best[len(best)-1].Nodes // they are sorted
	largest := slices.DeleteFunc(slices.Clone(best), func(b Best) bool { return b.Nodes != most })
	if len(largest) < 2 {
		return text
	}
	var steps []string
	for i := 0; i < len(largest); {
		j := i
		for j+1 < len(largest) && largest[j+1].Layers() == largest[i].Layers() {
			j++
		}
		step := largest[i].Layers() + " at " + largest[i].Size.String()
		if j > i {
			step = fmt.Sprintf("%s from %v to %v", largest[i].Layers(), largest[i].Size, largest[j].Size)
		}
		steps, i = append(steps, step), j+1
	}
	return text + fmt.Sprintf(" On %d nodes: %s.", most, strings.Join(steps, ", "))
}
