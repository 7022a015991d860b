package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// sealKey is the last key of a sealed document.
const sealKey = "document_sha256"

// sealLine is the end of an indented document whose last value is as long as a digest,
// whatever damage its key has.
var sealLine = regexp.MustCompile(`,\n  "([^"]*)": "([^"]{64})"\n}\n$`)

// Seal adds to an indented JSON object, as its last value, the SHA-256 of the object
// without it. Another text stays as it is.
func Seal(document []byte) []byte {
	body, ok := bytes.CutSuffix(document, []byte("\n}\n"))
	if !ok {
		return document
	}
	return fmt.Appendf(nil, "%s,\n  %q: %q\n}\n", body, sealKey, sumOf(document))
}

// Unseal returns a document as it was before Seal, or an error if it was changed after it.
// Documents of earlier versions have no digest.
func Unseal(document []byte) ([]byte, error) {
	at := sealLine.FindSubmatchIndex(document)
	if at == nil {
		return document, nil
	}
	key, digest := string(document[at[2]:at[3]]), string(document[at[4]:at[5]])
	plain := fmt.Appendf(nil, "%s\n}\n", document[:at[0]])
	if key != sealKey || sumOf(plain) != digest {
		return nil, errChanged
	}
	return plain, nil
}

// errChanged is the error of a document with another digest than it had.
var errChanged = errors.New("changed since it was written: its SHA-256 differs")

// unsealed stands for a document's digest while the digest is made.
var unsealed = strings.Repeat("0", hex.EncodedLen(sha256.Size))

// seal puts the SHA-256 of a manifest into it, in the place of unsealed.
func seal(text []byte) []byte {
	return bytes.Replace(text, []byte(unsealed), []byte(sumOf(text)), 1)
}

// checkSeal returns an error for a manifest that was changed after seal. Those of
// earlier versions have no digest.
func checkSeal(text []byte, digest string) error {
	if digest == "" {
		return nil
	}
	if sumOf(bytes.Replace(text, []byte(digest), []byte(unsealed), 1)) != digest {
		return errChanged
	}
	return nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
