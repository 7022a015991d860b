package clock

import (
	"errors"
	"fmt"
)

// A 64-bit count takes two words, the low one first.
const (
	tableWords         = 3 // round, number of entries, of which estimator
	cristianReplyWords = 4 // round, node, received
	filteredReplyWords = 6 + 1 + replyPoints*pointWords
	pointWords         = 4
	cristianEntryWords = 6  // node, epoch, offset, error
	filteredEntryWords = 14 // node, epoch, offset, error, rate, bend, growth of the error (2, 2)
)

// Query asks a node for its time.
type Query struct {
	Round uint32
}

// Reply answers a Query. Counts are the node's own, in 64 bits.
type Reply struct {
	Round    uint32
	Node     uint32
	Received uint64 // when the node noticed the query
	Sent     uint64 // when the injection of this reply starts; Filtered only

	// The least delayed data packets from node 0 since the last reply, at most
	// one for each quarter of a round; Filtered only.
	Count  uint32
	Points [replyPoints]Point
}

// Point is the least delayed data packet of a window.
type Point struct {
	Sent     uint64 // sender's ticks
	Received uint64 // receiver's ticks, less the nominal flight time
}

// Entry relates a node's clock to node 0's.
type Entry struct {
	Node   uint32
	Epoch  uint64 // global ticks
	Offset int64  // node's ticks less global ticks at Epoch, subticks
	Error  uint32 // bound of Offset's error, subticks, saturating

	// Filtered only; with Cristian each node derives them.
	Rate   int64  // of the offset, 2^-56
	Bend   int64  // change of Rate in 2^20 ticks, 2^-56
	Error1 uint64 // growth of Error with time, 2^-56
	Error2 uint64 // change of Error1 in 2^20 ticks, 2^-56
}

func put64(w []uint32, x uint64) []uint32 { return append(w, uint32(x), uint32(x>>32)) }

func get64(w []uint32) uint64 { return uint64(w[0]) | uint64(w[1])<<32 }

// AppendQuery appends q as words of a packet, padded to the length of a reply.
func (p Protocol) AppendQuery(w []uint32, q Query) []uint32 {
	w = append(w, q.Round)
	return append(w, make([]uint32, p.Words().Query-1)...)
}

// DecodeQuery is the inverse of AppendQuery.
func (p Protocol) DecodeQuery(w []uint32) (Query, error) {
	if len(w) != p.Words().Query {
		return Query{}, fmt.Errorf("clock: query of %d words: want %d", len(w), p.Words().Query)
	}
	return Query{Round: w[0]}, nil
}

// AppendReply appends r as words of a packet.
func (p Protocol) AppendReply(w []uint32, r Reply) []uint32 {
	w = append(w, r.Round, r.Node)
	w = put64(w, r.Received)
	if p.Estimator == Cristian {
		return w
	}
	w = append(put64(w, r.Sent), r.Count)
	for _, x := range r.Points {
		w = put64(put64(w, x.Sent), x.Received)
	}
	return w
}

// DecodeReply is the inverse of AppendReply.
func (p Protocol) DecodeReply(w []uint32) (Reply, error) {
	if len(w) != p.Words().Reply {
		return Reply{}, fmt.Errorf("clock: reply of %d words: want %d", len(w), p.Words().Reply)
	}
	r := Reply{Round: w[0], Node: w[1], Received: get64(w[2:])}
	r.Sent = r.Received
	if r.Node == 0 || r.Node >= uint32(p.Nodes) {
		return Reply{}, fmt.Errorf("clock: reply of node %d: want 1 to %d", r.Node, p.Nodes-1)
	}
	if p.Estimator == Cristian {
		return r, nil
	}
	r.Sent, r.Count = get64(w[4:]), w[6]
	if r.Count > replyPoints {
		return Reply{}, fmt.Errorf("clock: reply with %d points: want at most %d", r.Count, replyPoints)
	}
	for i := range r.Points {
		x := w[7+i*pointWords:]
		r.Points[i] = Point{Sent: get64(x), Received: get64(x[2:])}
	}
	return r, nil
}

// Estimator codes in a table's header.
const (
	codeCristian = 1
	codeFiltered = 2
)

func (p Protocol) code() uint32 {
	if p.Estimator == Cristian {
		return codeCristian
	}
	return codeFiltered
}

