package ablate

import (
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/usercache"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
)

// Cache has the outcomes of earlier runs; "" has none.
type Cache usercache.Cache

// UserCache returns the cache of the running program in the user's cache directory.
func UserCache() Cache { return Cache(usercache.Open("runs")) }

// key is all that determines an outcome, beside the program.
type key struct {
	Spec            experiment.RunSpec
	Platform        string // digest
	ChangedPlatform string // digest
}

// entry is the name of an outcome in the cache.
type entry struct {
	Schema int
	Tool   string
	key
}

func entryOf(k key) entry {
	k.Spec.Platform = "" // the digest tells
	return entry{trace.SchemaVersion, version.Tool(), k}
}

// kept returns the outcome of an earlier run.
func (c Cache) kept(k key) (out why.Outcome, ok bool) {
	if !usercache.Cache(c).Get(entryOf(k), &out) || len(out.Programs) == 0 {
		return why.Outcome{}, false
	}
	return out, true
}

// keep stores the outcome of a run.
func (c Cache) keep(k key, out why.Outcome) { usercache.Cache(c).Put(entryOf(k), out) }
