package openapi

import (
	"mime"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// responses reads the documented answers of an operation.
func (l *loader) responses(name, operation string) ([]*Response, error) {
	v := l.root.At(operation + "/responses")
	if v == nil || len(v.Members) == 0 {
		l.leaveOut("%s: documents no response, so that any success and any refusal is one", name)
		return nil, nil
	}
	var out []*Response
	for _, m := range v.Members {
		if strings.HasPrefix(m.Name, "x-") {
			continue
		}
		at := operation + "/responses/" + jsontree.EscapePointer(m.Name)
		status := strings.ToUpper(m.Name)
		if m.Name == "default" {
			status = m.Name
		} else if !validStatus(status) {
			return nil, bad(at, "status %q: want three digits, 2XX or default", jsontree.Cut(m.Name, 200))
		}
		pointer, r := l.resolve(at)
		resp := &Response{Status: status, Pointer: pointer}
		if content := r.Get("content"); content != nil {
			if one := l.faults.at[content]; one != nil {
				return nil, one
			}
			for _, media := range content.Members {
				mp, object := l.resolve(pointer + "/content/" + jsontree.EscapePointer(media.Name))
				one := Media{Type: media.Name, Pointer: mp}
				switch s, err := l.answer(media, mp); {
				case err == nil && l.itemized(media.Name, object):
					if err := l.items(&one, mp); err != nil {
						l.skipAnswer(name+": bodies of "+shown(media.Name)+" answers with status "+status+" are not judged", err)
					}
				case err != nil:
					l.skipAnswer(name+": bodies of "+shown(media.Name)+" answers with status "+status+" are not judged", err)
				case s != nil || one.JSON():
					one.Shape, one.Encoding = s, l.encoding(mp+"/encoding")
				case one.XML():
					l.leaveOut("%s: of %s answers it is judged alone whether they are well-formed", name, media.Name)
				default:
					l.leaveOut("%s: bodies of %s answers are not judged", name, media.Name)
				}
				if exchange.Streams(media.Name) {
					l.leaveOut("%s: of %s answers with status %s that do not end, the head and what comes first are judged", name, shown(media.Name), status)
				}
				if object.Get("itemSchema") != nil && !one.Items {
					l.leaveOut("%s: the items of %s answers with status %s are not judged: itemSchema is read for streams, and without a schema beside it", name, shown(media.Name), status)
				}
				resp.Media = append(resp.Media, one)
			}
		}
		resp.Headers = l.headers(name, pointer)
		out = append(out, resp)
	}
	return out, nil
}

// answer returns the shape of an answer of one media type, or nil if it has none.
func (l *loader) answer(media jsontree.Member, pointer string) (*schema.Shape, error) {
	if one := l.faults.at[media.Value]; one != nil {
		return nil, one
	}
	if one := (&Media{Type: media.Name}); !one.JSON() && !isForm(media.Name) && !isText(media.Name) {
		return nil, nil
	}
	s, err := l.shape(schema.Answers, pointer+"/schema")
	if err == nil && s != nil && isText(media.Name) && !slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Schema.Type()) {
		return nil, nil // a text is one value, and has no structure that all readers know
	}
	return s, err
}

// isForm reports whether a body has named values.
func isForm(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && (t == "application/x-www-form-urlencoded" || t == "multipart/form-data")
}

// isText reports whether a body is a text without a structure of its own.
func isText(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && strings.HasPrefix(t, "text/") && !strings.Contains(t, "xml") && !strings.Contains(t, "json") && !strings.Contains(t, "yaml")
}

func validStatus(s string) bool {
	return len(s) == 3 && s[0] >= '1' && s[0] <= '5' &&
		(s[1:] == "XX" || s[1] >= '0' && s[1] <= '9' && s[2] >= '0' && s[2] <= '9')
}

// Header is a documented header field of an answer. Its style is simple (OpenAPI
// 3.1, 4.8.21).
type Header struct {
	Name     string
	Pointer  string // of the header object
	Required bool
	// Explode says how the members of an object are written.
	Explode bool
	// Media is the media type of a header with content instead of a schema.
	Media string
	// Shape is nil if the document has no schema.
	Shape *schema.Shape
}

// headers reads the documented header fields of an answer.
func (l *loader) headers(name, response string) []*Header {
	v := l.root.At(response + "/headers")
	if v == nil {
		return nil
	}
	var out []*Header
	for _, m := range v.Members {
		if strings.EqualFold(m.Name, "Content-Type") {
			continue // it is ignored (OpenAPI 3.1, 4.8.17): content documents it
		}
		if framingField(m.Name) {
			l.leaveOut("%s: answer header %s is not judged: HTTP decides when it is there", name, shown(m.Name))
			continue
		}
		pointer, h := l.resolve(response + "/headers/" + jsontree.EscapePointer(m.Name))
		if h == nil {
			continue
		}
		one, err := l.header(name, m.Name, pointer, h)
		if err != nil {
			l.skipAnswer(name+": answer header "+shown(m.Name)+" is not judged", err)
			continue
		}
		out = append(out, one)
	}
	return out
}

