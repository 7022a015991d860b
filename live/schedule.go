package live

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Message is one that a node sends at a time.
type Message struct {
	At        int64 // ns since the first message of the run
	To, Bytes int
}

// MostMessages is how many messages a schedule may have.
const MostMessages = 1_000_000

// mostLength is how long a schedule may take.
const mostLength = 720 * time.Hour

// schedule is what the nodes of a run send, and when.
type schedule struct {
	nodes   [][]Message // by sender, sorted by time
	within  int         // messages that are left out: one node stands for both of theirs
	resized int         // messages that have the nearest size that there is
}

// errMany is the error for a run of more than MostMessages messages.
var errMany = errors.New("too many messages")

// readSchedule reads the messages of a run directory, for so many nodes. Times are stretched.
func readSchedule(dir string, nodes int, stretch float64) (*schedule, error) {
	s := &schedule{nodes: make([][]Message, nodes)}
	first, last, n := int64(math.MaxInt64), int64(math.MinInt64), 0
	err := rundir.Scan(dir, func(rows []trace.PacketRow) error {
		for i := range rows {
			r := &rows[i]
			// A run of more nodes than hosts is folded: node n stands for n, n+nodes and so on.
			from, to := int(r.Sender%int64(nodes)), int(r.Receiver%int64(nodes))
			if from == to {
				s.within++
				continue
			}
			if n++; n > MostMessages {
				return errMany
			}
			// T1 is when the program sent it. A capture has only T3.
			at := r.T3Ns.Value
			if r.T1Ns.OK {
				at = r.T1Ns.Value
			}
			// A message has room for its header and fits a datagram.
			bytes := min(max(r.SizeBytes, Least), Most)
			if bytes != r.SizeBytes {
				s.resized++
			}
			first, last = min(first, at), max(last, at)
			s.nodes[from] = append(s.nodes[from], Message{at, to, int(bytes)})
		}
		return nil
	})
	switch {
	case errors.Is(err, rundir.ErrNoTable):
		return nil, bounds.Wrong("replay", dir, "a run with a table of single messages, as sigview run --trace and sigview live leave it")
	case errors.Is(err, errMany):
		return nil, bounds.Wrong("replay", dir, "a run of at most %d messages between nodes", MostMessages)
	case err != nil:
		return nil, bounds.Wrong("replay", dir, "a run with single messages: %v", err)
	case n == 0:
		return nil, bounds.Wrong("replay", dir, "a run with messages between nodes that are not the same one of %d", nodes)
	}
	// Without sign, so that the difference of any two times fits.
	if took := float64(uint64(last)-uint64(first)) * stretch; took > float64(mostLength) {
		return nil, bounds.Wrong("stretch", stretch, "less: the messages of %s would take %.3g hours, and may take %g", dir, took/float64(time.Hour), mostLength.Hours())
	}
	for _, all := range s.nodes {
		for i := range all {
			all[i].At = int64(float64(all[i].At-first) * stretch)
		}
		// Rows need not be in the order of sending.
		slices.SortStableFunc(all, func(a, b Message) int { return cmp.Compare(a.At, b.At) })
	}
	return s, nil
}

// of returns the messages of a node. Without a schedule there are none.
func (s *schedule) of(node int) []Message {
	if s == nil {
		return nil
	}
	return s.nodes[node]
}

// fewSizes is how many sizes a run names one by one.
const fewSizes = 8

// sizes returns those of all messages in order, or of many the smallest, the quartiles and the largest.
func (s *schedule) sizes() []int64 {
	var all []int64
	for _, messages := range s.nodes {
		for _, m := range messages {
			all = append(all, int64(m.Bytes))
		}
	}
	slices.Sort(all)
	distinct := slices.Compact(slices.Clone(all))
	if len(distinct) <= fewSizes {
		return distinct
	}
	last := len(all) - 1
	return slices.Compact([]int64{all[0], all[last/4], all[last/2], all[last*3/4], all[last]})
}

// messages returns how many there are.
func (s *schedule) messages() (n int) {
	for _, of := range s.nodes {
		n += len(of)
	}
	return n
}

// warnings says in what the messages differ from those of the run that is replayed.
func (s *schedule) warnings() (out []string) {
	if s == nil {
		return nil
	}
	if s.within > 0 {
		out = append(out, fmt.Sprintf("%d messages are left out: one of the %d nodes stands for both of theirs", s.within, len(s.nodes)))
	}
	if s.resized > 0 {
		out = append(out, fmt.Sprintf("%d messages have other sizes than in the run that is replayed: the nearest one of %d to %d bytes", s.resized, Least, Most))
	}
	return out
}

// checkMessages returns an error that names the first message that a node of a run cannot send.
func checkMessages(all []Message, node, nodes int) error {
	before := int64(0)
	for i, m := range all {
		field := func(name string) string { return fmt.Sprintf("schedule[%d].%s", i, name) }
		switch {
		case m.At < before:
			return bounds.Wrong(field("at"), m.At, "at least %d, as the message before it", before)
		case m.To < 0 || m.To >= nodes || m.To == node:
			return bounds.Wrong(field("to"), m.To, "another node than %d of %d", node, nodes)
		case m.Bytes < Least || m.Bytes > Most:
			return bounds.Wrong(field("bytes"), m.Bytes, "%d to %d bytes", Least, Most)
		}
		before = m.At
	}
	return nil
}
