package userspace

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// The table of stages (userspace, Table 3): in which LogP parameter the cost of
// a stage appears. Each stage is slowed to four fifths of its rate, and the
// parameters are measured again: what has grown is where its cost is booked.

// none is the word of a stage that a layer does not have.
const none = "-"

// pathStages are the stages of the path, as the rows name them. Copies are
// slowed on both nodes: those before the interface are the sender's, whose
// time is in O_s, those behind it the receiver's, in O_r.
var pathStages = []struct {
	row, title string
	slow       change
}{
	{"app2sys", "copies slowed, seen by the sender", slowCopies},
	{"buf2ni", "programmed I/O and DMA to the interface slowed", slowFetch},
	{"ni2ni", "network engines and links slowed", slowWire},
	{"ni2buf", "DMA to the host slowed", slowDeposit},
	{"sys2app", "copies slowed, seen by the receiver", slowCopies},
}

// stageRows names the layers in the ids of the table's rows.
var stageRows = map[string]string{"gam": "gam", "bip": "bip092", "fm": "fm202", "pm": "pm12", "vmmc": "vmmc2"}

// booked is what the table says. Where its prose says otherwise the prose
// holds: FM's stores are in O_s (4.1.3), and the copies that the receivers of
// GAM and FM make are in O_r (4.1.4).
var booked = map[string]map[string]string{
	"app2sys": {"gam": "O_s", "bip": none, "fm": none, "pm": none, "vmmc": none},
	"buf2ni":  {"gam": "O_s", "bip": "O_s", "fm": "O_s", "pm": "L", "vmmc": "L"},
	"ni2ni":   {"gam": "L", "bip": "O_s", "fm": "L", "pm": "L", "vmmc": "L"},
	"ni2buf":  {"gam": "O_r", "bip": "O_s", "fm": "O_r", "pm": "L", "vmmc": "L"},
	"sys2app": {"gam": "O_r", "bip": none, "fm": "O_r", "pm": none, "vmmc": none},
}

// inProse names the sections that contradict the table.
var inProse = map[string]map[string]string{
	"buf2ni":  {"fm": "4.1.3"},
	"sys2app": {"gam": "4.1.4", "fm": "4.1.4"},
}

// stageBytes is the message that attributes a stage: a page, and for BIP one
// that is longer than what the two cards hold of it, as a send is over when the
// last of it has left the buffer.
func stageBytes(layer string) int {
	if layer == "bip" {
		return 1 << 20
	}
	return 4096
}

// stageTable holds the rows of the table and of the stages themselves.
func (r *rows) stageTable() {
	for _, s := range pathStages {
		for _, layer := range compared {
			want := booked[s.row][layer]
			other := ""
			for _, o := range []string{"bip", "pm", "gam"} { // one of these has another word
				if other == "" && booked[s.row][o] != want {
					other = o
				}
			}
			is := func(layer string) judge.Measure {
				return judge.Read(r.comparison.attribute(stageKey{s.row, layer}), func(f finding) (judge.Measured, error) {
					return holds(f.word == want, "%s: %s", f.word, f.seen), nil
				})
			}
			title := s.title
			if section := inProse[s.row][layer]; section != "" {
				title += fmt.Sprintf(" (%s, as section %s has it and not the table)", want, section)
			}
			r.Versus("us-t3-"+s.row+"-"+stageRows[layer], title, is(layer), "the same on "+other, is(other))
		}
	}
	r.Versus("us-stages", "each stage slowed, all layers", r.countStages(compared...), "VMMC-2 alone", r.countStages("vmmc"))
}

// stageKey is a stage on a layer.
type stageKey struct{ stage, layer string }

// attribution tells where the cost of a stage appears.
func (l *comparison) attribution(ctx context.Context, k stageKey) (finding, error) {
	var slow, base change
	for _, s := range pathStages {
		if s.row == k.stage {
			slow = s.slow
		}
	}
	if k.layer == "pm" && slow == slowFetch { // else the sending hides the fetch
		base, slow = notAtOnce, notAtOnceSlowFetch
	}
	n := stageBytes(k.layer)
	before, err := l.overheads(ctx, k.layer, n, base)
	if err != nil {
		return finding{}, err
	}
	after, err := l.overheads(ctx, k.layer, n, slow)
	if err != nil {
		return finding{}, err
	}
	os, or, lat := after.os-before.os, after.or-before.or, after.l-before.l
	seen := fmt.Sprintf("O_s %+.2f µs, L %+.2f µs, O_r %+.2f µs for %s", os, lat, or, sizeName(int64(n)))
	word := none
	// What a copy would take longer, or any other stage, is 2 ns per byte and
	// more; a tenth of that is nothing.
	there := func(d float64) bool { return math.Abs(d) > 0.2*float64(n)/1000 }
	switch k.stage {
	case "app2sys":
		if there(os) {
			word = "O_s"
		}
	case "sys2app":
		if there(or) {
			word = "O_r"
		}
	default:
		most := max(os, lat, or)
		switch {
		case !there(most):
		case most == os:
			word = "O_s"
		case most == or:
			word = "O_r"
		default:
			word = "L"
		}
	}
	return finding{word, seen}, nil
}

// countStages counts the stages that some of the layers have.
func (r *rows) countStages(layers ...string) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		var has []string
		for _, s := range pathStages {
			for _, layer := range layers {
				f, err := r.comparison.attribute(stageKey{s.row, layer})(ctx)
				if err != nil {
					return judge.Measured{}, err
				}
				if f.word != none {
					has = append(has, s.row)
					break
				}
			}
		}
		return value(float64(len(has)), "%s", strings.Join(has, ", ")), nil
	}
}
