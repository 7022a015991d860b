package svm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

const testNodes = 9

func drawMessage(t *rapid.T) Message {
	version := rapid.Custom(func(t *rapid.T) Version {
		return Version{rapid.Int32Range(0, testNodes-1).Draw(t, "node"), rapid.Uint32().Draw(t, "interval")}
	})
	list := rapid.SliceOfN(version, 0, 2*timeRoom)
	m := Message{
		Kind: rapid.SampledFrom([]trace.Kind{trace.PageRequest, trace.PageReply, trace.Diff, trace.LockRequest,
			trace.LockForward, trace.LockGrant, trace.BarrierArrive, trace.BarrierRelease}).Draw(t, "kind"),
		From: 3, To: 4, Span: trace.Span(rapid.Uint32().Draw(t, "span")),
		Node: rapid.IntRange(0, testNodes-1).Draw(t, "for"),
	}
	switch m.Kind {
	case trace.PageRequest:
		m.Page, m.Required = Page(rapid.Uint32().Draw(t, "page")), list.Draw(t, "required")
		m.Epoch = rapid.Uint32().Draw(t, "epoch")
	case trace.PageReply:
		m.Page = Page(rapid.Uint32().Draw(t, "page"))
	case trace.Diff:
		m.Page, m.Interval = Page(rapid.Uint32().Draw(t, "page")), rapid.Uint32().Draw(t, "interval")
		m.Diff = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "diff")
	default:
		m.ID, m.Epoch = rapid.Uint32().Draw(t, "id"), rapid.Uint32().Draw(t, "epoch")
		m.Time = list.Draw(t, "time")
		if m.Kind != trace.LockRequest && m.Kind != trace.LockForward {
			for range rapid.IntRange(0, 4).Draw(t, "notices") {
				v := version.Draw(t, "interval")
				iv := &Interval{Node: v.Node, ID: v.Interval}
				for range rapid.IntRange(0, 3).Draw(t, "pages") {
					iv.Pages = append(iv.Pages, Page(rapid.Uint32().Draw(t, "page")))
				}
				m.Notices = append(m.Notices, iv)
			}
		}
		if m.Kind == trace.BarrierArrive || m.Kind == trace.BarrierRelease {
			m.Moves = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Move {
				return Move{Page(rapid.Uint32().Draw(t, "page")), rapid.Int32Range(0, testNodes-1).Draw(t, "home")}
			}), 0, 3).Draw(t, "moves")
		}
	}
	return m
}

func TestMessagesSurviveTheWire(t *testing.T) {
	var d Message // used again and again, as the binding does
	rapid.Check(t, func(t *rapid.T) {
		m := drawMessage(t)
		b := m.Append(nil)
		require.GreaterOrEqual(t, len(b), headerBytes+timeRoom*versionBytes)
		require.NoError(t, d.Decode(b, 3, 4, testNodes))
		require.Equal(t, m.String(), d.String())
		require.Equal(t, m.Epoch, d.Epoch)
		require.Equal(t, m.Span, d.Span)
		require.Equal(t, b, d.Append(nil))

		cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
		if m.Kind != trace.Diff || cut < headerBytes+timeRoom*versionBytes {
			if err := d.Decode(b[:cut], 3, 4, testNodes); err == nil {
				// Only whole notices may be missing without a trace.
				require.Less(t, len(d.Notices), len(m.Notices))
			}
		}
	})
}

// TestRequestsHaveOneSize: a vector time of up to four versions does not change the
// length of a message; a page in a notice takes a word.
func TestRequestsHaveOneSize(t *testing.T) {
	size := func(versions, pages int) int {
		m := Message{Kind: trace.BarrierArrive, Notices: []*Interval{{Node: 1, ID: 1, Pages: make([]Page, pages)}}}
		for i := range versions {
			m.Time = append(m.Time, Version{int32(i), 1})
		}
		return len(m.Append(nil))
	}
	require.Equal(t, 52, len((&Message{Kind: trace.PageRequest}).Append(nil)))
	require.Equal(t, 52+12, size(0, 0))
	require.Equal(t, 52+12, size(4, 0))
	require.Equal(t, 52+12+8, size(5, 0))
	require.Equal(t, 52+12+4*7, size(0, 7))
}

func TestForeignMessagesAreRefused(t *testing.T) {
	good := (&Message{Kind: trace.PageRequest, Node: 2, Page: 7}).Append(nil)
	with := func(i int, v byte) []byte {
		b := append([]byte(nil), good...)
		b[i] = v
		return b
	}
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"short":         {good[:19], "19 bytes"},
		"kind":          {with(0, byte(trace.Ack)), "kind = ack"},
		"reserved":      {with(1, 1), "second byte = 1"},
		"versions":      {with(2, 5), "bytes after the header = 32, want 40"},
		"no room":       {good[:headerBytes+8], "bytes after the header = 8, want 32"},
		"node":          {with(8, testNodes), "node = 9, want less than 9"},
		"rest":          {append(with(0, byte(trace.LockRequest)), 1), "bytes after the end = 1"},
		"home's time":   {append([]byte{byte(trace.PageReply)}, with(12, 2)[1:]...), "interval and versions = 2"},
		"unknown node":  {append(with(2, 1)[:headerBytes], append([]byte{9, 0, 0, 0, 1, 0, 0, 0}, good[headerBytes+8:]...)...), "version = node 9 of 9"},
		"half a notice": {append(with(0, byte(trace.LockGrant)), 1, 2, 3), "write notices"},
	} {
		t.Run(name, func(t *testing.T) {
			var m Message
			require.ErrorContains(t, m.Decode(c.b, 0, 1, testNodes), c.want)
		})
	}
}

