package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/internal/nearest"
)

// Match reports whether a pattern matches a text. A * matches any run of
// characters, everything else matches itself.
func Match(pattern, text string) bool {
	first, rest, more := strings.Cut(pattern, "*")
	if !more || !strings.HasPrefix(text, first) {
		return pattern == text
	}
	text = text[len(first):]
	for {
		part, behind, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, part)
		}
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		rest, text = behind, after
	}
}

// Selection selects cases by patterns over their id, their class and the
// requirements that they can test.
type Selection struct {
	Only, Skip []string
	used       map[string]bool
}

// Keeps reports whether a case with these names is selected.
func (s *Selection) Keeps(names []string) bool {
	return (len(s.Only) == 0 || s.any(s.Only, names)) && !s.any(s.Skip, names)
}

func (s *Selection) any(patterns, names []string) bool {
	found := false
	for _, p := range patterns {
		for _, n := range names {
			if Match(p, n) {
				if s.used == nil {
					s.used = map[string]bool{}
				}
				s.used[p] = true
				found = true
			}
		}
	}
	return found
}

// Use notes that a pattern matched something.
func (s *Selection) Use(pattern string) { s.any([]string{pattern}, []string{pattern}) }

// Unused returns an error that names a pattern that matched nothing, and what of the
// names it may stand for.
func (s *Selection) Unused(names []string) error {
	for _, p := range append(append([]string(nil), s.Only...), s.Skip...) {
		if !s.used[p] {
			return fmt.Errorf("pattern %q matches no requirement and no case: %s", p, cmp.Or(nearest.Hint(p, names), nearby(p, names), "see conformance list"))
		}
	}
	return nil
}

// nearby asks whether the beginning of names is meant, where a pattern is like that.
func nearby(pattern string, names []string) string {
	var starts []string
	for _, name := range names {
		for i, c := range name {
			if c == '-' || c == '/' {
				starts = append(starts, name[:i+1]+"*")
			}
		}
	}
	slices.Sort(starts)
	return nearest.Hint(strings.TrimRight(pattern, "*-/")+"-*", slices.Compact(starts))
}
