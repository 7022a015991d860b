package rundir

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/sigview/sigview/trace"
)

// Ending is the file name ending of tables.
const Ending = ".arrow"

// Keys of metadata: of a file the table, the version and how stages are defined; of a column its unit and what
// it holds.
const (
	keyTable   = "sigview.table"
	keyVersion = "sigview.schema_version"
	keyStages  = "sigview.stages"
	keyUnit    = "unit"
	keyDoc     = "doc"
)

// schema returns the Arrow schema of a table. Its metadata has the table's name, the schema's version and the
// labels.
func schema[R trace.Row](labels ...trace.Label) *arrow.Schema {
	var zero R
	cols := trace.Columns[R]()
	fields := make([]arrow.Field, len(cols))
	for i, c := range cols {
		fields[i] = arrow.Field{
			Name: c.Name, Type: dataType(c.Type), Nullable: c.Nullable,
			Metadata: arrow.NewMetadata([]string{keyUnit, keyDoc}, []string{c.Unit, c.Doc}),
		}
	}
	keys := []string{keyTable, keyVersion, keyStages}
	values := []string{zero.TableName(), strconv.Itoa(trace.SchemaVersion), trace.StageDefinitions}
	for _, l := range labels {
		keys, values = append(keys, l.Key), append(values, l.Value)
	}
	meta := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &meta)
}

// dataType returns the Arrow type of a column.
func dataType(t trace.Type) arrow.DataType {
	switch t {
	case trace.Int:
		return arrow.PrimitiveTypes.Int64
	case trace.Float:
		return arrow.PrimitiveTypes.Float64
	case trace.Bool:
		return arrow.FixedWidthTypes.Boolean
	case trace.Text:
		return arrow.BinaryTypes.String
	}
	panic(fmt.Sprintf("rundir: column type %d has no Arrow type", t))
}

// match returns for each of the table's columns its index in a file's schema, -1 for a nullable column that the
// file does not have. It returns an error for a file of another table or a newer version, and for a column that
// is missing or has another type or unit.
func match(got *arrow.Schema, table string, cols []trace.Column) ([]int, error) {
	name, ok := got.Metadata().GetValue(keyTable)
	if !ok {
		return nil, errForeign
	}
	if name != table {
		return nil, fmt.Errorf("holds the table %q", name)
	}
	text, _ := got.Metadata().GetValue(keyVersion)
	version, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("metadata %s: %q is not a number", keyVersion, text)
	}
	if err := trace.CheckVersion(version); err != nil {
		return nil, err
	}
	at := make([]int, len(cols))
	for i, c := range cols {
		found := got.FieldIndices(c.Name)
		if len(found) == 0 && c.Nullable {
			at[i] = -1
			continue
		}
		if len(found) != 1 {
			return nil, fmt.Errorf("column %s: found %d times, wanted once", c.Name, len(found))
		}
		f := got.Field(found[0])
		if want := dataType(c.Type); !arrow.TypeEqual(f.Type, want) {
			return nil, fmt.Errorf("column %s: type %s, wanted %s", c.Name, f.Type, want)
		}
		if unit, _ := f.Metadata.GetValue(keyUnit); unit != c.Unit {
			return nil, fmt.Errorf("column %s: unit %q, wanted %q", c.Name, unit, c.Unit)
		}
		at[i] = found[0]
	}
	return at, nil
}

// errForeign is the error of an Arrow file without the metadata of sigview.
var errForeign = fmt.Errorf("an Arrow file, but not one of sigview's: its metadata has no %s", keyTable)
