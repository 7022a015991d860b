package capture

import (
	"cmp"
	"context"

	"github.com/sigview/sigview/internal/spill"
)

// roomCrossings is how many packets are in memory while they are joined.
const roomCrossings = 1 << 18

// joiner joins what the captures have of the same packets.
type joiner struct {
	out     *spill.Sorter[crossing]
	foreign int64 // packets that do not go from one end to the other
	doubles [2]int64

	sender end
	stream stream
	group  []observation // packets of a flow that look the same
	more   int64         // of them, for which there is no room
}

// join joins the observations of both captures. Packets that do not go from one end to the other are counted as
// foreign. It returns an error if a temporary file fails or ctx ends.
func (s *observations) join(ctx context.Context, at ends) (*joiner, error) {
	j := &joiner{out: spill.New(roomCrossings, byStamp)}
	j.stream.emit = j.emit
	last, skip := observation{flow: -1}, true
	for x := range until(ctx, s.all.All()) {
		// Observations come by flow, sort and what they look like: a group is over when one of these changes.
		if x.flow != last.flow || x.sort != last.sort {
			j.end()
			sender, known := at.sender(s.tracks[x.flow].flow)
			skip, j.sender, j.stream.sender = !known, sender, sender
		} else if x.sort != segment && x.id != last.id {
			j.pair()
		}
		last = x
		switch {
		case skip:
			j.foreign++
		case x.sort == segment:
			j.stream.add(x)
		// More of them are only counted, so that memory stays bounded.
		case len(j.group) < mostAlike:
			j.group = append(j.group, x)
		default:
			j.more++
		}
	}
	j.end()
	return j, cmp.Or(ctx.Err(), s.all.Err(), j.out.Err())
}

// end ends the packets of a flow and sort.
func (j *joiner) end() {
	j.stream.end()
	j.doubles[j.sender] += j.stream.doubles
	j.stream.doubles = 0
	j.pair()
}

// pair joins packets that look the same: the first with the first, and so on. If some are missing at
// one end, it cannot be known which.
func (j *joiner) pair() {
	by, doubles := sides(j.group)
	sent, arrived := by[j.sender], by[j.sender.other()]
	switch {
	// If one capture has none of them, all of the other's are lost or missed, and it is known which.
	case j.more > 0, len(sent) != len(arrived) && len(sent) > 0 && len(arrived) > 0:
		for _, x := range sent {
			j.emit(crossing{x.first, 0, x.flow, x.bytes, x.sort, j.sender, alike})
		}
	default:
		for i := range max(len(sent), len(arrived)) {
			var s, a *observation
			if i < len(sent) {
				s = &sent[i]
			}
			if i < len(arrived) {
				a = &arrived[i]
			}
			j.emit(meeting(j.sender, s, a))
		}
	}
	for e, n := range doubles {
		j.doubles[e] += n
	}
	j.group, j.more = j.group[:0], 0
}

// emit adds a packet to the result, which is sorted by time.
func (j *joiner) emit(c crossing) { j.out.Add(c) }
