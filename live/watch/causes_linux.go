package watch

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/sigview/sigview/trace"
)

// discipline is a queueing discipline, and packets what packets it had.
type discipline struct{ Net, Device, Handle uint32 }

type packets struct {
	Packets                               uint64
	Most, DroppedBefore, Dropped, Stopped uint32
	Kind, Name                            comm
}

// text returns a name that ends at a zero.
func (c comm) text() string {
	out, _, _ := bytes.Cut(c[:], []byte{0})
	return string(out)
}

// causes adds what the kernel has counted for all messages: packets in queueing disciplines, and segments of TCP that were
// sent again or dropped.
func (k *kernel) causes(to *seen) error {
	var key discipline
	var l packets
	loads := k.Maps["disciplines"].Iterate()
	for loads.Next(&key, &l) {
		where := fmt.Sprintf("%s of %s", l.Kind.text(), l.Name.text())
		to.other = append(to.other, trace.Observed{
			What: trace.InDiscipline, Messages: int64(l.Packets), Most: int64(l.Most), Dropped: int64(l.Dropped - l.DroppedBefore), Where: where,
		})
		if l.Stopped > 0 {
			to.other = append(to.other, trace.Observed{What: trace.CardFull, Messages: int64(l.Stopped), Of: int64(l.Packets), Where: where})
		}
	}
	if err := loads.Err(); err != nil {
		return err
	}
	names, err := k.names()
	if err != nil {
		return err
	}
	for i, name := range names {
		var n uint64
		if err := k.Maps["again"].Lookup(uint32(i), &n); err != nil {
			return err
		}
		if n > 0 {
			to.other = append(to.other, trace.Observed{What: trace.SentAgain, Program: name, Messages: int64(n)})
		}
	}
	return k.segments(to, names)
}

// segments adds those that the kernel has dropped, by program and reason.
func (k *kernel) segments(to *seen, names map[int]string) error {
	var key struct{ Program, Reason uint32 }
	var n uint64
	reasons, err := dropReasons()
	if err != nil {
		return err
	}
	all := k.Maps["segments"].Iterate()
	for all.Next(&key, &n) {
		why := cmp.Or(reasons[key.Reason], fmt.Sprint("reason ", key.Reason))
		to.other = append(to.other, trace.Observed{What: trace.SegmentsDropped, Program: cmp.Or(names[int(key.Program)], others), Messages: int64(n), Where: why})
	}
	return all.Err()
}
