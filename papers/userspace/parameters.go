package userspace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// parameterSizes are the lengths of the messages whose overheads and L are measured,
// bytes: from the first that does not fit into a request, to a page.
var parameterSizes = []int{256, 512, 1024, 2048, 4096}

// overheads holds the rows of how O_s, O_r and L change with the size.
func (r *rows) overheads() {
	const run = "code fragments, 256 B to 4 KB"
	for name, x := range map[string]struct {
		id                string
		constant, growing []string
	}{
		"O_s": {"us-os", []string{"pm", "vmmc"}, []string{"gam", "bip", "fm"}},
		"O_r": {"us-or", []string{"bip", "pm", "vmmc"}, []string{"gam", "fm"}},
	} {
		r.versus(x.id+"-indep", run, overSizes(name, false, x.constant), "the other layers", overSizes(name, false, x.growing))
		r.versus(x.id+"-dep", run, overSizes(name, true, x.growing), "the other layers", overSizes(name, true, x.constant))
	}
	r.changed("us-fm-L-2k", run, dip, wholeFirst)
	r.changed("us-bip-L-flat", "code fragments, 256 B and 4 KB", each(
		fmt.Sprintf("L changes by less than half of one stage's %.1f ns per byte on bip, and by more on the others", stageNs), compared,
		func(x *study, layer string) (bool, string) {
			ns := 1000 * (x.parameters(layer, 4096)["L"] - x.parameters(layer, 256)["L"]) / (4096 - 256)
			return math.Abs(ns) < stageNs/2 == (layer == "bip"), fmt.Sprintf("%.2f ns per byte", ns)
		}), "BIP's messages in one piece")
	r.of("us-wc-users", "O_s of 64 B with and without combining", number(func(x *study) judge.Measured {
		users := slices.DeleteFunc(slices.Clone(compared), func(layer string) bool {
			return x.with(stores).parameters(layer, methodBytes)["O_s"] <= combinedGain*x.parameters(layer, methodBytes)["O_s"]
		})
		return value(float64(len(users)), "without combining, O_s is over %g times as long on %s", combinedGain, names(users))
	}))
	const doubleCycles = "control programs that take twice the cycles"
	r.versus("us-netdma", "half a round trip of 256 B with slower engines to the wire", slowedPerByte(slowWire), doubleCycles, slowedPerByte(doubleCycles))
}

// combinedGain is the least ratio of O_s without and with combined stores on a
// layer that uses them.
const combinedGain = 1.1

const (
	// stageNs is the time per byte of one stage at the engines' rate.
	stageNs = 1000.0 / 132
	// even is the largest growth per byte, as a share of stageNs, of a parameter
	// that counts as independent of the size.
	even = 0.1
	// grown is the least factor of growth from 1 KB to 4 KB that counts as a
	// dependence on the size.
	grown = 2
)

// independent reports whether a parameter whose values from 256 B to 4 KB lie between
// least and most, in µs, counts as independent of the size.
func independent(least, most float64) bool { return 1000*(most-least) <= even*stageNs*(4096-256) }

// overSizes tests that a parameter grows with the size, or is about the same for
// all sizes, on each of the layers.
func overSizes(name string, grows bool, layers []string) test {
	wants := fmt.Sprintf("%s changes by at most %g times one stage's %.1f ns per byte", name, even, stageNs)
	if grows {
		wants = fmt.Sprintf("%s grows from 1 KB to 4 KB by a factor of at least %d", name, grown)
	}
	return each(wants, layers, func(x *study, layer string) (bool, string) {
		us := make([]float64, len(parameterSizes))
		for i, n := range parameterSizes {
			us[i] = x.parameters(layer, n)[name]
		}
		ok := independent(slices.Min(us), slices.Max(us))
		if grows {
			ok = us[4] >= grown*us[2]
		}
		return ok, fmt.Sprintf("%.2f µs", us)
	})
}

