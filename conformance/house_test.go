package conformance_test

import (
	"debug/buildinfo"
	"debug/elf"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The house rules that a compiler does not know.

// TestEncodingJSONLendsItsNumberAlone: jsonschema and libopenapi take exact
// numbers as json.Number; everything else of that package reads loosely.
func TestEncodingJSONLendsItsNumberAlone(t *testing.T) {
	t.Parallel()
	allowed := []string{
		"conformance/internal/schema/formats.go",
		"conformance/internal/schema/endless.go",
		"conformance/internal/jsontree/value.go",
		"conformance/internal/jsontree/text_test.go",
	}
	for _, f := range sources(t) {
		if !below(f.pkg, "conformance") || f.calledAs("encoding/json") == "" {
			continue
		}
		assert.Contains(t, allowed, f.path, "%s imports encoding/json: it takes duplicate names, bad UTF-8 and any case of a name, "+
			"and turns numbers into doubles: a judge must not; use jsontree or go-json-experiment", f.path)
		f.uses("encoding/json", func(member string, n ast.Node) {
			assert.Equal(t, "Number", member, "%s: of encoding/json only the type Number is used here", f.at(n))
		})
	}
}

func TestOnlyCommandsAndFormatsWriteToTheTerminal(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		if f.test || below(f.pkg, "cmd") || f.syntax.Name.Name == "main" || f.pkg == "conformance/formats" {
			continue
		}
		f.uses("fmt", func(member string, n ast.Node) {
			assert.False(t, strings.HasPrefix(member, "Print"), "%s: fmt.%s: a library writes where its caller says, "+
				"and a stray line would spoil --report json=-", f.at(n), member)
		})
		f.uses("os", func(member string, n ast.Node) {
			assert.NotContains(t, []string{"Stdout", "Stderr", "Exit"}, member, "%s: os.%s belongs to a command", f.at(n), member)
		})
	}
}

func TestNothingRunsBeforeMain(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				assert.NotEqual(t, "init", fn.Name.Name, "%s: func init hides an effect behind an import, and the first request "+
					"should leave within 100 ms: call it where it is needed", f.at(fn))
			}
		}
	}
}

func TestFilesAreShortEnoughToRead(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		assert.LessOrEqual(t, f.lines, 400, "%s: split it where the subject changes: a room that one look takes in is found again", f.path)
	}
}

// TestPackageVariablesAreNeverAssigned looks at plain assignments, to an element
// too; what a method does to its receiver it cannot see.
func TestPackageVariablesAreNeverAssigned(t *testing.T) {
	t.Parallel()
	vars := map[string][]string{}
	list := sources(t)
	for _, f := range list {
		for _, d := range f.syntax.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					for _, id := range s.(*ast.ValueSpec).Names {
						vars[f.pkg] = append(vars[f.pkg], id.Name)
					}
				}
			}
		}
	}
	for _, f := range list {
		global := func(e ast.Expr) bool {
			id := base(e)
			if id == nil || !slices.Contains(vars[f.pkg], id.Name) {
				return false
			}
			return id.Obj == nil || id.Obj == f.syntax.Scope.Objects[id.Name]
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			var changed []ast.Expr
			switch s := n.(type) {
			case *ast.AssignStmt:
				changed = s.Lhs
			case *ast.IncDecStmt:
				changed = []ast.Expr{s.X}
			}
			for _, e := range changed {
				assert.False(t, global(e), "%s: a package-level variable is changed: two runs in one process would then "+
					"see each other; put it into a struct that the caller owns", f.at(n))
			}
			return true
		})
	}
}

// base is the variable that an assignable expression begins with.
func base(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// TestArchitectureNamesFilesThatExist checks every path in ARCHITECTURE.md.
func TestArchitectureNamesFilesThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("ARCHITECTURE.md")
	require.NoError(t, err)
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^` ]+)`|\\]\\(([^)#]+)\\)").FindAllStringSubmatch(string(text), -1) {
		if path := m[1] + m[2]; isPath(path) {
			named[path] = true
		}
	}
	require.Greater(t, len(named), 40, "the paths were not found")
	for path := range named {
		_, err := os.Stat(filepath.FromSlash(path))
		assert.NoError(t, err, "ARCHITECTURE.md names %s: write where it is now", path)
	}
}

