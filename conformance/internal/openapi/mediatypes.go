package openapi

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
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

// additional returns copies of an operation, one for each body but the first.
func (l *loader) additional(op *Operation, bodies []*Body) []*Operation {
	var out []*Operation
	for i := 1; i < len(bodies); i++ {
		b := bodies[i]
		one := l.copied(op, b, b.Media)
		alike := slices.DeleteFunc(slices.Clone(bodies[:i]), func(o *Body) bool { return !b.like(o) })
		for _, o := range alike {
			if one.alike == nil || o.codec() == b.codec() {
				one.alike = o
			}
		}
		out = append(out, one)
	}
	return out
}

// copied returns a copy of an operation with another body, which the name tells from the
// first.
func (l *loader) copied(op *Operation, b *Body, name string) *Operation {
	return &Operation{Slug: l.slugs.Take(op.Slug + "-" + NameSlug(name)), Method: op.Method, Path: op.Path, Pointer: op.Pointer,
		ID: op.ID, Tags: op.Tags, Parameters: op.Parameters, Params: op.Params, Body: b, Responses: op.Responses,
		Security: op.Security, wanted: op.wanted, media: op.media, first: op}
}

// maxAlternatives is how many further alternatives of the body of one operation are
// tried.
const maxAlternatives = 12

// narrow makes the body of an operation one of the first alternatives, and returns copies
// of the operation for each further alternative.
func (l *loader) narrow(op *Operation) []*Operation {
	whole := op.Body.Shape
	if len(whole.Alternatives) == 0 {
		return nil
	}
	first := whole.Choosing(map[string]int{}, l.maximum[whole.Direction])
	op.Body = op.Body.with(first)
	told := map[string]bool{}
	first.Schema.Places(told)
	var out []*Operation
	for _, s := range first.Alternatives {
		for k := 1; k < len(s.Names); k++ {
			if len(out) == maxAlternatives {
				l.leaveOut("%s: %d alternatives of the body are tried, and not the others (%s)", op.Title(), maxAlternatives+1, l.c.Clause(s.At))
				return out
			}
			shape := whole.Choosing(map[string]int{s.At: k}, l.maximum[whole.Direction])
			one := l.copied(op, op.Body.with(shape), s.Names[k])
			one.Alternative, one.told = s.Names[k], maps.Clone(told)
			shape.Schema.Places(told)
			out = append(out, one)
		}
	}
	return out
}

// with returns a copy of a body with another shape.
func (b *Body) with(s *schema.Shape) *Body {
	out := *b
	out.Shape = s
	return &out
}

// like reports whether two bodies have the same schema, written the same way.
func (b *Body) like(o *Body) bool {
	return b.schema == o.schema && fmt.Sprint(b.Encoding) == fmt.Sprint(o.Encoding)
}

// codec names the way in which a body is written.
func (b *Body) codec() string {
	t, _, _ := mime.ParseMediaType(b.Media)
	switch {
	case !b.form:
		return "json"
	case t == "application/x-www-form-urlencoded", t == "multipart/form-data":
		return t
	}
	return "bytes"
}

// Structured reports whether some bytes are no body of this media type at all.
func (b *Body) Structured() bool { return b.codec() != "bytes" }

// Counterpart returns the copy of another operation whose body is of the same alternatives
// as that of this one: what makes a trailer, for what replaces one. It is the other operation
// itself if no copy has more in common.
func (o *Operation) Counterpart(other *Operation) *Operation {
	best := other
	for _, one := range other.Additional {
		if one.Alternative != "" && o.common(one) > o.common(best) {
			best = one
		}
	}
	return best
}

// common counts the values of which the bodies of two operations have the same alternative.
func (o *Operation) common(other *Operation) int {
	if o.Body == nil || other.Body == nil {
		return 0
	}
	return o.Body.Shape.InCommon(other.Body.Shape)
}

// Told reports whether an alternative before this one has the same schema at a place, so
// that it need not be tried again. Need is where its member is required; it may be empty.
func (o *Operation) Told(path string, s *schema.Schema, need string) bool {
	return o.told[schema.PlaceOf(path, s, need)]
}

// Documents reports whether the document lists a media type for the request body, by
// itself or in a range, whatever its parameters are.
func (o *Operation) Documents(contentType string) bool {
	given, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	given = strings.TrimSpace(given)
	return slices.ContainsFunc(o.media, func(listed string) bool {
		listed, _, _ = strings.Cut(listed, ";")
		before, after, isRange := strings.Cut(strings.TrimSpace(listed), "*")
		if !isRange {
			return before == given
		}
		return strings.HasPrefix(given, before) && strings.HasSuffix(given, strings.TrimPrefix(after, "/*")) && strings.Contains(given, "/")
	})
}

