package main

import (
	"bytes"
	"encoding/csv"
	"html"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"
)

// The readers of this file share no code with the writers: what they return is what a user's own tools read.

// record is a row of a table by the names of columns: int64, float64, bool, string, or nil.
type record = map[string]any

// arrowTable reads an Arrow file.
func arrowTable(t *testing.T, name string) (columns []arrow.Field, rows []record) {
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	r, err := ipc.NewFileReader(file)
	require.NoError(t, err, name)
	defer r.Close()
	for i := range r.NumRecords() {
		batch, err := r.Record(i)
		require.NoError(t, err, name)
		for j := range int(batch.NumRows()) {
			row := record{}
			for k, column := range batch.Columns() {
				row[batch.ColumnName(k)] = arrowValue(column, j)
			}
			rows = append(rows, row)
		}
	}
	return r.Schema().Fields(), rows
}

func arrowValue(column arrow.Array, i int) any {
	if column.IsNull(i) {
		return nil
	}
	switch c := column.(type) {
	case *array.Int64:
		return c.Value(i)
	case *array.Float64:
		return c.Value(i)
	case *array.Boolean:
		return c.Value(i)
	}
	return strings.Clone(column.(*array.String).Value(i))
}

// parquetTable reads a Parquet file.
func parquetTable(t *testing.T, name string) (rows []record) {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err, name)
	columns, r, buffer := f.Schema().Columns(), parquet.NewReader(f), make([]parquet.Row, 100)
	for {
		n, err := r.ReadRows(buffer)
		for _, cells := range buffer[:n] {
			row := record{}
			for _, v := range cells {
				row[columns[v.Column()][0]] = parquetValue(v)
			}
			rows = append(rows, row)
		}
		if err == io.EOF {
			return rows
		}
		require.NoError(t, err, name)
	}
}

func parquetValue(v parquet.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Kind() == parquet.Int64:
		return v.Int64()
	case v.Kind() == parquet.Double:
		return v.Double()
	case v.Kind() == parquet.Boolean:
		return v.Boolean()
	}
	return string(v.Clone().ByteArray())
}

// csvTable reads a CSV file. All values are texts.
func csvTable(t *testing.T, name string) (rows []map[string]string) {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err, name)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// typed makes a text of a CSV file the value of a column. An empty field is a null, but of a text.
func typed(t *testing.T, text string, column arrow.Field) (v any) {
	var err error
	switch {
	case column.Type.ID() == arrow.STRING:
		return text
	case text == "":
		return nil
	case column.Type.ID() == arrow.INT64:
		v, err = strconv.ParseInt(text, 10, 64)
	case column.Type.ID() == arrow.FLOAT64:
		v, err = strconv.ParseFloat(text, 64)
	default:
		v, err = strconv.ParseBool(text)
	}
	require.NoError(t, err, column.Name)
	return v
}

// logs reads an HdrHistogram log, by tags.
func logs(t *testing.T, name string) map[string]*hdrhistogram.Histogram {
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	out, r := map[string]*hdrhistogram.Histogram{}, hdrhistogram.NewHistogramLogReader(file)
	for {
		h, err := r.NextIntervalHistogram()
		require.NoError(t, err, name)
		if h == nil {
			return out
		}
		out[h.Tag()] = h
	}
}

// printedTable is a table of a report: its headings and its rows, whose cells are texts.
type printedTable struct {
	tag  string // of the program that it is about
	head []string
	rows [][]string
}

var (
	sectionOf   = regexp.MustCompile(`Performance signature of .*\(tag (\d+)\)`)
	htmlCell    = regexp.MustCompile(`<t[hd](?: [^>]*)?>(.*?)</t[hd]>`)
	ruler       = regexp.MustCompile(`^\|:?-+`) // below the headings of a Markdown table
	noteOf      = regexp.MustCompile(`^(Times in|Mean latency)`)
	latencyHead = regexp.MustCompile(`^(class|size, B|kind) +packets `)
	withUnit    = regexp.MustCompile(`([\d.]) (ms|s)\b`)
	markdownOff = strings.NewReplacer(`\_`, "_", `\~`, "~", `\|`, "|", "&lt;", "<", "&gt;", ">")
)

// printedTables reads the tables of latencies in a report of this format. A row is a line.
func printedTables(format, document string) (tables []printedTable) {
	tag, open := "", false
	for line := range strings.Lines(document) {
		line = strings.TrimSpace(line)
		if m := sectionOf.FindStringSubmatch(line); m != nil {
			tag = m[1]
		}
		cells := cellsOf(format, line)
		switch {
		case latencyHead.MatchString(strings.Join(cells, " ")):
			tables, open = append(tables, printedTable{tag: tag, head: headings(cells)}), true
		case ruler.MatchString(line):
		case len(cells) == 0 || noteOf.MatchString(line):
			open = false
		case open:
			last := &tables[len(tables)-1]
			last.rows = append(last.rows, aligned(cells, last.head))
		}
	}
	return tables
}

func cellsOf(format, line string) (cells []string) {
	switch format {
	case "md":
		if line = markdownOff.Replace(line); !strings.HasPrefix(line, "|") {
			return nil
		}
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		return cells
	case "html":
		for _, m := range htmlCell.FindAllStringSubmatch(line, -1) {
			cells = append(cells, html.UnescapeString(strings.TrimSpace(m[1])))
		}
		return cells
	}
	line = strings.NewReplacer("size, B", "size,\u00a0B", ", first", ",\u00a0first", ", later", ",\u00a0later").Replace(withUnit.ReplaceAllString(line, "$1\u00a0$2"))
	for _, cell := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' }) {
		cells = append(cells, strings.ReplaceAll(cell, "\u00a0", " "))
	}
	return cells
}

// headings names the columns without a name, which the text has no trace of: the deviation in per cent, and its mark.
func headings(cells []string) (head []string) {
	for _, cell := range cells {
		if cell == "" {
			continue
		}
		if head = append(head, cell); cell == "dev" && cells[0] == "class" {
			head = append(head, "percent", "mark")
		}
	}
	return head
}

// aligned adds the cells that a row of the text leaves out because they are those of the row before.
func aligned(cells, head []string) []string {
	for len(cells) < len(head) {
		cells = append([]string{""}, cells...)
	}
	return cells
}
