// Program supply writes testdata/reliability/supply.toml: which modules sigview is built of,
// which packages it has that can open connections or start programs, and what is
// known of vulnerabilities. It runs in the root of the tree.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/check/reliability"
)

// reach is an import of a package that can open connections or start programs.
type reach struct{ by, of string }

// reasons are the imports of sigview's own packages and of the modules that it brings with it, and why
// they are there.
var reasons = map[reach]string{
	{"github.com/sigview/sigview/live", "net"}:                                                          "sockets between real hosts, for sigview live",
	{"github.com/sigview/sigview/live/stamps", "net"}:                                                   "the same",
	{"github.com/sigview/sigview/live/agent", "net"}:                                                    "the control connection of sigview agent",
	{"github.com/sigview/sigview/live/agent", "crypto/tls"}:                                             "the same, which is encrypted and takes peers with the key only",
	{"github.com/sigview/sigview/cmd/sigview", "net"}:                                                   "sigview agent listens",
	{"github.com/sigview/sigview/live/watch", "os/exec"}:                                                "sigview watch starts the command that it is to watch",
	{"github.com/sigview/sigview/live/watch/metrics", "net"}:                                            "sigview watch --metrics listens, where it is asked to",
	{"github.com/sigview/sigview/cmd/sigview", "net/http"}:                                              "pages of sigview serve, asked for",
	{"github.com/sigview/sigview/live/watch/metrics", "net/http"}:                                       "the same",
	{"github.com/prometheus/client_golang/prometheus/promhttp", "net"}:                                  "answers of sigview watch --metrics",
	{"github.com/prometheus/client_golang/prometheus/promhttp", "net/http"}:                             "the same",
	{"github.com/prometheus/client_golang/prometheus/promhttp", "crypto/tls"}:                           "clients can be measured; sigview does not",
	{"github.com/prometheus/client_golang/internal/github.com/golang/gddo/httputil", "net/http"}:        "chooses the form of an answer by what was asked for",
	{"github.com/prometheus/client_golang/internal/github.com/golang/gddo/httputil/header", "net/http"}: "the same",
	{"github.com/prometheus/common/expfmt", "net/http"}:                                                 "the same",
	{"github.com/prometheus/procfs", "net"}:                                                             "the library can count the process's own connections; sigview does not",
	{"github.com/cilium/ebpf/internal/testutils/testmain", "os/exec"}:                                   "tests of the library for BPF trace themselves on Windows; sigview does not",
	{"github.com/schollz/progressbar/v3", "net/http"}:                                                   "the progress bar can be served as a page; sigview does not call that",
	{"github.com/andybalholm/brotli", "net/http"}:                                                       "a compression of Parquet files has a helper for servers; sigview does not call it",
	{"github.com/google/uuid", "net"}:                                                                   "identifiers made of a hardware address, in the Arrow library; sigview makes none",
	{"github.com/spf13/pflag", "net"}:                                                                   "flags that take addresses; sigview has none",
	{"github.com/charmbracelet/bubbletea", "os/exec"}:                                                   "a terminal program can start an editor; sigview does not",
	{"github.com/charmbracelet/colorprofile", "os/exec"}:                                                "asks tmux for its colours, in a terminal of tmux",
	{"github.com/atotto/clipboard", "os/exec"}:                                                          "the text field's paste key starts the system's clipboard program",
	{"github.com/gopacket/gopacket", "net"}:                                                             "addresses in packets, as numbers",
	{"github.com/gopacket/gopacket/layers", "net"}:                                                      "addresses in packets, as numbers",
	{"github.com/gopacket/gopacket/pcapgo", "net"}:                                                      "captures from a device are possible; sigview reads files only",
}

// sensitive are packages of the standard library that reach outside of the process.
var sensitive = []string{"net", "net/http", "net/rpc", "net/smtp", "crypto/tls", "os/exec", "plugin"}

// reaches returns the imports of sensitive packages by packages that a program has, those of
// the standard library apart.
func reaches(root, program string) ([]reach, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", `{{if not .Standard}}{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}{{end}}`, program)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var list []reach
	for line := range strings.Lines(string(out)) {
		if by, of, _ := strings.Cut(strings.TrimSpace(line), " "); slices.Contains(sensitive, of) {
			list = append(list, reach{by, of})
		}
	}
	return list, nil
}

// modules returns how many modules of others a program is built of.
func modules(program string) (int, error) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", program).Output()
	paths := map[string]bool{}
	for path := range strings.FieldsSeq(string(out)) {
		paths[path] = true
	}
	return len(paths), err
}

func main() {
	if err := write(filepath.Join("testdata", "reliability", "supply.toml")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(file string) error {
	const program = "./cmd/sigview"
	list, err := reaches(".", program)
	if err != nil {
		return err
	}
	built, err := modules(program)
	if err != nil {
		return err
	}
	p := reliability.Here("Supply", "make supply")
	p.Says = "What sigview is built of. `sigview version --json` lists the modules of a binary with their versions and checksums. " +
		"Packages that can open connections or start programs, its own and those of others, are counted and have a reason here; a test fails for a new one. " + vulnerabilities()
	table := reliability.Table{Title: "Packages that reach outside of the process", Columns: []string{"package", "imports", "why"}}
	unexplained := 0
	for _, r := range list {
		why := reasons[r]
		if why == "" {
			unexplained++
		}
		table.Rows = append(table.Rows, []string{r.by, r.of, why})
	}
	p.Figures = []reliability.Figure{
		{Name: "modules of others in the binary", Value: float64(built)},
		{Name: "imports that reach outside of the process", Value: float64(len(list))},
		{Name: "of these without a reason", Value: float64(unexplained), AtMost: reliability.Bound(0)},
	}
	p.Tables = []reliability.Table{table}
	return p.Write(file)
}

// vulnerabilities runs govulncheck, if there is one, and says what it found. Without its
// database nothing is known.
func vulnerabilities() string {
	out, err := exec.Command("govulncheck", "./cmd/sigview").CombinedOutput()
	switch {
	case err == nil:
		return "Known vulnerabilities: govulncheck finds none that sigview calls."
	case strings.Contains(string(out), "Vulnerability #"):
		return "Known vulnerabilities: **govulncheck finds some**."
	}
	return "Known vulnerabilities: **not checked**, because govulncheck or its database cannot be had on this machine."
}
