package capture

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/portable"
)

// warnings say what the captures cannot tell, and what is doubtful.
func (r *records) warnings() []string {
	out := []string{"captures have no stamps of programs and of their memory: Source, NI and Dest were not measured. Net is from the sender's capture, between its queues and its driver, to the receiver's, in its kernel"}
	// warn adds a sentence about n packets, unless there are none.
	warn := func(n int64, text string, args ...any) {
		if n > 0 {
			out = append(out, fmt.Sprintf(text, append([]any{n}, args...)...))
		}
	}
	if r.spec.SameClock {
		out = append(out, "the stamps of both captures are taken as those of one clock")
	} else {
		median, largest := r.clocks.bounds()
		out = append(out, fmt.Sprintf("the captures' clocks were compared by packets in both directions: half of what the ways there and back differ by stays in Net, within its bound, half of what they take together at least. The median bound is %.1f µs, and the largest %.1f: it grows where packets go one way only", float64(median)/1000, float64(largest)/1000))
	}
	warn(int64(r.clocks.set), "at %d instants packets of both directions contradict one another: a clock was set or has changed its rate, and Net near these may be wrong by more than its bound")
	dropped := int64(0)
	for _, n := range r.out.Nodes {
		dropped += int64(n.Dropped)
	}
	warn(dropped, "%d packets are in the sender's capture only: whether they were lost or the other capture has missed them cannot be known")
	warn(r.missed, "%d packets are in the receiver's capture only: the sender's has missed them")
	warn(r.again, "%d segments were sent again: Net of their data is from the first sending to the first arrival")
	warn(r.alike, "%d packets look like others, of which one capture has fewer: which of them it has cannot be known, and they are in no table but counts")
	warn(r.outside, "%d packets are of a time in which only one of the captures ran: they are in no table")
	warn(r.foreign, "%d packets do not go from one capture's end to the other's: they are in no table")
	for _, f := range r.files {
		warn(f.Partial, "of %d datagrams %s has only some fragments: they are in no table", f.Name)
		warn(f.Doubles, "%d packets in %s are doubles of others, as captures of several devices have them: the first ones count", f.Name)
		warn(int64(f.dropped), "%[2]s says that it has dropped %[1]d packets", f.Name)
		if f.cut {
			out = append(out, fmt.Sprintf("%s ends within a packet: it was cut off, and what it has before is used", f.Name))
		}
		if f.grainNs > 1 {
			out = append(out, fmt.Sprintf("%s has stamps of %d ns, which are in the bounds", f.Name, f.grainNs))
		}
	}
	return out
}

// bounds returns the median and the largest bound at the knots, in ns. There are knots.
func (c *clocks) bounds() (median, largest int64) {
	var all []int64
	for _, k := range c.knots {
		all = append(all, k.bound)
	}
	slices.Sort(all)
	return portable.Median(all), all[len(all)-1]
}

// found says what is in a capture, for an error.
func (f *File) found() string {
	var parts []string
	for _, x := range []struct {
		n    int64
		what string
	}{
		{f.Other - f.rest.short, "not IP"}, {f.rest.short, "cut off within their headers"}, {f.rest.fragments, "fragments"}, {f.Doubles, "doubles"},
		{f.rest.tunnels, "of tunnels, whose inner packets are not read"}, {f.rest.alone, "without partner in the other"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	text := fmt.Sprintf("%s has %d packets", f.path, f.Packets)
	if f.Packets == 0 && f.cut {
		text = f.path + " ends within its first packet"
	}
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	if f.rest.alone > 0 {
		text += fmt.Sprintf(", the first without partner from %v to %v", netip.AddrFrom16(f.rest.flow.from).Unmap(), netip.AddrFrom16(f.rest.flow.to).Unmap())
	}
	return text
}
