package goal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is the length of the longest line.
const maxLine = 1 << 16

// Read reads a schedule. An error names the line, what is there and what was wanted. It does
// not check whether the schedule can end; see Check.
func Read(r io.Reader) (*Schedule, error) {
	p := parser{rank: -1}
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for in.Scan() {
		text := in.Text()
		if p.line++; p.line == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
		}
		if err := p.read(&line{p.line, split(p.uncommented(text))}); err != nil {
			return nil, err
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: longer than %d bytes", p.line+1, maxLine)
	case err != nil:
		return nil, err
	case p.ranks == nil:
		return nil, errors.New("no num_ranks, wanted a schedule that begins with it")
	case p.comment:
		return nil, fmt.Errorf("line %d: a comment does not end, wanted */", p.line)
	case p.rank >= 0:
		return nil, fmt.Errorf("line %d: rank %d does not end, wanted }", p.line, p.rank)
	}
	return &Schedule{p.ranks}, nil
}

// parser reads line by line.
type parser struct {
	ranks   [][]Op
	seen    []bool // by rank
	rank    int    // that is being read, -1 for none
	labels  map[string]int32
	ns      int64 // of the rank's computations; one processor does them one after the other
	line    int
	comment bool // within /* */
}

// uncommented returns a line without comments.
func (p *parser) uncommented(text string) string {
	var out strings.Builder
	for {
		if p.comment {
			_, rest, ended := strings.Cut(text, "*/")
			if !ended {
				return out.String()
			}
			p.comment, text = false, " "+rest
		}
		i := strings.IndexByte(text, '/')
		for i >= 0 && i+1 < len(text) && text[i+1] != '/' && text[i+1] != '*' {
			next := strings.IndexByte(text[i+1:], '/')
			if next < 0 {
				i = -1
				break
			}
			i += 1 + next
		}
		if i < 0 || i+1 == len(text) {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:i])
		if text[i+1] == '/' {
			return out.String()
		}
		p.comment, text = true, text[i+2:]
	}
}

func (p *parser) read(l *line) error {
	switch {
	case len(l.words) == 0:
		return nil
	case p.ranks == nil:
		return p.numRanks(l)
	case p.rank < 0:
		return p.begin(l)
	case l.is("}"):
		p.rank = -1
		return l.end()
	}
	return p.operation(l)
}

func (p *parser) numRanks(l *line) error {
	if !l.is("num_ranks") {
		return l.fail("num_ranks")
	}
	n, err := l.integer("a number of ranks", 1, maxRanks)
	if err != nil {
		return err
	}
	p.ranks, p.seen = make([][]Op, n), make([]bool, n)
	return l.end()
}

// begin reads the line that begins a rank.
func (p *parser) begin(l *line) error {
	if !l.is("rank") {
		return l.fail("rank")
	}
	before := *l
	n, err := l.integer("a rank", 0, int64(len(p.ranks))-1)
	if err != nil {
		return err
	}
	if p.seen[n] {
		return before.fail("a rank that has not been before")
	}
	p.rank, p.seen[n], p.labels, p.ns = int(n), true, map[string]int32{}, 0
	if !l.is("{") {
		return l.fail("{")
	}
	return l.end()
}

// operation reads an operation or a dependency.
func (p *parser) operation(l *line) error {
	if len(l.words) > 1 && isLabel(l.words[0]) {
		switch name := l.words[0]; l.words[1] {
		case ":":
			if _, ok := p.labels[name]; ok {
				return l.fail("a label that the rank has not yet")
			}
			p.labels[name] = int32(len(p.ranks[p.rank]))
			l.words = l.words[2:]
		case "requires", "irequires":
			return p.depends(l)
		}
	}
	o := Op{Line: l.number}
	var err error
	switch {
	case l.is("calc"):
		before := *l
		o.Size, err = l.integer("a time in ns", 0, maxSize)
		if p.ns += o.Size; p.ns > maxTime && err == nil {
			err = before.fail("computations of a rank that take at most %d ns together, 106.75 days", int64(maxTime))
		}
	case l.is("send"):
		o.Kind = Send
		err = p.message(l, &o, "to", 0)
	case l.is("recv"):
		o.Kind = Recv
		err = p.message(l, &o, "from", Any)
	default:
		return l.fail("send, recv, calc, a label or }")
	}
	if err == nil {
		err = places(l, &o)
	}
	p.ranks[p.rank] = append(p.ranks[p.rank], o)
	return err
}

// message reads size, peer and tag of a message. Low is the least peer and tag.
func (p *parser) message(l *line, o *Op, direction string, low int64) (err error) {
	if o.Size, err = l.integer("a size", 0, maxSize); err != nil {
		return err
	}
	if !l.is("b") {
		return l.fail("b, for bytes")
	}
	if !l.is(direction) {
		return l.fail("%s", direction)
	}
	before := *l
	peer, err := l.integer("a rank", low, int64(len(p.ranks))-1)
	if err != nil {
		return err
	}
	if o.Peer = int(peer); o.Peer == p.rank {
		return before.fail("another rank")
	}
	if l.is("tag") {
		o.Tag, err = l.integer("a tag", low, maxTag)
	}
	return err
}

// places reads the CPU and the NIC of an operation.
func places(l *line, o *Op) error {
	for _, x := range []struct {
		word string
		to   *int
	}{{"cpu", &o.CPU}, {"nic", &o.NIC}} {
		if !l.is(x.word) {
			continue
		}
		n, err := l.integer("a number of the "+x.word, 0, maxPlace)
		if err != nil {
			return err
		}
		*x.to = int(n)
	}
	return l.end()
}

// depends reads a dependency between two labels.
func (p *parser) depends(l *line) error {
	of, err := p.label(l)
	if err != nil {
		return err
	}
	begun := l.is("irequires")
	if !begun && !l.is("requires") {
		return l.fail("requires or irequires")
	}
	on, err := p.label(l)
	if err != nil {
		return err
	}
	o := &p.ranks[p.rank][of]
	if begun {
		o.Begun = append(o.Begun, on)
	} else {
		o.Requires = append(o.Requires, on)
	}
	return l.end()
}

// label takes a label of the rank.
func (p *parser) label(l *line) (int32, error) {
	if len(l.words) > 0 {
		// A label may stand alone, before an operation that never came.
		if i, ok := p.labels[l.words[0]]; ok && int(i) < len(p.ranks[p.rank]) {
			l.words = l.words[1:]
			return i, nil
		}
	}
	return 0, l.fail("a label of an operation of the rank, above")
}
