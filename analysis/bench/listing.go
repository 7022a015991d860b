package bench

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
)

// Listing is the output of a perftest tool. A field that its header does not have is empty or 0.
type Listing struct {
	File       string // its name
	Operation  string
	Measure    string // latency or bandwidth
	QueuePairs int64
	Depth      int64 // operations of a pair under way
	MTU        int64
	Window     int64    // reads and atomic operations of a pair under way
	Inline     *int64   // bytes that an entry may carry; nil: not said
	Link       string   // IB or Ethernet
	Special    []string // what the test does that the model's does not, in words
	Points     []ListedPoint
	LeftOut    []string // lines whose figure is 0 to the digits that the tool prints
}

// ListedPoint is one line of figures. Value is t_typical (t_avg in short listings) in µs, or BW average in
// MiB/s.
type ListedPoint struct {
	SizeBytes, Iterations int64
	Value                 float64
}

// listedOperations maps the names of operations in perftest's titles to those of Verbs.Operation.
var listedOperations = map[string]string{
	"RDMA_Write": "write", "RDMA_Read": "read", "Send": "send",
	"Atomic FETCH_AND_ADD": "fetch-add", "Atomic CMP_AND_SWAP": "compare-swap",
}

var (
	listingTitle  = regexp.MustCompile(`^(\S+(?: [A-Z_]+)??) (Bidirectional )?(?:Post List )?(BW|Latency) (?:\S+ )*Test$`)
	listingColumn = regexp.MustCompile(`#\w+|(?:BW\s+|99(?:\.9)?%\s*)?[\w.]+(?:\s+Port\d)?\[[^\]]*\]|tps average`)
	listingField  = regexp.MustCompile(`(Number of qps|TX depth|Mtu|Connection type|Outstand reads|Link type|Max inline data|CQ Moderation|Post List|Dual-port|Using SRQ)\s*:\s*(\w+)`)
	// listingSentence has what old tools say in words.
	listingSentence = regexp.MustCompile(`(Number of qp's running|Each Qp will post up to) (\w+)`)
)

// mostListed is the largest message of a verb.
const mostListed = 64 << 20

// Columns of every listing.
const (
	sizeColumn  = "#bytes"
	timesColumn = "#iterations"
)

// ReadListing reads a file, or a pipe, with the listing of one test. Errors name the file and the line.
func ReadListing(file string) (*Listing, error) {
	text, err := inputfile.ReadStream(file, inputfile.Text)
	if err != nil {
		return nil, err
	}
	l, err := parseListing(string(text))
	if err != nil {
		return nil, &inputfile.Error{File: file, Err: err}
	}
	l.File = filepath.Base(file)
	return l, nil
}

