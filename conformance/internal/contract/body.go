package contract

import (
	"mime"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/jsontree"
)

// body reads the request body: the first media type that this suite can write, JSON
// before others. It returns nil and adds a note if there is none.
func (l *loader) body(name, operation string) (*Body, error) {
	pointer, v := l.resolve(operation + "/requestBody")
	if v == nil {
		return nil, nil
	}
	b := &Body{Required: isTrue(v.Get("required"))}
	content := v.Get("content")
	if one := l.faults.at[content]; one != nil {
		return nil, one
	}
	if content == nil || len(content.Members) == 0 {
		return nil, bad(pointer, "request body without content: add a media type")
	}
	chosen := -1
	for i, m := range content.Members {
		if strings.ContainsFunc(m.Name, unicode.IsControl) {
			return nil, bad(pointer+"/content", "media type %s contains a control character: fix it", shown(m.Name))
		}
		if writable(m.Name) && (chosen < 0 || IsJSON(m.Name) && !IsJSON(content.Members[chosen].Name)) {
			chosen = i
		}
	}
	for i, m := range content.Members {
		if i != chosen {
			l.leaveOut("%s: request media type %s is never sent", name, m.Name)
		}
	}
	if chosen < 0 {
		l.omit(name, "", "no request body of a media type that can be written")
		return nil, nil
	}
	m := content.Members[chosen]
	if one := l.faults.at[m.Value]; one != nil {
		return nil, one
	}
	b.form = !IsJSON(m.Name)
	b.Media, b.Pointer = m.Name, pointer+"/content/"+jsontree.EscapePointer(m.Name)
	s, err := l.shape(Requests, b.Pointer+"/schema")
	if err != nil {
		return nil, err
	}
	if s == nil {
		if s, err = l.shape(Requests, "/"+inputs+"/"+anything); err != nil {
			return nil, err
		}
	}
	b.Shape, b.Encoding = s, l.encoding(b.Pointer+"/encoding")
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
		if styled || e.Media != "" {
			out[m.Name] = e
		}
	}
	return out
}
