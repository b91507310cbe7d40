package serialize

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Text reads a text as the value that a schema allows: a number, a boolean, else a
// string. The reasons say why a server may refuse the text or read it otherwise.
func Text(s *openapi.Schema, text string) (*jsontree.Value, []string) {
	return scalar(s, kindsOf(s, 0), text)
}

func scalar(s *openapi.Schema, k kinds, text string) (*jsontree.Value, []string) {
	switch {
	case text == "":
		if freeText(s, k) {
			return jsontree.NewString(text), nil
		}
		return jsontree.NewString(text), []string{"empty value"}
	case k&isWhole != 0 && jsontree.ValidNumber(text):
		return jsontree.NewNumber(text), numberReasons(s, k, text)
	case k&isBool != 0 && (text == "true" || text == "false"):
		return jsontree.NewBool(text == "true"), both(k, "boolean")
	}
	v, reason := lenient(k, text)
	switch {
	case v == nil:
		return jsontree.NewString(text), nil
	case k&isText != 0:
		return jsontree.NewString(text), []string{reason}
	}
	return v, []string{reason}
}

// both returns the reason of a text that is a string as well.
func both(k kinds, other string) []string {
	if k&isText != 0 {
		return []string{"a string or a " + other}
	}
	return nil
}

func numberReasons(s *openapi.Schema, k kinds, text string) []string {
	out := both(k, "number")
	switch {
	case k&isNumber == 0 && jsontree.IsInteger(text) && !digitsAlone(text):
		out = append(out, "integer spelled "+jsontree.Cut(text, longestShown))
	case s != nil && (s.Enum != nil || s.Const != nil) && respelled(s, text):
		out = append(out, "number spelled "+jsontree.Cut(text, longestShown))
	}
	return out
}

// longestShown bounds the bytes of a text in a reason.
const longestShown = 20

func digitsAlone(text string) bool {
	if text[0] == '-' {
		text = text[1:]
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// respelled reports whether a text is a listed number in another spelling.
func respelled(s *openapi.Schema, text string) bool {
	list := s.Enum
	if s.Const != nil {
		list = append(list[:len(list):len(list)], s.Const)
	}
	same := func(v *jsontree.Value) bool {
		return v.Kind == jsontree.Number && jsontree.Compare(v.Text, text) == 0
	}
	return slices.ContainsFunc(list, same) && !slices.ContainsFunc(list, func(v *jsontree.Value) bool { return same(v) && v.Text == text })
}

// freeText reports whether an empty text is a string that nothing refuses.
func freeText(s *openapi.Schema, k kinds) bool {
	if k&isText == 0 || k&isNull != 0 && k != anyKind {
		return false
	}
	return s == nil || s.Enum == nil && s.Const == nil && s.Pattern == "" && s.Format == "" && (s.MinLength == nil || *s.MinLength == 0) &&
		len(s.AnyOf)+len(s.OneOf) == 0
}
