package platform

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/tomlfile"
)

func text(t testing.TB, name string) string {
	t.Helper()
	p, err := Load(name)
	require.NoError(t, err)
	return p.Text()
}

func TestBuiltInProfilesAreValid(t *testing.T) {
	require.Subset(t, Names(), []string{"ppro", "shrimp", "sun-rpc"})
	for _, name := range Names() {
		p, err := Load(name)
		require.NoError(t, err)
		require.Equal(t, name, p.Name)
		require.Len(t, p.Digest(), 16)
	}
}

// Every number says where it comes from, in its line or in a comment that
// stands over its table.
func TestNumbersHaveAnOrigin(t *testing.T) {
	origin := regexp.MustCompile(`#.*(\[[PDCAM]\]|lies in|Pentium|whole packet|one crossbar|a page, header)`)
	for _, name := range Names() {
		bare := 0
		own, _, _ := strings.Cut(text(t, name), "# Borrowed:")
		for _, line := range strings.Split(own, "\n") {
			if regexp.MustCompile(`^[a-z_]+ = -?[0-9]`).MatchString(line) && !origin.MatchString(line) {
				bare++
			}
		}
		require.LessOrEqual(t, bare, 3, name) // cpus, io_setup_ns and io_burst_bytes of a bus without set-up
	}
}

// The two machines have the same card, network, control program and monitor:
// only the host differs, and what names the machine.
func TestShrimpDiffersFromPproInItsHostOnly(t *testing.T) {
	a, err := Load("ppro")
	require.NoError(t, err)
	b, err := Load("shrimp")
	require.NoError(t, err)
	require.NotEqual(t, a.Host, b.Host)
	require.Equal(t, a.NI, b.NI)
	require.Equal(t, a.Network, b.Network)
	require.Equal(t, a.VMMC, b.VMMC)
	require.Equal(t, a.Monitor, b.Monitor)
	require.Equal(t, a.Clock, b.Clock)
}

func TestFlawsAreNamedWithTheirPlace(t *testing.T) {
	good := text(t, "shrimp")
	lineOf := func(s, field string) int {
		for i, line := range strings.Split(s, "\n") {
			if strings.HasPrefix(line, field+" ") {
				return i + 1
			}
		}
		t.Fatalf("no line of %s", field)
		return 0
	}
	change := func(field, value string) string {
		out := regexp.MustCompile(`(?m)^`+field+` = \S+`).ReplaceAllString(good, field+" = "+value)
		require.NotEqual(t, good, out)
		return out
	}
	for _, c := range []struct{ name, text, field, want string }{
		{"negative", change("window", "-1"), "window", "vmmc.window is -1"},
		{"absurd", change("clock_hz", "33"), "clock_hz", "ni.clock_hz is 33, want 1e6 to 1e10"},
		{"wrong type", change("send_slots", `"one"`), "send_slots", "vmmc.send_slots is a string, want a whole number"},
		{"wrong type of a rate", change("retransmit_us", "true"), "retransmit_us", "vmmc.retransmit_us is a boolean, want a number"},
		{"half a processor", change("cpus", "1.5"), "cpus", "host.cpus is a float, want a whole number"},
		{"not a number", change("link_mbps", "nan"), "link_mbps", "network.link_mbps is NaN"},
		{"unknown", change("window", "16\nwindwo = 3"), "windwo", "vmmc.windwo is not a field of a profile"},
		{"too small together", change("buffer_bytes", "4000"), "buffer_bytes", "ni.buffer_bytes is 4000, want at least"},
		{"unknown word", change("service", `"guess"`), "service", `svm.service is "guess", want interrupt or polling`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("mine.toml", []byte(c.text))
			var flaw *tomlfile.Error
			require.ErrorAs(t, err, &flaw)
			require.True(t, flaw.Usage())
			require.Contains(t, err.Error(), c.want)
			require.Equal(t, lineOf(c.text, c.field), flaw.Line, err.Error())
		})
	}
}

func TestMissingFieldNamesItsTable(t *testing.T) {
	good := text(t, "shrimp")
	for _, field := range []string{"window", "clock_hz", "flop_ns", "strip_header", "title"} {
		out := regexp.MustCompile(`(?m)^`+field+` = .*\n`).ReplaceAllString(good, "")
		_, err := Parse("mine.toml", []byte(out))
		require.ErrorContains(t, err, field+" is missing")
	}
}

func TestOwnProfilesAndNamesThatAreNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.toml")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(text(t, "shrimp"), `name = "shrimp"`, `name = "mine"`, 1)), 0o600))
	p, err := Load(file)
	require.NoError(t, err)
	require.Equal(t, "mine", p.Name)
	_, err = Load("shrmp")
	require.ErrorContains(t, err, `did you mean "shrimp"`)
	_, err = Load(filepath.Join(t.TempDir(), "none.toml"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// FuzzParse puts text in place of a line of a profile; beyond its end, the text is all. So most
// inputs are short and reach the checks of fields.
func FuzzParse(f *testing.F) {
	lines := strings.Split(text(f, "trapeze-p3"), "\n")
	for i, line := range lines {
		if name, _, ok := strings.Cut(line, " = "); ok && i%10 == 0 {
			f.Add(uint16(i), name+" = -1")
		}
	}
	f.Add(uint16(3), "[ni]\nclock_hz = 1e400")
	f.Add(uint16(9), "[borrow]\ngam = \"ppro\"")
	f.Add(uint16(len(lines)), "[ni]\nclock_hz = 1")
	f.Fuzz(func(t *testing.T, at uint16, with string) {
		changed := with
		if int(at) < len(lines) {
			changed = strings.Join(append(append(slices.Clone(lines[:at]), with), lines[at+1:]...), "\n")
		}
		p, err := Parse("fuzz.toml", []byte(changed))
		if (p == nil) == (err == nil) {
			t.Fatalf("profile %v beside error %v", p, err)
		}
		if err != nil {
			require.ErrorContains(t, err, "fuzz.toml")
		}
	})
}

// TestCardInAnotherHost: a combination has the host of one platform and everything else of the other.
func TestCardInAnotherHost(t *testing.T) {
	card, err := Load("cx7")
	require.NoError(t, err)
	in, err := Load("mlx4")
	require.NoError(t, err)
	p, err := Load("cx7@mlx4")
	require.NoError(t, err)
	require.Equal(t, "cx7@mlx4", p.Name)
	require.Equal(t, in.Host, p.Host)
	require.NotEqual(t, card.Host, p.Host)
	require.Equal(t, in.Verbs.Host, p.Verbs.Host)
	require.Equal(t, card.Verbs.Card, p.Verbs.Card)
	require.Equal(t, card.Network, p.Network)
	require.NotEqual(t, card.Digest(), p.Digest())

	file := filepath.Join(t.TempDir(), "mine@home.toml")
	require.NoError(t, os.WriteFile(file, []byte(in.Text()), 0o644))
	fromFile, err := Load("cx7@" + file)
	require.NoError(t, err)
	require.Equal(t, in.Host, fromFile.Host)

	for name, want := range map[string]string{
		"cx7@ppro": "platform is ppro, want one with a card behind PCIe", "ppro@cx7": "platform is ppro, want one with",
		"cx7@": "unknown platform", "cx7@cx7@none": "unknown platform", "none@cx7": "unknown platform", "cx7@none.toml": "no such file",
	} {
		_, err := Load(name)
		require.ErrorContains(t, err, want, name)
	}
}
