package flags

import (
	"errors"
	"strings"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
)

// selection is a flag that takes properties of packets, KEY=VALUE, separated by commas. It
// may be repeated.
type selection struct{ to *experiment.Selection }

func (selection) Type() string { return ListType }

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
			return Want(wrong.Want)
		} else if err != nil {
			return err
		}
	}
	return nil
}
