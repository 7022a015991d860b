package analysis

import (
	"strconv"

	"github.com/sigview/sigview/trace"
)

// ClocksView shows a round of the global clock of each node.
func ClocksView(rounds []trace.ClockRow) View {
	type row = trace.ClockRow
	return Tabulate(rounds,
		Text("node", func(r row) string { return strconv.FormatInt(r.Node, 10) }),
		Text("offset, s", func(r row) string { return strconv.FormatFloat(r.OffsetNs/1e9, 'f', 6, 64) }),
		Text("rate, ppb", func(r row) string {
			if !r.RatePPB.OK {
				return None
			}
			return strconv.FormatFloat(r.RatePPB.Value, 'f', 1, 64)
		}),
		Text("bound, µs", func(r row) string { return Us(r.BoundNs) }),
		Text("error, µs", func(r row) string { return Us(r.TrueErrorNs) }))
}
