package histo

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sigview/sigview/trace"
)

// Packet holds the attributes by which a record is binned. Invariant: Kind < NumKinds, Bytes >= 0, and 0 <=
// Peer < Nodes; Record panics otherwise.
type Packet struct {
	Tag   trace.Tag
	Kind  trace.Kind
	After trace.Predecessor
	Later bool // not the first packet of its message
	Bytes int  // payload
	Peer  int  // receiver for Source and LANai, sender for Net and Dest
}

// Bank holds the arrays of one interface, with the words of SRAM. Most of them stay 0 in
// a run: a page is allocated when one of its words is first changed.
type Bank struct {
	l *Layout
	// By word / pageWords; nil: all words of the page are 0.
	pages []*page
}

// page holds pageWords words of a bank, and room for the rest of a cell that begins in its last words: a cell
// lies whole in the page of its first word.
type page [pageWords + cellWords + squareWords - 1]uint32

// pageWords is the number of words that are allocated together.
const pageWords = 256

// New returns an empty bank.
func New(l *Layout) *Bank {
	return &Bank{l: l, pages: make([]*page, (l.words+pageWords-1)/pageWords)}
}

// from returns the words from word i on: a counter, or all of a cell. It allocates their page if need be.
func (b *Bank) from(i int) []uint32 {
	p := b.pages[uint(i)/pageWords]
	if p == nil {
		p = new(page)
		b.pages[uint(i)/pageWords] = p
	}
	return p[uint(i)%pageWords:]
}

// peek is from without allocation: it returns nil for words that have never changed, which are 0.
func (b *Bank) peek(i int) []uint32 {
	if p := b.pages[uint(i)/pageWords]; p != nil {
		return p[uint(i)%pageWords:]
	}
	return nil
}

// Layout returns the layout that the bank was made with.
func (b *Bank) Layout() *Layout { return b.l }

// Reset clears all counters.
func (b *Bank) Reset() { clear(b.pages) }

// Record adds one latency of a packet, in ticks of the interface's clock, to each array that the layout has.
//
// A negative one (clock error in Net) goes to the lowest bin and is counted as underflow; sums include it
// unchanged, so means stay unbiased. An oversize packet is counted as one, and binned as the longest. Kinds
// without histograms and tags beyond the last are counted but not binned. It panics on an impossible kind,
// stage, size or peer.
func (b *Bank) Record(p Packet, stage trace.Stage, ticks int64) {
	l := b.l
	if p.Kind >= trace.NumKinds || stage >= trace.NumStages || p.Bytes < 0 || uint(p.Peer) >= uint(l.spec.Nodes) {
		l.reject(p, stage, ticks)
	}
	if int(p.Tag) >= l.spec.Tags {
		b.bump(lossTag)
		return
	}
	slot := l.slotOf(p.Kind, p.Later)
	if slot < 0 {
		b.bump(l.apartWord(p.Kind, stage))
		return
	}
	size := p.Bytes
	if size >= len(l.place) {
		b.bump(lossSize)
		size = len(l.place) - 1
	}
	bin := int(stage) * l.step.bins
	if ticks < 0 {
		b.bump(l.underflowWord(int(p.Tag), stage))
	} else {
		bin += int(l.scale[stage].bin(ticks))
	}
	at, cell := l.rows(int(p.Tag), slot, p.Kind, p.After, size), int(stage)*l.step.cell
	if at.kind >= 0 {
		b.add(at.kind+cell, ticks)
	}
	if at.all >= 0 {
		b.add(at.all+cell, ticks)
	}
	if at.sequence >= 0 {
		b.add(at.sequence+cell, ticks)
	}
	if at.bySize >= 0 {
		b.bump(at.bySize + bin)
	}
	if at.byKind >= 0 {
		b.bump(at.byKind + bin)
	}
	if at.peers >= 0 {
		b.add(at.peers+p.Peer*l.step.peer+cell, ticks)
	}
}

// bump increments the counter at word i. A full counter stays as it is, and the loss is counted.
func (b *Bank) bump(i int) {
	if b.counted(i) {
		return
	}
	if w := &b.from(i)[0]; *w != math.MaxUint32 {
		*w++
		return
	}
	b.overflow()
}

// counted increments the counter at word i if its page is allocated and it is not full, and reports whether it
// did.
func (b *Bank) counted(i int) bool {
	if p := b.pages[uint(i)/pageWords]; p != nil {
		if w := &p[uint(i)%pageWords]; *w != math.MaxUint32 {
			*w++
			return true
		}
	}
	return false
}

// overflow counts an increment that was lost to a full counter.
func (b *Bank) overflow() {
	if w := &b.from(lossOver)[0]; *w != math.MaxUint32 {
		*w++
	}
}

// add adds a latency in ticks to the cell at a word: a count, a sum of 64 bits in two's complement, the low
// word first, and with variance a sum of squares. A cell whose count or sum would overflow keeps both, so that
// their quotient stays the mean of the counted latencies.
func (b *Bank) add(at int, ticks int64) {
	cell := b.from(at)
	c := (*[cellWords]uint32)(cell)
	old := int64(uint64(c[2])<<32 | uint64(c[1]))
	sum := old + ticks
	if c[0] == math.MaxUint32 || (old^sum)&(ticks^sum) < 0 { // the sum has a sign that neither term has
		b.overflow()
		return
	}
	c[0]++
	c[1], c[2] = uint32(uint64(sum)), uint32(uint64(sum)>>32)
	if b.l.spec.Variance {
		b.addSquare((*[squareWords]uint32)(cell[cellWords:]), ticks)
	}
}

// addSquare adds to a sum of squares of 64 bits. A sum that would overflow, or a square that exceeds them
// alone, sets it to all ones, which marks it invalid: every later addition overflows again.
func (b *Bank) addSquare(c *[squareWords]uint32, ticks int64) {
	abs := uint64(ticks)
	if ticks < 0 {
		abs = -abs
	}
	old := uint64(c[1])<<32 | uint64(c[0])
	hi, square := bits.Mul64(abs, abs)
	sum, carry := bits.Add64(old, square, 0)
	if hi != 0 || carry != 0 {
		sum = math.MaxUint64
		b.overflow()
	}
	c[0], c[1] = uint32(sum), uint32(sum>>32)
}

// underflowWord returns the word that counts negative latencies of a tag and stage.
func (l *Layout) underflowWord(tag int, stage trace.Stage) int {
	return lossMiscN + tag*stages + int(stage)
}

// apartWord returns the word that counts packets of a kind without histograms, by stage.
func (l *Layout) apartWord(k trace.Kind, stage trace.Stage) int {
	return lossMiscN + (l.spec.Tags+int(k))*stages + int(stage)
}

// reject panics with a record whose attributes no packet can have.
func (l *Layout) reject(p Packet, stage trace.Stage, ticks int64) {
	panic(fmt.Sprintf("histo: record of %v %v: tag %d, %d bytes, peer %d of %d, %d ticks: impossible packet",
		p.Kind, stage, p.Tag, p.Bytes, p.Peer, l.spec.Nodes, ticks))
}
