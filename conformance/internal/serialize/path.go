package serialize

import (
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// path reads the parameters of a path.
func (r *reader) path(template string, list []*openapi.Parameter, raw string) []*jsontree.Value {
	out := make([]*jsontree.Value, len(list))
	segments := readTemplate(template)
	rest := strings.Split(raw, "/")
	if len(rest) != len(segments) {
		r.out.Mismatch = true
		return out
	}
	texts := map[string]string{}
	for i, parts := range segments {
		found, ways := matchSegment(parts, rest[i])
		if ways == 0 {
			r.out.Mismatch = true
			return out
		}
		for _, p := range parts {
			if !p.expression {
				continue
			}
			path := below("/path", p.text)
			if ways > 1 {
				r.ambiguous(path, "a path that matches in several ways")
			}
			if rest[i] == "." || rest[i] == ".." {
				r.because(path, "dot segment")
			}
			if old, twice := texts[p.text]; twice && old != found[0] {
				r.because(path, Twice)
			} else {
				texts[p.text] = found[0]
			}
			found = found[1:]
		}
	}
	for i, p := range list {
		if text, ok := texts[p.Name]; ok {
			out[i] = r.expression(p, text)
		}
	}
	return out
}

// expression reads what stands for {name}.
func (r *reader) expression(p *openapi.Parameter, raw string) *jsontree.Value {
	path := below("/path", p.Name)
	t := flatText{p: p, raw: raw, path: path, split: commas, decode: r.segment, named: p.Explode, separators: ","}
	switch {
	case p.Media != "":
	case p.Style == "label":
		t.whole = ",."
		if t.raw = strings.TrimPrefix(raw, "."); t.raw == raw {
			r.because(path, "no dot before the value")
		}
		if p.Explode {
			t.split = func(raw string) []string { return strings.Split(raw, ".") }
			t.separators = "."
		} else {
			// OpenAPI 3.1.0 shows dots between the items, 3.1.1 and RFC 6570 commas.
			t.split = func(raw string) []string {
				if strings.ContainsAny(raw, ",.") {
					r.ambiguous(path, "items of the style label")
				}
				return commas(raw)
			}
		}
	case p.Style == "matrix":
		return r.matrix(t)
	case strings.Contains(raw, ";"):
		r.because(path, "semicolon")
	}
	return r.value(t)
}

// matrix reads ";name=value", once or, exploded, for each item or member.
func (r *reader) matrix(t flatText) *jsontree.Value {
	pieces := strings.Split(strings.TrimPrefix(t.raw, ";"), ";")
	if t.raw[0] != ';' {
		r.because(t.path, "no semicolon before the name")
	}
	k := r.kindsOf(t.p.Schema)
	single := k&(scalars|isNull) != 0
	if t.p.Explode && !single && k&isArray == 0 {
		t.raw, t.separators = strings.Join(pieces, ";"), ";"
		t.split = func(raw string) []string { return strings.Split(raw, ";") }
		return r.splitObject(t)
	}
	var raws []string
	for _, piece := range pieces {
		name, raw, equals := strings.Cut(piece, "=")
		if name, _ = unescape(name, false); name != t.p.Name {
			r.because(t.path, "another name "+quoted(name))
		}
		if !equals {
			r.because(t.path, "name without \"=\"")
		}
		raws = append(raws, raw)
	}
	if t.p.Explode && k&isArray != 0 && (!single || len(raws) > 1) {
		t.raw, t.separators = strings.Join(raws, ";"), ";,"
		t.split = func(raw string) []string { return strings.Split(raw, ";") }
		if single {
			r.because(t.path, "one value or several")
		}
		return r.splitList(t)
	}
	if len(raws) > 1 {
		r.because(t.path, Twice)
	}
	t.raw, t.named, t.whole = raws[0], false, ",;"
	return r.value(t)
}

// segment decodes a piece of a path.
func (r *reader) segment(raw, path string) string {
	text, valid := unescape(raw, false)
	if !valid {
		r.because(path, "invalid percent-encoding")
	}
	r.unencoded(raw, path, "\"<>\\^`{}|[]#?")
	r.characters(text, path)
	if strings.ContainsAny(text, "/\\") {
		r.because(path, "encoded slash")
	}
	if strings.ContainsAny(text, "%;") { // firewalls take them for an attack
		r.because(path, "encoded percent sign or semicolon")
	}
	if strings.Contains(strings.ToLower(raw), "%2e") {
		r.because(path, "encoded dot")
	}
	return text
}

// header reads the parameters of the fields of a request.
func (r *reader) header(list []*openapi.Parameter, fields []exchange.Field) []*jsontree.Value {
	out := make([]*jsontree.Value, len(list))
	for i, p := range list {
		path := below("/header", p.Name)
		t := flatText{p: p, path: path, named: p.Explode, split: r.fieldItems(path), decode: r.field}
		found := false
		for _, f := range fields {
			if !strings.EqualFold(f.Name, p.Name) {
				continue
			}
			if found {
				r.because(path, Twice)
				break
			}
			t.raw, found = strings.Trim(f.Value, " \t"), true
		}
		if found {
			out[i] = r.value(t)
		}
	}
	return out
}

// fieldItems splits a header at commas, without the blanks around them (RFC 9110,
// 5.6.1).
func (r *reader) fieldItems(path string) func(string) []string {
	return func(raw string) []string {
		items := commas(raw)
		for i, item := range items {
			items[i] = strings.Trim(item, " \t")
			if items[i] != item {
				r.because(path, "blanks at a comma")
			}
		}
		return items
	}
}

// field returns the text of a header as it is. Some servers decode it.
func (r *reader) field(raw, path string) string {
	if strings.Contains(raw, "%") {
		if text, _ := unescape(raw, false); text != raw {
			r.because(path, "percent-encoding in a header")
		}
	}
	for i := range len(raw) {
		if c := raw[i]; c < ' ' || c > '~' {
			r.because(path, "a character that a header does not have")
		}
	}
	return raw
}
