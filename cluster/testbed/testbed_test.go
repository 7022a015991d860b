package testbed_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// with uses a testbed that has to work.
func with[T any](t *testing.T, s testbed.Spec, f func(*testbed.Testbed) T) T {
	t.Helper()
	s.Seed = 3
	v, err := testbed.With(t.Context(), s, f)
	require.NoError(t, err)
	return v
}

// TestDeposits: what is sent arrives, is recorded once, and a reset forgets it.
func TestDeposits(t *testing.T) {
	with(t, testbed.Spec{}, func(b *testbed.Testbed) bool {
		var tapped int
		b.Tap(func(p *fabric.Packet) {
			if p.Header.Meta.Kind == trace.Data {
				tapped++
			}
		})
		b.Run(b.Each(0, 1, testbed.Same(64, 20), testbed.Quiet), b.Each(1, 0, testbed.Same(8, 10), testbed.Quiet))
		require.EqualValues(t, 30, b.Moments(histo.Query{Stage: trace.Dest}).Count)
		require.Equal(t, 30, tapped)
		require.Len(t, b.Depositor(0).Posted, 20)
		b.Reset()
		b.Run(b.Each(0, 1, testbed.Same(64, 2), testbed.Quiet))
		require.EqualValues(t, 2, b.Moments(histo.Query{Stage: trace.Source}).Count)
		served := 0
		to := b.Interrupting(0, 1, func(*host.Context) { served++ })
		b.Run(testbed.On(0, func(c *host.Context) { b.Depositor(0).Deposit(c, to, 8, true) }))
		require.Equal(t, 1, served)
		return true
	})
}

// TestErrorsStick: the first error ends what runs, is what Err tells with its
// place, and later calls neither run anything nor panic.
func TestErrorsStick(t *testing.T) {
	first := errors.New("first")
	for name, fail := range map[string]func(*testbed.Testbed){
		"kept":            func(b *testbed.Testbed) { b.Keep(first) },
		"in a program":    func(b *testbed.Testbed) { b.Play(func(c *host.Context) { c.Sleep(1); b.Keep(first) }, forever) },
		"a long message":  func(b *testbed.Testbed) { b.Run(b.Each(0, 1, []int{1 << 20}, 0), testbed.On(1, forever)) },
		"no requests":     func(b *testbed.Testbed) { b.Calls() },
		"waits for ever":  func(b *testbed.Testbed) { b.Play(func(c *host.Context) { b.Endpoint(0).Receive(c, 1, 0, 8) }) },
		"no such message": func(b *testbed.Testbed) { b.Pair(0, 1, 4).PingPong(100, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			layer := map[bool]string{true: "fm"}[name == "waits for ever"]
			_, err := testbed.With(t.Context(), testbed.Spec{Platform: "ppro", Layer: layer, Monitor: "off"}, func(b *testbed.Testbed) bool {
				fail(b)
				require.False(t, b.OK())
				want, now := b.Err(), b.Engine.Now()
				b.Keep(errors.New("second"))
				b.Run(b.Each(0, 1, []int{4}, 0))
				b.Play(func(*host.Context) { t.Error("ran") })
				require.False(t, b.Ends(func(*host.Context) { t.Error("ran") }))
				b.Rest(sim.Second)
				b.Depositor(0)
				require.Nil(t, b.Process(0))
				b.Calls().RoundTrip(0, 1, 3)
				b.Exchange(1, 4)
				b.OneMessage(4, func() { t.Error("ran") })
				b.Pair(0, 1, 4).Stream(4, 10)
				b.Moments(histo.Query{Stage: trace.Net})
				require.Equal(t, now, b.Engine.Now())
				require.Equal(t, want, b.Err())
				return true
			})
			require.ErrorContains(t, err, map[bool]string{true: "fm", false: "vmmc"}[layer != ""]+" on ppro: ")
			if name == "kept" || name == "in a program" {
				require.ErrorIs(t, err, first)
			}
		})
	}
}

func forever(c *host.Context) {
	for {
		c.Sleep(sim.Microsecond)
	}
}

// TestRepeatAndFinish: a program of three turns takes three gaps; programs that an
// upper layer starts are waited for, and their errors stick.
func TestRepeatAndFinish(t *testing.T) {
	with(t, testbed.Spec{Silent: true}, func(b *testbed.Testbed) bool {
		turns, begin := []sim.Time{}, b.Engine.Now()
		b.Run(testbed.Repeat(0, 3, sim.Millisecond, func(c *host.Context) { turns = append(turns, c.Now()) }))
		require.Len(t, turns, 3)
		require.Equal(t, 2*sim.Millisecond, turns[2].Sub(turns[0]))
		require.GreaterOrEqual(t, b.Engine.Now().Sub(begin), 3*sim.Millisecond)
		require.Equal(t, []int{4, 8, 12}, testbed.Lengths(15))
		return true
	})
	broken := errors.New("broken")
	for _, wrong := range []error{nil, broken} {
		ran := false
		_, err := testbed.With(t.Context(), testbed.Spec{Silent: true}, func(b *testbed.Testbed) bool {
			b.Finish(func() error { return wrong }, func(ended func()) error {
				b.Start(testbed.On(1, func(c *host.Context) {
					c.Sleep(sim.Millisecond)
					ran = true
					ended()
				}))
				return nil
			})
			return true
		})
		require.True(t, ran)
		require.ErrorIs(t, err, wrong)
	}
}

