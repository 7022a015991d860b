package agent

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeys(t *testing.T) {
	var secret [32]byte
	for i := range secret {
		secret[i] = byte(i * i * 37)
	}
	zeros := strings.Repeat("00", 32)
	var steps [64]byte
	for i := range steps {
		steps[i] = byte(i)
	}
	for text, want := range map[string]string{
		hex.EncodeToString(secret[:]):                          "",
		hex.EncodeToString(secret[:]) + "\n":                   "",
		base64.StdEncoding.EncodeToString(secret[:]):           "",
		base64.RawURLEncoding.EncodeToString(secret[:]) + "\n": "",
		hex.EncodeToString(secret[:31]):                        "31 bytes, want at least 32",
		"":                                                     "0 bytes, want at least 32",
		"correct horse battery staple":                         "neither hexadecimal nor base64",
		zeros:                                                  "its bytes are not random",
		hex.EncodeToString(steps[:]):                           "its bytes are not random",
		strings.Repeat("a", mostKeyFile+1):                     "4096",
	} {
		file := filepath.Join(t.TempDir(), "key")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		key, err := ReadKey(file)
		if want != "" {
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, file)
			if text != "" {
				require.NotContains(t, err.Error(), strings.TrimSpace(text)[:8])
			}
			continue
		}
		require.NoError(t, err, text)
		same, err := newKey(secret[:])
		require.NoError(t, err)
		require.True(t, key.pair.Public().(ed25519.PublicKey).Equal(same.pair.Public()))
	}
}

// TestNewKey: a new key is one, only its owner may read it, and no key is written over.
func TestNewKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, WriteNewKey(file))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	_, err = ReadKey(file)
	require.NoError(t, err)
	require.ErrorContains(t, WriteNewKey(file), "exists")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, before, after)
	second := file + "2"
	require.NoError(t, WriteNewKey(second))
	other, err := os.ReadFile(second)
	require.NoError(t, err)
	require.NotEqual(t, before, other)
}
