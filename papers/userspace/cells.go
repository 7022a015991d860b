package userspace

import (
	"slices"

	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
)

// column is a column of the comparison of layers (Tables 1 and 2). Each cell is
// found by provoking on live nodes what it speaks of. The layer's own declaration
// (comm.Traits) is not looked at.
type column struct {
	table, name string // as the ids of rows have them
	title       string
	find        func(*testbed.Bed) finding
}

var columns = []column{
	{"t1", "model", "two messages before any process looks; whether a request is answered", model},
	{"t1", "ctl", "what arrives tells the process of itself", control},
	{"t1", "intra", "a second process of the receiver's node", intranode},
	{"t1", "inter", "a process that the receiver has agreed nothing with", internode},
	{"t1", "multi", "two programs at once on both nodes", multiprogramming},
	{"t1", "ovf", "messages for a process that takes none", overflow},
	{"t1", "err", "a packet damaged", damage},
	{"t1", "mgmt", "a link that dies while another route exists", management},
	{"t2", "send", "what the sender's node moves for a long message", sendPath},
	{"t2", "recv", "what the receiver's node moves for a long message", receivePath},
	{"t2", "rel", "who sends a damaged packet again", reliability},
	{"t2", "notif", "a process that polls", notice},
}

// tabulated are the layers of the two tables, by the names of their rows.
var tabulated = []struct{ row, layer string }{
	{"genericam", "gam"}, {"amii", "amii"}, {"bip092", "bip"}, {"fm202", "fm"}, {"fm21", "fm21"}, {"pm12", "pm"}, {"vmmc2", "vmmc"},
}

// cells provokes what every cell of the two tables says. The counter-experiment
// is the next layer whose cell has another word: the same experiment shows it there.
func (r *rows) cells() {
	for _, k := range columns {
		for i, t := range tabulated {
			id := func(row string) string { return "us-" + k.table + "-" + k.name + "-" + row }
			word := publishedText(id(t.row))
			others := slices.Concat(tabulated[i:], tabulated[:i])
			other := others[slices.IndexFunc(others, func(o struct{ row, layer string }) bool { return publishedText(id(o.row)) != word })]
			is := func(layer string) test {
				return test{"the experiment shows the published word", func(x *study) judge.Measured {
					f := x.find(k.name, layer)
					return holds(f.word == word, "%s: %s", f.word, f.seen)
				}}
			}
			r.versus(id(t.row), k.title, is(t.layer), "the same on "+other.layer, is(other.layer))
		}
	}
}

// publishedText is the published value of a row.
func publishedText(id string) string {
	table, err := judge.Published()
	if err != nil {
		panic("userspace: " + err.Error()) // the table is part of the binary
	}
	row, _ := table.Row(id)
	return row.Text
}

// find provokes a cell.
func (x *study) find(name, layer string) finding {
	type key struct{ name, layer string }
	return once(x, key{name, layer}, func() finding {
		k := columns[slices.IndexFunc(columns, func(k column) bool { return k.name == name })]
		s := pair(layer, unchanged)
		if name == "mgmt" {
			s.Nodes = treeNodes
		}
		return live(x, s, k.find)
	})
}
