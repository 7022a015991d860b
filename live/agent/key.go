package agent

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"github.com/sigview/sigview/internal/inputfile"
)

// Key is what all hosts of a run share: a pair of ed25519 keys made of the secret. Who has it may use their
// agents.
type Key struct{ pair ed25519.PrivateKey }

const (
	keyBytes    = 32   // at least
	mostKeyFile = 4096 // bytes of a file
	// distinct is how many different bytes, and different steps from one to the next, a key has at
	// least. Of 32 random bytes fewer are different once in 10^13 times.
	distinct = 16
)

// ReadKey reads a file, or a pipe, with at least 32 random bytes in hexadecimal or base64; "" stands for KeyFile. It
// returns an error if there is no such file, or if what it holds is no key. No error shows any of its bytes.
func ReadKey(file string) (*Key, error) {
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return nil, &keyError{fmt.Sprintf("there is no folder for configuration (%v): name a file with a key", err)}
		}
		file = filepath.Join(dir, KeyFile)
	}
	// A longer file is no key.
	text, err := inputfile.ReadStream(file, mostKeyFile)
	var secret []byte
	if err == nil {
		secret, err = decodeKey(bytes.TrimSpace(text))
	}
	if err == nil {
		err = strong(secret)
	}
	if err != nil {
		return nil, badKey(file, inputfile.Cause(err))
	}
	return newKey(secret)
}

// keyError is a file that holds no key, or that a new one must not replace.
type keyError struct{ text string }

// Error returns the text, which names the file and never shows the key.
func (e *keyError) Error() string { return e.text }

// Usage marks the error as a mistake in how the program was called.
func (e *keyError) Usage() bool { return true }

// badKey names the file, what is wrong with it and how to make a key.
func badKey(file string, err error) error {
	return &keyError{fmt.Sprintf("key %s: %v; sigview agent --new-key FILE makes one", file, err)}
}

// decodeKey reads hexadecimal or any form of base64.
func decodeKey(text []byte) ([]byte, error) {
	if b, err := hex.DecodeString(string(text)); err == nil {
		return b, nil
	}
	for _, form := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := form.DecodeString(string(text)); err == nil {
			return b, nil
		}
	}
	return nil, errors.New("neither hexadecimal nor base64")
}

// strong refuses what is no random number.
func strong(secret []byte) error {
	if len(secret) < keyBytes {
		return fmt.Errorf("%d bytes, want at least %d", len(secret), keyBytes)
	}
	values, steps := map[byte]bool{}, map[byte]bool{}
	for i, b := range secret {
		values[b] = true
		// Steps find keys such as 0, 1, 2, 3 …, whose values all differ.
		steps[b-secret[max(i-1, 0)]] = true
	}
	if min(len(values), len(steps)) < distinct {
		return errors.New("its bytes are not random")
	}
	return nil
}

// newKey derives the pair of keys from the secret by HKDF-SHA256. Equal secrets give equal keys, so that hosts
// need not exchange public ones.
func newKey(secret []byte) (*Key, error) {
	// The text separates this use of the secret from any other.
	seed, err := hkdf.Key(sha256.New, secret, nil, "sigview agent, ed25519", ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	return &Key{ed25519.NewKeyFromSeed(seed)}, nil
}

// WriteNewKey writes a new key into a file that does not exist, which only its owner may read. It returns an
// error if the file exists. A file that could not be written whole is removed.
func WriteNewKey(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return &keyError{fmt.Sprintf("%s exists: a new key would end the use of the one in it", file)}
	} else if err != nil {
		return err
	}
	var secret [keyBytes]byte
	_, _ = rand.Read(secret[:]) // never fails
	_, err = f.WriteString(hex.EncodeToString(secret[:]) + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// KeyFile is where the key is unless the user names a file, in the folder for configuration.
const KeyFile = "sigview/key"

// errOtherKey is a peer with another key.
var errOtherKey = errors.New("it has another key")

// config is that of both sides: each shows a certificate of the key and wants the other one to show
// one. No authority has signed them, so that only the key counts.
func (k *Key) config() (*tls.Config, error) {
	mine := k.pair.Public().(ed25519.PublicKey)
	// Only the public key in it counts: see VerifyConnection.
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "sigview"},
		// Clocks of the hosts may be wrong: the certificate is always valid.
		NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, form, form, mine, k.pair)
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion:             tls.VersionTLS13,
		Certificates:           []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: k.pair}},
		ClientAuth:             tls.RequireAnyClientCert,
		InsecureSkipVerify:     true, // VerifyConnection does
		SessionTicketsDisabled: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			// The handshake has shown that the peer has the private key that belongs to it.
			if len(s.PeerCertificates) == 1 && mine.Equal(s.PeerCertificates[0].PublicKey) {
				return nil
			}
			return errOtherKey
		},
	}, nil
}
