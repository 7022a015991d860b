package goal

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Write writes a schedule. Each of comments becomes a line.
func (s *Schedule) Write(w io.Writer, comments ...string) error {
	out := bufio.NewWriter(w)
	for _, c := range comments {
		fmt.Fprintf(out, "// %s\n", strings.ReplaceAll(c, "\n", " "))
	}
	fmt.Fprintf(out, "num_ranks %d\n", len(s.Ranks))
	for rank, ops := range s.Ranks {
		fmt.Fprintf(out, "\nrank %d {\n", rank)
		for i := range ops {
			ops[i].write(out, i)
		}
		// What an operation depends on may stand below it.
		for i, o := range ops {
			for _, on := range o.Requires {
				fmt.Fprintf(out, "l%d requires l%d\n", i, on)
			}
			for _, on := range o.Begun {
				fmt.Fprintf(out, "l%d irequires l%d\n", i, on)
			}
		}
		fmt.Fprintln(out, "}")
	}
	return out.Flush()
}

func (o *Op) write(out io.Writer, label int) {
	fmt.Fprintf(out, "l%d: %s %d", label, o.Kind, o.Size)
	switch o.Kind {
	case Send:
		fmt.Fprintf(out, "b to %d tag %d", o.Peer, o.Tag)
	case Recv:
		fmt.Fprintf(out, "b from %d tag %d", o.Peer, o.Tag)
	}
	if o.CPU != 0 {
		fmt.Fprintf(out, " cpu %d", o.CPU)
	}
	if o.NIC != 0 && o.Kind != Calc {
		fmt.Fprintf(out, " nic %d", o.NIC)
	}
	fmt.Fprintln(out)
}
