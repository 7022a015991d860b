package library

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// endpoint is one of a layer of this test's.
type endpoint struct {
	comm.Endpoint
	node int
}

func (e *endpoint) Node() int { return e.node }

func process() (*Process, host.Addr) {
	space := host.NewSpace("p", &host.Frames{})
	p := NewProcess(&comm.Traits{Name: "x", MinBytes: 1, MaxBytes: 100}, space, 7, 1, 3)
	return &p, p.Buffer(200)
}

func TestCheckSend(t *testing.T) {
	p, at := process()
	end := at + host.PageBytes
	for _, c := range []struct {
		to   int
		from host.Addr
		n    int
		kind trace.Kind
		want string
	}{
		{0, at, 1, trace.Data, ""},
		{2, end - 100, 100, trace.Reply, ""},
		{1, at, 8, trace.Data, "x: node 1: peer is node 1, want another one of 3"},
		{3, at, 8, trace.Data, "x: node 1: peer is node 3, want another one of 3"},
		{-1, at, 8, trace.Data, "x: node 1: peer is node -1, want another one of 3"},
		{0, at, 0, trace.Data, "x: node 1: message of 0 B, want 1 to 100"},
		{0, at, 101, trace.Data, "x: node 1: message of 101 B, want 1 to 100"},
		{0, end - 7, 8, trace.Data, "x: node 1: message of 8 B at 0x1ff9, which is not all allocated"},
		{0, at, 8, trace.Nack, "x: node 1: message of kind nack, want one that programs send"},
	} {
		err := p.CheckSend(c.to, c.from, c.n, trace.Meta{Kind: c.kind})
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
	require.NoError(t, p.CheckData("piece", at, 0, 0, 0))
	require.NoError(t, p.CheckData("piece", 0, 0, 0, 0), "nothing lies anywhere")
	require.NoError(t, p.CheckData("piece", at, 4096, 0, 0), "no limit")
	require.ErrorContains(t, p.CheckData("piece", at, 0, 1, 0), "piece of 0 B, want at least 1")
}

func TestCheckReceive(t *testing.T) {
	p, at := process()
	require.NoError(t, p.CheckReceive(comm.Anyone, at, 4096, false))
	require.NoError(t, p.CheckReceive(2, 0, 8, true), "in place")
	for _, c := range []struct {
		from int
		into host.Addr
		n    int
		may  bool
		want string
	}{
		{1, at, 8, true, "peer is node 1"},
		{-2, at, 8, true, "peer is node -2"},
		{0, 0, 8, false, "receive of 8 B at 0x0, which is not all allocated"},
		{0, at, 4097, true, "receive of 4097 B at 0x1000"},
		{0, at, -1, true, "receive of -1 B"},
		{0, 0, -1, true, "receive of -1 B"},
	} {
		require.ErrorContains(t, p.CheckReceive(c.from, c.into, c.n, c.may), c.want)
	}
	require.EqualError(t, p.TooLong(comm.Message{From: 2, Bytes: 9}, 8), "x: node 1: a message of 9 B of node 2, want at most the 8 B of the buffer")
}

func TestPeers(t *testing.T) {
	p, _ := process()
	var got []int
	take := func(e *endpoint) error { got = append(got, e.node); return nil }
	require.NoError(t, Peers(p, []comm.Endpoint{&endpoint{node: 0}, nil, &endpoint{node: 2}}, take))
	require.Equal(t, []int{0, 2}, got)
	require.ErrorContains(t, Peers(p, []comm.Endpoint{&endpoint{node: 1}}, take), "peer 0 is not an endpoint of node 0")
	require.ErrorContains(t, Peers(p, []comm.Endpoint{struct{ comm.Endpoint }{}}, take), "peer 0 is not an endpoint of node 0")
	require.ErrorContains(t, Peers(p, make([]comm.Endpoint, 4), take), "4 peers, want at most the 3 nodes")
	require.Error(t, Peers(p, []comm.Endpoint{&endpoint{}}, func(*endpoint) error { return p.Errorf("no") }))
}

func TestBuffers(t *testing.T) {
	space := host.NewSpace("p", &host.Frames{})
	b := NewBuffers(space, 5000)
	first, second := b.Get(), b.Get()
	require.Equal(t, first+2*host.PageBytes, second)
	b.Put(first)
	b.Put(second)
	require.Equal(t, second, b.Get(), "the one that came back last")
	require.Equal(t, first, b.Get())
	require.Equal(t, second+2*host.PageBytes, b.Get())
	empty := NewBuffers(space, 0)
	require.True(t, space.Valid(empty.Get(), 1))
}

func TestHandlers(t *testing.T) {
	var h Handlers
	q := comm.Call{From: 3, Args: Args{1, 2, 3, 4}}
	require.Equal(t, Args{}, h.Serve(nil, 9, q))
	h.Finish(nil, 9, q)
	h.Handle(9, func(_ *host.Context, q comm.Call) Args { return Args{q.Args[3]} })
	var got comm.Call
	h.Answered(9, func(_ *host.Context, q comm.Call) { got = q })
	require.Equal(t, Args{4}, h.Serve(nil, 9, q))
	require.Equal(t, Args{}, h.Serve(nil, 8, q))
	h.Finish(nil, 9, q)
	require.Equal(t, q, got)
	w := Pack(q.Args)
	require.Equal(t, q.Args, Unpack(w[0], w[1]))
	require.Equal(t, [2]uint64{2<<32 | 1, 4<<32 | 3}, w)
}
