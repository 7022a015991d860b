package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/papers/judge"
)

// leastPct is the least change of a figure that counts, in per cent of its mean and
// beyond the range that it has over seeds.
const leastPct = 2

// usual is what a row says of the unchanged profiles, over seeds.
type usual struct {
	row          judge.Row
	lo, hi, mean float64
	met          bool
	steady       bool // it is met with every seed, or with none
	first        outcome
}

// summarize returns what a row says over seeds.
func summarize(row judge.Row, seeds []outcomes) (usual, error) {
	u := usual{row: row, lo: math.Inf(1), hi: math.Inf(-1), steady: true, first: seeds[0][row.ID]}
	u.met = u.first.Met
	for _, s := range seeds {
		o := s[row.ID]
		if o.Err != "" {
			return u, fmt.Errorf("row %s: %s", row.ID, o.Err)
		}
		u.lo, u.hi = min(u.lo, o.Value), max(u.hi, o.Value)
		u.mean += o.Value / float64(len(seeds))
		u.steady = u.steady && o.Met == u.met
	}
	return u, nil
}

// shows reports whether a row shows something when it is met.
func shows(row judge.Row) bool {
	return row.Evidence == judge.Prediction || row.Evidence == judge.Provocation
}

// headline are the figures of platforms beside those that are predicted. Many set
// parameters, which would take up a part of a change.
var headline = []string{
	"sh-rtt2-add", "sh-bw-gt128", "sh-bw-small", "sh-base-netdiff",
	"us-bip-lat4", "us-fm-lat", "us-vmmc-lat", "us-am-lat", "us-vmmc-bw-d",
	"logp-par-os", "logp-par-or", "logp-par-g", "logp-par-gprime",
	"logp-mei-os", "logp-mei-or", "logp-mei-g", "logp-mei-L", "logp-mei-rtt",
	"logp-myr-os", "logp-myr-or", "logp-myr-g", "logp-myr-L", "logp-kto1-myr",
	"logp-m50-L-d", "logp-m50-g-d", "logp-m10-os",
}

// leftOut are rows that are not studied since they take more time than all others
// together, with what they measure.
var leftOut = map[string]string{
	"sh-ov-app":         "four applications with and without the monitor",
	"logp-allpairs":     "eight pairs at once and one alone, on three machines",
	"logp-f-kto1":       "up to seven senders to one receiver, on three machines",
	"us-copy-rule":      "bandwidths of all ways of copying",
	"us-order-bw-small": "bandwidths of five layers",
	"us-bip-L-flat":     "parameters of BIP for each size",
}

// figure reports whether changes of the row's number count.
func figure(row judge.Row) bool {
	return row.Numeric && row.Evidence == judge.Prediction || slices.Contains(headline, row.ID)
}

// watched returns the rows of a study whose ids start with a prefix: figures, and those
// that show something, without those that are left out.
func watched(prefix string) (out []judge.Row, err error) {
	table, err := judge.Published()
	if err != nil {
		return nil, err
	}
	for _, row := range table.Only(prefix) {
		if leftOut[row.ID] == "" && (figure(row) || shows(row)) {
			out = append(out, row)
		}
	}
	return out, nil
}

// studies has the papers whose rows run on a platform: those of its machines, and of others that
// it is compared with. None are of linux-udp, whose numbers are fitted to measurements of a real host.
var studies = map[string][]string{
	"shrimp": {"shrimp", "plogp"}, "ppro": {"shrimp", "userspace", "plogp", "grim"},
	"meiko": {"logp"}, "meiko50": {"logp"}, "myrinet": {"logp"}, "myrinet10": {"logp"}, "paragon": {"logp"}, "sun-rpc": {"logp", "userspace"},
	"das-myrinet": {"plogp", "grim"}, "das-wan": {"plogp"},
	"grim-p3-lanai4": {"grim"}, "grim-p3-lanai4-pmc": {"grim"}, "grim-p3-lanai9": {"grim"}, "grim-p4-lanai4": {"grim"},
	"grim-p4-lanai9": {"grim"}, "grim-ppro-lanai9": {"grim"}, "gm-p3": {"grim"}, "trapeze-p3": {"grim"}, "ultrasparc-sbus": {"grim"},
	"linux-udp": {},
	"cib":       {}, "cx3": {}, "mlx4": {}, "cx5-roce": {}, "cx5-ex": {}, "cx6": {}, "cx6-hdr": {}, "cx7": {}, "smartnic": {},
}

// published returns the platforms with rows.
func published() []string {
	return slices.DeleteFunc(slices.Clone(platform.Names()), func(name string) bool { return len(studies[name]) == 0 })
}

// on returns the rows that a platform's numbers can touch.
func on(name string, rows []judge.Row) []judge.Row {
	papers := studies[name]
	return slices.DeleteFunc(slices.Clone(rows), func(row judge.Row) bool { return !slices.Contains(papers, row.Paper) })
}

// change is how a row differs from its usual outcome. The zero value is no change.
type change struct {
	Pct   float64 // of a figure
	Flips bool    // a row that shows something is met where it was not, or the reverse
	Fails string  // why it cannot be measured
}

// changed returns how an outcome differs from the usual one.
func (u usual) changed(o outcome) (c change) {
	if o.Err != "" {
		return change{Fails: o.Err}
	}
	if beyond := o.Value - min(max(o.Value, u.lo), u.hi); figure(u.row) && math.Abs(beyond) > leastPct/100.0*math.Abs(u.mean) {
		c.Pct = 100 * (o.Value - u.mean) / math.Abs(u.mean)
	}
	c.Flips = shows(u.row) && u.steady && o.Met != u.met
	return c
}

// differs reports whether an outcome differs at all.
func (u usual) differs(o outcome) bool { return o != u.first }
