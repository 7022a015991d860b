package sigview

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// upLimit is the share of uses that may run up the reading order of a package.
const upLimit = 0.05

// TestPackagesReadFromTopToBottom checks the reading order of every package of
// three files or more: doc.go lists exactly the files, and a file uses
// package-level names of the files listed after it.
func TestPackagesReadFromTopToBottom(t *testing.T) {
	for _, u := range readUnits(t, ".") {
		dir := u.path
		if dir == "" {
			continue
		}
		for _, s := range disorder(readOrder(t, dir)) {
			t.Errorf("%s: %s", dir, s)
		}
	}
}

// sources are the files of one package as the checker sees them.
type sources struct {
	listed []string                       // by doc.go, in reading order
	uses   map[string]map[string][]string // file, file whose names it uses, the names
	files  []string                       // without tests and doc.go
}

// disorder returns one line for each breach of the reading order.
func disorder(s sources) []string {
	if len(s.files) < 3 && len(s.listed) == 0 {
		return nil
	}
	var out []string
	place := map[string]int{}
	for i, f := range s.listed {
		if _, twice := place[f]; twice {
			out = append(out, fmt.Sprintf("doc.go lists %s twice", f))
		}
		if !slices.Contains(s.files, f) {
			out = append(out, fmt.Sprintf("doc.go lists %s, which is not there", f))
		}
		place[f] = i
	}
	for _, f := range s.files {
		if _, ok := place[f]; !ok {
			out = append(out, fmt.Sprintf("doc.go does not list %s", f))
		}
	}
	var total, up int
	var which []string
	for _, from := range slices.Sorted(maps.Keys(s.uses)) {
		for to, names := range s.uses[from] {
			total += len(names)
			if place[to] < place[from] {
				up += len(names)
				which = append(which, fmt.Sprintf("%s uses %s of %s", from, strings.Join(names, ", "), to))
			}
		}
	}
	if float64(up) > upLimit*float64(total) {
		slices.Sort(which)
		out = append(out, fmt.Sprintf("%d of %d uses run up the order of files:\n\t%s", up, total, strings.Join(which, "\n\t")))
	}
	return out
}

// fileItem is a line of the list of files in doc.go.
var fileItem = regexp.MustCompile(`(?m)^//\s+- ([a-z0-9_]+\.go)\b`)

// readOrder parses the package in dir.
func readOrder(t *testing.T, dir string) sources {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	set := token.NewFileSet()
	var s sources
	parsed := map[string]*ast.File{}
	for _, p := range paths {
		name := filepath.Base(p)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, p, nil, parser.ParseComments)
		require.NoError(t, err)
		if name != "doc.go" {
			s.files = append(s.files, name)
			parsed[name] = f
			continue
		}
		text, err := os.ReadFile(p)
		require.NoError(t, err)
		for _, m := range fileItem.FindAllSubmatch(text, -1) {
			s.listed = append(s.listed, string(m[1]))
		}
	}
	s.uses = crossUses(parsed)
	return s
}

// crossUses finds for every file the package-level names of other files that
// it uses. A name counts once for a file; methods do not count.
func crossUses(files map[string]*ast.File) map[string]map[string][]string {
	home := map[string]string{}
	for name, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					home[d.Name.Name] = name
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						home[spec.Name.Name] = name
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							home[id.Name] = name
						}
					}
				}
			}
		}
	}
	uses := map[string]map[string][]string{}
	for name, f := range files {
		uses[name] = map[string][]string{}
		for _, id := range f.Unresolved {
			to, ok := home[id.Name]
			if ok && to != name && !slices.Contains(uses[name][to], id.Name) {
				uses[name][to] = append(uses[name][to], id.Name)
			}
		}
	}
	return uses
}

// TestReadingOrderNoticesDisorder plants one breach of each sort.
func TestReadingOrderNoticesDisorder(t *testing.T) {
	files := []string{"a.go", "b.go", "c.go"}
	down := map[string]map[string][]string{"a.go": {"b.go": {"f", "g"}}}
	for _, c := range []struct {
		name string
		s    sources
		want string // "" for none
	}{
		{"in order", sources{files, down, files}, ""},
		{"two files", sources{nil, nil, files[:2]}, ""},
		{"no list", sources{nil, nil, files}, "does not list a.go"},
		{"missing", sources{[]string{"a.go", "c.go"}, nil, files}, "does not list b.go"},
		{"gone", sources{[]string{"a.go", "b.go", "c.go", "d.go"}, nil, files}, "d.go, which is not there"},
		{"twice", sources{[]string{"a.go", "b.go", "c.go", "a.go"}, nil, files}, "twice"},
		{"up", sources{[]string{"c.go", "b.go", "a.go"}, down, files}, "2 of 2 uses run up the order of files:\n\ta.go uses f, g of b.go"},
	} {
		got := strings.Join(disorder(c.s), "\n")
		if c.want == "" {
			require.Empty(t, got, c.name)
		} else {
			require.Contains(t, got, c.want, c.name)
		}
	}
	parse := func(text string) *ast.File {
		f, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
		require.NoError(t, err)
		return f
	}
	uses := crossUses(map[string]*ast.File{
		"a.go": parse("package p\nfunc a() { b(); b(); var c int; _ = c; d.m() }"),
		"b.go": parse("package p\nfunc b() {}\nvar c, d t\ntype t int\nfunc (t) m() { a() }"),
	})
	require.Equal(t, map[string]map[string][]string{"a.go": {"b.go": {"b", "d"}}, "b.go": {"a.go": {"a"}}}, uses)
}
