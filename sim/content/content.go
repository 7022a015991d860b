// Package content describes bytes by the rule that makes them. What a program sends by a rule the model moves as a
// description, through cards, packets and memory: the bytes themselves are made only where somebody needs them, such as a
// program that changes some, or an error on a wire.
package content

// Source is a rule that gives bytes. Its type is comparable: equal sources give equal bytes.
type Source interface {
	// Read fills b with the bytes from an offset on, which is not negative.
	Read(from int, b []byte)
}

// Part is a number of bytes of a source from an offset on. The zero Part has none.
type Part struct {
	Source Source
	From   int
	Bytes  int
}

// Slice returns the bytes from one offset in the part to before another.
func (p Part) Slice(from, to int) Part { return Part{p.Source, p.From + from, to - from} }

// Read fills b with the part's first bytes; it has at least as many.
func (p Part) Read(b []byte) { p.Source.Read(p.From, b) }

// Continues reports whether p begins where q ends, so that both are one part.
func (p Part) Continues(q Part) bool { return p.From == q.From+q.Bytes && p.Source == q.Source }
