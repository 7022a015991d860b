package judge

import (
	"context"
	"fmt"
)

// Value returns a measured number. The note gives the figures behind it.
func Value(v float64, note string, args ...any) Measured {
	return Measured{Value: v, Note: fmt.Sprintf(note, args...)}
}

// Holds returns whether a statement is true of the model. The note gives the figures
// behind it.
func Holds(ok bool, note string, args ...any) Measured {
	return Measured{Holds: ok, Note: fmt.Sprintf(note, args...)}
}

// Memo returns a function that runs an experiment once for each setting and returns its result
// again.
func Memo[K comparable, V any](run func(context.Context, K) (V, error)) func(K) func(context.Context) (V, error) {
	known := map[K]func(context.Context) (V, error){}
	return func(k K) func(context.Context) (V, error) {
		if known[k] == nil {
			known[k] = Once(func(ctx context.Context) (V, error) { return run(ctx, k) })
		}
		return known[k]
	}
}
