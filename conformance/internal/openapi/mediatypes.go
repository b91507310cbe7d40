package openapi

import (
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// requestMedia lists all media types of a request body, also those that are never sent.
func (l *loader) requestMedia(operation string) []string {
	var out []string
	_, v := l.resolve(operation + "/requestBody")
	for _, m := range v.Get("content").Members {
		out = append(out, strings.ToLower(m.Name))
	}
	return out
}

// IsJSON reports whether a media type holds a JSON text.
func IsJSON(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}

// JSONPatch is the media type of a JSON Patch (RFC 6902, 6).
const JSONPatch = "application/json-patch+json"

// IsJSONPatch reports whether a media type is that of a JSON Patch.
func IsJSONPatch(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	return strings.EqualFold(strings.TrimSpace(media), JSONPatch)
}

// JSONAt reports whether the value of a parameter ("query/where") or of a property of a
// form ("/meta") is written as JSON.
func (o *Operation) JSONAt(path string) bool {
	if name, found := strings.CutPrefix(path, "/"); found {
		plain, ok := jsontree.UnescapePointer(name)
		return ok && o.Body != nil && o.Body.form && IsJSON(o.Body.Encoding[plain].Media)
	}
	for _, p := range o.Parameters {
		if path == p.In+"/"+jsontree.EscapePointer(p.Name) {
			return IsJSON(p.Media)
		}
	}
	return false
}

// parts gives the schemas of the lists that the parts of streams are read as, by the pointers of the
// media types whose itemSchema says what a part is.
func (l *loader) parts(operation string) []jsontree.Member {
	var out []jsontree.Member
	responses := l.root.At(operation + "/responses")
	if responses == nil {
		return nil
	}
	for _, m := range responses.Members {
		pointer, r := l.resolve(operation + "/responses/" + jsontree.EscapePointer(m.Name))
		content := r.Get("content")
		if content == nil {
			continue
		}
		for _, media := range content.Members {
			at, object := l.resolve(pointer + "/content/" + jsontree.EscapePointer(media.Name))
			if !l.itemized(media.Name, object) {
				continue
			}
			part := refer(at + "/itemSchema")
			if event, data := l.event(at + "/itemSchema"); data != "" {
				members := jsontree.NewObject()
				for _, p := range l.root.At(event + "/properties").Members {
					members.Set(p.Name, refer(event+"/properties/"+jsontree.EscapePointer(p.Name)))
				}
				members.Set("data", refer(data))
				part = jsontree.NewObject(jsontree.M("properties", members))
			}
			out = append(out, jsontree.M(at, jsontree.NewObject(jsontree.M("items", part))))
		}
	}
	return out
}

func refer(pointer string) *jsontree.Value {
	return jsontree.NewObject(jsontree.M("$ref", jsontree.NewString("#"+jsontree.Fragment(pointer))))
}

// itemized reports whether a media type is a stream of which itemSchema alone says what it has.
func (l *loader) itemized(media string, object *jsontree.Value) bool {
	return exchange.Streams(media) && object.Get("itemSchema") != nil && object.Get("schema") == nil
}

// event returns the pointer of the schema of an event and, if its data are JSON texts, that of the
// schema of what they hold. An event without data is none, so that it need not be required.
func (l *loader) event(at string) (event, data string) {
	event, v := l.resolve(at)
	held := v.At("/properties/data")
	if held == nil || held.Get("contentSchema") == nil || !IsJSON(held.TextAt("/contentMediaType")) {
		return event, ""
	}
	for _, m := range v.Members {
		plain := m.Name == "type" || m.Name == "properties" || m.Name == "description" || m.Name == "title"
		if !plain && !(m.Name == "required" && len(m.Value.Items) == 1 && m.Value.Items[0].Text == "data") {
			return event, "" // it says more than its properties
		}
	}
	return event, event + "/properties/data/contentSchema"
}

// items gives a media type the shape of its parts.
func (l *loader) items(one *Media, at string) (err error) {
	if one.Shape, err = l.shape(schema.Answers, "/"+inputs+"/"+jsontree.EscapePointer(at)); err != nil || one.Shape == nil {
		return err
	}
	one.Items, one.Shape.Schema.Pointer = true, at+"/itemSchema"
	_, data := l.event(at + "/itemSchema")
	one.DataJSON = data != ""
	return nil
}
