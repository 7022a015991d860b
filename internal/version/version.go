// Package version has the version of the running sigview. Every file and document that
// sigview writes contains Tool().
package version

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// release is the version of the source tree, which CHANGELOG.md has too. A tag or a stamp replaces it.
const release = "0.1.0-dev"

// stamp is set at link time by the Makefile:
//
//	-ldflags "-X github.com/sigview/sigview/internal/version.stamp=v0.1.0-3-gabc1234"
//
// It is a variable because the linker can set only variables.
var stamp string

// Build is what is known about the running binary.
type Build struct {
	Version  string // release, tag, or release+revision[.dirty]
	Revision string // version control revision, empty when not recorded
	Dirty    bool   // the tree had uncommitted changes
	Go       string // toolchain, for example "go1.26.8"
	Modules  []Module
}

// Module is a module of others that the binary is built of.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum"` // as in go.sum
}

// Read returns the running binary's build, from the link-time stamp when
// there is one and from the build information that Go records otherwise.
func Read() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return from(stamp, info)
}

// Tool returns the version alone, as it is written into outputs.
func Tool() string { return Read().Version }

// String returns one line: version and toolchain.
func (b Build) String() string {
	if b.Go == "" {
		return "sigview " + b.Version
	}
	return fmt.Sprintf("sigview %s (%s)", b.Version, b.Go)
}

func from(stamp string, info *debug.BuildInfo) Build {
	b := Build{Version: release, Go: info.GoVersion}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		b.Modules = append(b.Modules, Module{d.Path, d.Version, d.Sum})
	}
	main := info.Main.Version
	if untagged, ok := strings.CutPrefix(main, "v0.0.0-"); ok && b.Revision == "" {
		untagged, b.Dirty = strings.CutSuffix(untagged, "+dirty")
		b.Revision = untagged[strings.LastIndexByte(untagged, '-')+1:]
	}
	switch {
	case stamp != "":
		b.Version = described(stamp)
	case main != "" && main != "(devel)" && !strings.HasPrefix(main, "v0.0.0-"):
		b.Version = strings.TrimPrefix(main, "v")
	case b.Revision != "":
		b.Version = release + "+" + b.Revision[:min(len(b.Revision), 12)]
		if b.Dirty {
			b.Version += ".dirty"
		}
	}
	return b
}

// described turns the output of git describe into a version: a tag stands for
// itself, a bare revision is appended to the release.
func described(stamp string) string {
	if strings.HasPrefix(stamp, "v") {
		return strings.TrimPrefix(stamp, "v")
	}
	return release + "+" + strings.Replace(stamp, "-dirty", ".dirty", 1)
}