// dip measures the size in KB at which L of FM falls, 0 if it only grows.
var dip = first(parameterSizes[1:], 1024, func(x *study, n int) (bool, string) {
	half, us := x.parameters("fm", n/2)["L"], x.parameters("fm", n)["L"]
	return us < half, fmt.Sprintf("L %.1f µs at %d B, %.1f µs at %d B", half, n/2, us, n)
})

// The bounds of what a slower rate adds, relative to the additional time of a
// message's bytes: headers add to it, and waiting hides a part.
const leastShare, mostShare = 0.8, 1.5

// slowedPerByte tests that a change slows short messages of all layers by the
// additional time of their bytes at four fifths of the engines' rate.
func slowedPerByte(c change) test {
	const n = 256
	wants := fmt.Sprintf("half a round trip grows by %g to %g times the additional time of %d B at four fifths of the engines' rate", leastShare, mostShare, n)
	return each(wants, compared, func(x *study, layer string) (bool, string) {
		want := (1/0.8 - 1) * n / x.place(layer).NI.NetDMAMBps
		by := x.with(c).parameters(layer, n)["RTT/2"] - x.parameters(layer, n)["RTT/2"]
		return by >= leastShare*want && by <= mostShare*want, fmt.Sprintf("%+.2f µs", by)
	})
}

// The table of stages (Table 3) says in which LogP parameter the cost of a stage
// appears. Each stage is slowed to four fifths of its rate and the parameters are
// measured again: the one that has grown contains the cost.

// none is the word of a stage that a layer does not have.
const none = "-"

// pathStage is a stage of the path of a message.
type pathStage struct {
	row, title string
	slow       change
	in         []string // the parameters that may hold its cost
}

// Copies are slowed on both nodes. The sender's are in O_s, the receiver's in O_r.
var pathStages = []pathStage{
	{"app2sys", "copies slowed, seen by the sender", slowCopies, []string{"O_s"}},
	{"buf2ni", "programmed I/O and DMA to the interface slowed", slowFetch, []string{"O_s", "O_r", "L"}},
	{"ni2ni", "network engines and links slowed", slowWire, []string{"O_s", "O_r", "L"}},
	{"ni2buf", "DMA to the host slowed", "DMA to the host at four fifths of its rate", []string{"O_s", "O_r", "L"}},
	{"sys2app", "copies slowed, seen by the receiver", slowCopies, []string{"O_r"}},
}

func (s pathStage) id(layer string) string {
	return strings.ReplaceAll(column{table: "t3", name: s.row}.id(layer), "genericam", "gam")
}

// booked returns the parameter that the table names.
func (s pathStage) booked(layer string) string { return publishedText(s.id(layer)) }

// stages holds the rows of the table and of the stages themselves.
func (r *rows) stages() {
	for _, s := range pathStages {
		for _, layer := range compared {
			word := s.booked(layer)
			other := another(word, []string{"bip", "pm", "gam"}, s.booked)
			if other == "" { // a layer whose receiver copies, whatever the table says
				other = map[bool]string{true: "fm", false: "gam"}[layer == "gam"]
			}
			r.versus(s.id(layer), s.title, attributed(s, layer, word), "the same on "+other, attributed(s, other, word))
		}
	}
	r.versus("us-stages", "each stage slowed, all layers", stagesOf(compared...), "VMMC-2 alone", stagesOf("vmmc"))
}

// attributed tests that the cost of a stage appears in a parameter.
func attributed(s pathStage, layer, word string) test {
	wants := fmt.Sprintf("of O_s, L and O_r, %s grows most, by more than %g ns per byte", strings.Replace(word, none, "none", 1), noticedNs)
	return test{wants, func(x *study) judge.Measured {
		got, seen := x.attribution(s, layer)
		return holds(got == word, "%s: %s", got, seen)
	}}
}

// noticedNs is the least change of a parameter that counts, per byte. A slowed stage
// adds ten times that.
const noticedNs = 0.2

// attribution returns the parameter in which the cost of a stage appears, and the
// changes of all parameters in words.
func (x *study) attribution(s pathStage, layer string) (word, seen string) {
	n, base, slow := 4096, unchanged, s.slow
	if layer == "bip" { // a send ends when its last data have left the buffer: longer than what two cards hold
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
