// Command perfpage sets what `go test -bench` printed into the table of a
// page, between two marker lines; what people wrote around it stays.
//
//	go test -run '^$' -bench . ./... | go run ./internal/perfpage docs/performance.md
package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

const (
	begin = "<!-- made by make bench: begin -->"
	end   = "<!-- made by make bench: end -->"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: perfpage PAGE < benchmarks")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "perfpage:", err)
		os.Exit(1)
	}
}

func rewrite(page string, in io.Reader) error {
	results, err := parse(in)
	if err != nil {
		return err
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err := insert(string(old), results.table())
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(text), 0o644)
}

// insert replaces what stands between the markers.
func insert(page, table string) (string, error) {
	head, rest, ok1 := strings.Cut(page, begin+"\n")
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return "", fmt.Errorf("no table to fill, want the lines %q and %q", begin, end)
	}
	return head + begin + "\n" + table + end + tail, nil
}

// results is the output of one run of go test -bench.
type results struct {
	cpu  string
	rows []row
}

type row struct {
	pkg, name string
	metrics   []metric // in the order printed
}

type metric struct {
	value float64
	unit  string
}

// parse reads benchmark lines; a run that failed, or measured nothing, is an
// error.
func parse(in io.Reader) (results, error) {
	var r results
	pkg := ""
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case key == "cpu":
			r.cpu = strings.TrimSpace(value)
		case key == "pkg":
			pkg = value
		case strings.HasPrefix(line, "FAIL"), strings.HasPrefix(line, "--- FAIL"), strings.HasPrefix(line, "panic:"):
			return r, fmt.Errorf("the benchmarks failed: %s", line)
		case strings.HasPrefix(line, "Benchmark"):
			row, ok, err := parseRow(pkg, strings.Fields(line))
			if err != nil {
				return r, err
			}
			if ok {
				r.rows = append(r.rows, row)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return r, err
	}
	if len(r.rows) == 0 {
		return r, fmt.Errorf("no benchmark on standard input")
	}
	return r, nil
}

// parseRow takes "BenchmarkName-8 1000 12.3 ns/op 4 B/op …". A line with the
// name alone, as -v prints, is no row.
func parseRow(pkg string, fields []string) (row, bool, error) {
	if len(fields) < 4 {
		return row{}, false, nil
	}
	name := strings.TrimPrefix(fields[0], "Benchmark")
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			name = name[:i]
		}
	}
	r := row{pkg: pkg[strings.LastIndexByte(pkg, '/')+1:], name: name}
	for i := 2; i+1 < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return row{}, false, fmt.Errorf("benchmark %s: %q is no number", name, fields[i])
		}
		r.metrics = append(r.metrics, metric{v, fields[i+1]})
	}
	return r, true, nil
}

func (r row) get(unit string) (float64, bool) {
	i := slices.IndexFunc(r.metrics, func(m metric) bool { return m.unit == unit })
	if i < 0 {
		return 0, false
	}
	return r.metrics[i].value, true
}

// standard units have columns of their own; others are listed in the last.
var standard = []string{"ns/op", "B/op", "allocs/op"}

func (r results) table() string {
	var s strings.Builder
	if r.cpu != "" {
		fmt.Fprintf(&s, "Measured on one core of: %s.\n\n", r.cpu)
	}
	s.WriteString("| package | benchmark | ns/op | M/s | allocs/op | other |\n|---|---|---:|---:|---:|---|\n")
	for _, row := range r.rows {
		ns, rate, allocs := "", "", ""
		if v, ok := row.get("ns/op"); ok {
			ns = short(v)
			if v > 0 && v < 1e6 { // of whole runs a rate says nothing
				rate = short(1e3 / v)
			}
		}
		if v, ok := row.get("allocs/op"); ok {
			allocs = short(v)
		}
		var other []string
		for _, m := range row.metrics {
			if !slices.Contains(standard, m.unit) {
				other = append(other, short(m.value)+" "+m.unit)
			}
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s | %s | %s |\n", row.pkg, row.name, ns, rate, allocs, strings.Join(other, ", "))
	}
	return s.String()
}

// short gives a value three significant digits, and no exponent where people
// do not want one.
func short(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	if digits < 0 {
		scale := math.Pow(10, float64(-digits))
		return strconv.FormatFloat(math.Round(v/scale)*scale, 'f', 0, 64)
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
