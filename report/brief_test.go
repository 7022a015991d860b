package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
)

// rows is a document with a table of so many rows, between parts of one line.
type rows int

func (r rows) title() string { return "rows" }

func (r rows) blocks(bool) []block {
	var list []int
	for i := range int(r) {
		list = append(list, i)
	}
	table := analysis.Tabulate(list, analysis.Text("<row", func(i int) string { return fmt.Sprint("row ", i) }))
	return []block{
		heading(1, "rows"), para("one paragraph"), heading(2, "Table"), view(table.Noted("a note")),
		heading(2, "More"), bullets([]string{"a", "b", "c", "d", "e"}), heading(2, "Last"), para("the end"),
	}
}

// TestAnswersFitTheirLines: an answer has no more lines than asked for, begins as the whole does,
// names what it leaves out, and is the whole if that fits.
func TestAnswersFitTheirLines(t *testing.T) {
	next := []string{"sigview view DIR"}
	for lines := 12; lines < 60; lines++ {
		for n := range 50 {
			whole := Text(rows(n), Style{})
			got := Text(rows(n), Style{Lines: lines, Next: next})
			require.LessOrEqual(t, strings.Count(got, "\n"), lines)
			require.True(t, strings.HasSuffix(got, next[0]+"\n"))
			if strings.Count(whole, "\n")+1 <= lines {
				require.Equal(t, whole+next[0]+"\n", got)
				continue
			}
			require.Contains(t, got, fmt.Sprintf("--full shows all %d lines.", strings.Count(whole, "\n")))
			for _, part := range []string{"Table", "More", "Last"} {
				require.Contains(t, got, part, "shown, or named as left out")
			}
		}
	}
	require.Equal(t, Text(rows(40), Style{Full: true}), Text(rows(40), Style{Lines: 20, Full: true}))
}

// TestAnswerOfARunFitsAScreen: the sentence, the way of packets, three findings at most.
func TestAnswerOfARunFitsAScreen(t *testing.T) {
	r := Of(sample(t))
	got := Text(r, Style{Lines: ScreenLines, Next: []string{"sigview why DIR", "sigview view DIR"}})
	require.LessOrEqual(t, strings.Count(got, "\n"), ScreenLines)
	require.True(t, strings.HasPrefix(Text(r, Style{}), strings.SplitAfter(got, "\n")[0]))
	require.Contains(t, got, "The way of")
	long := "sigview report " + strings.Repeat("folder/", 6)
	got = Text(r, Style{Lines: ScreenLines, All: long})
	require.LessOrEqual(t, strings.Count(got, "\n"), ScreenLines)
	require.Contains(t, got, long)
	require.LessOrEqual(t, strings.Count(got, "\n- "), briefItems+len(r.warnings()))
}
