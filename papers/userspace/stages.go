package userspace

import (
	"cmp"
	"fmt"
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
	in         []string // the parameters that may hold its cost
}

// Copies are slowed on both nodes: those before the interface are the sender's,
// whose time is in O_s, those behind it the receiver's, in O_r.
var pathStages = []pathStage{
	{"app2sys", "copies slowed, seen by the sender", slowCopies, []string{"O_s"}},
	{"buf2ni", "programmed I/O and DMA to the interface slowed", slowFetch, []string{"O_s", "O_r", "L"}},
	{"ni2ni", "network engines and links slowed", slowWire, []string{"O_s", "O_r", "L"}},
	{"ni2buf", "DMA to the host slowed", "DMA to the host at four fifths of its rate", []string{"O_s", "O_r", "L"}},
	{"sys2app", "copies slowed, seen by the receiver", slowCopies, []string{"O_r"}},
}

// inProse is what the text of the study says where it contradicts the table:
// FM's stores are in O_s (section 4.1.3), and the copies that the receivers of GAM
// and FM make are in O_r (4.1.4).
var inProse = map[string]string{"us-t3-buf2ni-fm202": "O_s", "us-t3-sys2app-gam": "O_r", "us-t3-sys2app-fm202": "O_r"}

func (s pathStage) id(layer string) string {
	return strings.ReplaceAll(column{table: "t3", name: s.row}.id(layer), "genericam", "gam")
}

// booked is the parameter that the study names.
func (s pathStage) booked(layer string) string {
	return cmp.Or(inProse[s.id(layer)], publishedText(s.id(layer)))
}

// stages holds the rows of the table and of the stages themselves.
func (r *rows) stages() {
	for _, s := range pathStages {
		for _, layer := range compared {
			id, word := s.id(layer), s.booked(layer)
			other := another(word, []string{"bip", "pm", "gam"}, s.booked)
			title := s.title
			if inProse[id] != "" {
				title += " (" + word + ", as the study's text has it and not the table)"
			}
			r.versus(id, title, attributed(s, layer, word), "the same on "+other, attributed(s, other, word))
		}
	}
	r.versus("us-stages", "each stage slowed, all layers", stagesOf(compared...), "VMMC-2 alone", stagesOf("vmmc"))
}

// attributed tests that the cost of a stage appears in a parameter.
func attributed(s pathStage, layer, word string) test {
	wants := fmt.Sprintf("of O_s, L and O_r, %s grows most, by over %g ns per byte", strings.Replace(word, none, "none", 1), noticedNs)
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
	before, after := x.with(base).parameters(layer, n), x.with(slow).parameters(layer, n)
	grown := func(name string) float64 { return after[name] - before[name] }
	word, most := none, noticedNs*float64(n)/1000
	for _, name := range s.in {
		if grown(name) > most {
			word, most = name, grown(name)
		}
	}
	return word, fmt.Sprintf("O_s %+.2f µs, L %+.2f µs, O_r %+.2f µs for %d B", grown("O_s"), grown("L"), grown("O_r"), n)
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
