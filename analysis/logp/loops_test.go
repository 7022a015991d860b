package logp_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/logp"
)

// law is a pair whose times follow from parameters, µs.
type law struct {
	os, or, l, g float64
	calls        int
	fails        int // at this call; 0: never
}

var errLaw = errors.New("no time")

func (w *law) of(us float64) (float64, error) {
	if w.calls++; w.calls == w.fails {
		return 0, errLaw
	}
	return us, nil
}

func (w *law) HalfRTT(int) (float64, error) { return w.of(w.os + w.l + w.or) }
func (w *law) SendGap(l logp.Loop) (float64, error) {
	if l.Warm == 0 { // few messages
		return w.of(w.os + l.SpinUs)
	}
	return w.of(max(w.g, w.os+l.SpinUs))
}
func (w *law) ReceiveGap(l logp.Loop) (float64, error) { return w.of(max(w.g, w.or+l.SpinUs)) }

// TestLoops recovers the parameters of a pair that obeys the law.
func TestLoops(t *testing.T) {
	w := &law{os: 3, or: 5, l: 7, g: 11}
	l := logp.Loops{Ctx: context.Background(), Pair: w, Times: 3, Resolution: 0.001}
	loop := logp.Loop{Warm: 100, Messages: 100}
	f := logp.Fragments{Style: logp.SendReceive, SizeBytes: 64, HalfRTT: l.HalfRTT(10), Sender: l.Sender(loop), Receiver: l.Receiver(loop)}
	require.NoError(t, l.Err)
	require.Equal(t, 3*(1+4+4), w.calls)
	r := f.Extract()
	for _, x := range []struct {
		got  logp.Estimate
		want float64
	}{{r.Os, 3}, {r.Or, 5}, {r.L, 7}, {r.G, 11}} {
		require.InDelta(t, x.want, x.got.Value, 1e-9)
		require.Less(t, x.got.Lo, x.want)
		require.Greater(t, x.got.Hi, x.want)
	}
	require.Equal(t, logp.Mean{Value: 3, Lo: 3 - 0.003, Hi: 3 + 0.003, N: 3}, l.Sent(2))
	var delays []float64
	for _, g := range f.Sender {
		delays = append(delays, g.DeltaUs)
	}
	require.Equal(t, []float64{0, 5.5, 11, 22}, delays)
}

// TestLoopsEnd: an error, or the end of the context, is kept, and nothing is measured after it.
func TestLoopsEnd(t *testing.T) {
	w := &law{g: 1, fails: 2}
	l := logp.Loops{Ctx: context.Background(), Pair: w, Times: 3}
	l.Sender(logp.Loop{Warm: 1, Messages: 1})
	require.ErrorIs(t, l.Err, errLaw)
	require.Equal(t, 2, w.calls)
	require.Zero(t, l.HalfRTT(1))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l = logp.Loops{Ctx: ctx, Pair: &law{}, Times: 1}
	l.HalfRTT(1)
	require.ErrorIs(t, l.Err, context.Canceled)
}
