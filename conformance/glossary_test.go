package conformance_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// retired are words that this project made up once, each with the word of doc.go
// that replaces it.
func retired() map[string]string {
	return map[string]string{
		"mild": "baseline", "edge": "may-refuse", "plain": "must-accept", "owed": "expected", "duty": "expectation",
		"claim": "expected class", "mend": "fix", "blame": "attribution", "excuse": "recheck",
		"likeness": "response form", "folded": "suppressed", "masked": "suppressed", "whose": "origin", "kin": "origin",
		"epoch": "dataset generation", "round": "run number", "twin": "retry id", "breach": "violation", "hollow": "empty", "sheet": "page",
	}
}

// everyday are the retired words that are also ordinary English: only names of the
// code are checked for them.
func everyday() []string {
	return []string{"edge", "plain", "claim", "round", "whose", "sheet", "kin", "folded"}
}

// old are the packages whose names or texts still have retired words. Take a
// package off this list when it is clean; the test then keeps it so.
func old() []string { return nil }

// ordinary are names with a retired word in its usual sense.
func ordinary() []string { return []string{"plainText", "PlainHTTP", "plainHost"} }

// TestNoNameOrTextUsesARetiredWord checks the code but for tests and JSON members,
// which readers of reports know.
func TestNoNameOrTextUsesARetiredWord(t *testing.T) {
	unclean := map[string]bool{}
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		bad := f.retiredWords()
		if len(bad) == 0 {
			continue
		}
		unclean[f.pkg] = true
		if !slices.Contains(old(), f.pkg) {
			assert.Fail(t, strings.Join(bad, "\n"))
		}
	}
	for _, pkg := range old() {
		if _, err := os.Stat(filepath.Join("..", pkg)); err == nil {
			assert.True(t, unclean[pkg], "%s is clean: take it off the list", pkg)
		}
	}
}

// TestNoDocumentUsesARetiredWord checks what people read beside the code.
func TestNoDocumentUsesARetiredWord(t *testing.T) {
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for i, line := range strings.Split(quoted.ReplaceAllString(string(text), ""), "\n") {
			for word, instead := range retired() {
				if !slices.Contains(everyday(), word) && asWord(line, word) {
					assert.Fail(t, name+":"+strconv.Itoa(i+1)+": "+word+": write "+instead)
				}
			}
		}
	}
}

// quoted are names in a document: ids of cases, and flags.
var quoted = regexp.MustCompile("`[^`\n]*`")

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

// retiredWords lists the retired words of one file, with their places: in its
// name, in the names that the package declares, and in its texts.
func (f *sourceFile) retiredWords() []string {
	var out []string
	named := func(at, name string) {
		for word, instead := range retired() {
			if slices.Contains(nameParts(name), word) && !slices.Contains(ordinary(), name) {
				out = append(out, at+": "+name+": write "+instead+" for "+word)
			}
		}
	}
	named(f.path, strings.TrimSuffix(path.Base(f.path), ".go"))
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			named(f.at(d), d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					named(f.at(s), s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						named(f.at(id), id.Name)
					}
				}
			}
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.StructType:
			for _, field := range n.Fields.List {
				for _, id := range field.Names {
					named(f.at(id), id.Name)
				}
			}
		case *ast.BasicLit:
			for word, instead := range retired() {
				if n.Kind == token.STRING && !strings.HasPrefix(n.Value, "`json:") && !slices.Contains(everyday(), word) && asWord(n.Value, word) {
					out = append(out, f.at(n)+": "+n.Value+": write "+instead+" for "+word)
				}
			}
		}
		return true
	})
	slices.Sort(out)
	return out
}

// TestNoCommentCitesWhatIsNotInTheRepository: a reader has only the repository.
func TestNoCommentCitesWhatIsNotInTheRepository(t *testing.T) {
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

// nameParts splits a name of the code into its words, in lower case.
func nameParts(name string) []string {
	var out []string
	begin := 0
	for i, r := range name {
		if i > begin && unicode.IsUpper(r) {
			out = append(out, strings.ToLower(name[begin:i]))
			begin = i
		}
	}
	return append(out, strings.ToLower(name[begin:]))
}

// asWord reports whether a text has a word, in any common form of it.
func asWord(text, word string) bool {
	stem := strings.TrimSuffix(word, "e")
	return strings.Contains(strings.ToLower(text), stem) && regexp.MustCompile(`(?i)\b`+stem+`(e|y|est|s|es|ed|d|ing|er)?\b`).MatchString(text)
}

// TestGlossaryWordsAreUsed finds the words that doc.go defines in code or texts.
func TestGlossaryWordsAreUsed(t *testing.T) {
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
