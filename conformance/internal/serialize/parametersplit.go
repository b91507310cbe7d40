package serialize

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// flatText is a raw text of one parameter and how its pieces are read.
type flatText struct {
	p    *openapi.Parameter
	raw  string
	path string
	// split returns the raw pieces of a list or an object.
	split func(raw string) []string
	// decode returns the text of a piece, with its reasons.
	decode func(raw, path string) string
	// named reports whether an object has "name=value" as its pieces.
	named bool
	// separators are the characters that would split a piece if it were decoded
	// before it is split.
	separators string
	// whole are the characters that some readers of the style split a single value at.
	whole string
}

// value reads a parameter that is one text: as the schema says, a single value, a
// list or an object.
func (r *reader) value(t flatText) *jsontree.Value {
	if t.p.Media != "" {
		return r.content(t.p, t.decode(t.raw, t.path), t.path)
	}
	k := r.kindsOf(t.p.Schema)
	single := k&(scalars|isNull) != 0 || k == 0
	switch {
	case !single && k&isObject == 0:
		return r.splitList(t)
	case !single && k&isArray == 0:
		return r.splitObject(t)
	case k&(isArray|isObject) != 0 && k != anyKind:
		r.because(t.path, "one value or several")
		if len(t.split(t.raw)) > 1 || !single {
			if k&isArray == 0 {
				return r.splitObject(t)
			}
			return r.splitList(t)
		}
	}
	text := t.decode(t.raw, t.path)
	if strings.ContainsAny(text, t.whole) {
		r.ambiguous(t.path, "a separator inside the value")
	}
	return r.scalar(t.p.Schema, text, t.path)
}

func (r *reader) splitList(t flatText) *jsontree.Value {
	if t.raw == "" {
		r.because(t.path, "empty value")
		return jsontree.NewArray()
	}
	var texts []string
	for _, raw := range t.split(t.raw) {
		texts = append(texts, r.piece(t, raw, t.path+"/*"))
	}
	return r.list(t.p.Schema, texts, t.path)
}

func (r *reader) splitObject(t flatText) *jsontree.Value {
	if t.raw == "" {
		r.because(t.path, "empty value")
		return jsontree.NewObject()
	}
	pieces := t.split(t.raw)
	var names, texts []string
	if t.named {
		t.separators += "="
		for _, raw := range pieces {
			name, value, ok := strings.Cut(raw, "=")
			if !ok {
				r.because(t.path, "member without \"=\"")
			}
			names, texts = append(names, r.piece(t, name, t.path)), append(texts, r.piece(t, value, t.path))
		}
		return r.object(t.p.Schema, names, texts, t.path)
	}
	if len(pieces)%2 != 0 {
		r.ambiguous(t.path, "name without a value")
		return jsontree.NewString(t.decode(t.raw, t.path))
	}
	for i := 0; i < len(pieces); i += 2 {
		names, texts = append(names, r.piece(t, pieces[i], t.path)), append(texts, r.piece(t, pieces[i+1], t.path))
	}
	return r.object(t.p.Schema, names, texts, t.path)
}

// piece decodes a piece. Servers that decode before they split would split it again.
func (r *reader) piece(t flatText, raw, path string) string {
	text := t.decode(raw, path)
	if strings.ContainsAny(text, t.separators) {
		r.ambiguous(t.path, "a separator inside an item")
	}
	return text
}

// commas splits at commas.
func commas(raw string) []string { return strings.Split(raw, ",") }
