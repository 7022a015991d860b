package slowest

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Sorts of rows of a waterfall.
const (
	sortStep   = "step"
	sortPart   = "operation"
	sortPacket = "packet"
	sortWait   = "wait" // of the packet above
)

// row is a bar of a waterfall. Times are in ps since the operation's begin, but those of pieces are in ps of
// the log.
type row struct {
	sort, name string
	node       int
	begin, end int64
	holder     string // for whom it waits
	// Nil: the row is one stretch of service.
	pieces []account.Piece
}

// shown is the number of parts and of packets of a waterfall that are shown, and least the
// part of an operation's time from which on a wait has a row.
const (
	shown = 16
	least = 100
)

// waterfall returns the steps of the operation, then the operations that are part of it,
// then its packets, each with its waits.
func (o *Operation) waterfall() (rows []row) {
	process := o.process()
	// Steps and spans are in ns, rows in ps.
	for _, s := range o.Steps {
		begin := 1000 * (s.BeginNs - o.BeginNs)
		r := row{sort: sortStep, name: s.Step, node: int(s.Node), begin: begin, end: begin + 1000*s.DurationNs}
		r.holder = o.awaited(process, 1000*s.BeginNs, 1000*(s.BeginNs+s.DurationNs))
		rows = append(rows, r)
	}
	for _, s := range o.Parts[:min(len(o.Parts), shown)] {
		rows = append(rows, row{
			sort: sortPart, name: s.Operation, node: int(s.Node),
			begin: 1000 * (s.BeginNs - o.BeginNs), end: 1000 * (s.EndNs - o.BeginNs),
		})
	}
	for _, id := range o.Packets[:min(len(o.Packets), shown)] {
		x := &o.account.Actors[id]
		rows = append(rows, row{
			sort: sortPacket, name: fmt.Sprintf("%s to %d", x.Kind, x.Peer), node: int(x.Node),
			begin: x.Begin - o.start(), end: x.End - o.start(), pieces: o.account.Of(id),
		})
		// The waits of a packet follow it.
		rows = append(rows, o.waits(id)...)
	}
	return rows
}

// start returns the operation's begin in ps.
func (o *Operation) start() int64 { return 1000 * o.BeginNs }

// hidden counts parts and packets that are not shown.
func (o *Operation) hidden() int {
	return max(len(o.Parts)-shown, 0) + max(len(o.Packets)-shown, 0)
}

// waits returns the longer waits of a packet, one for each time at a resource, in the order of time.
func (o *Operation) waits(id waits.ID) (rows []row) {
	own := o.account.Of(id)
	// Pieces are in the order of time.
	for from := 0; from < len(own); {
		to := from + 1
		// Pieces that differ by their holders or roots only are one wait.
		for to < len(own) && own[to].Resource == own[from].Resource && own[to].What == own[from].What {
			to++
		}
		first, last := own[from], own[to-1]
		// A wait of less than 1/least of the operation has no row.
		if first.What == waits.Waiting && last.End-first.Begin >= 1000*o.DurationNs/least {
			// The row names the holder of the longest part, not the last one.
			holders := map[waits.ID]int64{}
			for _, p := range own[from:to] {
				for p := range o.account.Held(p) {
					holders[p.Holder] += p.Length()
				}
			}
			rows = append(rows, row{
				sort: sortWait, name: first.Resource.String(), node: int(o.account.Actors[id].Node),
				begin: first.Begin - o.start(), end: last.End - o.start(),
				holder: o.account.Name(most(holders)), pieces: own[from:to],
			})
			// The instance of a port is no node: its waits stay at the sender.
			if first.Resource != waits.Port {
				rows[len(rows)-1].node = int(first.Instance)
			}
		}
		from = to
	}
	return rows
}

// process returns the process that waits for the operation: the one on its node that has sent a packet of it,
// or the only one there; 0 if that is not known. An operation without packets on a node with several processes
// has none.
func (o *Operation) process() waits.ID {
	here := func(id waits.ID) bool {
		x := &o.account.Actors[id]
		return x.Type == waits.Process && int64(x.Node) == o.Node
	}
	for _, id := range o.Packets {
		// The cause of a packet is who has sent it.
		if cause := o.account.Actors[id].Cause; here(cause) {
			return cause
		}
	}
	var only waits.ID
	for id := range o.account.Actors {
		if id > 0 && here(waits.ID(id)) {
			// There are two, and nothing tells which.
			if only != 0 {
				return 0
			}
			only = waits.ID(id)
		}
	}
	return only
}

// awaited names the actor at the end of the chain for whom a process waits for the longest time between two
// instants, in ps of the log; "" if it waits for nobody known.
func (o *Operation) awaited(process waits.ID, from, to int64) string {
	if process == 0 {
		return ""
	}
	// The holder of a wait may wait itself: the root is the end of that chain.
	roots := map[waits.ID]int64{}
	for p := range o.account.Parts(process, from, to) {
		// Parts may begin before from and end after to.
		if p.What == waits.Waiting && p.Root != 0 {
			roots[p.Root] += min(p.End, to) - max(p.Begin, from)
		}
	}
	// Without roots most returns 0, which has no name.
	return o.account.Name(most(roots))
}

// barWidth is the width of a bar in characters, and glyphs are those of service, waiting
// and idle time.
const barWidth = 24

var glyphs = [...]rune{waits.Service: '█', waits.Waiting: '▒', waits.Idle: '·'}

// bar draws a row within the time of the operation: what takes most of each character's
// time that the row has, service, waiting or idle.
func (o *Operation) bar(r row) string {
	pieces := r.pieces
	// A step or a part is one stretch of service.
	if pieces == nil {
		pieces = []account.Piece{{Begin: r.begin + o.start(), End: r.end + o.start(), What: waits.Service}}
	}
	var b strings.Builder
	whole := 1000 * o.DurationNs
	for i := range int64(barWidth) {
		// The i-th of barWidth equal parts of the operation's time, in ps of the log.
		from, to := o.start()+whole*i/barWidth, o.start()+whole*(i+1)/barWidth
		var times [3]int64
		for _, p := range pieces {
			// The overlap of the piece with this character, at least 0.
			times[p.What] += max(min(p.End, to)-max(p.Begin, from), 0)
		}
		// Of equal times the first counts: service, then waiting, then idle.
		glyph, longest := ' ', int64(0)
		for what, t := range times {
			if t > longest {
				glyph, longest = glyphs[what], t
			}
		}
		b.WriteRune(glyph)
	}
	return strings.TrimRight(b.String(), " ")
}
