package yamltree

import (
	"errors"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// parseJSON reads the text by JSON's own grammar, which is exact where YAML
// readers differ (escapes, tabs, numbers). It reports whether the text is JSON;
// an error may come with either answer.
func (t *Tree) parseJSON(text string) (bool, error) {
	d, err := jsontree.ParseText(text, maxDepth, maxNodes)
	var syntax *jsontree.SyntaxError
	var depth *jsontree.DepthError
	var size *jsontree.SizeError
	switch {
	case errors.As(err, &syntax):
		return false, t.errAt(placeOf(text, syntax.Offset), "%s", syntax.Msg)
	case errors.As(err, &depth):
		return false, t.errAt(placeOf(text, depth.Offset), "nested deeper than %d", maxDepth)
	case errors.As(err, &size):
		return true, t.errAt(placeOf(text, size.Offset), "more than %d values: split the document", maxNodes)
	}
	twice := false
	for _, i := range d.Issues {
		switch {
		case i.Kind == jsontree.DuplicateName && t.loose:
			twice = true
		case i.Kind == jsontree.DuplicateName:
			name, _ := jsontree.UnescapePointer(i.Pointer[strings.LastIndexByte(i.Pointer, '/')+1:])
			return true, t.errAt(placeOf(text, i.Offset), "duplicate key %q", name)
		default:
			return true, t.errAt(placeOf(text, i.Offset), "%s", i.Kind)
		}
	}
	if twice {
		t.onlyFirst(d.Root, text)
	}
	t.Root, t.places.json = d.Root, text
	return true, nil
}
