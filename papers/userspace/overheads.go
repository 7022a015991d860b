package userspace

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// parameterSizes are those over which overheads and L are followed: from where
// the layers' data no longer ride in requests to a page.
var parameterSizes = []int{256, 512, 1024, 2048, 4096}

// overheadRows holds the rows of how O_s, O_r and L change with the size.
func (r *rows) overheadRows() {
	send := func(o overheads) float64 { return o.os }
	receive := func(o overheads) float64 { return o.or }
	for _, x := range []struct {
		id, name         string
		of               func(overheads) float64
		grows            bool
		layers, opposite []string
	}{
		{"us-os-indep", "O_s", send, false, []string{"pm", "vmmc"}, []string{"gam", "bip", "fm"}},
		{"us-os-dep", "O_s", send, true, []string{"gam", "bip", "fm"}, []string{"pm", "vmmc"}},
		{"us-or-indep", "O_r", receive, false, []string{"bip", "pm", "vmmc"}, []string{"gam", "fm"}},
		{"us-or-dep", "O_r", receive, true, []string{"gam", "fm"}, []string{"bip", "pm", "vmmc"}},
	} {
		over := func(layers []string) judge.Measure {
			return func(ctx context.Context) (judge.Measured, error) {
				return r.comparison.overSizes(ctx, layers, x.name, x.of, x.grows)
			}
		}
		r.Versus(x.id, "code fragments, 256 B to 4 KB, of "+strings.Join(x.layers, ", "), over(x.layers),
			"the same of "+strings.Join(x.opposite, ", "), over(x.opposite))
	}
	r.Versus("us-fm-L-2k", "code fragments, 256 B to 4 KB", plainly(r.comparison.dips, unchanged),
		string(wholeFirst), plainly(r.comparison.dips, wholeFirst))
	r.Versus("us-bip-L-flat", "code fragments at 256 B and 4 KB", plainly(r.comparison.flatLatency, unchanged),
		string(onePiece), plainly(r.comparison.flatLatency, onePiece))
}

// stageNs is what one stage at the engines' rate takes per byte, and even is the
// part of that below which a parameter is called independent of the size.
const (
	stageNs = 1000.0 / 132
	even    = 0.1
)

// grown is the least growth from 1 KB to 4 KB, four times the data, that is
// called a dependence on size.
const grown = 2

// independent tells whether a parameter between these, in µs, does not depend
// on a size from 256 B to 4 KB.
func independent(least, most float64) bool { return 1000*(most-least) <= even*stageNs*(4096-256) }

// overSizes tells whether a parameter is about the same for all sizes or, if it is to
// grow, at least doubles from 1 KB to 4 KB: on each of the layers.
func (l *comparison) overSizes(ctx context.Context, layers []string, name string, of func(overheads) float64, grows bool) (judge.Measured, error) {
	ok := true
	var said []string
	for _, layer := range layers {
		least, most := math.Inf(1), 0.0
		at := map[int]float64{}
		for _, n := range parameterSizes {
			o, err := l.overheads(ctx, layer, n, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			at[n] = of(o)
			least, most = min(least, at[n]), max(most, at[n])
		}
		ok = ok && (grows && at[4096] >= grown*at[1024] || !grows && independent(least, most))
		said = append(said, fmt.Sprintf("%s of %s %.2f to %.2f µs", name, layer, least, most))
	}
	return holds(ok, "%s", strings.Join(said, ", ")), nil
}

// dips is the size in KB at which L of FM falls, 0 when it only grows.
func (l *comparison) dips(ctx context.Context, v change) (judge.Measured, error) {
	last := math.Inf(-1)
	for _, n := range parameterSizes {
		o, err := l.overheads(ctx, "fm", n, v)
		if err != nil {
			return judge.Measured{}, err
		}
		if o.l < last {
			return value(float64(n)/1024, "L %.1f µs at %s, %.1f µs at %s", last, sizeName(int64(n/2)), o.l, sizeName(int64(n))), nil
		}
		last = o.l
	}
	return value(0, "L grows up to %.1f µs at 4 KB", last), nil
}

// flatLatency is that L of BIP alone hardly depends on the size: by less than
// half of what one stage at the engines' rate takes per byte.
func (l *comparison) flatLatency(ctx context.Context, v change) (judge.Measured, error) {
	ok := true
	slopes := make([]float64, len(compared)) // ns per byte
	for i, layer := range compared {
		var o [2]overheads
		for k, n := range []int{256, 4096} {
			var err error
			if o[k], err = l.overheads(ctx, layer, n, v); err != nil {
				return judge.Measured{}, err
			}
		}
		slopes[i] = 1000 * (o[1].l - o[0].l) / (4096 - 256)
		ok = ok && (math.Abs(slopes[i]) < stageNs/2) == (layer == "bip")
	}
	return holds(ok, "L changes by %s; one stage takes %.1f", labelled(slopes, "ns per byte"), stageNs), nil
}
