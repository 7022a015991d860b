package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sigview/sigview/check/reliability"
)

func main() {
	only := flag.String("only", "386,arm64", "the processors to compare with this machine's")
	short := flag.Bool("short", false, "only run the first command, of programs that compile in less time")
	write := flag.String("o", "", "write the results into this file, for docs/reliability.md")
	flag.Parse()
	list, flags := commands, map[string][]string{}
	if *short {
		list, flags = list[:1], cheap
	}
	if err := try(strings.Split(*only, ","), list, flags, *write); err != nil {
		fmt.Fprintln(os.Stderr, "architectures:", err)
		os.Exit(1)
	}
}

// result is what was found on a processor.
type result struct {
	processor    string
	files, bytes int
	differ       []string // names of files
}

// try prints what it finds, and returns an error if something differs. Flags are those of builds, by
// processor.
func try(processors []string, list [][]string, flags map[string][]string, write string) error {
	dir, err := os.MkdirTemp("", "sigview-architectures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	want, err := run(dir, native, nil, list)
	if err != nil {
		return err
	}
	var all []result
	bad := 0
	for _, p := range processors {
		got, err := run(dir, p, flags[p], list)
		if err != nil {
			return err
		}
		r := result{processor: p, files: len(got), differ: differing(want, got)}
		for _, text := range got {
			r.bytes += len(text)
		}
		for _, name := range r.differ {
			fmt.Printf("%s: %s differs\n", p, name)
		}
		fmt.Printf("%s: %d of %d files differ, of %d bytes\n", p, len(r.differ), r.files, r.bytes)
		all = append(all, r)
		bad += len(r.differ)
	}
	var instructions []string
	if slices.Contains(processors, "arm64") {
		if instructions, err = fused(program(dir, "arm64")); err != nil {
			return err
		}
		for _, at := range instructions {
			fmt.Println("arm64: fused:", at)
		}
		fmt.Printf("arm64: %d fused instructions\n", len(instructions))
	}
	if write != "" {
		err = part(list, all, len(instructions)).Write(write)
	}
	if err == nil && bad+len(instructions) > 0 {
		err = fmt.Errorf("results depend on the processor")
	}
	return err
}

func part(list [][]string, all []result, instructions int) reliability.Part {
	p := reliability.Here("Processors", "go run ./check/architectures -o testdata/reliability/architectures.toml")
	p.Says = "sigview runs the same commands on other processors. What they print and write, whole run directories among it, is compared " +
		"byte by byte with that of this machine. The program for arm64 is also searched for instructions of sigview's packages that add to a product " +
		"without rounding it: not all processors have them."
	differ := 0
	table := reliability.Table{Title: "By processor", Columns: []string{"processor", "files", "bytes", "files that differ"}}
	for _, r := range all {
		differ += len(r.differ)
		table.Rows = append(table.Rows, []string{r.processor, fmt.Sprint(r.files), fmt.Sprint(r.bytes), fmt.Sprint(len(r.differ))})
	}
	p.Figures = []reliability.Figure{
		{Name: "files that differ", Value: float64(differ), AtMost: reliability.Bound(0)},
		{Name: "fused instructions", Value: float64(instructions), AtMost: reliability.Bound(0)},
	}
	ran := reliability.Table{Title: "Commands", Columns: []string{"sigview"}}
	for _, c := range list {
		ran.Rows = append(ran.Rows, []string{"`" + strings.Join(c, " ") + "`"})
	}
	p.Tables = []reliability.Table{table, ran}
	return p
}
