package userspace

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/papers/judge"
)

// column is a column of the comparison of layers (Tables 1 and 2). Each cell is
// found by an experiment on live nodes, and not from what the layer declares about
// itself (comm.Traits).
type column struct {
	table, name string // as in the ids of rows
	title       string
	find        func(*testbed.Testbed) finding
	words       map[string]string // the column's terms for words of find that differ
	nodes       int               // of the testbed, 0 for the pair
}

var columns = []column{
	{"t1", "model", "two messages before any process polls; whether a request is answered", model, nil, 0},
	{"t1", "ctl", "how a process learns of a message", notice, map[string]string{"Polling": "Combined", "N/A": "Separate", "None": "Data Only"}, 0},
	{"t1", "intra", "a second process of the receiver's node", intranode, nil, 0},
	{"t1", "inter", "a message of a process that is not connected to the receiver", internode, nil, 0},
	{"t1", "multi", "two programs at once on both nodes", multiprogramming, nil, 0},
	{"t1", "ovf", "messages for a process that receives none", overflow, nil, 0},
	{"t1", "err", "a packet damaged", reliability, map[string]string{"None": "Catastrophic", "Firmware": "Tolerated", "Library+Copy": "Tolerated"}, 0},
	{"t1", "mgmt", "a link that fails while another route exists", management, nil, treeNodes},
	{"t2", "send", "what the sender's node moves for a long message", path(0), nil, 0},
	{"t2", "recv", "what the receiver's node moves for a long message", path(1), nil, 0},
	{"t2", "rel", "who sends a damaged packet again", reliability, nil, 0},
	{"t2", "notif", "a process that polls", notice, nil, 0},
}

// The layers of the two tables, and how the ids of rows name them.
var (
	tabulated = []string{"gam", "amii", "bip", "fm", "fm21", "pm", "vmmc"}
	rowNames  = map[string]string{"gam": "genericam", "amii": "amii", "bip": "bip092", "fm": "fm202", "fm21": "fm21", "pm": "pm12", "vmmc": "vmmc2"}
)

func (k column) id(layer string) string {
	return "us-" + k.table + "-" + k.name + "-" + rowNames[layer]
}

// cells holds the rows of the two tables. The counter-experiment is the same
// experiment on another layer whose cell has another word, found by what happens and
// not by an error message.
func (r *rows) cells() {
	for _, k := range columns {
		wordOf := func(layer string) string { return publishedText(k.id(layer)) }
		for _, layer := range tabulated {
			word := wordOf(layer)
			other := another(word, []string{"bip", "pm", "vmmc"}, wordOf)
			is := func(layer string) test {
				return test{"the experiment shows the published word", func(x *study) judge.Measured {
					f := x.find(k.name, layer)
					return holds(f.word == word, "%s: %s", f.word, f.seen)
				}}
			}
			r.versus(k.id(layer), k.title, is(layer), "the same on "+other, is(other))
		}
	}
}

// another returns the first layer with another word, "" if there is none.
func another(word string, layers []string, of func(layer string) string) string {
	if i := slices.IndexFunc(layers, func(layer string) bool { return of(layer) != word }); i >= 0 {
		return layers[i]
	}
	return ""
}

// publishedText returns the published value of a row.
func publishedText(id string) string {
	table, err := judge.Published()
	if err != nil {
		panic("userspace: " + err.Error()) // the table is part of the binary
	}
	row, _ := table.Row(id)
	return row.Text
}

// find runs the experiment of a column on a layer.
func (x *study) find(name, layer string) finding {
	return once(x, func() finding {
		k := columns[slices.IndexFunc(columns, func(k column) bool { return k.name == name })]
		f := live(x, layer, k.find, func(s *testbed.Spec) { s.Nodes = k.nodes })
		f.word = cmp.Or(k.words[f.word], f.word)
		return f
	}, "cell", name, layer)
}
