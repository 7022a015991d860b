package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// writeOverview writes the first page: what the model meets, by kind of evidence and by
// paper, and how rows are judged.
func writeOverview(out io.Writer, doc *judge.Document, parts []part, links []Link) {
	fmt.Fprintf(out, "# How far are the papers' figures met?\n\n**%s.**\n\n", doc.Headline())
	if len(links) > 0 {
		fmt.Fprintf(out, "%d of these hinge on an assumed number of a profile: they are missed when it changes by 20 %%.\n", doc.Hinging())
	}
	fmt.Fprintf(out, "Made by `make docs`; do not edit.\n\n| verdict | rows | meaning |\n|---|---:|---|\n")
	for _, v := range judge.Verdicts {
		fmt.Fprintf(out, "| %s | %d | %s |\n", words(v.Verdict), doc.Totals.Of(v.Verdict), v.Meaning)
	}
	fmt.Fprintf(out, "| all | %d | |\n\n## Papers\n\n", doc.Totals.Rows)
	for _, p := range parts {
		fmt.Fprintf(out, "- %s: %s", p.Name, p.Citation())
		if p.measured() == 0 {
			fmt.Fprintf(out, " Not modelled yet.")
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "\n| paper |")
	for _, v := range judge.Verdicts {
		fmt.Fprintf(out, " %s |", words(v.Verdict))
	}
	fmt.Fprintf(out, "\n|---|%s\n", strings.Repeat("---:|", len(judge.Verdicts)))
	for _, p := range parts {
		name := p.Name
		if p.measured() > 0 {
			name = fmt.Sprintf("[%s](%s/%s.md)", p.Name, pagesDir, p.Name)
		}
		fmt.Fprintf(out, "| %s |", name)
		for _, v := range judge.Verdicts {
			fmt.Fprintf(out, " %d |", len(p.of(v.Verdict)))
		}
		fmt.Fprintln(out)
	}
	writeFlips(out, doc.Rows)
	fmt.Fprintf(out, "\n## How rows are judged\n\n%s\n## Further\n\n", judge.Rules())
	fmt.Fprintf(out, "- [%s](%s/%s): every row with its figures (`by_seed`: a value for each seed), experiments and notes\n", rowsFile, pagesDir, rowsFile)
	for _, l := range links {
		fmt.Fprintf(out, "- [%s](%s/%s): %s\n", l.File, pagesDir, l.File, l.Shows)
	}
}

// writeFlips lists the rows that seeds disagree on.
func writeFlips(out io.Writer, rows []judge.Result) {
	fmt.Fprintf(out, "\n## Rows that flip between seeds\n\n")
	t := table{out: out, head: []string{"quantity", "published", "modelled", "met with", "verdict", "row"}, none: "None."}
	for _, r := range rows {
		if r.Held > 0 && r.Held < r.Seeds {
			t.row(quantity(r), r.PublishedText(), r.ModelledText(), r.HeldText(), words(r.Verdict), code(r.ID))
		}
	}
	t.end()
}
