package userspace

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/trace"
)

// The cells of the comparison of user-level communication (userspace, Tables 1
// and 2), each found by provoking on a running pair of nodes what it speaks of:
// the files ..._cells_table1, _links (one cell of Table 1) and _table2 do so. The
// layer's own declaration (comm.Traits) is not looked at.

// finding is the word of a cell and what was seen.
type finding struct{ word, seen string }

func found(word, seen string, args ...any) (finding, error) {
	return finding{word, fmt.Sprintf(seen, args...)}, nil
}

// cell is one column of the tables.
type cell struct {
	column string // as the rows of the published table name it
	title  string
	find   func(lab) (finding, error)
}

// cells are the columns that are provoked.
var cells = []cell{
	{"t1-model", "two messages before anybody looks; whether a request is answered", lab.model},
	{"t1-ctl", "what arrives tells the process of itself", lab.control},
	{"t1-intra", "a second process of the receiver's node", lab.intranode},
	{"t1-inter", "a process that the receiver has agreed nothing with", lab.internode},
	{"t1-multi", "two programs at once on both nodes", lab.multiprogramming},
	{"t1-ovf", "messages for a process that takes none", lab.overflow},
	{"t1-err", "a packet damaged on the way", lab.damage},
	{"t1-mgmt", "a link that dies while another way exists", lab.management},
	{"t2-send", "what the sender's node moves for a long message", lab.sendPath},
	{"t2-recv", "what the receiver's node moves for a long message", lab.receivePath},
	{"t2-rel", "who sends a damaged packet again", lab.reliability},
	{"t2-notif", "a process that polls", lab.notice},
}

// lab provokes one layer.
type lab struct {
	seed  uint64
	layer string
}

// longest is the longest message that a lab sends.
const longest = 16 << 10

// cluster builds nodes without processes.
func (l lab) cluster(nodes int) (*cluster.Cluster, error) {
	p, err := platform.Load(pairPlatform)
	if err != nil {
		return nil, err
	}
	return cluster.New(cluster.Spec{
		Profile: p, Layer: l.layer, Nodes: nodes, Seed: l.seed, Build: monitor.Off, Tags: 1,
		Kinds: []trace.Kind{trace.Data},
	})
}

// pair builds two nodes with a process each.
func (l lab) pair() (*livePair, error) {
	c, err := l.cluster(2)
	if err != nil {
		return nil, err
	}
	return newLivePair(c, longest)
}

// tabulated are the layers of the two tables, by the names of their rows.
var tabulated = []struct{ row, layer string }{
	{"genericam", "gam"}, {"amii", "amii"}, {"bip092", "bip"}, {"fm202", "fm"}, {"fm21", "fm21"}, {"pm12", "pm"}, {"vmmc2", "vmmc"},
}

// cells provokes what every cell of the two tables says. The counter-experiment
// is a layer whose cell has another word: the same experiment shows it there.
func (r *rows) cells() {
	table, err := judge.Published()
	if err != nil {
		panic("experiment: " + err.Error()) // the table is part of the binary
	}
	for _, c := range cells {
		find := map[string]func(context.Context) (finding, error){}
		for _, t := range tabulated {
			find[t.row] = judge.Once(func(ctx context.Context) (finding, error) {
				if err := ctx.Err(); err != nil {
					return finding{}, err
				}
				f, err := c.find(lab{r.seed, t.layer})
				if err != nil {
					err = fmt.Errorf("%s of %s: %w", c.column, t.layer, err)
				}
				return f, err
			})
		}
		word := func(layer string) string {
			row, _ := table.Row("us-" + c.column + "-" + layer)
			return row.Text
		}
		for i, t := range tabulated {
			id := "us-" + c.column + "-" + t.row
			other := ""
			for k := range tabulated {
				if o := tabulated[(i+k)%len(tabulated)]; word(o.row) != word(t.row) {
					other = o.row
					break
				}
			}
			want := word(t.row)
			is := func(row string) judge.Measure {
				return judge.Read(find[row], func(f finding) (judge.Measured, error) {
					return holds(f.word == want, "%s: %s", f.word, f.seen), nil
				})
			}
			r.Versus(id, c.title, is(t.row), "the same on "+layerOf(other), is(other))
		}
	}
	r.Versus("us-t2-pio", "host DMAs of a sender of 4 B, every layer", judge.Plain(func() (judge.Measured, error) { return r.shortMessages("pm") }),
		"PM counted among them", judge.Plain(func() (judge.Measured, error) { return r.shortMessages("") }))
}

// shortMessages says whether all layers but one send 4 B without a host DMA.
func (r *rows) shortMessages(but string) (judge.Measured, error) {
	ok := true
	var by []string
	for _, t := range tabulated {
		pio, err := lab{r.seed, t.layer}.shortByPIO()
		if err != nil {
			return judge.Measured{}, err
		}
		if pio {
			by = append(by, t.layer)
		}
		ok = ok && pio == (t.layer != but)
	}
	return holds(ok, "by programmed I/O: %s", strings.Join(by, ", ")), nil
}

func layerOf(row string) string {
	for _, t := range tabulated {
		if t.row == row {
			return t.layer
		}
	}
	return ""
}