// isPath reports whether a quoted text names a file or a folder of ours, and not
// a case, a pointer or a package of others.
func isPath(s string) bool {
	first, _, nested := strings.Cut(s, "/")
	if !nested {
		return strings.HasSuffix(s, ".go") || strings.HasSuffix(s, ".md")
	}
	return first == "internal" || first == "report" || first == "formats" || first == "conformancetest" || first == ".."
}

// TestTheReleaseBuildIsStripped builds a program of three lines by the command
// that CONTRIBUTING.md names: that of the suite would be compiled for minutes.
func TestTheReleaseBuildIsStripped(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "`.ci/release`")
	script, err := filepath.Abs("../.ci/release")
	require.NoError(t, err)

	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module tiny\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { println(\"here\") }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	build := exec.Command(script, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOFLAGS=", "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	program := filepath.Join(dir, "bin", "tiny")
	file, err := elf.Open(program)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.Symbols()
	assert.ErrorIs(t, err, elf.ErrNoSymbols)
	for _, section := range file.Sections {
		assert.False(t, strings.HasPrefix(section.Name, ".debug") || strings.HasPrefix(section.Name, ".zdebug"), section.Name)
	}
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	assert.NotContains(t, string(data), dir, "a path of this machine")
	info, err := buildinfo.ReadFile(program)
	require.NoError(t, err)
	assert.Equal(t, "tiny", info.Main.Path, "what version prints stays")
}

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

// documents lists the pages that people read.
func documents(t *testing.T) []string {
	list := []string{filepath.Join("..", "spec", "requirements.yaml")}
	require.NoError(t, filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata" || d.Name() == "seeds"):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".md"):
			list = append(list, name)
		}
		return nil
	}))
	require.Greater(t, len(list), 6, "the documents were not found")
	return list
}

// TestNoCommentCitesWhatIsNotInTheRepository: a reader has only the repository.
func TestNoCommentCitesWhatIsNotInTheRepository(t *testing.T) {
	t.Parallel()
	elsewhere := regexp.MustCompile(`(?i)\bdesign(\.md|, (section )?\d|:)|\bissue \d|any-document\.md`)
	for _, f := range sources(t) {
		if f.path == "conformance/glossary_test.go" {
			continue // the pattern itself
		}
		for _, c := range f.syntax.Comments {
			text := strings.Join(strings.Fields(c.Text()), " ")
			assert.False(t, elsewhere.MatchString(text), "%s: name the clause or the RFC instead: %s", f.at(c), elsewhere.FindString(text))
		}
	}
}

// TestGlossaryWordsAreUsed finds the words that doc.go defines in code or texts.
func TestGlossaryWordsAreUsed(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var corpus strings.Builder
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		corpus.Write(text)
	}
	for _, f := range sources(t) {
		if !f.test && f.path != "conformance/doc.go" {
			text, err := os.ReadFile(filepath.Join("..", f.path))
			require.NoError(t, err)
			corpus.Write(text)
		}
	}
	words := 0
	for _, m := range regexp.MustCompile(`(?m)^//   - ([^:]+):`).FindAllStringSubmatch(string(doc), -1) {
		for _, word := range strings.Split(m[1], ", ") {
			words++
			parts := strings.FieldsFunc(strings.TrimSuffix(word, " value"), func(r rune) bool { return r == ' ' || r == '-' })
			assert.True(t, regexp.MustCompile(`(?i)`+strings.Join(parts, `[ -]?(?:\n//[ \t]*)?`)).MatchString(corpus.String()), "doc.go defines %s: nothing uses it", word)
		}
	}
	require.Greater(t, words, 30, "the glossary was not found")
}
