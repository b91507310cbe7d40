package openapi

import (
	"mime"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/jsontree"
)

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
	s, err := l.shape(Requests, pointer+"/schema")
	if err != nil {
		return nil, err
	}
	if s == nil {
		if s, err = l.shape(Requests, "/"+inputs+"/"+anything); err != nil {
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
		e := Encoding{Media: text(m.Value, "/contentType"), Style: text(m.Value, "/style"), AllowReserved: isTrue(m.Value.Get("allowReserved"))}
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
		p := &Parameter{Name: m.Name, In: "header", Pointer: pointer, Required: isTrue(h.Get("required")), Style: "simple", Explode: isTrue(h.Get("explode")), Schema: &Schema{}}
		if s, err := l.shape(Requests, pointer+"/schema"); err == nil && s != nil {
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
