package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// LeastSeenNs is how much a cause has to cost the average message to be told.
const LeastSeenNs = 20_000

// Seen says in sentences what the kernel was seen to do with messages of programs as they are, the most costly first.
// A cause that costs the average message less than 20 µs is left out.
func Seen(all []trace.Observed) (out []string) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b trace.Observed) int { return cmp.Compare(weight(b), weight(a)) })
	for _, o := range all {
		if text := seen(o); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// PerMessage is what a cause costs the average message, in ns.
func PerMessage(o trace.Observed) float64 {
	if o.Of == 0 {
		return 0
	}
	return float64(o.MeanNs*float64(o.Messages)) / float64(o.Of)
}

// lostNs is what a loss is taken to cost when causes are put in order: its time is in Net or Dest, or without end.
const lostNs = 10e6

// weight is by what causes are put in order, in ns for the average message.
func weight(o trace.Observed) float64 {
	switch o.What {
	case trace.SentAgain, trace.SegmentsDropped, trace.DatagramsDropped:
		if known(o.Where) == twice {
			return 0
		}
		return lostNs * float64(o.Messages) / float64(max(o.Of, 1))
	case trace.Slowest:
		return 0 // of few messages: last
	}
	return PerMessage(o)
}

// did are the words for what messages have met.
var did = map[trace.Cause]string{
	trace.HeldByNagle:      "Source: %s found Nagle's algorithm waiting for the acknowledgement of an earlier small segment%s",
	trace.HeldByCork:       "Source: %s found a socket that the program has corked, so that it sends full segments only%s",
	trace.HeldByWindow:     "Source: %s found no room for all of them in the receiver's window%s",
	trace.HeldByCongestion: "Source: %s found the window of congestion full%s",
	trace.RunQueue:         "Dest: of %s the reader waited for a processor (run queue)%s",
	trace.Deferred:         "Net: %s waited for the receiving kernel to take packets (softirq)%s",
	trace.Migrated:         "Dest: of %s the reader was given another processor after they had arrived%s",
	trace.Asleep:           "Dest: of %s the reader was asleep, and not woken for some time after they had arrived%s",
	trace.ReaderBusy:       "Dest: of %s the reader was awake, and read them later%s",
	trace.ServerTime:       "Before Source: for %s it is known when their sender had read what came before, and how long it then took%s",
}

// seen is the sentence of one cause, or nothing.
func seen(o trace.Observed) string {
	switch {
	case o.What == trace.InDiscipline && (o.Most+o.Dropped > 1 || PerMessage(o) >= LeastSeenNs):
		return fmt.Sprintf("NI: the queueing discipline %s had up to %s at a time, and dropped %d (%d have entered it).", o.Where, Plural(o.Most, "packet"), o.Dropped, o.Messages)
	case o.What == trace.CardFull && o.Messages > 0:
		return fmt.Sprintf("NI: %d of %d packets entered the queueing discipline %s when the driver had stopped its queue: the ring of the card was full.", o.Messages, o.Of, o.Where)
	case o.What == trace.SentAgain:
		return fmt.Sprintf("Net: TCP has sent %d segments of %s again.", o.Messages, o.Program)
	case o.What == trace.Acknowledged:
		return fmt.Sprintf("Net, at most: %s, whose other end was not watched, were acknowledged %.0f µs after a driver took them on average, half of them within %.0f.", messages(o), o.MeanNs/1000, float64(o.MedianNs)/1000)
	case o.What == trace.SegmentsDropped:
		return fmt.Sprintf("This host's kernel has dropped %s of %s: %s.", Plural(o.Messages, "segment"), o.Program, reason(o.Where))
	case o.What == trace.DatagramsDropped:
		return fmt.Sprintf("Dest: the receiving kernel has dropped %s: %s.", Plural(o.Messages, "datagram"), reason(o.Where))
	case o.What == trace.Throttled:
		return fmt.Sprintf("The control group %s was throttled %d times, for %.1f ms in all.", o.Where, o.Messages, o.MeanNs*float64(o.Messages)/1e6)
	}
	if o.What == trace.Slowest {
		return slowest(o)
	}
	words, known := did[o.What]
	if !known || PerMessage(o) < LeastSeenNs {
		return ""
	}
	// Their time is that of a stage, which others have too.
	compared := strings.HasPrefix(words, "Source") || o.What == trace.Migrated
	if compared && o.MeanNs < 2*o.OthersNs {
		return ""
	}
	times := fmt.Sprintf(": %.0f µs on average, half of them up to %.0f", o.MeanNs/1000, float64(o.MedianNs)/1000)
	if rest := o.Of - o.Messages; compared && rest > 0 {
		times += fmt.Sprintf(", the others %.0f µs", o.OthersNs/1000)
	}
	return fmt.Sprintf(words, messages(o), times) + "."
}

// longestIn say in what part of its way a message was longest.
var longestIn = map[string]string{
	trace.Source.String():          "in Source",
	trace.LANai.String():           "in NI",
	trace.Net.String():             "in Net",
	string(trace.HeldByNagle):      "in Source, where Nagle's algorithm held them",
	string(trace.HeldByCork):       "in Source, corked",
	string(trace.HeldByWindow):     "in Source, with no room in the receiver's window",
	string(trace.HeldByCongestion): "in Source, with the window of congestion full",
	string(trace.Deferred):         "in Net, until the receiving kernel took packets (softirq)",
	string(trace.RunQueue):         "in Dest, while the reader waited for a processor (run queue)",
	string(trace.Asleep):           "in Dest, with the reader asleep",
	string(trace.ReaderBusy):       "in Dest, with the reader awake and at other work",
}

// slowest says where the messages that took longest were longest.
func slowest(o trace.Observed) string {
	return fmt.Sprintf("Of the %d messages that took longest, %.0f µs and more, %d are of %s %s and were longest %s: %.0f µs on average.",
		o.Of, float64(o.LeastNs)/1000, o.Messages, o.Program, Direction(o), longestIn[o.Where], o.MeanNs/1000)
}

// twice is why a segment is dropped with which nothing is lost.
const twice = "they came a second time, and nothing was lost"

// reasons say what the kernel's names of its reasons mean.
var reasons = map[string]string{
	"SOCKET_RCVBUFF": "a socket's receive buffer was full", "SOCKET_BACKLOG": "the backlog of a socket that was in use was full",
	"PROTO_MEM": "the memory of the protocol was used up", "NO_SOCKET": "no socket had the port",
	"NETFILTER_DROP": "a rule of the firewall", "TC_INGRESS": "a filter of tc, as packets arrived", "TC_EGRESS": "a filter of tc, as packets were sent",
	"QDISC_DROP": "a queueing discipline", "CPU_BACKLOG": "a processor's backlog of packets was full", "FULL_RING": "a driver's ring was full",
	"TCP_OLD_SEQUENCE": twice, "TCP_OLD_DATA": twice, "TCP_OFOMERGE": twice,
}

// reason says why the kernel has dropped packets.
func reason(name string) string {
	if words := known(name); words != "" {
		return words + " (" + name + ")"
	}
	return name
}

// known says what a reason means, "" if that is not known.
func known(name string) string {
	bare, _, _ := strings.Cut(name, " ") // a host may follow
	return reasons[bare]
}

// messages are those of which something is so.
func messages(o trace.Observed) string {
	return fmt.Sprintf("%d of %d messages of %s %s", o.Messages, o.Of, o.Program, Direction(o))
}

// Direction says where the messages go.
func Direction(o trace.Observed) string {
	if o.ToServer {
		return "to the server"
	}
	return "from the server"
}
