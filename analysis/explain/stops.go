package explain

import (
	"slices"

	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace/rundir"
)

// silencesLooked is how many silences are looked at, the longest first, so that the time for that does not grow with the run.
const silencesLooked = 32

// stops returns the gaps between two instants, in ps, of at least a hundredth of that time that are unlike the others, of a
// trace that is too long for one account. It looks at the packets of silent nodes, where a silence begins and where it ends.
func stops(in *source, silent []activity.Silence, from, to int64) ([]peers.Gap, error) {
	least := max((to-from)/100, 1)
	silent = slices.DeleteFunc(slices.Clone(silent), func(s activity.Silence) bool {
		return 1000*s.To <= from || 1000*s.From >= to || 1000*s.Length() < peers.Similar(least)
	})
	all := map[peers.Phase][]peers.Gap{}
	var candidates []peers.Gap
	for _, s := range silent[:min(len(silent), silencesLooked)] {
		node := []int64{int64(s.Node)}
		p, err := in.rebuilt(
			rundir.Section{FromNs: s.From, ToNs: min(s.From+2*s.Width, s.To-2*s.Width-1), Nodes: node}, rundir.Section{FromNs: s.To - 2*s.Width, ToNs: s.To, Nodes: node})
		if err != nil {
			return nil, err
		}
		for _, g := range peers.At(p.Account, s.Node, peers.Similar(least)) {
			// A delivery is at the side of the receiver, of which the silence is an arrival's.
			if (g.Phase == peers.Leaving) != (s.Side == activity.Sent) || 2*g.Length() < 1000*s.Length() {
				continue
			}
			if all[g.Phase] = append(all[g.Phase], g); g.Length() >= least {
				candidates = append(candidates, g)
			}
		}
	}
	return peers.Unlike(candidates, all, in.run.Manifest.Nodes), nil
}
