package requirement

import (
	"slices"
	"strconv"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/yamltree"
)

// KnownFailure is an entry of a file of known failures.
type KnownFailure struct {
	// Pattern selects requirements by their ids; * stands for any characters.
	Pattern string
	Reason  string
	Link    string    // empty for none
	Expires time.Time // the last day on which the entry holds; zero for none
	Line    int       // of the file, from 1
}

// DateForm is how a date is written.
const DateForm = "2006-01-02"

// ReadKnownFailures reads a file of known failures: a list of entries with the keys
// requirement, reason, link and expires. A file without content has none. The errors
// are one line: name:line:column: what is wrong and what to write.
func ReadKnownFailures(name string, yaml []byte) ([]KnownFailure, error) {
	if !hasContent(yaml) {
		return nil, nil
	}
	tree, err := yamltree.Parse(name, yaml)
	if err != nil {
		return nil, err
	}
	f := &reader{name: name, tree: tree}
	if k := tree.Root.Kind; k != jsontree.Array && k != jsontree.Null {
		f.refuse("", "the file is %s: write a list of entries with requirement and reason", kindOf(tree.Root))
		return nil, f.err
	}
	var out []KnownFailure
	seen := map[string]int{}
	for i := range tree.Root.Items {
		k := f.knownFailure("/" + strconv.Itoa(i))
		if f.err == nil && seen[k.Pattern] > 0 {
			f.refuse("/"+strconv.Itoa(i)+"/requirement", "%s is in line %d too: keep one", show(k.Pattern), seen[k.Pattern])
		}
		seen[k.Pattern] = k.Line
		out = append(out, k)
	}
	if f.err != nil {
		return nil, f.err
	}
	return out, nil
}

// knownFailure reads an entry.
func (s *reader) knownFailure(at string) KnownFailure {
	var k KnownFailure
	v := s.at(at)
	if v.Kind != jsontree.Object {
		s.refuse(at, "the entry is %s: write a mapping with requirement and reason", kindOf(v))
		return k
	}
	keys := []string{"requirement", "reason", "link", "expires"}
	for _, m := range v.Members {
		if !slices.Contains(keys, m.Name) {
			line, col := s.tree.NamePosition(at + "/" + jsontree.EscapePointer(m.Name))
			s.complain(line, col, "unknown key %s: %s", show(m.Name), near(m.Name, keys))
		}
	}
	k.Line, _ = s.tree.Position(at)
	for _, key := range keys[:2] {
		if v.Get(key) == nil {
			s.refuse(at, "the entry has no %s: add one", key)
		}
	}
	k.Pattern, _ = s.text(at + "/requirement")
	k.Reason, _ = s.sentence(at + "/reason")
	k.Link, _ = s.sentence(at + "/link")
	if text, ok := s.text(at + "/expires"); ok {
		day, err := time.Parse(DateForm, text)
		if err != nil {
			s.refuse(at+"/expires", "%s is not a date: write it like 2030-12-31", show(text))
		}
		k.Expires = day
	}
	return k
}
