package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/table"
	"github.com/charmbracelet/lipgloss"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart/cell"
)

// chooser is a table of which a row is chosen while something is typed.
type chooser struct{ model table.Model }

// typing are the keys of a chooser: those that do not edit what is typed.
var typing = table.KeyMap{
	LineUp: key.NewBinding(key.WithKeys("up")), LineDown: key.NewBinding(key.WithKeys("down")),
	PageUp: key.NewBinding(key.WithKeys("pgup")), PageDown: key.NewBinding(key.WithKeys("pgdown")),
	GotoTop: key.NewBinding(key.WithKeys("home")), GotoBottom: key.NewBinding(key.WithKeys("end")),
}

const (
	chosenMark = "\x01" // begins the line of the chosen row; no text on a canvas has it
	columnGap  = 2
)

// Second returns the table with rows in a part of the screen, its headings in the first line. It
// is made anew for another size, where a model that is resized may lose its cursor from view.
func (k chooser) Second(columns []table.Column, rows []table.Row, width, height int) table.Model {
	if t := k.model; t.Width() == width && t.Height() == height-1 && len(t.Rows()) == len(rows) {
		return t
	}
	t := table.New(table.WithColumns(columns), table.WithRows(rows), table.WithKeyMap(typing), table.WithFocused(true),
		table.WithStyles(table.Styles{
			Header:   lipgloss.NewStyle().PaddingRight(columnGap),
			Cell:     lipgloss.NewStyle().PaddingRight(columnGap),
			Selected: lipgloss.NewStyle().Transform(func(row string) string { return chosenMark + row }),
		}),
		table.WithWidth(width), table.WithHeight(height))
	t.MoveDown(k.model.Cursor())
	return t
}

// Act gives a key to the table. It returns false if that is no key of it.
func (k *chooser) Act(t table.Model, msg interface{ String() string }) bool {
	if !key.Matches(msg, typing.LineUp, typing.LineDown, typing.PageUp, typing.PageDown, typing.GotoTop, typing.GotoBottom) {
		return false
	}
	k.model, _ = t.Update(msg)
	return true
}

// drawTable draws a table of a chooser, each column in its ink, and the last ink in all further
// ones.
func drawTable(c *cell.Canvas, t table.Model, inks ...cell.Ink) {
	for y, line := range strings.Split(t.View(), "\n") {
		text, chosen := strings.CutPrefix(line, chosenMark)
		x, runes := 0, []rune(text)
		for i, column := range lists.Filter(t.Columns(), func(k table.Column) bool { return k.Width > 0 }) {
			end := min(x+column.Width+columnGap, len(runes))
			ink := inks[min(i, len(inks)-1)]
			if y == 0 {
				ink = cell.Faint
			}
			if text := string(runes[x:end]); strings.TrimSpace(text) != "" || chosen {
				c.Sub(x, y, end-x, 1).Text(0, 0, text, ink, scene.AttrIf(chosen, cell.Reverse))
			}
			x = end
		}
	}
}

// row returns texts that are safe to show as a row.
func row(texts ...string) table.Row { return lists.Map(texts, cell.Clean) }
