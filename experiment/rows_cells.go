package experiment

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/experiment/validate"
)

// pairPlatform is the pair of nodes that five layers were compared on.
const pairPlatform = "ppro"

// tabulated are the layers of the two tables, by the names of their rows.
var tabulated = []struct{ row, layer string }{
	{"genericam", "gam"}, {"amii", "amii"}, {"bip092", "bip"}, {"fm202", "fm"}, {"fm21", "fm21"}, {"pm12", "pm"}, {"vmmc2", "vmmc"},
}

// cells provokes what every cell of the two tables says. The counter-experiment
// is a layer whose cell has another word: the same experiment shows it there.
func (r *rows) cells() {
	table, _, err := reference()
	if err != nil {
		panic("experiment: " + err.Error()) // the tables are part of the binary
	}
	for _, c := range cells {
		find := map[string]func(context.Context) (finding, error){}
		for _, t := range tabulated {
			find[t.row] = validate.Once(func(ctx context.Context) (finding, error) {
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
			return cellWord(row.Note)
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
			is := func(row string) validate.Measure {
				return read(find[row], func(f finding) (validate.Measured, error) {
					return holds(f.word == want, "%s: %s", f.word, f.seen), nil
				})
			}
			r.versus(id, c.title, is(t.row), "the same on "+layerOf(other), is(other))
		}
	}
	r.versus("us-t2-pio", "host DMAs of a sender of 4 B, every layer", plain(func() (validate.Measured, error) { return r.shortMessages("pm") }),
		"PM counted among them", plain(func() (validate.Measured, error) { return r.shortMessages("") }))
}

// shortMessages says whether all layers but one send 4 B without a host DMA.
func (r *rows) shortMessages(but string) (validate.Measured, error) {
	ok := true
	var by []string
	for _, t := range tabulated {
		pio, err := lab{r.seed, t.layer}.shortByPIO(context.Background())
		if err != nil {
			return validate.Measured{}, err
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

// cellWord is the word of a cell in a row's note.
func cellWord(note string) string {
	word, _, _ := strings.Cut(strings.TrimPrefix(note, "value="), ";")
	return word
}
