package account

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// outlasting returns the times, by actor and begin, in which an actor still holds a processor after its
// service by it has ended.
func (a *Account) outlasting(holds []waits.Hold) (out []Beyond) {
	for _, h := range holds {
		if h.Resource != waits.Processor {
			continue
		}
		// At wants Begin < t: 1 ps into the hold lies in the piece that begins with it.
		i := a.At(h.Actor, h.Begin+1)
		if i < 0 {
			continue
		}
		// at is the end of the actor's services by this processor within the hold.
		at := h.Begin
		for ; i < a.First[h.Actor+1]; i++ {
			p := &a.Pieces[i]
			if !p.Serves(waits.Processor) || p.Instance != h.Instance || p.Begin >= h.End {
				break
			}
			at = p.End
		}
		// A hold without a service, or one that ends with it, outlasts nothing.
		if at > h.Begin && at < h.End {
			out = append(out, Beyond{h.Actor, at, h.End})
		}
	}
	slices.SortFunc(out, Beyond.compare)
	return out
}

// compare orders by actor, then by begin.
func (b Beyond) compare(c Beyond) int {
	return cmp.Or(cmp.Compare(b.Actor, c.Actor), cmp.Compare(b.Begin, c.Begin))
}

// Outlasted returns for how long, in ps, a processor works for an actor after the service that ended
// at end, in ps; 0 if it does not.
func (a *Account) Outlasted(id waits.ID, end int64) int64 {
	k, ok := slices.BinarySearchFunc(a.Beyond, Beyond{Actor: id, Begin: end}, Beyond.compare)
	if !ok {
		return 0
	}
	return a.Beyond[k].End - a.Beyond[k].Begin
}
