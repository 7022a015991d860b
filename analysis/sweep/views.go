package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// ms writes ns in ms with two decimals.
func ms(ns float64) string { return strconv.FormatFloat(math.Round(ns/1e4)/100+0, 'f', 2, 64) } // no -0.00

// half returns half the width of the interval of a time, in ms.
func (e Estimate) half() string {
	if !e.Lo.OK {
		return analysis.None
	}
	return ms((e.Hi.Value - e.Lo.Value) / 2)
}

// keyed makes a column with a name for people and a key for documents. of returns the text for people and the
// value for documents.
func keyed[T any](name, key string, of func(T) (text string, value any)) analysis.Col[T] {
	return analysis.Keyed(name, key, func(r T) analysis.Cell {
		text, value := of(r)
		return analysis.Cell{Text: text, Value: value}
	})
}

// where returns the columns that identify a combination.
func where[T any](of func(T) Where) []analysis.Col[T] {
	cols := []analysis.Col[T]{
		analysis.Word("program", "workload", func(r T) string { return of(r).Workload }),
		analysis.Word("platform", "platform", func(r T) string { return of(r).Platform }),
		analysis.Word("free", "uncontended", func(r T) string { return of(r).Uncontended }),
		analysis.Number("nodes", "nodes", func(r T) int64 { return of(r).Nodes }),
		keyed("size", "size", func(r T) (string, any) {
			if s := of(r).Size; s.N > 0 && !s.Bytes {
				return s.String(), s.N
			}
			return of(r).Size.String(), nil
		}),
		keyed("", "message_bytes", func(r T) (string, any) {
			if s := of(r).Size; s.Bytes {
				return "", s.N
			}
			return "", nil
		}).In(analysis.Never),
	}
	for i := range 4 {
		cols[i].Once = true
	}
	return cols
}

// interval returns two columns for documents: the ends of an interval in µs.
func interval[T any](prefix string, of func(T) Estimate) []analysis.Col[T] {
	end := func(key string, of func(T) trace.Opt[float64]) analysis.Col[T] {
		return keyed("", prefix+"/"+key, func(r T) (string, any) {
			if v := of(r); v.OK {
				return "", v.Value / 1000
			}
			return "", nil
		}).In(analysis.Never)
	}
	return []analysis.Col[T]{
		end("lo", func(r T) trace.Opt[float64] { return of(r).Lo }),
		end("hi", func(r T) trace.Opt[float64] { return of(r).Hi }),
	}
}

// CellsView returns the table of all combinations with their means over seeds.
func (s *Sweep) CellsView() analysis.View {
	cols := where(func(c Cell) Where { return c.Where })
	cols = append(cols,
		analysis.Word("layer", "layer", func(c Cell) string { return c.Layer }),
		keyed("runs", "runs", func(c Cell) (string, any) { return strconv.Itoa(len(c.Runs)), len(c.Runs) }),
		keyed("failed", "failed", func(c Cell) (string, any) { return strconv.Itoa(c.Failed), c.Failed }).In(analysis.Never),
		keyed("run time, ms", "run_time_us/mean", func(c Cell) (string, any) {
			if len(c.Runs) == 0 {
				return "failed", nil
			}
			return ms(c.RunTime.Value), c.RunTime.Value / 1000
		}),
	)
	cols = append(cols, interval("run_time_us", func(c Cell) Estimate { return c.RunTime })...)
	cols = append(cols, analysis.Text("±", func(c Cell) string { return c.RunTime.half() }))
	for _, stage := range trace.RecordedStages() {
		cols = append(cols, keyed(analysis.StageName(stage, analysis.Modelled), stage.String()+"_us", func(c Cell) (string, any) {
			e, ok := c.Stage(stage)
			if !ok {
				return analysis.None, nil
			}
			return fmt.Sprintf("%.2f", e.Value/1000), e.Value / 1000
		}))
	}
	return analysis.Tabulate(s.Cells, cols...).Noted("Means over seeds, ± half the 95% interval over runs. Source to Dest: mean latencies of all packets in µs.")
}

// BestView returns the table of the fastest layer of each combination.
func BestView(best []Best) analysis.View {
	cols := append(where(func(b Best) Where { return b.Where }),
		analysis.Word("fastest", "layer", func(b Best) string { return b.First.Layer }),
		keyed("ms", "run_time_us", func(b Best) (string, any) { return ms(b.First.RunTime.Value), b.First.RunTime.Value / 1000 }),
		keyed("<second", "second", func(b Best) (string, any) {
			if b.Second == nil {
				return analysis.None, nil
			}
			return b.Second.Layer, b.Second.Layer
		}),
		keyed("slower", "slower_us/mean", func(b Best) (string, any) {
			if b.Second == nil || b.Slower.N == 0 {
				return analysis.None, nil
			}
			return fmt.Sprintf("%+.1f%%", 100*b.Slower.Value/b.Base), b.Slower.Value / 1000
		}),
	)
	cols = append(cols, interval("slower_us", func(b Best) Estimate { return b.Slower })...)
	cols = append(cols, keyed("<sure", "sure", func(b Best) (string, any) {
		return map[bool]string{true: "yes", false: "no"}[b.Sure()], b.Sure()
	}))
	return analysis.Tabulate(best, cols...).Noted("Sure: of each other layer, the 95% interval of the difference from the fastest, over seeds that both have, is above zero.")
}

// BestBySize returns a table of the fastest layers of one program on one platform: a row for each number of
// nodes, a column for each size. best has at least one combination.
func BestBySize(best []Best) analysis.View {
	var sizes []Size
	var nodes []int64
	for _, b := range best {
		if !slices.Contains(sizes, b.Size) {
			sizes = append(sizes, b.Size)
		}
		if !slices.Contains(nodes, b.Nodes) {
			nodes = append(nodes, b.Nodes)
		}
	}
	slices.SortFunc(sizes, func(a, b Size) int { return int(a.N - b.N) })
	cols := []analysis.Col[int64]{analysis.Text("nodes", func(n int64) string { return strconv.FormatInt(n, 10) })}
	for _, size := range sizes {
		name := size.String()
		if size.N == 0 {
			name = "fastest"
		}
		cols = append(cols, analysis.Text("<"+name, func(n int64) string {
			i := slices.IndexFunc(best, func(b Best) bool { return b.Nodes == n && b.Size == size })
			if i < 0 {
				return analysis.None
			}
			return best[i].Layers()
		}))
	}
	v := analysis.Tabulate(nodes, cols...).Noted("The layer with the shortest run time, by nodes and size, and those that are not shown to be slower; a question mark where one run a layer shows nothing.")
	v.Title, v.Fold = best[0].Group().String(), true
	return v
}

// FreedView returns the table of what free resources save.
func FreedView(freed []Freed) analysis.View {
	cols := append(where(func(f Freed) Where { return f.Where }),
		analysis.Word("layer", "layer", func(f Freed) string { return f.Layer }),
		keyed("saved, ms", "saved_us/mean", func(f Freed) (string, any) { return ms(f.Saved.Value), f.Saved.Value / 1000 }),
	)
	cols = append(cols, interval("saved_us", func(f Freed) Estimate { return f.Saved })...)
	cols = append(cols,
		analysis.Text("±", func(f Freed) string { return f.Saved.half() }),
		keyed("share", "share", func(f Freed) (string, any) {
			return fmt.Sprintf("%.1f%%", 100*f.share()), f.share()
		}))
	return analysis.Tabulate(freed, cols...).Noted("Run time with nothing free less that with the resources free, of runs with the same seed. Below zero: it takes longer.")
}
