package judge

import (
	"context"
	"fmt"
	"strings"
)

// Value is a measured number, and the figures behind it.
func Value(v float64, note string, args ...any) Measured {
	return Measured{Value: v, Note: fmt.Sprintf(note, args...)}
}

// Holds says whether a statement is true of the model, and the figures behind it.
func Holds(ok bool, note string, args ...any) Measured {
	return Measured{Holds: ok, Note: fmt.Sprintf(note, args...)}
}

// ForAll makes one statement of the same one about several things: it holds if it
// holds of each, and note, which has one verb for them, tells of all in order.
func ForAll[T any](things []T, note, between string, f func(T) (Measured, error)) (Measured, error) {
	ok := true
	var seen []string
	for _, t := range things {
		m, err := f(t)
		if err != nil {
			return Measured{}, err
		}
		ok = ok && m.Holds
		seen = append(seen, m.Note)
	}
	return Holds(ok, note, strings.Join(seen, between)), nil
}

// Plain makes a measurement of an experiment that nobody shares.
func Plain(f func() (Measured, error)) Measure {
	return func(ctx context.Context) (Measured, error) {
		if err := ctx.Err(); err != nil {
			return Measured{}, err
		}
		return f()
	}
}

// Read makes a measurement of an experiment that rows share.
func Read[T any](get func(context.Context) (T, error), f func(T) (Measured, error)) Measure {
	return func(ctx context.Context) (Measured, error) {
		v, err := get(ctx)
		if err != nil {
			return Measured{}, err
		}
		return f(v)
	}
}

// Memo makes an experiment with a setting run once for each.
func Memo[K comparable, V any](run func(context.Context, K) (V, error)) func(K) func(context.Context) (V, error) {
	known := map[K]func(context.Context) (V, error){}
	return func(k K) func(context.Context) (V, error) {
		if known[k] == nil {
			known[k] = Once(func(ctx context.Context) (V, error) { return run(ctx, k) })
		}
		return known[k]
	}
}
