package conformance_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
