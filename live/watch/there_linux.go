package watch

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/trace"
)

// There watches what another host joins: messages between both.
type There struct {
	k      *kernel
	offset realtime
}

// Serve prepares a watch for another host. It returns an error if the host does not let it watch, which says what is missing.
func Serve(a Asked) (*There, error) {
	if err := Granted(); err != nil {
		return nil, err
	}
	spec := Default()
	spec.Ports, spec.Every = a.Ports, a.Every
	if a.Every > 1 {
		spec.Budget = 0
	}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if len(a.Addresses) > mostAddresses {
		return nil, fmt.Errorf("%d addresses, want at most %d", len(a.Addresses), mostAddresses)
	}
	spec.with = &pairing{serves: true, every: a.Every, addresses: a.Addresses, apart: a.Apart, here: a.Boot != "" && a.Boot == live.Boot()}
	k, err := load(spec)
	if err != nil {
		return nil, err
	}
	return &There{k: k, offset: readRealtime()}, nil
}

// mostAddresses is how many a host may have.
const mostAddresses = 256

// Follow lets it follow what is in a phase from now on.
func (t *There) Follow(p Phase) error {
	switch {
	case p == Ends:
		return t.k.shut()
	case p == Rests:
		return t.k.detach()
	case t.k.links[beginning] == nil:
		return cmp.Or(t.k.detach(), t.k.attach())
	}
	return nil
}

// Halves calls f with what was seen since the last call.
func (t *There) Halves(f func(Half)) error {
	return cmp.Or(t.k.look(time.Now()), drained(t.k.halves, func(record []byte) error {
		h := halfOf(record)
		h.shift(t.offset.ns)
		f(h)
		return nil
	}))
}

// Names are those of programs that have sent, by number.
func (t *There) Names() (map[int]string, error) { return t.k.names() }

// Told returns what was counted of messages from here. After the last Follow f is there, and gets the messages of which no acknowledgement has come.
func (t *There) Told(f func(Half)) (out Told, err error) {
	c, err := t.k.counts()
	if err != nil {
		return out, err
	}
	all, err := t.k.histograms()
	if err != nil {
		return out, err
	}
	if f != nil {
		t.k.tell = func(h Half) {
			h.shift(t.offset.ns)
			f(h)
		}
		if err := t.k.rest(&c, all); err != nil {
			return out, err
		}
	}
	names, err := t.k.names()
	if err != nil {
		return out, err
	}
	drops, err := t.k.dropped()
	if err != nil {
		return out, err
	}
	out = Told{Names: names, Drops: drops, Counts: c.of[:], UnsureNs: t.offset.unsure}
	for s, h := range all {
		if s.packets || h.Stages[trace.Source].total() == 0 {
			continue
		}
		out.Histograms = append(out.Histograms, h.told(s))
	}
	return out, nil
}

// Close ends it.
func (t *There) Close() error { return t.k.Close() }

// told is what another host is told of a histogram.
func (h *histogram) told(s sort) ToldHistogram {
	out := ToldHistogram{Key: uint32(s.program)<<8 | uint32(index(s.udp))<<7 | uint32(s.bits)<<1 | uint32(index(s.toServer)), Bytes: h.Bytes}
	for i := range out.Stages {
		from := &h.Stages[i]
		out.Stages[i] = ToldStage{from.Sum, map[int]uint32{}}
		for bin, n := range from.Bins {
			if n > 0 {
				out.Stages[i].Bins[bin] = n
			}
		}
	}
	return out
}
