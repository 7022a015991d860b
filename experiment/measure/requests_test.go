package measure

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/workloads/microbench"
)

// TestFirstErrorSticks: after it nothing is measured, and it is what Asking and
// code fragments return.
func TestFirstErrorSticks(t *testing.T) {
	p, err := platform.Load("myrinet")
	require.NoError(t, err)
	place, err := p.At("")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	us, err := Asking(New(ctx, place, 1), Asked{}, func(r *Requests) float64 {
		require.Positive(t, r.RoundTrips().Value)
		cancel()
		require.Zero(t, r.Point(4, 7).Cost)
		require.Zero(t, r.RoundTrips())
		return 1
	})
	require.EqualError(t, err, "bursts of 4, delay 7 µs: context canceled")
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, us)
	_, err = New(ctx, place, 1).Received(16)
	require.ErrorIs(t, err, context.Canceled)
}

// countdown is a context that ends after it has been asked so often.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestSignatureEndsAnywhere with the error, whatever has been measured before.
func TestSignatureEndsAnywhere(t *testing.T) {
	p, err := platform.Load("myrinet")
	require.NoError(t, err)
	place, err := p.At("")
	require.NoError(t, err)
	for _, q := range []Asked{{}, Stores(64), {Pattern: microbench.OneToMany, Peers: 3}} {
		for asked := int64(0); asked < 200; asked += 1 + asked/2 {
			ctx := &countdown{Context: t.Context()}
			ctx.left.Store(asked)
			found, err := New(ctx, place, 1).FindSignature(q)
			require.ErrorIs(t, err, context.Canceled, "%+v after %d", q, asked)
			require.Zero(t, found)
			ctx.left.Store(asked)
			_, err = New(ctx, place, 1).Received(64)
			if asked < 30 {
				require.ErrorIs(t, err, context.Canceled, "after %d", asked)
			}
		}
	}
}
