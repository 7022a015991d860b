package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// hinging lists, for each predicted or provoked row that is met, the numbers with
// whose change it is not.
func hinging(reports []report) map[string][]string {
	out := map[string][]string{}
	for _, r := range reports {
		r.each(func(f finding, d direction, id string, c change) {
			if !c.Flips || !r.usual[id].met {
				return
			}
			on := fmt.Sprintf("`%s` of %s", f.Number.Path, strings.Join(sharing(r.machines, f.Number), " and "))
			if !slices.Contains(out[id], on) {
				out[id] = append(out[id], on)
			}
		})
	}
	return out
}

// failing returns the predicted and provoked rows that are met, cannot be measured with
// some number changed, and hinge on none.
func failing(reports []report) map[string]bool {
	hinging, out := hinging(reports), map[string]bool{}
	for _, r := range reports {
		r.each(func(_ finding, _ direction, id string, c change) {
			if u := r.usual[id]; c.Fails != "" && u.met && shows(u.row) && hinging[id] == nil {
				out[id] = true
			}
		})
	}
	return out
}

// each calls f for each change of a row, in a fixed order.
func (r report) each(f func(f finding, d direction, id string, c change)) {
	for _, found := range r.findings {
		for _, d := range directions {
			for _, id := range slices.Sorted(maps.Keys(found.Rows[d])) {
				f(found, d, id, found.Rows[d][id])
			}
		}
	}
}
