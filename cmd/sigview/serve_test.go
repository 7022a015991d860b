package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	a, _, _ := realApp()
	h := httptest.NewServer(server{app: a, dir: "all", token: "TOKEN"})
	defer h.Close()
	get := func(path string) (int, string) {
		r, err := http.Get(h.URL + path)
		require.NoError(t, err)
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, string(body)
	}
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

	for _, path := range []string{"/", "/TOKE/", "/TOKEN", "/wrong/run/set", "/TOKEN/run/secret", "/TOKEN/run/..%2Fsecret", "/TOKEN/run/set/..%2F..%2Fsecret", "/TOKEN/run/../../secret", "/TOKEN/nothing", "/TOKEN/diff/set"} {
		code, _ := get(path)
		require.Equal(t, http.StatusNotFound, code, path)
	}
	r, err := http.Post(h.URL+"/TOKEN/", "text/plain", nil)
	require.NoError(t, err)
	r.Body.Close()
	require.Equal(t, http.StatusMethodNotAllowed, r.StatusCode)
}
