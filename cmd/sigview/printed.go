package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"github.com/sigview/sigview/chart/cell"
)

// colour is a sequence that sets a colour, as reports write it.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// printed returns a text as it may reach a terminal. Names, tags, warnings and paths can come
// from files of others, with sequences that steer it. Colours stay if there may be any.
func printed(text string, colours bool) string {
	if !colours {
		return cell.Visible(text)
	}
	var b strings.Builder
	for {
		at := colour.FindStringIndex(text)
		if at == nil {
			return b.String() + cell.Visible(text)
		}
		b.WriteString(cell.Visible(text[:at[0]]) + text[at[0]:at[1]])
		text = text[at[1]:]
	}
}

// show writes a command's result to standard output, also when it ends half-way.
func (a *app) show(write func(io.Writer) error) error {
	var b bytes.Buffer
	err := write(&b)
	if _, failed := io.WriteString(a.stdout, printed(b.String(), a.style().Colour)); err == nil {
		err = failed
	}
	return err
}