func (l *loader) header(operation, name, pointer string, h *jsontree.Value) (*Header, error) {
	one := &Header{Name: name, Pointer: pointer}
	one.Required = isTrue(h.Get("required"))
	one.Explode = isTrue(h.Get("explode"))
	at := pointer + "/schema"
	if content := h.Get("content"); content != nil && len(content.Members) > 0 {
		one.Media = content.Members[0].Name
		at = pointer + "/content/" + jsontree.EscapePointer(one.Media) + "/schema"
		if !IsJSON(one.Media) {
			l.leaveOut("%s: the value of answer header %s is not judged: it is %s", operation, shown(name), shown(one.Media))
			return one, nil
		}
	}
	var err error
	if one.Shape, err = l.shape(schema.Answers, at); err != nil || one.Shape == nil {
		return one, err
	}
	refers := oneField(name, "Location", "Content-Location")
	if ownSyntax(name) && !(one.Shape.Schema.Format == "uri-reference" && refers) {
		// A format would contradict HTTP, which says what such a field looks like. But what
		// is not even a reference is no URI either.
		if one.Shape.Schema.Format != "uri" || !refers {
			one.Shape.Schema.Source = one.Shape.Schema.Source.Without("format")
		}
		err = one.Shape.AssertNoFormat()
	}
	return one, err
}

func isTrue(v *jsontree.Value) bool { return v != nil && v.Kind == jsontree.Bool && v.Bool }

// framingField reports whether the connection decides about a field, so that a
// document cannot ask for it (RFC 9110, 7.6.1 and 8.6; RFC 9112, 6; RFC 9110, 8.4).
func framingField(name string) bool {
	return oneField(name, "Content-Length", "Transfer-Encoding", "Content-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade", "Proxy-Connection")
}

// ownSyntax reports whether HTTP says what the value of a field looks like, such as
// a date of its own form or a relative reference (RFC 9110, 5.6.7, 8.7, 8.8, 10.2).
func ownSyntax(name string) bool {
	return oneField(name, "Date", "Expires", "Last-Modified", "Retry-After", "Sunset", "Deprecation", "Location", "Content-Location", "ETag", "Link")
}

// oneField reports whether a name is one of some header fields.
func oneField(name string, fields ...string) bool {
	return slices.ContainsFunc(fields, func(one string) bool { return strings.EqualFold(one, name) })
}

// bodies reads the request body in each media type that this suite can write, JSON
// before others. It adds a note for each of the others.
func (l *loader) bodies(name, operation string) ([]*Body, error) {
	pointer, v := l.resolve(operation + "/requestBody")
	if v == nil {
		return nil, nil
	}
	content := v.Get("content")
	if one := l.faults.at[content]; one != nil {
		return nil, one
	}
	if content == nil || len(content.Members) == 0 {
		return nil, bad(pointer, "request body without content: add a media type")
	}
	var sent []jsontree.Member
	for _, m := range content.Members {
		if strings.ContainsFunc(m.Name, unicode.IsControl) {
			return nil, bad(pointer+"/content", "media type %s contains a control character: fix it", shown(m.Name))
		}
		if writable(m.Name) {
			sent = append(sent, m)
		} else {
			l.leaveOut("%s: request media type %s is never sent", name, m.Name)
		}
	}
	if len(sent) == 0 {
		l.omit("no request body of a media type that can be written")
		return nil, nil
	}
	if i := slices.IndexFunc(sent, func(m jsontree.Member) bool { return IsJSON(m.Name) }); i > 0 {
		m := sent[i]
		sent = slices.Insert(slices.Delete(sent, i, i+1), 0, m)
	}
	var out []*Body
	for i, m := range sent {
		if i > 0 && strings.Contains(m.Name, "*") {
			l.leaveOut("%s: request media type %s is never sent: it stands for several", name, m.Name)
			continue
		}
		b, err := l.bodyOf(m, pointer+"/content/"+jsontree.EscapePointer(m.Name))
		switch {
		case err == nil:
			b.Required = isTrue(v.Get("required"))
			out = append(out, b)
		case i == 0:
			return nil, err
		default:
			l.skip(name+": request media type "+m.Name+" is never sent", err)
		}
	}
	return out, nil
}

