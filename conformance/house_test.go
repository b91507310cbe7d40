package conformance_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The house rules that a compiler does not know.

// TestEncodingJSONLendsItsNumberAlone: jsonschema and libopenapi take exact
// numbers as json.Number; everything else of that package reads loosely.
func TestEncodingJSONLendsItsNumberAlone(t *testing.T) {
	allowed := []string{
		"conformance/internal/contract/compile.go",
		"conformance/internal/contract/steps.go",
		"conformance/internal/jsontree/native.go",
		"conformance/internal/jsontree/emit_test.go",
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
	for _, f := range sources(t) {
		if f.test || below(f.pkg, "cmd") || f.pkg == "conformance/formats" {
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
	for _, f := range sources(t) {
		assert.LessOrEqual(t, f.lines, 400, "%s: split it where the subject changes: a room that one look takes in is found again", f.path)
	}
}

// TestPackageVariablesAreNeverAssigned looks at plain assignments, to an element
// too; what a method does to its receiver it cannot see.
func TestPackageVariablesAreNeverAssigned(t *testing.T) {
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
