package serialize

import (
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Reading is what the bytes of a body say.
type FormReading struct {
	Value *jsontree.Value
	// Reasons say why a server may refuse a value or read it otherwise, with paths
	// such as "/name".
	Reasons []schema.Reason
	// Malformed says why it is no body of the media type.
	Malformed error
	// Ambiguous reports whether servers may read it in different ways. A reason says
	// where.
	Ambiguous bool
}

// Read reads what Write writes, and anything else.
func ReadFormBody(media string, of *schema.Schema, encoding map[string]openapi.Encoding, contentType string, body []byte) *FormReading {
	r := &FormReading{}
	switch {
	case !SupportsForm(media):
		r.Malformed = fmt.Errorf("cannot read a body of %s: remove the media type", media)
		return r
	case contentType == "":
		r.because("", "no content type")
		contentType = concrete(media)
	case !MatchesMedia(media, contentType):
		r.Malformed = fmt.Errorf("content type %s, not %s: send the documented one", jsontree.Cut(contentType, longestFormShown), media)
		return r
	}
	if what := odd(contentType); what != "" {
		r.because("", what)
	}
	switch {
	case bare(media) == urlencoded:
		r.pairs(of, encoding, string(body))
	case bare(media) == multipart:
		_, params, err := mime.ParseMediaType(contentType)
		if err != nil {
			_, params, _ = mime.ParseMediaType(ContentType(media, body)) // the parameter is odd, and the reason is given
		}
		r.multipart(of, encoding, params["boundary"], string(body))
	case IsText(media):
		r.Value = r.text(of, string(body), "")
	default:
		r.Value = jsontree.NewString(string(body))
	}
	return r
}

const longestFormShown = 100

// because adds a reason, once.
func (r *FormReading) because(path, what string) {
	reason := schema.Reason{Path: path, What: what}
	if len(r.Reasons) < maxReasons && !slices.Contains(r.Reasons, reason) {
		r.Reasons = append(r.Reasons, reason)
	}
}

func (r *FormReading) ambiguous(path, what string) {
	r.Ambiguous = true
	r.because(path, what)
}

// text reads a text by its schema.
func (r *FormReading) text(s *schema.Schema, content, path string) *jsontree.Value {
	if strings.HasPrefix(content, "\uFEFF") {
		r.because(path, "byte order mark")
	}
	if !utf8.ValidString(content) {
		r.because(path, "invalid UTF-8")
	}
	v, reasons := Text(s, content)
	for _, what := range reasons {
		r.because(path, what)
	}
	return v
}

func (r *FormReading) json(s *schema.Schema, content, path string) *jsontree.Value {
	v, reasons := JSON(s, content)
	for _, what := range reasons {
		r.because(path, what)
	}
	if s != nil && v != nil && v.Kind == jsontree.String && (s.Type() == "object" || s.Type() == "array") {
		if _, err := jsontree.Parse([]byte(v.Text)); err == nil {
			r.ambiguous(path, "a JSON string that contains JSON") // servers may decode a part twice
		}
	}
	return v
}

// pairs reads a form of names and values.
func (r *FormReading) pairs(of *schema.Schema, encoding map[string]openapi.Encoding, body string) {
	if body == "" {
		r.because("", "an empty form") // which is no body for many readers
	}
	var list []*openapi.Parameter
	for _, name := range Names(of) {
		list = append(list, field(of, encoding, name))
	}
	got := ReadForm(list, body)
	if len(got.Unknown) > 0 {
		for _, path := range got.Unknown {
			name, _ := jsontree.UnescapePointer(path[1:])
			list = append(list, field(of, encoding, name))
		}
		if got = ReadForm(list, body); len(got.Unknown) > 0 {
			r.because("", "many unknown names")
		}
	}
	r.Value, r.Ambiguous = got.Values, got.Ambiguous
	r.Reasons = append(r.Reasons, got.Reasons...)
	for i, m := range r.Value.Members {
		path := "/" + jsontree.EscapePointer(m.Name)
		s, _ := Member(of, m.Name)
		if e := encoding[m.Name]; e.Style != "" || openapi.IsJSON(concrete(e.Media)) {
			continue
		}
		if s == nil && m.Value.Kind == jsontree.String && strings.HasPrefix(m.Value.Text, "{") {
			r.because(path, "a string or JSON")
		}
		if objectAlone(s) { // earlier versions of OpenAPI spread its members over pairs
			r.ambiguous(path, "an object in a form without an encoding")
		}
		if m.Value.Kind == jsontree.Array {
			r.Value.Members[i].Value = r.jsonItems(s, m.Value, path)
		}
	}
}

// jsonItems reads the items of an array that are JSON texts of objects.
func (r *FormReading) jsonItems(s *schema.Schema, v *jsontree.Value, path string) *jsontree.Value {
	out := jsontree.NewArray()
	for i, item := range v.Items {
		if own := Item(s, i); own != nil && objectAlone(own) && item.Kind == jsontree.String {
			r.ambiguous(path, "objects in a form without an encoding")
			item = r.json(own, item.Text, path+"/*")
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// multipart reads a form of parts.
func (r *FormReading) multipart(of *schema.Schema, encoding map[string]openapi.Encoding, boundary, body string) {
	if boundary == "" {
		r.Malformed = errors.New("content type without a boundary: name it")
		return
	}
	parts, err := r.split(boundary, body)
	if err != nil {
		r.Malformed = err
		return
	}
	if len(parts) == 0 {
		r.because("", "no part")
	}
	byName := map[string][]part{}
	var names []string
	for _, p := range parts {
		if !p.named {
			r.because("", "part without a name")
			continue
		}
		if byName[p.name] == nil {
			names = append(names, p.name)
		}
		byName[p.name] = append(byName[p.name], p)
	}
	r.Value = jsontree.NewObject()
	for _, name := range names {
		s, _ := Member(of, name)
		r.Value.Members = append(r.Value.Members, jsontree.M(name, r.parts(s, encoding[name], byName[name], "/"+jsontree.EscapePointer(name))))
	}
}

// parts reads the parts of one name.
func (r *FormReading) parts(s *schema.Schema, e openapi.Encoding, parts []part, path string) *jsontree.Value {
	single, list, object := Holds(s)
	single = single || object
	switch {
	case list && !single, list && len(parts) > 1:
		if single {
			r.because(path, "one value or several")
		}
		if openapi.IsJSON(e.Media) {
			r.ambiguous(path, "an array of JSON in parts")
			if v := r.part(s, e, parts[0], path); len(parts) == 1 && v.Kind == jsontree.Array {
				return v
			}
		}
		out := jsontree.NewArray()
		for i, p := range parts {
			out.Items = append(out.Items, r.part(Item(s, i), e, p, path+"/*"))
		}
		return out
	case len(parts) > 1:
		r.because(path, Twice)
	}
	return r.part(s, e, parts[0], path)
}

// part reads one part by its schema, not by what it says of itself.
func (r *FormReading) part(s *schema.Schema, e openapi.Encoding, p part, path string) *jsontree.Value {
	want := e.Media
	if want == "" {
		want = mediaOf(s, e, nil)
	}
	have := p.media
	if have == "" {
		have = text // RFC 7578, 4.4
	} else if what := odd(have); what != "" {
		r.because(path, what)
	}
	if s == nil && e.Media == "" {
		want = have
	}
	if !MatchesMedia(want, have) {
		r.because(path, "a part of another content type")
	}
	file := isFile(s, concrete(want))
	if file != p.filename && (s != nil || e.Media != "") {
		r.because(path, "a file name that is missing or not expected")
	}
	switch {
	case openapi.IsJSON(concrete(want)):
		if e.Media == "" && e.Style != "" { // a style could spread an object over parts
			r.ambiguous(path, "an object with a style in a part")
		}
		return r.json(s, p.content, path)
	case file || !IsText(concrete(want)):
		return jsontree.NewString(p.content)
	}
	return r.text(s, p.content, path)
}

// split takes a body apart at its boundary (RFC 2046, 5.1.1).
func (r *FormReading) split(boundary, body string) ([]part, error) {
	delimiter := "--" + boundary
	var out []part
	begin, open, closed := 0, false, false
	for at := 0; !closed; {
		i := strings.Index(body[at:], delimiter)
		if i < 0 {
			break
		}
		i += at
		at = i + len(delimiter)
		end, last, ok := lineEnd(body, at)
		if !ok || i > 0 && body[i-1] != '\n' {
			continue
		}
		if open {
			content := strings.TrimSuffix(body[begin:max(begin, i-1)], "\r")
			if i > begin && (i-1 == begin || body[i-2] != '\r') {
				r.because("", "line end without a carriage return")
			}
			p, err := r.head(content)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		} else if i > 0 {
			r.because("", "text before the first part")
		}
		begin, at, open, closed = end, end, true, last
	}
	switch {
	case !open:
		return nil, fmt.Errorf("no part: the boundary %q is not in the body", jsontree.Cut(boundary, longestFormShown))
	case !closed:
		r.because("", "no boundary at the end")
		if p, err := r.head(body[begin:]); err == nil {
			out = append(out, p)
		}
	case strings.TrimSpace(body[begin:]) != "":
		r.because("", "text after the last part")
	}
	return out, nil
}

// lineEnd returns where the line of a delimiter ends, and whether it is the last one.
func lineEnd(body string, at int) (end int, last, ok bool) {
	if strings.HasPrefix(body[at:], "--") {
		last, at = true, at+2
	}
	for at < len(body) && (body[at] == ' ' || body[at] == '\t') {
		at++
	}
	switch {
	case strings.HasPrefix(body[at:], "\r\n"):
		return at + 2, last, true
	case strings.HasPrefix(body[at:], "\n"):
		return at + 1, last, true
	}
	return at, last, last && at == len(body)
}

// head reads the fields of a part.
func (r *FormReading) head(text string) (part, error) {
	var p part
	for {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok && line == "" { // the empty line is the one before the delimiter
			r.because("", "part without an empty line")
			return p, nil
		}
		if !ok {
			return part{}, errors.New("a part without an empty line after its head: add it")
		}
		text = rest
		if !strings.HasSuffix(line, "\r") {
			r.because("", "line end without a carriage return")
		}
		if line = strings.TrimSuffix(line, "\r"); line == "" {
			break
		}
		name, value, colon := strings.Cut(line, ":")
		if !colon {
			r.because("", "a line in the head of a part that is no field")
		}
		switch value = strings.Trim(value, " \t"); strings.ToLower(name) {
		case "content-disposition":
			r.disposition(&p, value)
		case "content-type":
			p.media = value
		case "content-transfer-encoding":
			r.because("", "content transfer encoding")
		}
	}
	p.content = text
	return p, nil
}

// disposition reads the name of a part, quoted or not, and whether it is a file.
func (r *FormReading) disposition(p *part, value string) {
	kind, rest, _ := strings.Cut(value, ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "form-data") {
		r.because("", "a part that is no form data")
	}
	for rest != "" {
		var name, text string
		name, rest, _ = strings.Cut(rest, "=")
		text, rest = r.value(rest)
		switch strings.ToLower(strings.Trim(name, " \t;")) {
		case "name":
			p.name, p.named = text, true
		case "filename":
			p.filename = true
		case "name*", "filename*":
			r.because("", "a name of a part with its own encoding")
		}
	}
}

// value returns the text of a parameter and what follows it.
func (r *FormReading) value(s string) (text, rest string) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, "\"") {
		text, rest, _ = strings.Cut(s, ";")
		r.because("", "a name of a part without quotes")
		return strings.TrimRight(text, " \t"), rest
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			r.because("", "an escape in the name of a part")
			i++
		case s[i] == '%':
			r.because("", "a percent sign in the name of a part")
		}
		b.WriteByte(s[i])
	}
	r.because("", "a name of a part without its last quote")
	return b.String(), ""
}