// bodyOf reads the body of one media type.
func (l *loader) bodyOf(m jsontree.Member, pointer string) (*Body, error) {
	if one := l.faults.at[m.Value]; one != nil {
		return nil, one
	}
	s, err := l.shape(schema.Requests, pointer+"/schema")
	if err != nil {
		return nil, err
	}
	if s == nil {
		if s, err = l.shape(schema.Requests, "/"+inputs+"/"+anything); err != nil {
			return nil, err
		}
	}
	b := &Body{Media: m.Name, Pointer: pointer, Shape: s, Encoding: l.encoding(pointer + "/encoding"), form: !IsJSON(m.Name)}
	b.Usual = l.usualNumbers(m.Value, s.Schema)
	s.Patch = IsJSONPatch(m.Name)
	if schema := m.Value.Get("schema"); schema != nil {
		b.schema = string(schema.Emit())
	}
	return b, nil
}

// writable reports whether this suite can write bodies of a media type: JSON, forms,
// text, and bytes without a structure.
func writable(media string) bool {
	if IsJSON(media) {
		return true
	}
	t, _, err := mime.ParseMediaType(media)
	if err != nil || strings.Contains(t, "*") {
		return false
	}
	kind, _, _ := strings.Cut(t, "/")
	return slices.Contains([]string{"text", "image", "audio", "video"}, kind) && t != "text/xml" ||
		slices.Contains([]string{"application/x-www-form-urlencoded", "multipart/form-data", "application/octet-stream", "application/pdf", "application/zip"}, t)
}

// encoding reads the encoding object of a form.
func (l *loader) encoding(at string) map[string]Encoding {
	list := l.root.At(at)
	if list == nil || list.Kind != jsontree.Object {
		return nil
	}
	out := map[string]Encoding{}
	for _, m := range list.Members {
		e := Encoding{Media: m.Value.TextAt("/contentType"), Style: m.Value.TextAt("/style"), AllowReserved: isTrue(m.Value.Get("allowReserved"))}
		styled := e.Style != "" || m.Value.Get("explode") != nil || m.Value.Get("allowReserved") != nil
		if e.Style == "" {
			e.Style = "form"
		}
		if e.Explode = e.Style == "form"; m.Value.Get("explode") != nil {
			e.Explode = isTrue(m.Value.Get("explode"))
		}
		if styled {
			e.Media = "" // the style decides (OpenAPI 3.1, 4.8.15.1)
		}
		e.Headers = l.partHeaders(at+"/"+jsontree.EscapePointer(m.Name)+"/headers", m.Value.Get("headers"))
		switch {
		case styled || e.Media != "":
			out[m.Name] = e
		case len(e.Headers) > 0:
			out[m.Name] = Encoding{Headers: e.Headers}
		}
	}
	return out
}

// partHeaders reads the header fields of a part. Its content type has a place of its own
// (OpenAPI 3.1, 4.8.15.1). A header that only has an example has that value.
func (l *loader) partHeaders(at string, list *jsontree.Value) []*Parameter {
	if list == nil {
		return nil
	}
	var out []*Parameter
	for _, m := range list.Members {
		pointer, h := l.resolve(at + "/" + jsontree.EscapePointer(m.Name))
		if h == nil || strings.EqualFold(m.Name, "Content-Type") {
			continue
		}
		p := &Parameter{Name: m.Name, In: "header", Pointer: pointer, Required: isTrue(h.Get("required")), Style: "simple", Explode: isTrue(h.Get("explode")), Schema: &schema.Schema{}}
		if s, err := l.shape(schema.Requests, pointer+"/schema"); err == nil && s != nil {
			copied := *s.Schema
			p.Schema = &copied
		}
		for _, from := range []string{"/example", "/schema/example", "/schema/examples/0", "/schema/default"} {
			if v := h.At(from); v != nil && p.Schema.Const == nil && len(p.Schema.Enum) == 0 {
				p.Schema.Const = v
			}
		}
		out = append(out, p)
	}
	return out
}

// Parameter is one parameter of an operation, of its own or of its path item.
type Parameter struct {
	Name     string
	In       string // path, query, header, cookie
	Pointer  string // of the parameter object
	Required bool
	Says     string // its description
	// Style, Explode and AllowReserved say how a value is written as text, with the
	// defaults filled in (OpenAPI 3.1, 4.8.12.2).
	Style         string
	Explode       bool
	AllowReserved bool
	// Media is the media type of a parameter with content instead of a schema. Style
	// has no meaning then.
	Media string
	// Schema is that of the value.
	Schema *schema.Schema
}

// Encoding says how one property of a form is written (OpenAPI 3.1, 4.8.15), with
// the defaults filled in.
type Encoding struct {
	// Media is the content type of the part. It is empty for a form-urlencoded
	// property that is written by its style.
	Media         string
	Style         string
	Explode       bool
	AllowReserved bool
	// Headers are the part's own fields, as parameters in "header".
	Headers []*Parameter
}
