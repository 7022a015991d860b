package cell

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible replaces characters that could steer a terminal or hide text by their escapes,
// which are the same in Go and in JSON. Lines, tabs and letters of all scripts remain, and bytes
// that are no UTF-8 become U+FFFD.
func Visible(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return r != '\n' && r != '\t' && !unicode.IsGraphic(r)
}
