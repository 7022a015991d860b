package version

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionComesFromTheBestSource(t *testing.T) {
	revision := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123"},
		{Key: "vcs.modified", Value: "true"},
	}
	for _, c := range []struct {
		name, stamp, main string
		settings          []debug.BuildSetting
		want              string
	}{
		{"nothing known", "", "", nil, release},
		{"go run in a clone", "", "(devel)", revision, release + "+0123456789ab.dirty"},
		{"go install of a tag", "", "v0.3.1", nil, "0.3.1"},
		{"tag beats revision", "", "v0.3.1", revision, "0.3.1"},
		{"stamp beats all", "v0.4.0-2-gabc1234", "v0.3.1", revision, "0.4.0-2-gabc1234"},
		{"stamp without a tag", "abc1234-dirty", "(devel)", revision, release + "+abc1234.dirty"},
		{"go build in a clone without a tag", "", "v0.0.0-20261127214805-0123456789ab+dirty", revision, release + "+0123456789ab.dirty"},
		{"go install of a revision without a tag", "", "v0.0.0-20261127214805-8ddc523d0123", nil, release + "+8ddc523d0123"},
		{"go install of a revision behind a tag", "", "v0.3.2-0.20261127214805-8ddc523d0123", nil, "0.3.2-0.20261127214805-8ddc523d0123"},
		{"short revision", "", "(devel)", []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}, release + "+abc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			info := &debug.BuildInfo{GoVersion: "go1.26.8", Settings: c.settings}
			info.Main.Version = c.main
			got := from(c.stamp, info)
			if got.Version != c.want {
				t.Errorf("version %q, want %q", got.Version, c.want)
			}
			if want := "sigview " + c.want + " (go1.26.8)"; got.String() != want {
				t.Errorf("line %q, want %q", got.String(), want)
			}
		})
	}
}

// TestReleaseIsInTheChangelog: notes of the release stand there before its tag is made.
func TestReleaseIsInTheChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\n## " + strings.TrimSuffix(release, "-dev"); !strings.Contains(string(text), want) {
		t.Errorf("CHANGELOG.md has no heading %q", want[1:])
	}
}

func TestRunningBinaryHasAVersion(t *testing.T) {
	if Tool() == "" {
		t.Error("empty version")
	}
}

func TestModulesAreThoseOfTheBuild(t *testing.T) {
	info := &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "example.org/a", Version: "v1.0.0", Sum: "h1:a"},
		{Path: "example.org/b", Version: "v2.0.0", Replace: &debug.Module{Path: "example.org/fork", Version: "v2.0.1", Sum: "h1:f"}},
	}}
	got := from("", info).Modules
	if len(got) != 2 || got[0] != (Module{"example.org/a", "v1.0.0", "h1:a"}) || got[1].Path != "example.org/fork" {
		t.Errorf("modules %v", got)
	}
}
