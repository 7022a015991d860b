package sigview

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingIsDead finds packages that nothing reaches, files of which nothing is used, and
// exported names that only their own package uses. staticcheck finds unused names that are not exported.
func TestNothingIsDead(t *testing.T) {
	parsed := parseTree(t, ".")
	require.Greater(t, len(parsed), 500, "files found")
	for _, d := range dead(parsed) {
		t.Error(d)
	}
}

// file is one Go file as the checker sees it: the folder is relative to the module.
type file struct {
	dir, name string
	ast       *ast.File
}

func (f file) path() string { return path.Join(f.dir, f.name) }

func (f file) test() bool { return strings.HasSuffix(f.name, "_test.go") }

// outside tells that a file sees its folder's package as other packages do.
func (f file) outside() bool { return strings.HasSuffix(f.ast.Name.Name, "_test") }

// parseTree parses every Go file under root, testdata and hidden folders excepted.
func parseTree(t *testing.T, root string) []file {
	t.Helper()
	var out []file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && p != root && (name == "testdata" || name == "build" || name[0] == '.' || name[0] == '_') {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		text, err := parser.ParseFile(token.NewFileSet(), p, nil, 0)
		out = append(out, file{filepath.ToSlash(filepath.Dir(p)), name, text})
		return err
	})
	require.NoError(t, err)
	return out
}

// name is a package-level name.
type name struct{ dir, id string }

// declaration is what stands or falls together: a function, a type, a group of constants or variables.
type declaration struct {
	file    file
	names   []name   // none for a method, main, init and a blank variable
	of      name     // the receiver of a method, the type of values, an interface itself
	methods []string // of an interface, or one
	uses    []name   // with selectors of values in the package ""
	shows   []name   // the names in its signature, or in the exported fields of its type
}

// dead returns one line for each package, file and exported name that nothing needs.
func dead(files []file) []string {
	var out []string
	reached := reach(files)
	for _, dir := range folderNames(files) {
		if !reached[dir] {
			out = append(out, dir+": no program and no test of another package reaches the package")
		}
	}
	var all []declaration
	for _, f := range files {
		all = append(all, declarations(f)...)
	}
	out = append(out, deadFiles(all)...)
	return append(out, deadNames(all)...)
}

func folderNames(files []file) []string {
	dirs := map[string]bool{}
	for _, f := range files {
		if !f.test() {
			dirs[f.dir] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

// reach returns the folders that programs import, and what their tests import. A folder of check
// with tests is a program too.
func reach(files []file) map[string]bool {
	imports := map[string][]string{}
	reached := map[string]bool{}
	var visit func(dir string)
	visit = func(dir string) {
		if !reached[dir] {
			reached[dir] = true
			for _, to := range imports[dir] {
				visit(to)
			}
		}
	}
	for _, f := range files {
		for _, i := range f.ast.Imports {
			if to, in := imported(i); in && to != f.dir {
				imports[f.dir] = append(imports[f.dir], to)
			}
		}
	}
	for _, f := range files {
		if f.ast.Name.Name == "main" || f.dir == "." || f.test() && within(f.dir, "check") {
			visit(f.dir)
		}
	}
	return reached
}

// imported returns the folder of an import.
func imported(i *ast.ImportSpec) (dir string, inside bool) {
	p, _ := strconv.Unquote(i.Path.Value)
	if dir, inside = relative(p); dir == "" {
		dir = "."
	}
	return dir, inside
}

// declarations returns what a file declares.
func declarations(f file) []declaration {
	packages := map[string]string{}
	for _, i := range f.ast.Imports {
		if dir, in := imported(i); in {
			as := path.Base(dir)
			if dir == "." {
				as = path.Base(module)
			}
			if i.Name != nil {
				as = i.Name.Name
			}
			packages[as] = dir
		}
	}
	names := func(n ast.Node) []name { return namesIn(n, f.dir, packages) }
	var out []declaration
	for _, d := range f.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, function(f, d, names))
		case *ast.GenDecl:
			out = append(out, group(f, d, names)...)
		}
	}
	return out
}