// FuzzNode feeds arbitrary bytes to nodes in several states: whatever comes
// over a wire is an error or harmless, never a crash.
func FuzzNode(f *testing.F) {
	rapidSeeds := []Message{
		{Kind: trace.PageRequest, Node: 1, Page: 0, Required: []Version{{1, 1}}},
		{Kind: trace.PageReply, Node: 0, Page: 5},
		{Kind: trace.Diff, Node: 1, Page: 0, Interval: 1, Diff: []byte{0, 0, 1, 0, 9, 9, 9, 9}},
		{Kind: trace.LockRequest, Node: 1, ID: 3},
		{Kind: trace.LockForward, Node: 1, ID: 1, Time: []Version{{1, 1}}},
		{Kind: trace.LockGrant, Node: 0, ID: 4, Notices: []*Interval{{1, 1, []Page{0, 1}}}},
		{Kind: trace.BarrierArrive, Node: 1, ID: 0, Notices: []*Interval{{1, 1, []Page{0, 1}}}},
		{Kind: trace.BarrierRelease, Node: 0, ID: 1, Epoch: 1, Notices: []*Interval{{1, 1, []Page{3, 4}}}},
		{Kind: trace.BarrierArrive, Node: 1, ID: 0, Moves: []Move{{0, 1}}},
		{Kind: trace.BarrierRelease, Node: 0, ID: 1, Epoch: 1, Moves: []Move{{0, 1}, {5, 0}}},
		{Kind: trace.PageRequest, Node: 1, Page: 4, Epoch: 1},
	}
	for _, m := range rapidSeeds {
		for state := range byte(8) {
			f.Add(state, m.Append(nil))
		}
	}
	f.Fuzz(func(t *testing.T, state byte, b []byte) {
		layout, err := NewLayout(3)
		require.NoError(t, err)
		_, err = layout.Alloc(6*PageSize, Blocks)
		require.NoError(t, err)
		_, err = layout.Alloc(2*PageSize, FirstTouch)
		require.NoError(t, err)
		pool := NewPool()
		n, err := NewNode(0, layout, pool)
		require.NoError(t, err)
		var out Out
		if state&4 != 0 {
			n.Migrate()
		}
		n.Access(0, true, 0, &out)
		switch state % 4 {
		case 1:
			n.Access(5, true, 0, &out)
		case 2:
			n.Acquire(4, 0, &out)
		case 3:
			n.Arrive(1, 0, &out)
		}
		for range 2 {
			out.Reset()
			var m Message
			if err := m.Decode(b, 1, 0, 3); err != nil {
				return
			}
			if m.Kind == trace.PageReply && m.Node%2 == 1 { // as if the page had landed
				m.Frame = pool.copyOf(pool.zero)
			}
			if err := n.Step(&m, &out); err != nil {
				require.NotEmpty(t, err.Error())
			}
		}
	})
}

// TestRepeatedMessagesAreRefused: a diff that has been merged, and a page that nobody waits for,
// change nothing: what has been written since stays.
func TestRepeatedMessagesAreRefused(t *testing.T) {
	layout, err := NewLayout(2)
	require.NoError(t, err)
	_, err = layout.Alloc(2*PageSize, Blocks)
	require.NoError(t, err)
	pool := NewPool()
	home, err := NewNode(0, layout, pool)
	require.NoError(t, err)
	var out Out
	diff := func(interval uint32, value byte) *Message {
		return &Message{Kind: trace.Diff, From: 1, To: 0, Node: 1, Page: 0, Interval: interval, Diff: []byte{0, 0, 1, 0, value, 0, 0, 0}}
	}
	require.NoError(t, home.Step(diff(1, 7), &out))
	require.NoError(t, home.Step(diff(2, 8), &out))
	require.ErrorContains(t, home.Step(diff(1, 7), &out), "duplicate")
	require.ErrorContains(t, home.Step(diff(2, 7), &out), "duplicate")
	require.True(t, home.Access(0, false, 0, &out))
	require.EqualValues(t, 8, home.Frame(0).Bytes()[0])

	page := &Message{Kind: trace.PageReply, From: 1, To: 0, Node: 0, Page: 1, Frame: pool.first(1)}
	require.ErrorContains(t, home.Step(page, &out), "was not requested")
	require.Equal(t, Invalid, home.State(1))
}
