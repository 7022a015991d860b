package report

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/report/internal/browser"
	"github.com/sigview/sigview/trace"
)

// TestPageInABrowser: the page has no errors, asks for nothing but itself, and shows a mark's
// values when the pointer is over it.
func TestPageInABrowser(t *testing.T) {
	program := browser.Path(t)
	r := Of(sample(t))
	r.Timeline = newTimeline(r.Manifest)
	r.Timeline.Add([]trace.PacketRow{{
		Sender: 0, Receiver: 1, T1Ns: trace.Some(int64(1000)), T2Ns: trace.Some(int64(5000)), T3Ns: trace.Some(int64(5500)),
		T4Ns: trace.Some(int64(9000)), T5Ns: trace.Some(int64(12_000)), T6Ns: trace.Some(r.Manifest.SimulatedNs / 2),
	}}, 0, slots)
	const move = `<script>
const at = document.querySelector('svg path[fill="#E69F00"]').getBoundingClientRect();
document.querySelector("svg").dispatchEvent(new MouseEvent("mousemove", {clientX: at.left + at.width / 2, clientY: at.top + at.height / 2}));
</script></body>`
	page := strings.Replace(HTML(r), "</body>", move, 1)

	var lock sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		asked = append(asked, q.URL.Path)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}))
	defer server.Close()
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--enable-logging=stderr", "--user-data-dir="+t.TempDir(), "--dump-dom", server.URL)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), stderr.String())
	require.NotContains(t, stderr.String(), "CONSOLE")
	for _, path := range asked {
		require.Contains(t, []string{"/", "/favicon.ico"}, path)
	}
	require.Regexp(t, `<div id="hint"[^>]*>Source [0-9.]+ \(idle [0-9.]+\) µs</div>`, stdout.String())
	require.Contains(t, stdout.String(), "Packets on their way at each node over time")
}
