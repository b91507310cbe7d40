package checks

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// damaged reports whether a value is what is left of another one: an integer that went
// through a double, a decimal that went through a float, a number without its decimals, a text
// that was cut off or lost letters to a character set, a map without one of its members. Any
// other value may be one that the server sets itself. The schema is that of the answer, and may
// be nil.
func damaged(s *openapi.Schema, want, got *jsontree.Value) bool {
	if want.Kind != got.Kind || jsontree.Equal(want, got) {
		return false
	}
	switch want.Kind {
	case jsontree.Number:
		return inexact(s, want.Text, got.Text) || truncated(s, want.Text, got.Text) || widened(s, want.Text, got.Text)
	case jsontree.String:
		free := s == nil || s.Format == "" && s.Pattern == "" && len(s.Enum) == 0
		return free && remains(want.Text, got.Text)
	case jsontree.Object:
		return damagedObject(s, want, got)
	case jsontree.Array:
		return damagedArray(s, want, got)
	}
	return false
}

// inexact reports whether an integer has only the double in common with another one.
func inexact(s *openapi.Schema, want, got string) bool {
	a, errA := strconv.ParseFloat(want, 64)
	b, errB := strconv.ParseFloat(got, 64)
	return errA == nil && errB == nil && a == b && !strings.ContainsAny(want, ".eE") && (s == nil || s.Format == "int64" || s.Type() == "integer")
}

// truncated reports whether a number lost all its decimals, where the schema of the answer
// allows them.
func truncated(s *openapi.Schema, want, got string) bool {
	whole, decimals, found := strings.Cut(want, ".")
	return s != nil && s.Type() == "number" && found && !strings.ContainsAny(want+got, "eE") && strings.Trim(decimals, "0") != "" && jsontree.Compare(whole, got) == 0
}

// widened reports whether a decimal went through a 32-bit float and shows digits that were never
// sent: 19.99 comes back as 19.989999771118164. Where the format is float, that is allowed.
func widened(s *openapi.Schema, want, got string) bool {
	single, errA := strconv.ParseFloat(want, 32)
	double, errB := strconv.ParseFloat(got, 64)
	return errA == nil && errB == nil && single == double && len(got) > len(want)+4 && s != nil && s.Format != "float"
}

// remains reports whether a text is the beginning of another one, or has marks instead of
// its letters.
func remains(want, got string) bool {
	const marks = "?\uFFFD"
	if strings.ContainsAny(got, marks) && !strings.ContainsAny(want, marks) && letters(got) != letters(want) {
		return true
	}
	if plain := strings.ReplaceAll(got, "\uFFFD", "?"); got != "" && (squeezed(want) == plain || lost(want) == plain) {
		return true
	}
	x, y := letters(want), letters(got)
	return y != "" && y != x && strings.HasPrefix(x, y)
}

// squeezed and lost return a text whose characters beyond U+FFFF became marks, one for each or
// for each half of it in UTF-16. A text without such characters is not one of them.
func squeezed(text string) string { return beyond(text, "?") }
func lost(text string) string     { return beyond(text, "??") }

func beyond(text, mark string) string {
	found := false
	var b strings.Builder
	for _, r := range text {
		if r > 0xFFFF {
			found = true
			b.WriteString(mark)
			continue
		}
		b.WriteRune(r)
	}
	if !found {
		return ""
	}
	return b.String()
}

// letters returns the letters and digits of a text in small letters, with no other signs.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(html.UnescapeString(text)))
}

// damagedObject looks at the members that were sent. One that the schema does not name must
// be there, if the schema gives it a schema.
func damagedObject(s *openapi.Schema, want, got *jsontree.Value) bool {
	for _, m := range want.Members {
		var of *openapi.Schema
		if s != nil {
			if q := s.Property(m.Name); q != nil {
				of = q.Schema
			}
		}
		v := got.Get(m.Name)
		switch {
		case secret(m.Name) || of != nil && (of.ReadOnly || of.WriteOnly):
		case v == nil && of == nil && s != nil && s.Extra != nil && !empty(m.Value):
			return true
		case v != nil && damaged(of, m.Value, v):
			return true
		}
	}
	return false
}

// longList is the length of a list from which on what is left of it is told from a list
// without items that the server does not know.
const longList = 5

// damagedArray compares item with item. A list of another length may leave out what the
// server does not know, but not all items behind some place of a long list.
func damagedArray(s *openapi.Schema, want, got *jsontree.Value) bool {
	var item *openapi.Schema
	if s != nil {
		item = s.Items
	}
	for i, v := range want.Items {
		if len(got.Items) == len(want.Items) && damaged(item, v, got.Items[i]) {
			return true
		}
	}
	return beginning(item, want.Items, got.Items)
}

// beginning reports whether a list is the beginning of a long one whose items are all
// different: the others were lost. Items of a choice may be those that the server knows.
func beginning(item *openapi.Schema, want, got []*jsontree.Value) bool {
	if len(want) < longList || len(got) == 0 || len(got) >= len(want) || item != nil && len(item.Enum) > 0 {
		return false
	}
	for i, v := range want {
		if i < len(got) && !jsontree.Equal(v, got[i]) || slices.ContainsFunc(want[:i], func(w *jsontree.Value) bool { return kept(v, w) }) {
			return false
		}
	}
	return true
}

// empty reports whether a store may leave out a value.
func empty(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		return v.Text == ""
	case jsontree.Number:
		return jsontree.Compare(v.Text, "0") == 0
	case jsontree.Array:
		return len(v.Items) == 0
	case jsontree.Object:
		return len(v.Members) == 0
	case jsontree.Bool:
		return !v.Bool
	}
	return true
}