func function(f file, d *ast.FuncDecl, names func(ast.Node) []name) declaration {
	out := declaration{file: f, uses: names(d)}
	if ast.IsExported(d.Name.Name) {
		out.shows = names(d.Type)
	}
	switch {
	case d.Recv != nil:
		out.of, out.methods = receiver(d.Recv.List[0].Type, f.dir), []string{d.Name.Name}
	case d.Name.Name != "init" && d.Name.Name != "main" && d.Name.Name != "_":
		out.names = []name{{f.dir, d.Name.Name}}
	}
	return out
}

func receiver(e ast.Expr, dir string) name {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return name{dir, x.(*ast.Ident).Name}
		}
	}
}

// group returns the types of a declaration one by one, and constants and variables together:
// who names one value of an enumeration has them all.
func group(f file, d *ast.GenDecl, names func(ast.Node) []name) []declaration {
	var out []declaration
	values := declaration{file: f}
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			t := name{f.dir, s.Name.Name}
			out = append(out, declaration{file: f, names: []name{t}, of: t, methods: methodsOf(s.Type), uses: names(s), shows: shown(s.Type, names)})
		case *ast.ValueSpec:
			for _, id := range s.Names {
				if id.Name != "_" {
					values.names = append(values.names, name{f.dir, id.Name})
				}
			}
			values.uses = append(values.uses, names(s)...)
			if s.Type != nil {
				values.shows = append(values.shows, names(s.Type)...)
				if id, ok := s.Type.(*ast.Ident); ok {
					values.of = name{f.dir, id.Name}
				}
			}
		}
	}
	if d.Tok == token.CONST || d.Tok == token.VAR {
		out = append(out, values)
	}
	return out
}

func methodsOf(t ast.Expr) (out []string) {
	if in, ok := t.(*ast.InterfaceType); ok {
		for _, m := range in.Methods.List {
			for _, id := range m.Names {
				out = append(out, id.Name)
			}
		}
	}
	return out
}

// shown returns the names in a type, without those in fields that are not exported.
func shown(t ast.Expr, names func(ast.Node) []name) []name {
	s, ok := t.(*ast.StructType)
	if !ok {
		return names(t)
	}
	var out []name
	for _, field := range s.Fields.List {
		if len(field.Names) == 0 || field.Names[0].IsExported() {
			out = append(out, names(field.Type)...)
		}
	}
	return out
}

// namesIn returns the package-level names that a node may mean.
func namesIn(n ast.Node, dir string, packages map[string]string) []name {
	var out []name
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && packages[id.Name] != "" {
				out = append(out, name{packages[id.Name], n.Sel.Name})
			} else {
				out = append(append(out, name{"", n.Sel.Name}), namesIn(n.X, dir, packages)...)
			}
			return false
		case *ast.Ident:
			out = append(out, name{dir, n.Name})
		}
		return true
	})
	return out
}

// deadFiles returns the files that declare names of which no other file uses one.
func deadFiles(all []declaration) []string {
	users := map[name][]string{} // the files that use a name
	for _, d := range all {
		for _, n := range d.uses {
			users[n] = append(users[n], d.file.path())
		}
	}
	alive := map[string]bool{} // of each file
	for _, d := range all {
		at := d.file.path()
		other := func(n name) bool { return slices.ContainsFunc(users[n], func(u string) bool { return u != at }) }
		needed := d.names == nil && d.of == name{} || slices.ContainsFunc(append(d.names, d.of), other)
		alive[at] = alive[at] || needed || d.file.test()
	}
	var out []string
	for _, at := range slices.Sorted(maps.Keys(alive)) {
		if !alive[at] {
			out = append(out, at+": no other file uses what the file declares")
		}
	}
	return out
}

