package rundir

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sigview/sigview/trace"
)

// parquetRows reads a table from a Parquet file that a manifest lists. An error is kept in r.
func parquetRows[R trace.Row](r *reader, f trace.File) []R {
	data := r.bytes(f)
	if r.err != nil {
		return nil
	}
	if f.Rows == nil {
		r.err = fmt.Errorf("%s: the manifest has no number of rows", f.Name)
		return nil
	}
	rows, err := readParquet[R](data, *f.Rows)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", f.Name, err)
	}
	return rows
}

// readParquet reads a table of want rows from the bytes of a file that Parquet has written. It returns an error
// for a file of another program or table, for a damaged one, and for rows that are not valid. Lengths in the
// file are checked before the library takes memory by them.
func readParquet[R trace.Row](data []byte, want int64) (rows []R, err error) {
	defer func() { // the library does so for some damage
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("damaged: %v", p)
		}
	}()
	var zero R
	// The library takes memory for the footer before it looks whether there is one.
	n := len(data) - 8
	if n < 0 || uint64(binary.LittleEndian.Uint32(data[n:])) > uint64(n) {
		return nil, errors.New("not a whole Parquet file")
	}
	if _, err := decodeThrift(data[n-int(binary.LittleEndian.Uint32(data[n:])):n], &format.FileMetaData{}); err != nil {
		return nil, fmt.Errorf("not a whole Parquet file: %w", err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("not a whole Parquet file: %w", err)
	}
	if name, _ := f.Lookup(keyTable); name != zero.TableName() {
		return nil, fmt.Errorf("holds the table %q, wanted %q", name, zero.TableName())
	}
	if f.NumRows() != want {
		return nil, fmt.Errorf("%d rows, the manifest has %d", f.NumRows(), want)
	}
	if err := checkPages(f, data); err != nil {
		return nil, err
	}
	cols := trace.Columns[R]()
	if err := sameColumns(f.Schema(), parquetSchema[R]()); err != nil {
		return nil, err
	}
	in := parquet.NewReader(f)
	defer in.Close()
	buf := make([]parquet.Row, 64)
	for {
		n, err := in.ReadRows(buf)
		for _, cells := range buf[:n] {
			var row R
			at := reflect.ValueOf(&row).Elem()
			for _, v := range cells {
				c := cols[v.Column()]
				if err := c.Set(at, valueOf(c.Type, v)); err != nil {
					return nil, err
				}
			}
			rows = append(rows, row)
		}
		switch {
		case err == nil && n > 0 && int64(len(rows)) <= want:
			continue
		case errors.Is(err, io.EOF) && int64(len(rows)) == want:
			return rows, trace.CheckRows(rows)
		case err == nil || errors.Is(err, io.EOF):
			err = fmt.Errorf("damaged: %d rows, wanted %d", len(rows), want)
		}
		return nil, err
	}
}

// mostPage bounds the length of a page, in bytes; those of a Parquet writer are shorter.
const mostPage = 64 << 20

// checkPages returns an error for a page that is longer than the file or than mostPage, or says that it is, or
// that says it has more values than the table has rows. The library takes as much memory as a page says.
func checkPages(f *parquet.File, data []byte) error {
	unpacked, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(mostPage), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	for _, g := range f.Metadata().RowGroups {
		for _, c := range g.Columns {
			m := &c.MetaData
			at := m.DataPageOffset
			if m.DictionaryPageOffset > 0 {
				at = min(at, m.DictionaryPageOffset)
			}
			end := at + m.TotalCompressedSize
			if at < 0 || end < at || end > int64(len(data)) {
				return fmt.Errorf("damaged: pages from byte %d to %d of %d", at, end, len(data))
			}
			for at < end {
				var page format.PageHeader
				rest, err := decodeThrift(data[at:], &page)
				if err != nil {
					return fmt.Errorf("damaged: the page at byte %d: %w", at, err)
				}
				values := max(page.DataPageHeader.V.NumValues, page.DataPageHeaderV2.V.NumValues, page.DictionaryPageHeader.V.NumValues)
				if n := page.CompressedPageSize; n < 0 || int(n) > rest || page.UncompressedPageSize > mostPage || int64(values) > f.NumRows() {
					return fmt.Errorf("damaged: the page at byte %d has %d values in %d bytes, %d unpacked", at, values, n, page.UncompressedPageSize)
				}
				from := int64(len(data) - rest)
				at = from + int64(page.CompressedPageSize)
				if err := checkPacked(unpacked, m.Codec, &page, data[from:at]); err != nil {
					return fmt.Errorf("damaged: the page before byte %d: %w", at, err)
				}
			}
		}
	}
	return nil
}

