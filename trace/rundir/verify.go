package rundir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The Arrow library trusts the lengths in a file's footer and allocates memory by
// them. On a damaged file that can exhaust the memory. So verify reads the footer first
// and refuses what sigview's tables never have: other column types, nesting,
// dictionaries, compression, overlapping batches.
//
// The layout is that of the Arrow columnar format, "IPC File Format", with
// tables as FlatBuffers encodes them. Reading outside the file panics; Decode
// turns that into an error.

// Slots of the tables in Arrow's Message.fbs, File.fbs and Schema.fbs.
const (
	footerSchema  = 1
	footerDicts   = 2
	footerBatches = 3

	schemaFields = 1
	schemaMeta   = 2

	fieldName     = 0
	fieldType     = 2
	fieldDict     = 4
	fieldChildren = 5
	fieldMeta     = 6

	keyValueKey   = 0
	keyValueValue = 1

	messageHeader    = 2
	batchCompression = 3
)

const (
	trailerBytes  = 4 + 6 // length of the footer, magic
	blockBytes    = 24    // offset, length of the metadata, length of the body
	messagePrefix = 8     // continuation mark, length
)

// The column types that tables have, as Arrow numbers them.
const (
	typeInt   = 2
	typeFloat = 3
	typeUtf8  = 5
	typeBool  = 6
)

// verify reads the footer of a file that has passed frame. It returns an error for what no table of sigview's
// has, and for batches that overlap or lie outside of the file.
func verify(data []byte) error {
	end := len(data) - trailerBytes
	size := int(binary.LittleEndian.Uint32(data[end:]))
	if size < 4 || size > end {
		return errors.New("damaged: the footer's length is out of range")
	}
	// Names and values may be shared between fields, so that a short file could
	// cause much work. The work is limited to a few times the file's length.
	f := flat{b: data[end-size : end], left: 8*len(data) + 4096}
	footer := f.root()
	schema, ok := footer.table(footerSchema)
	if !ok {
		return errors.New("damaged: no schema")
	}
	if !schema.hasKey(keyTable) {
		return errForeign
	}
	if n, _ := footer.vector(footerDicts, blockBytes); n > 0 {
		return errors.New("has dictionaries, which no table of sigview's has")
	}
	n, at := schema.vector(schemaFields, 4)
	for i := range n {
		if err := f.follow(at + 4*i).checkField(); err != nil {
			return err
		}
	}
	return verifyBatches(data, footer)
}

// checkField returns an error for a column of another type, a nested one, or one with a dictionary.
func (t fbTable) checkField() error {
	name := t.text(fieldName)
	switch t.byte(fieldType) {
	case typeInt, typeFloat, typeUtf8, typeBool:
	default:
		return fmt.Errorf("column %.40q: Arrow type number %d, which no table of sigview's has", name, t.byte(fieldType))
	}
	if n, _ := t.vector(fieldChildren, 4); n > 0 {
		return fmt.Errorf("column %.40q: nested, which no column of sigview's is", name)
	}
	if _, ok := t.table(fieldDict); ok {
		return fmt.Errorf("column %.40q: has a dictionary, which no column of sigview's has", name)
	}
	t.walkMeta(fieldMeta)
	return nil
}

// verifyBatches returns an error for a batch outside of the file, for batches that overlap, and for one that is
// compressed.
func verifyBatches(data []byte, footer fbTable) error {
	n, at := footer.vector(footerBatches, blockBytes)
	total := 0
	for i := range n {
		b := footer.f.b[at+i*blockBytes:]
		offset := binary.LittleEndian.Uint64(b)
		meta := uint64(binary.LittleEndian.Uint32(b[8:]))
		body := binary.LittleEndian.Uint64(b[16:])
		if size := uint64(len(data)); offset > size || meta < messagePrefix+4 || meta > size || body > size || offset+meta+body > size {
			return fmt.Errorf("damaged: batch %d lies outside the file", i)
		}
		if total += int(meta + body); total > len(data) {
			return errors.New("damaged: batches overlap")
		}
		f := flat{b: data[offset+messagePrefix : offset+meta], left: len(data)}
		header, ok := f.root().table(messageHeader)
		if !ok {
			return fmt.Errorf("damaged: batch %d has no header", i)
		}
		if _, ok := header.table(batchCompression); ok {
			return errors.New("compressed, which sigview's files are not")
		}
	}
	return nil
}

// flat is a FlatBuffer. left is how many bytes of it may still be read, those that are read twice included.
type flat struct {
	b    []byte
	left int
}

// spend takes n bytes off what may be read, and panics if there are not so many.
func (f *flat) spend(n int) {
	if n < 0 || n > f.left {
		panic("a length is out of proportion")
	}
	f.left -= n
}

func (f *flat) u32(at int) int { return int(binary.LittleEndian.Uint32(f.b[at:])) }

// root returns the table that the buffer begins with.
func (f *flat) root() fbTable { return f.follow(0) }

// follow returns the table to which the offset at place at points.
func (f *flat) follow(at int) fbTable {
	at += f.u32(at)
	return fbTable{f: f, at: at, slots: at - int(int32(f.u32(at)))}
}

// fbTable is a table of a FlatBuffer: the place of its content, and that of the list of its slots (vtable).
type fbTable struct {
	f         *flat
	at, slots int
}

// slot returns the place of slot i, 0 if the table does not have it.
func (t fbTable) slot(i int) int {
	size := int(binary.LittleEndian.Uint16(t.f.b[t.slots:]))
	if 4+2*i >= size { // as in the library, also for an odd size
		return 0
	}
	off := int(binary.LittleEndian.Uint16(t.f.b[t.slots+4+2*i:]))
	if off == 0 {
		return 0
	}
	return t.at + off
}

// byte returns the byte in slot i, 0 without one.
func (t fbTable) byte(i int) byte {
	at := t.slot(i)
	if at == 0 {
		return 0
	}
	return t.f.b[at]
}

// table returns the table to which slot i points, and false without one.
func (t fbTable) table(i int) (fbTable, bool) {
	at := t.slot(i)
	if at == 0 {
		return fbTable{}, false
	}
	t.f.spend(4)
	return t.f.follow(at), true
}

// vector returns the length of the vector in slot i, and the place of its first element. It panics if the
// vector reaches out of the buffer.
func (t fbTable) vector(i, elementBytes int) (n, at int) {
	at = t.slot(i)
	if at == 0 {
		return 0, 0
	}
	at += t.f.u32(at)
	n = t.f.u32(at)
	t.f.spend(n * elementBytes)
	_ = t.f.b[at+4 : at+4+n*elementBytes]
	return n, at + 4
}

// text returns the text in slot i, "" without one.
func (t fbTable) text(i int) string {
	n, at := t.vector(i, 1)
	return string(t.f.b[at : at+n])
}

// walkMeta reads the key-value pairs in a slot and returns the keys. Values are only checked.
func (t fbTable) walkMeta(slot int) (keys []string) {
	n, at := t.vector(slot, 4)
	for i := range n {
		kv := t.f.follow(at + 4*i)
		keys = append(keys, kv.text(keyValueKey))
		kv.vector(keyValueValue, 1)
	}
	return keys
}

func (t fbTable) hasKey(key string) bool {
	return slices.Contains(t.walkMeta(schemaMeta), key)
}
