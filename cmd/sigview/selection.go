package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/trace"
)

// selection is a flag that takes properties of packets, KEY=VALUE, separated by commas. It
// may be repeated.
type selection struct{ to *experiment.Selection }

func (selection) Type() string { return listType }

func (s selection) String() string {
	if s.to == nil {
		return ""
	}
	return s.to.String()
}

func (s selection) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		err := s.to.Add(part)
		var wrong *bounds.Error
		if errors.As(err, &wrong) {
			return wantError(wrong.Want)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// completeSelection offers the keys, and after "kind=" the packet kinds.
var completeSelection = inList(func(_ *cobra.Command, _ []string, typed string) (words []string, _ cobra.ShellCompDirective) {
	key, _, valued := strings.Cut(typed, "=")
	switch {
	case !valued:
		for _, k := range experiment.SelectionKeys() {
			words = append(words, k+"=")
		}
	case key == "kind":
		for k := trace.Kind(0); k.CarriesRequest(); k++ {
			words = append(words, "kind="+k.String())
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
})