// TestNoBed: what cannot be built is an error, and a cancelled context runs
// nothing.
func TestNoBed(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	for _, x := range []struct {
		s    testbed.Spec
		want string
	}{
		{testbed.Spec{Platform: "pro"}, "platform"},
		{testbed.Spec{Platform: "ppro", Layer: "rpc"}, "rpc has no section"},
		{testbed.Spec{Monitor: "ful"}, `unknown monitor build "ful"`},
		{testbed.Spec{Estimator: "guess"}, "guess"},
		{testbed.Spec{Kinds: []trace.Kind{trace.Ack}}, "Kinds"},
	} {
		_, err := testbed.Build(t.Context(), x.s)
		require.ErrorContains(t, err, x.want)
	}
	b, err := testbed.Build(cancelled, testbed.Spec{Nodes: testbed.AllNodes, Monitor: "off"})
	require.NoError(t, err)
	defer b.Engine.Close()
	require.Len(t, b.Nodes, b.Place.Nodes)
	cancel()
	b.Play(func(*host.Context) { t.Error("ran") })
	require.ErrorIs(t, b.Err(), context.Canceled)
	_, err = testbed.Build(cancelled, testbed.Spec{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestExchange: layers answer rightly, and one that loses waits or stops.
func TestExchange(t *testing.T) {
	for _, layer := range []string{"fm", "bip", "pm", "gam"} {
		s := testbed.Spec{Platform: "ppro", Layer: layer, Bytes: 4096, Monitor: "off"}
		require.True(t, with(t, s, func(b *testbed.Testbed) testbed.Exchange { return b.Exchange(10, 64) }).Whole(), layer)
		x := with(t, s, func(b *testbed.Testbed) testbed.Exchange {
			b.Hurt(3)
			return b.Exchange(10, 64)
		})
		require.False(t, x.Whole(), "%s: %s", layer, x)
		require.Less(t, x.Right, 10)
		require.Contains(t, fmt.Sprint(x), "of 10 messages were answered correctly; ")
	}
}

// TestOneMessage: it arrives with its number, and what has to succeed and does not
// is the testbed's error.
func TestOneMessage(t *testing.T) {
	s := testbed.Spec{Platform: "ppro", Layer: "pm", Bytes: 4096, Monitor: "off"}
	with(t, s, func(b *testbed.Testbed) bool {
		returned := 0
		b.OneMessage(64, func() { returned++ })
		require.Equal(t, 1, returned)
		from, to := b.Mails(64)
		b.Play(func(c *host.Context) { from.Put(c, 64, 7) }, func(c *host.Context) { require.EqualValues(t, 7, to.Take(c, 64)) })
		return b.OK()
	})
	_, err := testbed.With(t.Context(), s, func(b *testbed.Testbed) bool {
		b.Play(func(c *host.Context) { b.Mail(0, 64).Put(c, 64<<10, 1) })
		return true
	})
	require.ErrorContains(t, err, "pm on ppro: ")
}

// TestCalls: every request is served once.
func TestCalls(t *testing.T) {
	with(t, testbed.Spec{Platform: "paragon", Nodes: 3, Monitor: "off"}, func(b *testbed.Testbed) bool {
		calls := b.Calls()
		require.Positive(t, calls.RoundTrip(0, 2, 5))
		calls.Serve(1, 2, 4, func(c *host.Context) {
			for range 4 {
				calls.Send(c, 1, 2)
			}
			calls.Collect(c, 1)
		})
		require.Equal(t, []int{0, 0, 9}, calls.Served)
		require.Zero(t, b.Lost())
		return true
	})
}

// TestWitnessChangesNothing runs the same traffic with and without one, which makes more steps of a
// card events.
func TestWitnessChangesNothing(t *testing.T) {
	var w *testbed.Recorder
	outcome := func(watch bool) string {
		return with(t, testbed.Spec{Nodes: 3}, func(b *testbed.Testbed) string {
			if watch {
				w = b.Watch()
			}
			b.Run(b.Each(0, 2, testbed.Mixed(50), 0), b.Each(1, 2, testbed.Mixed(50), testbed.Quiet))
			out := fmt.Sprintf("%v %+v\n", b.Engine.Now(), b.Net.Stats())
			for _, n := range b.Nodes {
				out += fmt.Sprintf("%+v %+v %+v\n", n.NIC.Stats(), n.VMMC.Stats(), n.Monitor.Stats())
			}
			return out
		})
	}
	require.Equal(t, outcome(false), outcome(true))
	require.Len(t, w.Packets, 100)
	for i, p := range w.Packets {
		require.Less(t, p.T3, p.T4, "packet %d", i)
		require.Less(t, p.T4, p.T5)
		require.Less(t, p.T5, p.T6)
		require.LessOrEqual(t, p.T6, sim.Never-1)
	}
}
