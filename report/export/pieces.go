package export

import (
	"cmp"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/spill"
	"github.com/sigview/sigview/report/export/perfetto"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Rows of a node, from top to bottom. Those of engines follow, by resource. Net has one where nothing else is known.
const (
	rowNet int32 = iota - 1
	rowPhases
	rowOperations
	rowSource
	rowLANai
	rowDest
	rowEngines
)

// piece is a slice of a row of a node. It has no pointers, so that it can be sorted on disk.
type piece struct {
	Node, Row  int32
	Begin, End int64
	Inner      int64 // begin of a slice within it, -1 for none
	Name       int32
	What       what
	First      bool // of its packet: the one that has the facts about it
	Last       bool // the one at the receiver
	Tag        trace.Tag
	Flow       perfetto.Flow
	Actor      int64

	Number, Span, Size int64 // of a packet
	Net                int64 // ns, of a packet on rowNet: it may be negative
	Sender, Receiver   int32
}

// what a piece is.
type what uint8

const (
	aPacket  what = iota // a stage of a packet
	aService             // service by an engine
)

// piecesInMemory is how many pieces are sorted in memory.
const piecesInMemory = 1 << 18

// pieces are sorted by row and time.
type pieces struct {
	sorted *spill.Sorter[piece]
	names  []string
	known  map[string]int32
}

func newPieces() *pieces {
	return &pieces{
		known: map[string]int32{},
		sorted: spill.New(piecesInMemory, func(a, b *piece) int {
			return cmp.Or(
				cmp.Compare(a.Row, b.Row), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End),
				cmp.Compare(a.Flow, b.Flow), cmp.Compare(a.Actor, b.Actor),
			)
		}),
	}
}

func (p *pieces) add(x piece) {
	x.End = max(x.Begin, x.End) // by the clocks' error it may be before
	p.sorted.Add(x)
}

// name returns the number of a name.
func (p *pieces) name(text string) int32 {
	n, ok := p.known[text]
	if !ok {
		n = int32(len(p.names))
		p.known[text], p.names = n, append(p.names, text)
	}
	return n
}

// write writes all pieces.
func (p *pieces) write(t *timeline) error {
	var l lanes
	for x := range p.sorted.All() {
		if l.node != x.Node || l.row != x.Row || l.tracks == nil {
			l = lanes{node: x.Node, row: x.Row, name: t.rowName(x.Row)}
			l.place(t)
		}
		p.slice(t, l.free(t.w, x.Begin, x.End), &x)
	}
	return p.sorted.Err()
}

// slice writes a piece on a track, with the slice within it.
func (p *pieces) slice(t *timeline, track perfetto.Track, x *piece) {
	s := perfetto.Slice{Track: track, Name: p.names[x.Name], Flow: x.Flow, Last: x.Last}
	switch {
	case x.What == aService:
		s.Args = []perfetto.Arg{{Name: "actor", Int: x.Actor}}
	case x.First:
		s.Args = []perfetto.Arg{
			{Name: "number", Int: x.Number}, {Name: "tag", Int: int64(x.Tag)}, {Name: "sender", Int: int64(x.Sender)},
			{Name: "receiver", Int: int64(x.Receiver)}, {Name: "size_bytes", Int: x.Size}, {Name: "span", Int: x.Span},
		}
	}
	if x.Row == rowNet {
		s.Args = append(s.Args, perfetto.Arg{Name: "net_ns", Int: x.Net})
	}
	t.w.Begin(x.Begin, s)
	if x.Inner >= x.Begin && x.Inner <= x.End {
		inside := "taken up"
		if x.Row == rowLANai {
			inside = "send engine"
		}
		t.w.Begin(x.Inner, perfetto.Slice{Track: track, Name: inside})
		t.w.End(x.End, track)
	}
	t.w.End(x.End, track)
}

func (t *timeline) rowName(row int32) string {
	switch row {
	case rowNet:
		return "Net"
	case rowPhases:
		return "phases"
	case rowOperations:
		return "operations"
	case rowSource:
		return "Source"
	case rowLANai:
		return analysis.StageName(trace.LANai, t.m.Real())
	case rowDest:
		return "Dest"
	}
	return waits.Resource(row - rowEngines).String()
}

// lanes are the tracks of a row: as many as there are slices at a time. The viewer shows
// those with the same name as one.
type lanes struct {
	node, row int32
	parent    perfetto.Track
	name      string
	tracks    []perfetto.Track
	until     []int64 // by track: the end of its last slice
}

// place puts the row into its node, or among the links.
func (l *lanes) place(t *timeline) {
	l.parent = t.links
	if l.row != rowEngines+int32(waits.Port) && int(l.node) < len(t.nodes) {
		l.parent = t.nodes[l.node]
	} else {
		l.name += " " + strconv.Itoa(int(l.node))
	}
}

// free returns a track on which nothing is at the time of a slice that is about to begin.
func (l *lanes) free(w *perfetto.Writer, begin, end int64) perfetto.Track {
	for i, t := range l.until {
		if t <= begin {
			l.until[i] = end
			return l.tracks[i]
		}
	}
	l.tracks = append(l.tracks, w.Track(l.parent, l.name, int(l.row)))
	l.until = append(l.until, end)
	return l.tracks[len(l.tracks)-1]
}
