package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// unsealed stands for a document's digest while the digest is made.
var unsealed = strings.Repeat("0", hex.EncodedLen(sha256.Size))

// seal puts the SHA-256 of a document into it, in the place of unsealed.
func seal(text []byte) []byte {
	return bytes.Replace(text, []byte(unsealed), []byte(sumOf(text)), 1)
}

// checkSeal returns an error for a document that was changed after seal. Documents of
// earlier versions have no digest.
func checkSeal(text []byte, digest string) error {
	if digest == "" {
		return nil
	}
	if sumOf(bytes.Replace(text, []byte(digest), []byte(unsealed), 1)) != digest {
		return errors.New("changed since it was written: its SHA-256 differs")
	}
	return nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
