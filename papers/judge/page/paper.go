package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// write writes the page of a paper.
func (p part) write(out io.Writer) {
	fmt.Fprintf(out, "# %s\n\n%s\n\n", p.Title, p.Citation())
	fmt.Fprintf(out, "**%d predicted and %d provoked, of %d published statements of which the model contains %d.**\n",
		len(p.of(judge.Predicted)), len(p.of(judge.Provoked)), len(p.rows), p.measured())
	fmt.Fprintf(out, "Made by `make docs`; do not edit. [All papers](../validation.md), [all rows](%s).\n", rowsFile)
	p.writeFigures(out)
	p.writeBehaviour(out)
	p.writeGaps(out)
	writeFlips(out, p.rows)
	if p.studied {
		p.writeSensitivity(out)
	}
	p.writeRest(out)
}

func (p part) writeFigures(out io.Writer) {
	figures := p.figures()
	if len(figures) == 0 {
		return
	}
	fmt.Fprintf(out, "\n## Figures\n\n![%s: the model beside the paper](%s.svg)\n\n", p.Name, p.Name)
	fmt.Fprintf(out, `The published value is 100 %%: the middle of a published range, or its upper end if the range begins at zero. The mark is
the median over seeds, the line their range. Numbers that set a parameter, and sums of those, are not shown.

`)
	of := p.subject()
	t := table{out: out, head: []string{"quantity", "of", "published", "modelled", "error", "met with", "verdict", "because", "row"}}
	for _, f := range figures {
		t.row(quantity(f.Result), of(f.Result), f.PublishedText(), f.ModelledText(), f.ErrorText(), f.HeldText(),
			words(f.Verdict), judge.Readable(f.Because), code(f.ID))
	}
}

// subject returns what names the machine or the layer of a row, whichever tells more
// rows apart.
func (p part) subject() func(judge.Result) string {
	platforms, layers := map[string]bool{}, map[string]bool{}
	for _, r := range p.of(judge.Predicted, judge.Provoked, judge.KnownGap, judge.Miss) {
		platforms[r.Platform], layers[r.Layer] = true, true
	}
	if len(platforms) > len(layers) {
		return func(r judge.Result) string {
			var names []string
			for machine := range strings.SplitSeq(r.Platform, " / ") {
				name, _, _ := strings.Cut(machine, ":")
				names = append(names, name)
			}
			return strings.Join(names, ", ")
		}
	}
	return func(r judge.Result) string { return r.Layer }
}

// writeBehaviour lists the statements in words that the model meets.
func (p part) writeBehaviour(out io.Writer) {
	fmt.Fprintf(out, "\n## Behaviour\n\n")
	of := p.subject()
	t := table{out: out, head: []string{"statement", "of", "what is tested", "not met in the counter-experiment", "met with", "row"}, none: "None."}
	for _, r := range p.of(judge.Predicted, judge.Provoked) {
		if !r.Numeric {
			t.row(quantity(r), of(r), r.CriterionText(), r.Counter, r.HeldText(), code(r.ID))
		}
	}
	t.end()
}

// writeGaps lists what the model misses, with the causes.
func (p part) writeGaps(out io.Writer) {
	fmt.Fprintf(out, "\n## Known gaps\n\n")
	of := p.subject()
	t := table{out: out, head: []string{"quantity", "of", "published", "modelled", "cause", "row"}, none: "None."}
	for _, r := range p.of(judge.KnownGap) {
		t.row(quantity(r), of(r), r.PublishedText(), r.ModelledText(), judge.Readable(r.Why), code(r.ID))
	}
	t.end()
	if missed := p.of(judge.Miss); len(missed) > 0 {
		fmt.Fprintf(out, "\n## Missed\n\n")
		t := table{out: out, head: []string{"quantity", "of", "published", "modelled", "met with", "note", "row"}}
		for _, r := range missed {
			t.row(quantity(r), of(r), r.PublishedText(), r.ModelledText(), r.HeldText(), r.Note, code(r.ID))
		}
	}
}

// writeSensitivity lists the rows that show something, and would not with an assumed
// number changed.
func (p part) writeSensitivity(out io.Writer) {
	fmt.Fprintf(out, "\n## Sensitivity\n\n[Each assumed number](sensitivity.md) of the profiles is changed by 20 %%. These rows hinge on one.\n\n")
	t := table{out: out, head: []string{"quantity", "of", "hinges on", "row"}, none: "None."}
	of := p.subject()
	for _, r := range p.of(judge.Predicted, judge.Provoked) {
		if len(r.HingesOn) > 0 {
			t.row(quantity(r), of(r), strings.Join(r.HingesOn, "; "), code(r.ID))
		}
	}
	t.end()
}

// writeRest counts the other rows, and the reasons why rows are not modelled.
func (p part) writeRest(out io.Writer) {
	fmt.Fprintf(out, "\n## The other rows\n\n")
	for _, v := range []judge.Verdict{judge.Derived, judge.ByConstruction, judge.Calibrated} {
		fmt.Fprintf(out, "- %s: %d\n", words(v), len(p.of(v)))
	}
	var order []string
	count := map[string]int{}
	for _, r := range p.of(judge.NotModelled) {
		if count[r.Note]++; count[r.Note] == 1 {
			order = append(order, r.Note)
		}
	}
	for _, why := range order {
		fmt.Fprintf(out, "- not modelled: %d, %s\n", count[why], judge.Readable(why))
	}
}
