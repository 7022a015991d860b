// Package pngfile adds to a PNG what the encoder of the standard library leaves out: how many dots are on an inch, and
// texts about the picture.
package pngfile

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// Text is a fact about a picture, under one of the keywords of the format, as Title or Description.
type Text struct{ Keyword, Text string }

// Describe returns an encoded PNG with its dots on an inch and with texts.
func Describe(file []byte, dots float64, texts ...Text) []byte {
	const head = 8 + 12 + 13 // the signature and the chunk IHDR, which is the first
	metre := uint32(math.Round(dots / 0.0254))
	out := append([]byte(nil), file[:head]...)
	out = chunk(out, "pHYs", append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, metre), metre), 1))
	for _, t := range texts {
		out = chunk(out, "iTXt", []byte(t.Keyword+"\x00\x00\x00\x00\x00"+t.Text))
	}
	return append(out, file[head:]...)
}

// chunk appends a part of a PNG file.
func chunk(file []byte, name string, data []byte) []byte {
	file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
	from := len(file)
	file = append(append(file, name...), data...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[from:]))
}
