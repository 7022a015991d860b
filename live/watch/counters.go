package watch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// counter is what has become of messages. The programs in the kernel have the same list.
type counter uint32

const (
	started counter = iota
	attributed
	away
	heard
	full
	unqueued
	unhanded
	unarrived
	unseen
	replaced
	broken
	shortened
	unsampled
	noFlow
	unstarted
	fragmented
	many
	dropped
	ofOther // packets of messages that the other host counts
	untold  // halves
	over    // of away
	unlooked
	numCounters
)

// counts are messages by what has become of them.
type counts struct {
	of [numCounters]uint64
	// Messages on their way when the watch ended.
	pending uint64
	// Dropped datagrams by the kernel's name of the reason.
	drops map[string]uint64
	across
}

// messages returns how many were watched.
func (c *counts) messages() uint64 { return c.of[started] + c.of[heard] + c.there[started] }

// work returns how many messages and packets the kernel's programs have followed here.
func (c *counts) work() uint64 { return c.of[started] + c.of[heard] + c.of[ofOther] }

// missing returns how many are in no table.
func (c *counts) missing() uint64 {
	in := c.of[attributed] + c.of[away] + c.of[heard] + c.there[away]
	return c.messages() - min(in, c.messages())
}

// reasons are those for which a message is in no table.
var reasons = []struct {
	which counter
	text  string
}{
	{full, "%d messages were not followed: their connections had more than 131,000 on their way, or all of them more than 262,000 (ports of UDP: 512)"},
	{unqueued, "%d messages were not seen entering a queueing discipline"},
	{unhanded, "%d messages were not seen by a driver"},
	{unarrived, "%d messages were read without having been seen arriving"},
	{unseen, "%d messages were not read by a receive call, but spliced, skipped, or by a call that was not seen"},
	{replaced, "%d messages were not read before their connection ended"},
	{broken, "%d messages were on their way in a break of the watch"},
	{unstarted, "%d datagrams were not followed: their calls were not seen to begin, or gave nothing to a queueing discipline (io_uring, a neighbour whose address was not known, MSG_MORE)"},
	{unlooked, "%d datagrams were not followed: they were the first ones in a minute, when system calls were not looked at"},
	{fragmented, "%d datagrams were not followed: they went in several packets of IP"},
	{many, "%d datagrams were not followed: they went to several receivers"},
}

// singular says of one what is said of several.
var singular = strings.NewReplacer("%d messages were", "%d message was", "they have", "it has", "have Source", "has Source", "have a Net", "has a Net", "have both", "has both", "%d messages", "%d message", "%d datagrams were", "%d datagram was",
	"%d packets", "%d packet", "%d calls", "%d call", "%d samples", "%d sample", "%d halves of messages", "%d half of a message", "they were the first ones", "it was the first one",
	"they were", "it was", "they count", "it counts", "they went", "it went", "they sent", "it sent", "they are", "it is", "their calls were", "its call was",
	"their connections", "its connection", "their ", "its ", "have them", "have it")

// counted fills in a count, and what else the text asks for.
func counted(text string, n uint64, others ...any) string {
	if n == 1 {
		text = singular.Replace(text)
	}
	return fmt.Sprintf(text, append([]any{n}, others...)...)
}

// warnings say what is in no table, and why.
func (c *counts) warnings() (out []string) {
	warn := func(n uint64, text string) {
		if n > 0 {
			out = append(out, counted(text, n))
		}
	}
	rest := c.missing()
	for _, r := range reasons {
		warn(c.of[r.which], r.text)
		rest -= min(c.of[r.which], rest)
	}
	for _, name := range slices.Sorted(maps.Keys(c.drops)) {
		warn(c.drops[name], "%d datagrams were dropped by the kernel: "+name)
	}
	rest -= min(c.of[dropped], rest)
	for _, r := range reasons {
		warn(c.there[r.which], "on "+c.host+" "+r.text)
		rest -= min(c.there[r.which], rest)
	}
	warn(min(c.pending, rest), "%d messages were on their way when the watch ended")
	warn(rest-min(c.pending, rest), "%d messages were lost to the watch, which had no room for their connections or sorts")
	// Some datagrams to and from a host that is watched too have no number to be joined by.
	such := ""
	if c.host != "" {
		such = ", or are datagrams that cannot be joined, over IPv6 or segmented, between this host and " + c.host
	}
	warn(c.of[away]-c.of[over], "%d messages went to other hosts"+such+": they have Source and NI")
	out = append(out, c.across.warnings(c.of[over], c.of[untold], c.of[ofOther])...)
	warn(c.of[heard], "%d packets came from other hosts, where messages are not known"+such+": they count as messages, with Dest")
	warn(c.of[shortened], "%d calls sent less than they were asked to: what they sent counts as a message")
	warn(c.of[unsampled], "%d samples found no room: the histograms have them")
	warn(c.of[noFlow], "%d times there was no room for a connection")
	return out
}

// dropsSeen are the dropped datagrams, also those of the other host, by reason.
func (c *counts) dropsSeen() (out []trace.Observed) {
	for _, host := range []struct {
		drops map[string]uint64
		name  string
	}{{c.drops, ""}, {c.dropped, " on " + c.host}} {
		for _, reason := range slices.Sorted(maps.Keys(host.drops)) {
			if n := host.drops[reason]; n > 0 {
				out = append(out, trace.Observed{What: trace.DatagramsDropped, Messages: int64(n), Of: int64(c.messages()), Where: reason + host.name})
			}
		}
	}
	return out
}

// words says how many messages have all instants.
func (c *counts) words() string {
	all := c.of[started] - c.of[away]
	if c.host != "" && c.of[attributed] == 0 {
		return c.across.words(c.of[over])
	}
	if all == 0 {
		return fmt.Sprintf("%d messages of which one end is on another host", c.messages())
	}
	text := fmt.Sprintf("%d of %d messages between programs of this host have all instants (%.2f %%)", c.of[attributed], all, 100*float64(c.of[attributed])/float64(all))
	if c.host != "" {
		text += "; " + c.across.words(c.of[over])
	}
	return text
}