// Describes415 reports whether the document says how a body of another media type is refused (RFC 9110,
// 15.5.16), by 415 itself, its range or the response for all other statuses.
func (o *Operation) Describes415() bool {
	return o.Body != nil && o.Response(http.StatusUnsupportedMediaType) != nil
}

// First returns the operation itself, or the one that this is a copy of.
func (o *Operation) First() *Operation {
	if o.first != nil {
		return o.first
	}
	return o
}

// IsAdditional reports whether this is a copy of an operation for an additional media type or
// alternative.
func (o *Operation) IsAdditional() bool { return o.first != nil }

// HasAlternatives reports whether some of the copies are for alternatives of the body.
func (o *Operation) HasAlternatives() bool {
	return slices.ContainsFunc(o.Additional, func(one *Operation) bool { return one.Alternative != "" })
}

// SameSchema reports whether another media type of the operation has the same schema.
func (o *Operation) SameSchema() bool { return o.alike != nil }

// SameBytes reports whether bodies of this additional media type are the same bytes as
// those of another one, so that two requests show whether the target reads it.
func (o *Operation) SameBytes() bool { return o.alike != nil && o.alike.codec() == o.Body.codec() }

// Rows returns an operation and its copies for additional media types.
func (o *Operation) Rows() []*Operation { return append([]*Operation{o}, o.Additional...) }

// Rows returns every operation, each before its copies for additional media types.
func (c *Contract) Rows() []*Operation {
	var out []*Operation
	for _, op := range c.Operations {
		out = append(out, op.Rows()...)
	}
	return out
}

// Differs says what is different in a further operation: its media type, or which
// alternative its body is.
func (o *Operation) Differs() string {
	if o.Alternative != "" {
		return o.Alternative
	}
	return o.Body.Media
}

// Title names an operation in a line for people: POST /users, and what is different in a
// further one.
func (o *Operation) Title() string {
	if o.IsAdditional() {
		return o.Method + " " + o.Path + " (" + o.Differs() + ")"
	}
	return o.Method + " " + o.Path
}

const usualMedia = "application/json"

// Wanted is what requests of an operation ask for with Accept.
type Wanted struct {
	// Media are the media types of the documented successes, JSON first, because it is
	// judged most closely. If none is documented, it is JSON.
	Media []string
	// Field lists them as a field value.
	Field string
}

// Wanted returns the media types that a request asks for.
func (o *Operation) Wanted() *Wanted {
	if o.wanted != nil {
		return o.wanted
	}
	list := o.successMedia()
	if len(list) == 0 {
		list = []string{usualMedia}
	}
	return &Wanted{list, strings.Join(list, ", ")}
}

// Choice returns the media types that a client may choose with Accept instead of JSON: those of a
// documented success that has several. It is nil if there is none.
func (o *Operation) Choice() []string {
	for _, r := range o.Documented(2) {
		var out []string
		for _, m := range r.Media {
			if media, ok := acceptable(m.Type); ok && !slices.Contains(out, media) {
				out = append(out, media)
			}
		}
		if len(out) > 1 {
			return slices.DeleteFunc(out, func(media string) bool { return media == usualMedia })
		}
	}
	return nil
}

// successMedia lists the media types of the documented successes.
func (o *Operation) successMedia() []string {
	successes := o.Documented(2)
	if r := o.Response(200); len(successes) == 0 && r != nil {
		successes = []*Response{r}
	}
	var json, others []string
	for _, r := range successes {
		for _, m := range r.Media {
			media, ok := acceptable(m.Type)
			switch {
			case !ok || slices.Contains(json, media) || slices.Contains(others, media):
			case m.JSON():
				json = append(json, media)
			default:
				others = append(others, media)
			}
		}
	}
	return append(json, others...)
}

// acceptable returns a documented media type as an Accept field lists it. The
// parameter charset has a field of its own (RFC 9110, 12.5.2).
func acceptable(documented string) (string, bool) {
	if documented == usualMedia {
		return documented, true
	}
	media, params, err := mime.ParseMediaType(documented)
	if err != nil || !strings.Contains(media, "/") {
		return "", false
	}
	delete(params, "charset")
	delete(params, "q")
	out := mime.FormatMediaType(media, params)
	return out, out != ""
}
