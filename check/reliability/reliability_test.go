package reliability

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// results is the folder of the project's results.
var results = filepath.Join("..", "..", "testdata", "reliability")

// TestThePageIsThatOfTheResults: `make reliability` was run after the last change of a result.
func TestThePageIsThatOfTheResults(t *testing.T) {
	page, err := Page(results)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reliability.md"))
	require.NoError(t, err)
	require.Equal(t, page, string(text), "run make reliability")
}

func TestResultsAreSmallAndOnThePage(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(results, "*"))
	require.NoError(t, err)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(20_000), f)
		require.Contains(t, sectionNames, strings.TrimSuffix(filepath.Base(f), ".toml"))
	}
}

func sample() Part {
	p := Here("Random lists", "make lists")
	p.Says = "Lists are sorted twice."
	p.Figures = []Figure{
		{Name: "lists", Value: 1234567, AtLeast: Bound(1e6), Note: "seeds 1|2"},
		{Name: "findings", Value: 2, AtMost: Bound(0)},
		{Name: "share", Value: 97.512, Unit: "%", AtLeast: Bound(95), AtMost: Bound(100)},
		{Name: "time", Value: 0.25, Unit: "s"},
	}
	p.Tables = []Table{{Title: "By length", Columns: []string{"length", "lists"}, Rows: [][]string{{"1", "7"}}}}
	return p
}

func TestPage(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, sample().Write(filepath.Join(dir, "fuzz.toml")))
	page, err := Page(dir)
	require.NoError(t, err)
	for _, want := range []string{
		"| soak | not measured |",
		"| Random lists | lists | 1,234,567 | at least 1,000,000 | met |",
		"| Random lists | findings | 2 | at most 0 | **missed** |",
		"| Random lists | share | 97.5 % | at least 95 %, at most 100 % | met |",
		"| time | 0.25 s |  |",
		`seeds 1\|2`,
		"By length:\n\n| length | lists |\n|---|---|\n| 1 | 7 |\n",
		"`make lists`, ",
	} {
		require.Contains(t, page, want)
	}
	require.Equal(t, 1, strings.Count(page, "0.25 s"), "nothing is wanted of it")
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "fuzz.toml")
	require.NoError(t, sample().Write(file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	got, err := Parse(file, text)
	require.NoError(t, err)
	require.Equal(t, sample(), got)
}

func TestBadResultsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(p *Part)
	}{
		{"no title", "title is missing", func(p *Part) { p.Title = " " }},
		{"no date", "date is \"yesterday\"", func(p *Part) { p.Date = "yesterday" }},
		{"no figures", "figures are missing", func(p *Part) { p.Figures = nil }},
		{"no name", "figures[1] has no name", func(p *Part) { p.Figures[1].Name = "" }},
		{"long row", "row 0 has 3 cells for 2 columns", func(p *Part) { p.Tables[0].Rows[0] = make([]string, 3) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sample()
			c.change(&p)
			file := filepath.Join(t.TempDir(), "x.toml")
			require.ErrorContains(t, p.Write(file), c.want)
			require.NoFileExists(t, file)
		})
	}
	_, err := Parse("x.toml", []byte("title = \"x\"\ncolour = 3\n"))
	require.ErrorContains(t, err, "x.toml:2: colour is not a field")
}
