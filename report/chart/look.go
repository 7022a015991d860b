package chart

import "github.com/sigview/sigview/report/chart/cell"

// Form is the shape of a mark.
type Form uint8

// Forms of marks.
const (
	Circle Form = iota
	Square
	Diamond
	Ring
	Plus
	Up
	Down
	Cross
	numForms
)

// forms are the marks on characters, full and hollow, and in pixels about the middle.
var forms = [numForms]struct {
	full, hollow rune
	edge         []spot
}{
	Circle:  {'●', '○', []spot{{-3.6, 0}, {-3.1, -1.8}, {-1.8, -3.1}, {0, -3.6}, {1.8, -3.1}, {3.1, -1.8}, {3.6, 0}, {3.1, 1.8}, {1.8, 3.1}, {0, 3.6}, {-1.8, 3.1}, {-3.1, 1.8}}},
	Square:  {'■', '□', []spot{{-3.2, -3.2}, {3.2, -3.2}, {3.2, 3.2}, {-3.2, 3.2}}},
	Diamond: {'◆', '◇', []spot{{0, -4.6}, {4.6, 0}, {0, 4.6}, {-4.6, 0}}},
	Ring:    {'◉', '◌', []spot{{-2, -4}, {2, -4}, {4, 0}, {2, 4}, {-2, 4}, {-4, 0}}},
	Plus:    {'✚', '✕', []spot{{-1.2, -4.4}, {1.2, -4.4}, {1.2, -1.2}, {4.4, -1.2}, {4.4, 1.2}, {1.2, 1.2}, {1.2, 4.4}, {-1.2, 4.4}, {-1.2, 1.2}, {-4.4, 1.2}, {-4.4, -1.2}, {-1.2, -1.2}}},
	Up:      {'▲', '△', []spot{{0, -4.4}, {4.2, 3.2}, {-4.2, 3.2}}},
	Down:    {'▼', '▽', []spot{{0, 4.4}, {4.2, -3.2}, {-4.2, -3.2}}},
	Cross:   {'▪', '▫', []spot{{-2.6, -4}, {0, -1.4}, {2.6, -4}, {4, -2.6}, {1.4, 0}, {4, 2.6}, {2.6, 4}, {0, 1.4}, {-2.6, 4}, {-4, 2.6}, {-1.4, 0}, {-4, -2.6}}},
}

// Rune returns the character of a mark. A hollow one stands for a value that rests on few packets.
func (f Form) Rune(hollow bool) rune {
	if hollow {
		return forms[f].hollow
	}
	return forms[f].full
}

// inks of series in their order: the colours of Okabe and Ito, the darker ones first.
var inks = [...]cell.Ink{cell.Down, cell.Dest, cell.Net, cell.Difference, cell.Source, cell.LANai, cell.Plain}

// LookOf returns the look of the i-th series of a chart whose series have no looks of
// their own. Forms and colours repeat with different periods, so that many series have
// different looks.
func LookOf(i int) Look {
	return Look{Form: Form(i % int(numForms)), Ink: inks[i%len(inks)], Letter: 'a' + rune(i%26)}
}

// letter returns the letter of series i in text: that of the look, or one by the index.
func (l Look) letter(i int) rune {
	if l.Letter != 0 {
		return l.Letter
	}
	return 'a' + rune(i%26)
}

// web are the colours of inks in pictures. Other inks have the colour of the text.
var web = map[cell.Ink]string{
	cell.Source: "#E69F00", cell.LANai: "#56B4E9", cell.Net: "#009E73", cell.Dest: "#D55E00", cell.Difference: "#CC79A7",
	cell.Up: "#D55E00", cell.Down: "#0072B2", cell.Second: "#F0E442",
}
