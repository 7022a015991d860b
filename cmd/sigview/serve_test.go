package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// TestServe: the list of a folder leads to pages of its runs, and to nothing else.
func TestServe(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("all", 0o755))
	for _, seed := range []string{"1", "2"} {
		sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "--seed", seed, "--trace", "-q", "-o", "all/run <b>"+seed)
	}
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "--seeds", "2", "-q", "-o", "all/set")
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "-q", "-o", "secret")
	require.NoError(t, os.WriteFile("swept.toml", []byte("programs = [\"fft\"]\nnodes = [2, 4]\nsizes = [\"1K\"]\nseeds = \"1..2\"\n"), 0o644))
	sigview(t, "sweep", "swept.toml", "-q", "-o", "all/swept")
	get := servedAt(t, "all")
	code, list := get("/TOKEN/")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, list, "run &lt;b&gt;1")
	require.NotContains(t, list, "<b>")
	followed := 0
	for _, part := range strings.Split(list, `href="`)[1:] {
		to, _, _ := strings.Cut(part, `"`)
		code, page := get("/TOKEN/" + to)
		require.Equal(t, http.StatusOK, code, "%s: %s", to, page)
		require.Contains(t, page, `id="story"`)
		followed++
	}
	require.GreaterOrEqual(t, followed, 6, "two runs, a set with its members, and what changed")

	_, swept := get("/TOKEN/run/swept")
	leads := strings.Split(swept, `href="`)[1:]
	require.Len(t, leads, 2, "a sweep of two combinations")
	for _, part := range leads {
		to, _, _ := strings.Cut(part, `"`)
		for _, path := range []string{to, to + "/seed-0001"} {
			code, page := get("/TOKEN/run/" + path)
			require.Equal(t, http.StatusOK, code, "%s: %s", path, page)
		}
	}

	for _, path := range []string{"/", "/TOKE/", "/TOKEN", "/wrong/run/set", "/TOKEN/run/secret", "/TOKEN/run/..%2Fsecret", "/TOKEN/run/set/..%2F..%2Fsecret", "/TOKEN/run/../../secret", "/TOKEN/nothing", "/TOKEN/diff/set", "/TOKEN/run/swept/..", "/TOKEN/run/swept/..%2F..%2F..%2Fsecret", "/TOKEN/run/swept/"} {
		code, _ := get(path)
		require.Equal(t, http.StatusNotFound, code, path)
	}
	w := httptest.NewRecorder()
	server{dir: "all", token: "TOKEN"}.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/TOKEN/", nil))
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
}

// servedAt serves a folder, and returns what gets a page of it.
func servedAt(t *testing.T, dir string) func(path string) (code int, body string) {
	a, _, _ := realApp()
	h := httptest.NewServer(server{app: a, dir: dir, token: "TOKEN"})
	t.Cleanup(h.Close)
	return func(path string) (int, string) {
		r, err := http.Get(h.URL + path)
		require.NoError(t, err)
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, string(body)
	}
}

// TestServeWhatIsBeingMade: the list says how far a run is and leads to its page as it stands. Both are asked for again
// until the run has ended, and then the page of the run is there in its place.
func TestServeWhatIsBeingMade(t *testing.T) {
	t.Chdir(t.TempDir())
	get := servedAt(t, ".")
	n := noteProgress("fft <b>")
	var run *trace.Run
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size = 4, 4096
	_, err := experiment.Run(t.Context(), spec, func(p experiment.Progress) {
		n.look = time.Time{}
		n.note(p)
		if n.run != nil && len(n.run.Signature) > 0 {
			run = n.run
		}
	})
	require.NoError(t, err)
	p, _ := n.take()
	for list := []rundir.Unfinished(nil); len(list) == 0; time.Sleep(10 * time.Millisecond) { // it is told from the second second on
		list, err = rundir.ReadUnfinished(".")
		require.NoError(t, err)
	}
	n.end()
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, left)
	require.NotNil(t, run)
	require.NotNil(t, p.Share)
	require.Contains(t, p.Text, "s simulated")

	again := func(page string) bool {
		return strings.Contains(page, `http-equiv="refresh"`) && strings.Contains(page, `"again_s":`)
	}
	code, list := get("/TOKEN/")
	require.Equal(t, http.StatusOK, code)
	require.False(t, again(list), "nothing is being made")

	u, err := rundir.Begin("fft <b>")
	require.NoError(t, err)
	p.Left = "7s"
	require.NoError(t, u.Tell(p))
	_, list = get("/TOKEN/")
	require.Contains(t, list, "fft &lt;b&gt;</td>", "it has no page yet")
	require.Regexp(t, `running, \d+ %: fft, [\d.]+ s simulated, [\d,]+ packets, about 7s left`, list)
	require.True(t, again(list))

	require.NoError(t, u.Show(t.Context(), *run))
	_, list = get("/TOKEN/")
	_, to, ok := strings.Cut(list, `href="`)
	require.True(t, ok)
	to, _, _ = strings.Cut(to, `"`)
	code, page := get("/TOKEN/" + to)
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, page, "the program has not ended")
	require.True(t, again(page))
	code, _ = get("/TOKEN/so-far/..")
	require.Equal(t, http.StatusNotFound, code)

	require.NoError(t, u.End())
	require.NoError(t, rundir.WriteRun(t.Context(), "fft <b>", *run))
	code, page = get("/TOKEN/" + to)
	require.Equal(t, http.StatusOK, code)
	require.False(t, again(page))
}