// checkPacked unpacks a page, and returns an error if it is damaged or takes more memory than a page may.
func checkPacked(by *zstd.Decoder, codec format.CompressionCodec, page *format.PageHeader, body []byte) error {
	if codec != format.Zstd {
		return fmt.Errorf("packed by %v, wanted %v", codec, format.Zstd)
	}
	if page.DataPageHeaderV2.Valid { // what comes before the values is not packed
		v2 := &page.DataPageHeaderV2.V
		if v2.IsCompressed.Valid && !v2.IsCompressed.V {
			return nil
		}
		body = body[v2.DefinitionLevelsByteLength+v2.RepetitionLevelsByteLength:]
	}
	_, err := by.DecodeAll(body, nil)
	return err
}

// decodeThrift decodes a structure of Parquet's metadata, and returns how many bytes of data are behind it. It
// returns an error for a list that says it has more elements than there are bytes: the library would take
// memory for all of them.
func decodeThrift(data []byte, into any) (rest int, err error) {
	r := bytes.NewReader(data)
	err = thrift.NewDecoder(sized{new(thrift.CompactProtocol).NewReader(r), r}).Decode(into)
	return r.Len(), err
}

// sized reads Thrift and refuses what says that it has more elements than there are bytes left.
type sized struct {
	thriftReader
	data *bytes.Reader
}

// thriftReader is embedded under this name because thrift.Reader has a method Reader.
type thriftReader = thrift.Reader

// check returns an error if n elements cannot be in the bytes that are left.
func (s sized) check(n int32, err error) error {
	if err == nil && int(n) > s.data.Len() {
		err = fmt.Errorf("%d elements in %d bytes", n, s.data.Len())
	}
	return err
}

func (s sized) ReadList() (thrift.List, error) {
	l, err := s.thriftReader.ReadList()
	return l, s.check(l.Size, err)
}

func (s sized) ReadSet() (thrift.Set, error) {
	l, err := s.thriftReader.ReadSet()
	return l, s.check(l.Size, err)
}

func (s sized) ReadMap() (thrift.Map, error) {
	m, err := s.thriftReader.ReadMap()
	return m, s.check(m.Size, err)
}

func (s sized) ReadLength() (int, error) {
	n, err := s.thriftReader.ReadLength()
	return n, s.check(int32(n), err)
}

func (s sized) ReadBytes() ([]byte, error) {
	n, err := s.ReadLength()
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(s.data, b)
	return b, err
}

func (s sized) ReadString() (string, error) {
	b, err := s.ReadBytes()
	return string(b), err
}

// sameColumns returns an error unless a file has the columns of the table, with their types.
func sameColumns(got, want *parquet.Schema) error {
	if g, w := fmt.Sprint(got.Columns()), fmt.Sprint(want.Columns()); g != w {
		return fmt.Errorf("has the columns %s, wanted %s", g, w)
	}
	for i, f := range want.Fields() {
		if g := got.Fields()[i]; g.Type().Kind() != f.Type().Kind() || g.Optional() != f.Optional() {
			return fmt.Errorf("column %s: type %v, wanted %v", f.Name(), g, f)
		}
	}
	return nil
}

// valueOf returns a cell of a column of a type as a value.
func valueOf(t trace.Type, v parquet.Value) trace.Value {
	switch {
	case v.IsNull():
		return trace.Value{Null: true}
	case t == trace.Int:
		return trace.Value{I: v.Int64()}
	case t == trace.Float:
		return trace.Value{F: v.Double()}
	case t == trace.Bool:
		return trace.Value{B: v.Boolean()}
	}
	return trace.Value{S: string(v.ByteArray())}
}
