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

// part is a piece of a segment of a template: literal text, or the name of an
// expression.
type templatePart struct {
	text       string
	expression bool
}

// readTemplate returns the parts of each segment of a path template.
func readTemplate(template string) [][]templatePart {
	var out [][]templatePart
	for segment := range strings.SplitSeq(template, "/") {
		parts := []templatePart{}
		for segment != "" {
			open := strings.IndexByte(segment, '{')
			end := -1
			if open >= 0 {
				end = strings.IndexByte(segment[open:], '}')
			}
			if end < 2 { // no expression, or one without a name
				parts = append(parts, templatePart{text: segment})
				break
			}
			if open > 0 {
				parts = append(parts, templatePart{text: segment[:open]})
			}
			parts = append(parts, templatePart{text: segment[open+1 : open+end], expression: true})
			segment = segment[open+end+1:]
		}
		out = append(out, parts)
	}
	return out
}

// unit is one byte of a path and how many bytes it takes on the wire.
type unit struct {
	b    byte
	from int
}

func units(raw string) []unit {
	var out []unit
	for i := 0; i < len(raw); i++ {
		u := unit{raw[i], i}
		if c, ok := triplet(raw[i:]); ok {
			u.b, i = c, i+2
		}
		out = append(out, u)
	}
	return out
}

// matchSegment splits a segment among the expressions of its parts, by their order.
// ways is how many ways there are to do so: 0, 1, or 2 for more. An expression takes
// at least one byte.
func matchSegment(parts []templatePart, raw string) (texts []string, ways uint8) {
	us := units(raw)
	n := len(us)
	// count[j][i]: in how many ways the parts from j match what follows unit i.
	count := make([][]uint8, len(parts)+1)
	for j := range count {
		count[j] = make([]uint8, n+1)
	}
	count[len(parts)][n] = 1
	literals := make([][]unit, len(parts))
	for j := len(parts) - 1; j >= 0; j-- {
		if parts[j].expression {
			sum := uint8(0)
			for i := n - 1; i >= 0; i-- {
				sum = min(2, sum+count[j+1][i+1])
				count[j][i] = sum
			}
			continue
		}
		literals[j] = units(parts[j].text)
		for i := 0; i+len(literals[j]) <= n; i++ {
			if startsWith(us[i:], literals[j]) {
				count[j][i] = count[j+1][i+len(literals[j])]
			}
		}
	}
	if ways = count[0][0]; ways == 0 {
		return nil, 0
	}
	at := func(i int) int {
		if i == n {
			return len(raw)
		}
		return us[i].from
	}
	for i, j := 0, 0; j < len(parts); j++ {
		if !parts[j].expression {
			i += len(literals[j])
			continue
		}
		end := i + 1
		for count[j+1][end] == 0 {
			end++
		}
		texts = append(texts, raw[at(i):at(end)])
		i = end
	}
	return texts, ways
}

func startsWith(us, literal []unit) bool {
	for i := range literal {
		if us[i].b != literal[i].b {
			return false
		}
	}
	return true
}
