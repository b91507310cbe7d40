package conformance_test

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/mutate"
)

// entryFile is the file of a catalogue entry: its name without the dashes. Not
// with underscores, which give a file name a meaning (_test, _linux).
func entryFile(name string) string { return strings.ReplaceAll(name, "-", "") + ".go" }

// TestEveryCatalogueEntryHasTheFileOfItsName: a case id and a requirement name
// the entry, and from there one gets to the code in one step.
func TestEveryCatalogueEntryHasTheFileOfItsName(t *testing.T) {
	listed := map[string][]string{}
	for _, m := range mutate.List() {
		listed["mutators"] = append(listed["mutators"], m.Name)
	}
	for _, m := range mutate.Sequences() {
		listed["sequences"] = append(listed["sequences"], m.Name)
	}
	for _, r := range checks.Rules() {
		listed["rules"] = append(listed["rules"], r.Name)
	}
	for _, s := range auth.List() {
		listed["schemes"] = append(listed["schemes"], s.Name)
	}
	for _, h := range causes.List() {
		listed["causes"] = append(listed["causes"], h.Name)
	}
	types := map[string]string{"mutators": "plan.Mutator", "sequences": "plan.Mutator", "rules": "rule.Rule", "schemes": "request.Scheme", "causes": "cause.Hypothesis"}
	found := map[string][]string{}
	for _, f := range sources(t) {
		catalogue := strings.TrimPrefix(f.pkg, "conformance/internal/")
		if types[catalogue] == "" || f.test {
			continue
		}
		for _, name := range entries(f.syntax, types[catalogue]) {
			found[catalogue] = append(found[catalogue], name)
			assert.Equal(t, entryFile(name), path.Base(f.path), "%s holds the entry %s: one file for each entry, named after it; "+
				"helpers that several entries share have files of their own", f.path, name)
		}
	}
	for catalogue, names := range listed {
		slices.Sort(names)
		slices.Sort(found[catalogue])
		assert.Equal(t, names, found[catalogue], "%s: an entry without a line in list.go is never tried", catalogue)
	}
}

// TestEntriesUseNothingOfEachOthersFiles: what several entries share is in a file
// of its own, so that a change to one entry changes no other.
func TestEntriesUseNothingOfEachOthersFiles(t *testing.T) {
	types := map[string]string{"mutators": "plan.Mutator", "sequences": "plan.Mutator", "rules": "rule.Rule", "schemes": "request.Scheme", "causes": "cause.Hypothesis"}
	own := map[string]string{} // package and name, to the file of the entry that declares it
	list := sources(t)
	for _, f := range list {
		of := types[strings.TrimPrefix(f.pkg, "conformance/internal/")]
		if of == "" || f.test || len(entries(f.syntax, of)) == 0 {
			continue
		}
		for name, object := range f.syntax.Scope.Objects {
			if v, ok := object.Decl.(*ast.ValueSpec); ok && len(v.Values) > 0 && len(entryNames(v, of)) > 0 {
				continue
			}
			own[f.pkg+"."+name] = f.path
		}
	}
	require.Greater(t, len(own), 40, "the helpers of entries were not found")
	for _, f := range list {
		for _, id := range f.syntax.Unresolved {
			from := own[f.pkg+"."+id.Name]
			assert.False(t, !f.test && from != "" && from != f.path, "%s uses %s of %s: move it to a file for what entries share", f.at(id), id.Name, from)
		}
	}
}

// entries are the names of the entries that a file declares.
func entries(file *ast.File, of string) []string {
	var out []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			out = append(out, entryNames(s.(*ast.ValueSpec), of)...)
		}
	}
	return out
}

func entryNames(s *ast.ValueSpec, of string) []string {
	var out []string
	for _, v := range s.Values {
		if lit, ok := v.(*ast.CompositeLit); ok && typeName(lit.Type) == of {
			out = append(out, nameField(lit))
		}
	}
	return out
}

func typeName(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + s.Sel.Name
}

func nameField(lit *ast.CompositeLit) string {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Name" {
			if value, ok := kv.Value.(*ast.BasicLit); ok {
				if name, err := strconv.Unquote(value.Value); err == nil {
					return name
				}
			}
		}
	}
	return ""
}
