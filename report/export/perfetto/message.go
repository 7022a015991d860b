package perfetto

import "google.golang.org/protobuf/encoding/protowire"

// message is an encoded message that grows by fields.
type message []byte

func (m *message) uint(field int, v uint64) {
	*m = protowire.AppendTag(*m, protowire.Number(field), protowire.VarintType)
	*m = protowire.AppendVarint(*m, v)
}

func (m *message) fixed(field int, v uint64) {
	*m = protowire.AppendTag(*m, protowire.Number(field), protowire.Fixed64Type)
	*m = protowire.AppendFixed64(*m, v)
}

func (m *message) text(field int, v string) { m.bytes(field, []byte(v)) }

func (m *message) bytes(field int, v []byte) {
	m.prefix(field, len(v))
	*m = append(*m, v...)
}

// prefix begins a field of so many bytes.
func (m *message) prefix(field, length int) {
	*m = protowire.AppendTag(*m, protowire.Number(field), protowire.BytesType)
	*m = protowire.AppendVarint(*m, uint64(length))
}