// AppendTable appends a table as words of a packet. A table too long for one packet is
// split; each entry is independent.
func (p Protocol) AppendTable(w []uint32, round uint32, entries []Entry) []uint32 {
	w = append(w, round, uint32(len(entries)), p.code())
	for _, e := range entries {
		w = append(put64(put64(append(w, e.Node), e.Epoch), uint64(e.Offset)), e.Error)
		if p.Estimator == Filtered {
			w = put64(put64(w, uint64(e.Rate)), uint64(e.Bend))
			w = put64(put64(w, e.Error1), e.Error2)
		}
	}
	return w
}

// DecodeTable is the inverse of AppendTable. It appends the entries to to.
func (p Protocol) DecodeTable(to []Entry, w []uint32) (round uint32, entries []Entry, err error) {
	if len(w) < tableWords {
		return 0, nil, fmt.Errorf("clock: table of %d words: want at least %d", len(w), tableWords)
	}
	words := p.Words()
	if w[2] != p.code() {
		return 0, nil, fmt.Errorf("clock: table of estimator %d: want %d (%s)", w[2], p.code(), p.Estimator)
	}
	if w[1] > uint32(p.Nodes) || len(w) != words.Table(int(w[1])) {
		return 0, nil, fmt.Errorf("clock: table of %d words with %d entries: want %d words for each of at most %d nodes and %d more",
			len(w), w[1], words.Entry, p.Nodes, tableWords)
	}
	entries = to
	for x := w[tableWords:]; len(x) > 0; x = x[words.Entry:] {
		e := Entry{Node: x[0], Epoch: get64(x[1:]), Offset: int64(get64(x[3:])), Error: x[5]}
		if p.Estimator == Filtered {
			e.Rate, e.Bend = int64(get64(x[6:])), int64(get64(x[8:]))
			e.Error1, e.Error2 = get64(x[10:]), get64(x[12:])
		}
		if err := e.check(p.Nodes); err != nil {
			return 0, nil, err
		}
		entries = append(entries, e)
	}
	return w[0], entries, nil
}

// Limits of an entry that keep every product in range.
const (
	maxTicks = 1 << 50        // 394 days at 33 MHz
	maxRate  = rateOne / 512  // 0.2 %
	maxBend  = int64(1) << 46 // 0.1 % in 2^20 ticks
	maxGrow  = uint64(1) << 52
)

var errEntry = errors.New("clock: table entry out of range")

func (e Entry) check(nodes int) error {
	switch {
	case e.Node == 0 || e.Node >= uint32(nodes):
		return fmt.Errorf("%w: Node %d, want 1 to %d", errEntry, e.Node, nodes-1)
	case e.Epoch > maxTicks:
		return fmt.Errorf("%w: node %d's Epoch %d, want at most 2^50", errEntry, e.Node, e.Epoch)
	case e.Offset > maxTicks<<FracBits || e.Offset < -maxTicks<<FracBits:
		return fmt.Errorf("%w: node %d's Offset %d, want within 2^62", errEntry, e.Node, e.Offset)
	case e.Rate > maxRate || e.Rate < -maxRate:
		return fmt.Errorf("%w: node %d's Rate %d, want within 2^47", errEntry, e.Node, e.Rate)
	case e.Bend > maxBend || e.Bend < -maxBend:
		return fmt.Errorf("%w: node %d's Bend %d, want within 2^46", errEntry, e.Node, e.Bend)
	case e.Error1 > maxGrow || e.Error2 > maxGrow:
		return fmt.Errorf("%w: node %d's Error1 %d, Error2 %d, want at most 2^52", errEntry, e.Node, e.Error1, e.Error2)
	}
	return nil
}

// Words are the lengths of the protocol's messages in 32-bit words, headers of
// the network excluded.
type Words struct {
	Query, Reply       int // equal: the shorter one is padded
	TableHeader, Entry int
}

// Table returns the length of a TABLE of n entries.
func (w Words) Table(n int) int { return w.TableHeader + n*w.Entry }

// Entries returns how many entries a packet of sizeBytes holds.
func (w Words) Entries(sizeBytes int) int { return max(0, (sizeBytes/4-w.TableHeader)/w.Entry) }

// Words returns the lengths of p's messages.
func (p Protocol) Words() Words {
	if p.Estimator == Cristian {
		return Words{Query: cristianReplyWords, Reply: cristianReplyWords, TableHeader: tableWords, Entry: cristianEntryWords}
	}
	return Words{Query: filteredReplyWords, Reply: filteredReplyWords, TableHeader: tableWords, Entry: filteredEntryWords}
}
