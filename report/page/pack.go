package page

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"

	"github.com/klauspost/compress/flate"
)

// coding is how the numbers of a column are written.
type coding string

const (
	plain  coding = "u8"     // a byte each
	varint coding = "varint" // unsigned, LEB128
	zigzag coding = "zigzag" // signed, LEB128
	delta  coding = "delta"  // differences to the number before, as zigzag
)

// columns are arrays of whole numbers, one after another.
type columns struct {
	heads []head
	bytes []byte
}

// head describes a column. In JSON it is an array.
type head struct {
	name   string
	coding coding
	n      int
}

// MarshalJSON implements the interface of that name.
func (h head) MarshalJSON() ([]byte, error) { return json.Marshal([]any{h.name, h.coding, h.n}) }

// add adds a column.
func (c *columns) add(name string, as coding, values []int64) {
	c.heads = append(c.heads, head{name, as, len(values)})
	before := int64(0)
	for _, v := range values {
		switch as {
		case plain:
			c.bytes = append(c.bytes, byte(v))
		case varint:
			c.bytes = binary.AppendUvarint(c.bytes, uint64(v))
		case zigzag:
			c.bytes = binary.AppendVarint(c.bytes, v)
		case delta:
			c.bytes = binary.AppendVarint(c.bytes, v-before)
			before = v
		}
	}
}

// text returns all columns compressed, as text.
func (c *columns) text() (string, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err = w.Write(c.bytes); err == nil {
		err = w.Close()
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}