// parseListing reads the listing of one test. It returns an error for a second test in it, for a test that
// Verbs cannot have, and for a line of figures that are not numbers above 0. Errors name the line.
func parseListing(text string) (*Listing, error) {
	l := &Listing{}
	var columns *listedColumns
	n := 0
	for line := range strings.Lines(text) {
		n++
		var err error
		switch words := strings.Fields(line); {
		case len(words) == 0:
		case words[0] == sizeColumn && columns != nil:
			err = fmt.Errorf("a second test, want one")
		case words[0] == sizeColumn:
			columns, err = l.columns(line)
		case columns == nil:
			err = l.head(strings.TrimSpace(line))
		case words[0][0] >= '0' && words[0][0] <= '9': // others are lines and warnings
			err = l.row(columns, words)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	switch {
	case columns == nil:
		return nil, fmt.Errorf("no line that begins with %s, want what a perftest tool prints", sizeColumn)
	case len(l.Points) == 0:
		return nil, fmt.Errorf("no figures below the line that begins with %s", sizeColumn)
	}
	return l, nil
}

// head reads a line before the column names: the title, or fields such as "TX depth". It returns an error for
// two directions, other operations and other types of connection.
func (l *Listing) head(line string) error {
	if m := listingTitle.FindStringSubmatch(line); m != nil {
		var known bool
		if l.Operation, known = listedOperations[m[1]]; !known {
			return fmt.Errorf("a test of %q, want one of RDMA_Write, RDMA_Read, Send, Atomic", m[1])
		}
		if m[2] != "" {
			return fmt.Errorf("a test in both directions, want one direction")
		}
	}
	fields := map[string]*int64{
		"Number of qps": &l.QueuePairs, "TX depth": &l.Depth, "Mtu": &l.MTU, "Outstand reads": &l.Window,
		"Number of qp's running": &l.QueuePairs, "Each Qp will post up to": &l.Depth,
	}
	for _, m := range append(listingField.FindAllStringSubmatch(line, -1), listingSentence.FindAllStringSubmatch(line, -1)...) {
		to := fields[m[1]]
		if to == nil {
			if err := l.setting(m[1], m[2]); err != nil {
				return err
			}
			continue
		}
		v, err := strconv.ParseInt(m[2], 10, 32)
		if err != nil || v < 1 {
			return fmt.Errorf("%s is %q, want a positive whole number", m[1], m[2])
		}
		*to = v
	}
	return nil
}

// setting notes a field of the header that is no plain number.
func (l *Listing) setting(name, value string) error {
	switch name {
	case "Connection type":
		switch {
		case value == "UD" && l.Operation == "send":
			l.Operation = "send-ud"
		case value != "RC":
			return fmt.Errorf("connection type %s, want RC, or UD of Send", value)
		}
	case "Link type":
		l.Link = value
	case "Max inline data":
		if n, err := strconv.ParseInt(strings.TrimSuffix(value, "B"), 10, 32); err == nil {
			l.Inline = &n
		}
	case "CQ Moderation":
		if value != "1" {
			l.Special = append(l.Special, "a completion for every "+value+"th operation, the model one for each")
		}
	case "Post List":
		l.Special = append(l.Special, value+" operations posted at a time, the model one")
	case "Dual-port":
		if value == "ON" {
			l.Special = append(l.Special, "two ports, the model one")
		}
	case "Using SRQ":
		if value == "ON" {
			l.Special = append(l.Special, "receive buffers that pairs share, the model none")
		}
	}
	return nil
}

// Differs says in what the listing's test is not the model's with these values: bytes of an MTU and of data in an entry, reads
// and atomic operations of a pair under way, and whether its network is InfiniBand. What a header does not say differs in nothing.
func (l *Listing) Differs(mtu, inline, window int64, infiniband bool) (out []string) {
	reads := l.Operation != "write" && l.Operation != "send" && l.Operation != "send-ud"
	if l.MTU != 0 && l.MTU != mtu {
		out = append(out, fmt.Sprintf("an MTU of %d B, the platform one of %d B (verbs.mtu_bytes)", l.MTU, mtu))
	}
	if l.Inline != nil && *l.Inline != inline && !reads {
		out = append(out, fmt.Sprintf("up to %d B of data in an entry, the platform up to %d B (verbs.inline_bytes)", *l.Inline, inline))
	}
	if l.Window != 0 && l.Window != window && reads {
		out = append(out, fmt.Sprintf("%d reads of a pair under way, the platform %d (verbs.window)", l.Window, window))
	}
	if l.Link != "" && (l.Link == "IB") != infiniband {
		out = append(out, fmt.Sprintf("link type %s, the platform another", l.Link))
	}
	return append(out, l.Special...)
}

// listedColumns has the indexes of the columns that are read; the size is in the first.
type listedColumns struct {
	// iterations is -1 if the listing has no such column.
	iterations, value int
	name              string  // of the figure
	unit              float64 // of it, µs or MiB a second
}

// columns reads the line with the column names. It returns an error if the figure is missing or has another
// unit.
func (l *Listing) columns(line string) (*listedColumns, error) {
	names := listingColumn.FindAllString(line, -1)
	c := &listedColumns{iterations: slices.Index(names, timesColumn), unit: 1}
	for _, figure := range []struct {
		prefix, measure string
	}{{"t_typical[", "latency"}, {"t_avg[", "latency"}, {"BW average[", "bandwidth"}} {
		at := slices.IndexFunc(names, func(s string) bool { return strings.HasPrefix(strings.Join(strings.Fields(s), " "), figure.prefix) })
		if at < 0 {
			continue
		}
		c.value, c.name, l.Measure = at, names[at], figure.measure
		unit := c.name[strings.IndexByte(c.name, '[')+1 : len(c.name)-1]
		of := map[string]float64{"usec": 1, "MB/sec": 1, "MiB/sec": 1, "Gb/sec": 1e9 / 8 / (1 << 20)}
		if c.unit = of[unit]; c.unit == 0 || (unit == "usec") != (l.Measure == "latency") {
			return nil, fmt.Errorf("%s, want usec, MB/sec, MiB/sec or Gb/sec", c.name)
		}
		return c, nil
	}
	return nil, fmt.Errorf("no column t_typical[usec] or BW average[MiB/sec]")
}

// row reads a line of figures. One whose figure is 0 is left out. It returns an error for a size that is there
// already or above mostListed, and for figures below 0.
func (l *Listing) row(c *listedColumns, words []string) error {
	if len(words) <= max(c.value, c.iterations) {
		return fmt.Errorf("%d figures, want one below %s", len(words), c.name)
	}
	size, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil || size < 1 || size > mostListed {
		return fmt.Errorf("%s is %q, want a whole number from 1 to %d", sizeColumn, words[0], mostListed)
	}
	if slices.ContainsFunc(l.Points, func(p ListedPoint) bool { return p.SizeBytes == size }) {
		return fmt.Errorf("%d B a second time", size)
	}
	v, err := strconv.ParseFloat(words[c.value], 64)
	if err == nil && v == 0 {
		l.LeftOut = append(l.LeftOut, fmt.Sprintf("%d B: %s is %s", size, c.name, words[c.value]))
		return nil
	}
	if err != nil || !(v > 0) || math.IsInf(v*c.unit, 0) {
		return fmt.Errorf("%s is %q, want a number above 0", c.name, words[c.value])
	}
	p := ListedPoint{SizeBytes: size, Value: v * c.unit}
	if c.iterations >= 0 {
		if p.Iterations, err = strconv.ParseInt(words[c.iterations], 10, 64); err != nil || p.Iterations < 1 {
			return fmt.Errorf("%s is %q, want a positive whole number", timesColumn, words[c.iterations])
		}
	}
	l.Points = append(l.Points, p)
	return nil
}
