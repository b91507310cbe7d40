package plan

import (
	"fmt"
	"regexp"
	"strings"
)

// Mutator makes classes for an operation. The catalogues of mutators and of
// sequences are lists of them.
type Mutator struct {
	// Name is a segment of the ids of its cases. Without its hyphens it is the name
	// of the file with the entry.
	Name string
	// Doc says in one sentence what the mutator tries and why.
	Doc     string
	Classes func(s *Space) []Class
}

// File is the base name of the file with the entry: the name without its hyphens.
// Underscores would give a file name a meaning (_test, _linux).
func (m *Mutator) File() string { return strings.ReplaceAll(m.Name, "-", "") + ".go" }

// Validate returns an error for a bad catalogue: an entry without a part, a name
// that cannot be in a case id, a doc that is not a line of text, or a name listed
// twice.
func Validate(list []Mutator) error {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, m := range list {
		switch {
		case !name.MatchString(m.Name):
			return fmt.Errorf("mutator %q: the name is not lower-case words joined by dashes", m.Name)
		case !strings.HasSuffix(m.Doc, ".") || strings.ContainsAny(m.Doc, "\r\n"):
			return fmt.Errorf("mutator %s: the doc is not a sentence on one line", m.Name)
		case m.Classes == nil:
			return fmt.Errorf("mutator %s makes no classes", m.Name)
		case seen[m.Name]:
			return fmt.Errorf("mutator %s is listed twice", m.Name)
		}
		seen[m.Name] = true
	}
	return nil
}
