package ablate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
)

// Cache is a directory with the outcomes of earlier runs, one file each, or "" for none. A
// file is written whole or not at all. A cache that cannot be written is of no harm.
type Cache string

// key is all that determines an outcome, beside the program.
type key struct {
	Spec            experiment.RunSpec
	Platform        string // digest
	ChangedPlatform string // digest
}

// keep is how long a cache is kept after its last use.
const keep = 30 * 24 * time.Hour

// UserCache returns the cache of the running program in the user's cache directory, and
// removes those of other builds that have not been used for a month. Builds of the same
// version can differ, so that a cache belongs to the program's file.
func UserCache() Cache {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return ""
	}
	all := filepath.Join(base, "sigview", "runs")
	own := filepath.Join(all, version.Tool()+"-"+digest(text))
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

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// file returns the file of an outcome.
func (c Cache) file(k key) (string, error) {
	k.Spec.Platform = "" // the digest tells
	text, err := json.Marshal(struct {
		Schema int
		Tool   string
		key
	}{trace.SchemaVersion, version.Tool(), k})
	return filepath.Join(string(c), digest(text)+".json"), err
}

// kept returns the outcome of an earlier run.
func (c Cache) kept(k key) (out why.Outcome, ok bool) {
	if c == "" {
		return out, false
	}
	file, err := c.file(k)
	if err != nil {
		return out, false
	}
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &out) != nil || len(out.Programs) == 0 {
		return why.Outcome{}, false
	}
	return out, true
}

// keep stores the outcome of a run. If that fails, the next study runs it again.
func (c Cache) keep(k key, out why.Outcome) {
	if c == "" {
		return
	}
	file, err := c.file(k)
	if err != nil {
		return
	}
	if text, err := json.Marshal(out); err == nil {
		_ = atomicfile.WriteBytes(file, text)
	}
}
