package peers

import "github.com/sigview/sigview/analysis/causal/account"

// At returns the gaps of a node of at least so many ps, with the packets that wait when each ends, of an account
// that has all packets of the node around these times.
func At(a *account.Account, node int, least int64) (out []Gap) {
	for where, list := range passages(a) {
		if int(where.node) != node {
			continue
		}
		for _, g := range gapsAt(where, list, least) {
			out = append(out, g.waiting(a, list))
		}
	}
	return out
}

// Similar is the part of a gap's length from which on another one may be similar to it.
func Similar(length int64) int64 { return length / similar }
