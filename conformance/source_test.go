package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "plantstore"

// sourceFile is one Go file of the module, parsed.
type sourceFile struct {
	path    string // below the module's root, with slashes
	pkg     string // its directory: "conformance/internal/plan"
	test    bool
	lines   int
	imports []string // as written
	syntax  *ast.File
	set     *token.FileSet
}

// sources gives every Go file of the module, parsed.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	out, err := parsed()
	require.NoError(t, err)
	require.Greater(t, len(out), 100, "the module was not found")
	return out
}

// parsed reads the files once for all tests: none of them changes a tree.
var parsed = sync.OnceValues(func() ([]sourceFile, error) {
	root := filepath.Clean("..")
	var out []sourceFile
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && name != root && (base == "testdata" || strings.HasPrefix(base, ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(base, ".go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f := sourceFile{path: filepath.ToSlash(rel), set: token.NewFileSet(), lines: strings.Count(string(text), "\n")}
		f.pkg, f.test = path.Dir(f.path), strings.HasSuffix(f.path, "_test.go")
		if f.syntax, err = parser.ParseFile(f.set, f.path, text, parser.ParseComments); err != nil {
			return err
		}
		for _, i := range f.syntax.Imports {
			p, _ := strconv.Unquote(i.Path.Value) // the parser took it
			f.imports = append(f.imports, p)
		}
		out = append(out, f)
		return nil
	})
	return out, err
})

// ours lists the packages of the module that a file imports, below the root.
func (f *sourceFile) ours() []string {
	var out []string
	for _, p := range f.imports {
		if own, found := strings.CutPrefix(p, module+"/"); found {
			out = append(out, own)
		}
	}
	return out
}

// at says where something stands.
func (f *sourceFile) at(n ast.Node) string { return f.set.Position(n.Pos()).String() }

// calledAs is the name under which the file uses an imported package; empty
// where it does not.
func (f *sourceFile) calledAs(imported string) string {
	i := slices.Index(f.imports, imported)
	switch {
	case i < 0:
		return ""
	case f.syntax.Imports[i].Name != nil:
		return f.syntax.Imports[i].Name.Name
	}
	return path.Base(imported)
}

// uses gives every place that selects a member of an imported package.
func (f *sourceFile) uses(imported string, seen func(member string, n ast.Node)) {
	name := f.calledAs(imported)
	if name == "" {
		return
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			// An identifier that the file resolves is a variable of that name.
			if id, ok := s.X.(*ast.Ident); ok && id.Name == name && id.Obj == nil {
				seen(s.Sel.Name, n)
			}
		}
		return true
	})
}

// below reports whether a package is that one or lies in its folder.
func below(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }
