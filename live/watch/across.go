package watch

import (
	"fmt"
	"maps"
	"slices"
)

// across is what has become of messages between two hosts. Lists are by whether they were sent there.
type across struct {
	host       string // the other one's name
	translated string // how addresses are on the way; "": they are not
	there      [numCounters]uint64
	sent       [2]uint64         // messages of which the sender's half has come
	joined     [2]uint64         // of these
	early      uint64            // of these, with Net below 0
	unclocked  uint64            // of those that are not joined, with both halves
	dropped    map[string]uint64 // datagrams there, by the kernel's name of the reason
	unsure     uint64            // of those, with one that may be another datagram's
	failed     error
}

// words says how many messages have all stages.
func (b *across) words(away uint64) string {
	return fmt.Sprintf("Net and Dest stand on %s to %s and %s from there", share(b.joined[0], away), b.host, share(b.joined[1], b.there[over]))
}

func share(n, of uint64) string {
	if of == 0 {
		return "no message"
	}
	return fmt.Sprintf("%d of %d messages (%.2f %%)", n, of, 100*float64(n)/float64(of))
}

// warnings say why messages were not joined. Gone are those that went there, noRoom the halves that found no room here, and packets what
// came from there while it was watched.
func (b *across) warnings(gone, noRoom, packets uint64) (out []string) {
	if b.host == "" {
		return nil
	}
	warn := func(n uint64, text string) {
		if n > 0 {
			out = append(out, counted(text, n, b.host))
		}
	}
	if b.failed != nil {
		out = append(out, fmt.Sprintf("%v: messages that are not joined have the stages of this host only. Of %d packets that had come from there the %d messages count that are joined", b.failed, packets, b.joined[1]))
	}
	if b.translated != "" {
		out = append(out, fmt.Sprintf("addresses are translated on the way to %s (%s): messages on translated ways are not joined", b.host, b.translated))
	}
	for i, way := range []struct {
		to   string
		away uint64
	}{{"to", gone}, {"from", b.there[over]}} {
		hint := ""
		if b.joined[i] == 0 {
			hint = ". None was joined, as where addresses are translated on the way (NAT)"
		}
		warn(b.sent[i]-min(b.joined[i], b.sent[i]), "%d messages "+way.to+" %s have Source and NI only: their other half was not seen"+hint)
		warn(way.away-min(b.sent[i], way.away), "%d messages "+way.to+" %s have Source and NI only: they are not among those that are joined (--sample-every), or the ring had no room for their halves")
	}
	warn(b.unclocked, "%d of these have both halves, but no probe has compared the clock of %s")
	warn(b.unsure, "%d of these are datagrams whose other half may be of one with the same number: by that they were on their way to or from %s for less than nothing or too long")
	warn(b.there[away]-min(b.there[over], b.there[away]), "%d messages from %s have Source and NI only: they were segmented (UDP_SEGMENT)")
	for _, name := range slices.Sorted(maps.Keys(b.dropped)) {
		warn(b.dropped[name], "%d datagrams were dropped by the kernel of %s: "+name)
	}
	warn(noRoom, "%d halves of messages found no room in the ring of this host; the other one is %s")
	warn(b.there[untold], "%d halves of messages found no room in the ring of %s")
	if b.early > 0 {
		out = append(out, counted("%d messages have a Net below 0 by the two clocks, which the bound allows: in the histograms it is 0", b.early))
	}
	return out
}

// less takes away what was counted before. What was on its way then may be joined now.
func (b *across) less(o *across) {
	for i, n := range o.there {
		b.there[i] -= min(n, b.there[i])
	}
	for i := range b.sent {
		b.sent[i] -= o.sent[i]
		b.joined[i] -= o.joined[i]
	}
	b.early -= o.early
	b.unclocked -= o.unclocked
	b.unsure -= o.unsure
	for reason, n := range o.dropped {
		b.dropped[reason] -= min(n, b.dropped[reason])
	}
}
