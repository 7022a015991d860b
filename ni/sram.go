package ni

import (
	"fmt"
	"strings"
)

// SRAM is the allocation table of the card's memory: the bytes of each owner.
// Owners keep the contents.
type SRAM struct {
	bytes  int
	used   int
	blocks []block
}

type block struct {
	owner string
	bytes int
}

// Reserve allocates bytes for owner. If they do not fit, the error includes the
// table.
func (s *SRAM) Reserve(owner string, bytes int) error {
	if bytes < 0 || bytes > s.Free() {
		return fmt.Errorf("the interface's SRAM has %d B free, %s wants %d B\n%s", s.Free(), owner, bytes, s)
	}
	s.used += bytes
	s.blocks = append(s.blocks, block{owner, bytes})
	return nil
}

// Free returns the bytes that are not reserved.
func (s *SRAM) Free() int { return s.bytes - s.used }

// String returns the table, an owner and its bytes a line, and the sum.
func (s *SRAM) String() string {
	var b strings.Builder
	for _, k := range s.blocks {
		fmt.Fprintf(&b, "  %-24s %9d B\n", k.owner, k.bytes)
	}
	fmt.Fprintf(&b, "  %-24s %9d B of %d B", "in all", s.used, s.bytes)
	return b.String()
}
