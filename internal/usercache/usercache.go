// Package usercache keeps results of the running program in the user's cache directory.
// Builds of the same version can differ, so results belong to the program's file.
package usercache

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/version"
)

// Cache is a directory with results, one file each, or "" for none. A file is written whole or
// not at all. A cache that cannot be written is of no harm.
type Cache string

// keep is how long the results of another build are kept after their last use.
const keep = 30 * 24 * time.Hour

// Open returns the running program's results of a sort, and removes those of other
// builds that have not been used for a month.
func Open(sort string) Cache {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	build, err := running()
	if err != nil {
		return ""
	}
	all := filepath.Join(base, "sigview", sort)
	own := filepath.Join(all, version.Tool()+"-"+build)
	if os.MkdirAll(own, 0o755) != nil {
		return ""
	}
	now := time.Now()
	_ = os.Chtimes(own, now, now) // the time of its last use
	others, _ := os.ReadDir(all)
	for _, d := range others {
		if info, err := d.Info(); err == nil && now.Sub(info.ModTime()) > keep {
			_ = os.RemoveAll(filepath.Join(all, d.Name()))
		}
	}
	return Cache(own)
}

// running returns 24 digits that stand for the running program: for its build ID, which has a digest
// of the whole file, or for the file where there is none.
var running = sync.OnceValues(func() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	if file, err := elf.Open(program); err == nil {
		defer file.Close()
		if note := file.Section(".note.go.buildid"); note != nil {
			if id, err := note.Data(); err == nil {
				return Digest(id), nil
			}
		}
	}
	text, err := os.ReadFile(program)
	return Digest(text), err
})

// Digest returns 24 digits that stand for a text.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// file returns the file of a result: key is all that determines it, beside the program.
func (c Cache) file(key any) (string, error) {
	text, err := json.Marshal(key)
	return filepath.Join(string(c), Digest(text)+".json"), err
}

// Get reads a result into what out points to, and reports whether there is one.
func (c Cache) Get(key, out any) bool {
	if c == "" {
		return false
	}
	file, err := c.file(key)
	if err != nil {
		return false
	}
	text, err := inputfile.Read(file, inputfile.Text)
	return err == nil && json.Unmarshal(text, out) == nil
}

// Put stores a result. If that fails, it will be made again.
func (c Cache) Put(key, result any) {
	if c == "" {
		return
	}
	file, err := c.file(key)
	if err != nil {
		return
	}
	if text, err := json.Marshal(result); err == nil {
		_ = atomicfile.WriteBytes(file, text)
	}
}