// deadNames returns the exported names that no other package uses, nor sees in what it uses. A type
// is used too if another package calls or has a method of its name: one of both is an interface.
func deadNames(all []declaration) []string {
	alive := map[name]bool{}
	methods := map[string][]string{} // the folders that call a method, or have one
	for _, d := range all {
		for _, m := range d.methods {
			methods[m] = append(methods[m], d.file.dir)
		}
		for _, n := range d.uses {
			if n.dir == "" {
				methods[n.id] = append(methods[n.id], d.file.dir)
			} else if n.dir != d.file.dir || d.file.outside() {
				alive[n] = true
			}
		}
	}
	for _, d := range all {
		elsewhere := func(dir string) bool { return dir != d.file.dir }
		for _, m := range d.methods {
			if slices.ContainsFunc(methods[m], elsewhere) {
				alive[d.of] = true
			}
		}
	}
	for before := -1; before < len(alive); {
		before = len(alive)
		for _, d := range all {
			if !d.file.test() && slices.ContainsFunc(append(d.names, d.of), func(n name) bool { return alive[n] }) {
				for _, n := range slices.Concat(d.names, d.shows) {
					alive[n] = true
				}
			}
		}
	}
	var out []string
	for _, d := range all {
		for _, n := range d.names {
			if ast.IsExported(n.id) && !alive[n] && !d.file.test() && d.file.ast.Name.Name != "main" {
				out = append(out, d.file.path()+": no other package uses "+n.id)
			}
		}
	}
	return out
}

// TestDeadThingsAreNoticed plants one of each sort, beside what must not be taken for one.
func TestDeadThingsAreNoticed(t *testing.T) {
	tree := map[string]string{
		"cmd/sigview/main.go": `package main; import "MODULE/trace"; func main() { other(); trace.Read() }`,
		"cmd/sigview/odd.go":  `package main; func other() {}`,
		"trace/read.go": `package trace
			func Read() (Row, error) { return Row{}, nil }
			func init() { Help() }`,
		"trace/row.go": `package trace
			type Row struct { Seen Kind; hidden Hidden }
			type Kind int
			const ( First Kind = iota; Second )
			type Hidden int
			func (Row) Next() *Later { return nil }
			type Later struct{}
			func Help() {}
			func Shown() {}`,
		"trace/example_test.go":    `package trace_test; import "MODULE/trace"; func Example() { trace.Shown() }`,
		"trace/read_test.go":       `package trace; import "testing"; func TestRow(*testing.T) { Help(); forgotten() }`,
		"check/program/a_test.go":  `package program; import _ "MODULE/check/planted"`,
		"check/program/program.go": `package program`,
		"check/planted/planted.go": `package planted`,
	}
	require.Equal(t, []string{
		"trace/row.go: no other package uses Hidden",
		"trace/row.go: no other package uses Help",
	}, dead(parseTexts(t, tree)))
	for _, c := range []struct{ name, path, text, want string }{
		{"package", "analysis/lost/lost.go", `package lost; func init() {}`, "analysis/lost: no program"},
		{"package of its tests alone", "analysis/lost/lost_test.go", `package lost_test; import "MODULE/analysis/lost"`, "analysis/lost: no program"},
		{"file", "trace/dead.go", `package trace; func dead() { also() }; func also() {}`, "trace/dead.go: no other file"},
		{"file of methods", "trace/dead.go", `package trace; type dead int; func (d dead) Of() dead { return d }`, "trace/dead.go: no other file"},
		{"function", "trace/more.go", `package trace; func forgotten() {}; func Used() { Used() }`, "uses Used"},
		{"constants", "trace/more.go", `package trace; func forgotten() {}; const ( A = iota; B )`, "uses B"},
		{"variable", "trace/more.go", `package trace; func forgotten() {}; var Limit = 3`, "uses Limit"},
		{"type of a dead function", "trace/more.go", `package trace; func forgotten() {}; type Lone int; func Of() Lone { return 0 }`, "uses Lone"},
	} {
		planted := maps.Clone(tree)
		planted[c.path] = c.text
		if c.path == "analysis/lost/lost_test.go" {
			planted["analysis/lost/lost.go"] = `package lost`
		}
		require.Contains(t, strings.Join(dead(parseTexts(t, planted)), "\n"), c.want, c.name)
	}
}

func parseTexts(t *testing.T, texts map[string]string) []file {
	t.Helper()
	var out []file
	for _, p := range slices.Sorted(maps.Keys(texts)) {
		text, err := parser.ParseFile(token.NewFileSet(), p, strings.ReplaceAll(texts[p], "MODULE", module), 0)
		require.NoError(t, err)
		out = append(out, file{path.Dir(p), path.Base(p), text})
	}
	return out
}
