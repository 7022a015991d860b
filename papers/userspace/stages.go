package userspace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// The table of stages (Table 3): in which LogP parameter the cost of a stage
// appears. Each stage is slowed to four fifths of its rate, and the parameters
// are measured again: what has grown is where its cost is booked.

// none is the word of a stage that a layer does not have.
const none = "-"

// pathStage is a stage of the path, as the rows name it.
type pathStage struct {
	row, title string
	slow       change
}

// Copies are slowed on both nodes: those before the interface are the sender's,
// whose time is in O_s, those behind it the receiver's, in O_r.
var pathStages = []pathStage{
	{"app2sys", "copies slowed, seen by the sender", slowCopies},
	{"buf2ni", "programmed I/O and DMA to the interface slowed", slowFetch},
	{"ni2ni", "network engines and links slowed", slowWire},
	{"ni2buf", "DMA to the host slowed", slowDeposit},
	{"sys2app", "copies slowed, seen by the receiver", slowCopies},
}

// inProse is what the text of the study says where it contradicts the table:
// FM's stores are in O_s, and the copies that the receivers of GAM and FM make
// are in O_r.
var inProse = map[string]struct{ word, section string }{
	"us-t3-buf2ni-fm202": {"O_s", "4.1.3"}, "us-t3-sys2app-gam": {"O_r", "4.1.4"}, "us-t3-sys2app-fm202": {"O_r", "4.1.4"},
}

// booked returns the id of a cell and the parameter that the study names.
func booked(s pathStage, layer string) (id, word string) {
	id = "us-t3-" + s.row + "-" + map[string]string{"gam": "gam", "bip": "bip092", "fm": "fm202", "pm": "pm12", "vmmc": "vmmc2"}[layer]
	if p, contradicts := inProse[id]; contradicts {
		return id, p.word
	}
	return id, publishedText(id)
}

// stages holds the rows of the table and of the stages themselves.
func (r *rows) stages() {
	for _, s := range pathStages {
		for _, layer := range compared {
			id, word := booked(s, layer)
			other := []string{"bip", "pm", "gam"}[slices.IndexFunc([]string{"bip", "pm", "gam"}, func(o string) bool {
				_, w := booked(s, o)
				return w != word
			})]
			title := s.title
			if p, contradicts := inProse[id]; contradicts {
				title += fmt.Sprintf(" (%s, as section %s has it and not the table)", word, p.section)
			}
			r.versus(id, title, attributed(s, layer, word), "the same on "+other, attributed(s, other, word))
		}
	}
	r.versus("us-stages", "each stage slowed, all layers", stagesOf(compared...), "VMMC-2 alone", stagesOf("vmmc"))
}

// attributed is that the cost of a stage appears in a parameter.
func attributed(s pathStage, layer, word string) test {
	wants := fmt.Sprintf("the stage slows %s, by more than %g ns per byte", word, noticedNs)
	if word == none {
		wants = fmt.Sprintf("the stage slows no parameter by more than %g ns per byte", noticedNs)
	}
	return test{wants, func(x *study) judge.Measured {
		got, seen := x.attribution(s, layer)
		return holds(got == word, "%s: %s", got, seen)
	}}
}

// noticedNs is the least change of a parameter, per byte. A slowed stage takes
// ten times that longer.
const noticedNs = 0.2

// attribution is the parameter in which the cost of a stage appears, and what
// changes.
func (x *study) attribution(s pathStage, layer string) (word, seen string) {
	n, base, slow := 4096, unchanged, s.slow
	if layer == "bip" { // a send is over when the last of it has left the buffer: longer than what two cards hold
		n = 1 << 20
	}
	if layer == "pm" && slow == slowFetch { // else the sending hides the fetch
		base, slow = notAtOnce, "PM's packets fetched before they are sent, at four fifths of the rate"
	}
	before, after := x.parameters(layer, n, base), x.parameters(layer, n, slow)
	os, or, lat := after.os-before.os, after.or-before.or, after.l-before.l
	seen = fmt.Sprintf("O_s %+.2f µs, L %+.2f µs, O_r %+.2f µs for %s", os, lat, or, sizeName(n))
	word, most := "O_s", os
	switch {
	case s.row == "sys2app":
		word, most = "O_r", or
	case s.row == "app2sys":
	case or > max(os, lat):
		word, most = "O_r", or
	case lat > os:
		word, most = "L", lat
	}
	if math.Abs(most) <= noticedNs*float64(n)/1000 {
		word = none
	}
	return word, seen
}

// stagesOf counts the stages that some of the layers have.
func stagesOf(layers ...string) test {
	return number(func(x *study) judge.Measured {
		var has []string
		for _, s := range pathStages {
			if slices.ContainsFunc(layers, func(layer string) bool {
				word, _ := x.attribution(s, layer)
				return word != none
			}) {
				has = append(has, s.row)
			}
		}
		return value(float64(len(has)), "%s", strings.Join(has, ", "))
	})
}
