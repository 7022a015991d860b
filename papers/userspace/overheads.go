package userspace

import (
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// parameterSizes are those over which overheads and L are followed: from where
// the layers' data no longer ride in requests to a page.
var parameterSizes = []int{256, 512, 1024, 2048, 4096}

// overheads holds the rows of how O_s, O_r and L change with the size.
func (r *rows) overheads() {
	send, receive := func(p parameters) float64 { return p.os }, func(p parameters) float64 { return p.or }
	for _, x := range []struct {
		id, name         string
		of               func(parameters) float64
		test             func(string, func(parameters) float64, []string) test
		layers, opposite []string
	}{
		{"us-os-indep", "O_s", send, constant, []string{"pm", "vmmc"}, []string{"gam", "bip", "fm"}},
		{"us-os-dep", "O_s", send, growing, []string{"gam", "bip", "fm"}, []string{"pm", "vmmc"}},
		{"us-or-indep", "O_r", receive, constant, []string{"bip", "pm", "vmmc"}, []string{"gam", "fm"}},
		{"us-or-dep", "O_r", receive, growing, []string{"gam", "fm"}, []string{"bip", "pm", "vmmc"}},
	} {
		r.versus(x.id, "code fragments, 256 B to 4 KB, of "+strings.Join(x.layers, ", "), x.test(x.name, x.of, x.layers),
			"the same of "+strings.Join(x.opposite, ", "), x.test(x.name, x.of, x.opposite))
	}
	r.changed("us-fm-L-2k", "code fragments, 256 B to 4 KB", dip, wholeFirst)
	r.changed("us-bip-L-flat", "code fragments, 256 B and 4 KB", latencySlope.holds(
		fmt.Sprintf("L changes by less than half of the %.1f ns per byte of one stage on bip, by more on the others", stageNs),
		func(slope figures) bool {
			for layer, ns := range slope {
				if math.Abs(ns) < stageNs/2 != (layer == "bip") {
					return false
				}
			}
			return true
		}), "BIP's messages in one piece")
	r.of("us-wc-users", "O_s of 64 B with and without combining", number(func(x *study) judge.Measured {
		var users []string
		for _, layer := range compared {
			if x.parameters(layer, methodBytes, stores).os > dearer*x.parameters(layer, methodBytes, unchanged).os {
				users = append(users, layer)
			}
		}
		return value(float64(len(users)), "without it O_s grows by more than a factor of %g on %s", dearer, strings.Join(users, ", "))
	}))
	r.versus("us-netdma", "half a round trip of 256 B with slower engines to the wire", slowedPerByte(slowWire),
		"control programs that take twice the cycles", slowedPerByte("control programs that take twice the cycles"))
}

// dearer is by how much a send takes longer that was helped by combining.
const dearer = 1.1

const (
	// stageNs is what one stage at the engines' rate takes per byte.
	stageNs = 1000.0 / 132
	// even is the part of stageNs per byte below which a parameter is called
	// independent of the size.
	even = 0.1
	// grown is the least growth from 1 KB to 4 KB, four times the data, that is
	// called a dependence on the size.
	grown = 2
)

// independent reports that a parameter between these, in µs, does not depend on
// a size from 256 B to 4 KB.
func independent(least, most float64) bool { return 1000*(most-least) <= even*stageNs*(4096-256) }

// constant is that a parameter is about the same for all sizes.
func constant(name string, of func(parameters) float64, layers []string) test {
	wants := fmt.Sprintf("%s changes by at most %g of the %.1f ns per byte that one stage takes", name, even, stageNs)
	return overSizes(wants, of, layers, func(us map[int]float64) bool {
		least, most := math.Inf(1), 0.0
		for _, v := range us {
			least, most = min(least, v), max(most, v)
		}
		return independent(least, most)
	})
}

// growing is that a parameter grows with the size.
func growing(name string, of func(parameters) float64, layers []string) test {
	wants := fmt.Sprintf("%s grows from 1 KB to 4 KB by a factor of at least %d", name, grown)
	return overSizes(wants, of, layers, func(us map[int]float64) bool { return us[4096] >= grown*us[1024] })
}

func overSizes(wants string, of func(parameters) float64, layers []string, ok func(us map[int]float64) bool) test {
	return each(wants, layers, func(x *study, layer string) (bool, string) {
		us := map[int]float64{}
		var said []string
		for _, n := range parameterSizes {
			us[n] = of(x.parameters(layer, n, unchanged))
			said = append(said, fmt.Sprintf("%.2f", us[n]))
		}
		return ok(us), strings.Join(said, " ") + " µs"
	})
}

// dip is the size in KB at which L of FM falls, 0 when it only grows.
func dip(v change) test {
	return number(func(x *study) judge.Measured {
		last := math.Inf(-1)
		for _, n := range parameterSizes {
			p := x.parameters("fm", n, v)
			if p.l < last {
				return value(float64(n)/1024, "L %.1f µs at %s, %.1f µs at %s", last, sizeName(n/2), p.l, sizeName(n))
			}
			last = p.l
		}
		return value(0, "L grows up to %.1f µs at 4 KB", last)
	})
}

// latencySlope is how L grows from 256 B to 4 KB.
var latencySlope = quantity{"ns per byte", func(x *study, layer string, v change) float64 {
	return 1000 * (x.parameters(layer, 4096, v).l - x.parameters(layer, 256, v).l) / (4096 - 256)
}}

// What a change of a rate may add to a message beside what its bytes take:
// headers come with them, and waiting hides a part.
const leastShare, mostShare = 0.8, 1.5

// slowedPerByte is that a change slows short messages of all layers by what
// their bytes take longer at four fifths of the rate of the engines.
func slowedPerByte(v change) test {
	const n = 256
	wants := fmt.Sprintf("grows by ×%g to ×%g of what %d B take longer at four fifths of the engines' rate", leastShare, mostShare, n)
	return each(wants, compared, func(x *study, layer string) (bool, string) {
		want := (1/0.8 - 1) * n / x.place(layer, unchanged).NI.NetDMAMBps
		by := x.parameters(layer, n, v).half - x.parameters(layer, n, unchanged).half
		return by >= leastShare*want && by <= mostShare*want, fmt.Sprintf("%+.2f µs", by)
	})
}
