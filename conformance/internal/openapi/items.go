package openapi

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
)

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
	return jsontree.NewObject(jsontree.M("$ref", jsontree.NewString("#"+fragment(pointer))))
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
	if held == nil || held.Get("contentSchema") == nil || !IsJSON(text(held, "/contentMediaType")) {
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
	if one.Shape, err = l.shape(Answers, "/"+inputs+"/"+jsontree.EscapePointer(at)); err != nil || one.Shape == nil {
		return err
	}
	one.Items, one.Shape.Schema.Pointer = true, at+"/itemSchema"
	_, data := l.event(at + "/itemSchema")
	one.DataJSON = data != ""
	return nil
}
