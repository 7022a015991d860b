package reliability

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// sectionNames are the parts of the page, in its order; each is a file of the folder of results.
var sectionNames = []string{"soak", "history", "svm", "mutants", "plantings", "fuzz", "architectures", "supply"}

//go:embed head.md
var head string

// Page returns the page of a folder of results. A section without a file is shown as not
// measured.
func Page(dir string) (string, error) {
	var summary, sections strings.Builder
	for _, name := range sectionNames {
		file := filepath.Join(dir, name+".toml")
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			fmt.Fprintf(&summary, "| %s | not measured | | | |\n", name)
			continue
		}
		if err != nil {
			return "", err
		}
		p, err := Parse(file, text)
		if err != nil {
			return "", err
		}
		p.summarize(&summary)
		p.section(&sections)
	}
	return head + "\n| part | figure | measured | wanted | |\n|---|---|---:|---:|---|\n" + summary.String() + sections.String(), nil
}

// summarize writes the figures of which something is wanted.
func (p Part) summarize(b *strings.Builder) {
	for _, f := range p.Figures {
		if met, wanted := f.Met(); wanted {
			verdict := "met"
			if !met {
				verdict = "**missed**"
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(p.Title), cell(f.Name), f.number(f.Value), f.want(), verdict)
		}
	}
}

func (p Part) section(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", p.Title, strings.TrimSpace(p.Says))
	fmt.Fprintf(b, "`%s`, %s, commit %s, %s.\n\n", p.Command, p.Date, p.Commit, p.Machine)
	b.WriteString("| figure | measured | |\n|---|---:|---|\n")
	for _, f := range p.Figures {
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(f.Name), f.number(f.Value), cell(f.Note))
	}
	for _, t := range p.Tables {
		fmt.Fprintf(b, "\n%s:\n\n", t.Title)
		row(b, t.Columns)
		b.WriteString(strings.Repeat("|---", len(t.Columns)) + "|\n")
		for _, r := range t.Rows {
			row(b, r)
		}
	}
}

func row(b *strings.Builder, cells []string) {
	for _, c := range cells {
		b.WriteString("| " + cell(c) + " ")
	}
	b.WriteString("|\n")
}

// cell keeps a text from ending its cell or its row.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

// want returns the bounds of a figure in words.
func (f Figure) want() string {
	var parts []string
	if f.AtLeast != nil {
		parts = append(parts, "at least "+f.number(*f.AtLeast))
	}
	if f.AtMost != nil {
		parts = append(parts, "at most "+f.number(*f.AtMost))
	}
	return strings.Join(parts, ", ")
}

// number returns a value with its unit. Whole numbers have commas between their thousands,
// and others three digits.
func (f Figure) number(x float64) string {
	text := strconv.FormatFloat(x, 'g', 3, 64)
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		text = thousands(strconv.FormatFloat(x, 'f', 0, 64))
	}
	switch f.Unit {
	case "", "%", "/s":
		return text + strings.Replace(f.Unit, "%", " %", 1)
	}
	return text + " " + f.Unit
}

func thousands(digits string) string {
	start := strings.TrimLeft(digits, "-")
	sign := digits[:len(digits)-len(start)]
	for i := len(start) - 3; i > 0; i -= 3 {
		start = start[:i] + "," + start[i:]
	}
	return sign + start
}
