package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/report/chart/cell"
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

// printer writes to standard output, and notes why it takes no more: not all that use it
// look at the error.
type printer struct{ *app }

func (p printer) Write(text []byte) (int, error) {
	n, err := p.stdout.Write(text)
	if err != nil {
		p.unprinted = fmt.Errorf("standard output: %w", inputfile.Cause(err))
	}
	return n, p.unprinted
}

// show writes a command's result to standard output, also when it ends half-way.
func (a *app) show(write func(io.Writer) error) error {
	var b bytes.Buffer
	err := write(&b)
	if _, failed := io.WriteString(printer{a}, printed(b.String(), a.style().Colour)); err == nil {
		err = failed
	}
	return err
}
