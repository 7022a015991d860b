package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Compared is run b compared with run a. Comparing takes time, so it is done once
// for each pair, outside of Update.
type Compared struct {
	a, b *Data
	made analysis.Comparison
	err  error
}

// NewCompared compares two runs over all pairs of nodes together.
func NewCompared(a, b *Data) *Compared {
	c := &Compared{a: a, b: b}
	x, y := a.Signature, b.Signature
	x.Pairs, y.Pairs = nil, nil
	c.made, c.err = analysis.Compare(x, y)
	return c
}

// unlike describes what differs between two runs besides their latencies.
func unlike(a, b *Data) string {
	var out []string
	x, y := a.Run.Manifest, b.Run.Manifest
	for _, v := range []struct{ what, a, b string }{
		{"workload", x.Workload, y.Workload}, {"platform", x.Platform.Name, y.Platform.Name},
		{"profile", x.Platform.Digest, y.Platform.Digest}, {"nodes", strconv.Itoa(x.Nodes), strconv.Itoa(y.Nodes)},
		{"tool", x.ToolVersion, y.ToolVersion},
	} {
		if v.a != v.b {
			out = append(out, fmt.Sprintf("%s %s and %s", v.what, v.a, v.b))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "The runs also differ in " + strings.Join(out, ", ") + "."
}
