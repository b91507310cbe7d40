package serialize

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
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

// Text reads a text as the value that a schema allows: a number, a boolean, else a
// string. The reasons say why a server may refuse the text or read it otherwise.
func Text(s *schema.Schema, text string) (*jsontree.Value, []string) {
	return scalar(s, kindsOf(s, 0), text)
}

func scalar(s *schema.Schema, k kinds, text string) (*jsontree.Value, []string) {
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

func numberReasons(s *schema.Schema, k kinds, text string) []string {
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
func respelled(s *schema.Schema, text string) bool {
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
func freeText(s *schema.Schema, k kinds) bool {
	if k&isText == 0 || k&isNull != 0 && k != anyKind {
		return false
	}
	if s != nil && s.Enum != nil {
		return slices.ContainsFunc(s.Enum, func(v *jsontree.Value) bool { return v.Kind == jsontree.String && v.Text == "" })
	}
	return s == nil || s.Const == nil && s.Pattern == "" && s.Format == "" && (s.MinLength == nil || *s.MinLength == 0) &&
		len(s.AnyOf)+len(s.OneOf) == 0
}

// writeExpression writes what stands for {name} in a path.
func writeExpression(p *openapi.Parameter, v *jsontree.Value) (string, error) {
	f, err := flattened(p, v)
	if err != nil {
		return "", err
	}
	if strings.Join(f.texts, "") == "" {
		return "", errors.New("an empty value has no text in a path: give another one")
	}
	esc := escaper(p, f, segmentKeep)
	switch {
	case p.Media != "":
		return f.join(",", false, esc), nil
	case p.Style == "label":
		if !p.Explode {
			return "." + f.join(",", false, esc), nil
		}
		return "." + f.join(".", true, esc), f.refuse(p, ".")
	case p.Style == "matrix" && p.Explode:
		return ";" + strings.Join(f.each(escape(p.Name, ""), esc), ";"), nil
	case p.Style == "matrix":
		return ";" + escape(p.Name, "") + "=" + f.join(",", false, esc), nil
	case p.Style == "simple":
		return f.join(",", p.Explode, esc), nil
	}
	return "", unknownStyle(p)
}

// writeQuery writes the pairs of a query parameter.
func writeQuery(p *openapi.Parameter, v *jsontree.Value) ([]string, error) {
	f, err := flattened(p, v)
	if err != nil || f.empty() {
		return nil, err
	}
	esc, name := escaper(p, f, reservedKeep), escape(p.Name, "")
	separator, taken := ",", "" // a comma inside is escaped
	switch style := p.Style; {
	case p.Media != "":
		return f.each(name, esc), nil
	case style == "deepObject":
		return writeDeep(p, f, esc)
	case style == "spaceDelimited":
		separator, taken = "%20", " "
	case style == "pipeDelimited":
		separator, taken = "%7C", "|"
	case style != "form":
		return nil, unknownStyle(p)
	}
	if p.Explode {
		return f.each(name, esc), nil
	}
	return []string{name + "=" + f.join(separator, false, esc)}, f.refuse(p, taken)
}

func writeDeep(p *openapi.Parameter, f flat, esc func(string) string) ([]string, error) {
	if f.kind != jsontree.Object {
		return nil, errors.New("style deepObject writes objects alone: send an object")
	}
	var out []string
	for i, text := range f.texts {
		key := f.names[i]
		if key == "" || strings.ContainsAny(key, "[]") {
			return nil, fmt.Errorf("style deepObject has no form for the member %q: choose another name", key)
		}
		out = append(out, escape(p.Name+"["+key+"]", "")+"="+esc(text))
	}
	return out, nil
}

// writeHeader writes the value of a field; false if there is none. A field has no
// percent-encoding, so what it cannot hold has no text (RFC 9110, 5.5).
func writeHeader(p *openapi.Parameter, v *jsontree.Value) (string, bool, error) {
	f, err := flattened(p, v)
	if err != nil || f.empty() {
		return "", false, err
	}
	if f.kind != jsontree.String {
		for _, part := range append(f.texts[:len(f.texts):len(f.texts)], f.names...) {
			if part != strings.Trim(part, " \t") {
				return "", false, errors.New("blanks at the end of an item of a header are not kept: choose another value")
			}
		}
		if err := f.refuse(p, ","); err != nil {
			return "", false, err
		}
		if strings.Contains(strings.Join(f.names, ""), "=") && p.Explode {
			return "", false, errors.New("an exploded object in a header has no form for a name with \"=\": choose another name")
		}
	}
	text := f.join(",", p.Explode, func(text string) string { return text })
	if text != strings.Trim(text, " \t") {
		return "", false, errors.New("blanks at the end of a header are not kept: choose another value")
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' || c > '~' {
			return "", false, fmt.Errorf("a header cannot hold the byte %#02x: choose another value", c)
		}
	}
	return text, true, nil
}

// writeCookie writes the pairs of a cookie parameter. Exploded parts are pairs of
// their own: "&" means nothing in a Cookie field (RFC 6265, 4.2.1).
func writeCookie(p *openapi.Parameter, v *jsontree.Value) ([]string, error) {
	f, err := flattened(p, v)
	if err != nil || f.empty() {
		return nil, err
	}
	keep := cookieKeep
	if f.kind == jsontree.String {
		keep += "&="
	}
	esc := func(text string) string { return escape(text, keep) }
	if p.Style == "cookie" { // nothing is escaped (OpenAPI 3.2, 4.12.6)
		esc = func(text string) string { return text }
		for _, text := range f.texts {
			if escape(text, cookieKeep+"&=%,") != text {
				return nil, fmt.Errorf("a cookie cannot hold %q without an escape: choose another value", text)
			}
		}
		if err := f.refuse(p, ","); err != nil && !p.Explode {
			return nil, err
		}
	}
	names := []string{p.Name}
	if f.kind == jsontree.Object && p.Explode {
		names = f.names
	}
	for _, name := range names {
		if name == "" || escape(name, "!#$&'*+^`|") != name {
			return nil, fmt.Errorf("%q is no name of a cookie: choose another one", name)
		}
	}
	if p.Explode || p.Media != "" {
		return f.each(p.Name, esc), nil
	}
	return []string{p.Name + "=" + f.join(",", false, esc)}, nil
}

// flattened returns the texts of a value by content or by style.
func flattened(p *openapi.Parameter, v *jsontree.Value) (flat, error) {
	v, err := content(p, v)
	if err != nil {
		return flat{}, err
	}
	return flatten(v)
}

// escaper returns how texts are percent-encoded. Inside a list the comma and "="
// are delimiters.
func escaper(p *openapi.Parameter, f flat, reserved string) func(string) string {
	keep := ""
	if p.AllowReserved {
		keep = reserved
		if f.kind == jsontree.String {
			keep += ",="
		}
	}
	return func(text string) string { return escape(text, keep) }
}

func unknownStyle(p *openapi.Parameter) error {
	return fmt.Errorf("style %q is none of a %s parameter: correct the document", p.Style, p.In)
}
