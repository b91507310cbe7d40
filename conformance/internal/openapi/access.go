package openapi

import (
	"mime"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// WriteOnly lists the places of the body that only clients set, such as /password, at most
// some objects deep.
func (o *Operation) WriteOnly() []string {
	var out []string
	for _, m := range o.writeOnly() {
		out = append(out, m.Path)
	}
	return out
}

// writeOnly lists the members of those places.
func (o *Operation) writeOnly() []Member {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	return writeOnly(o.Body.Shape.Schema, "", maxWriteOnly)
}

// maxWriteOnly is how many objects deep WriteOnly looks.
const maxWriteOnly = 3

func writeOnly(s *schema.Schema, at string, depth int) []Member {
	if s == nil || depth == 0 {
		return nil
	}
	var out []Member
	for _, p := range s.Properties {
		place := at + "/" + jsontree.EscapePointer(p.Name)
		if p.Schema.WriteOnly {
			out = append(out, Member{p, place})
			continue
		}
		out = append(out, writeOnly(p.Schema, place, depth-1)...)
	}
	return out
}

// ReadOnly lists the members of the body that only the server sets, and whose value shows
// whether it did: no keys, and no members that have few values.
func (o *Operation) ReadOnly() []*schema.Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*schema.Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s := p.Schema
		few := len(s.Enum) > 0 || s.Const != nil || s.Type() != "string" && s.Type() != "integer" && s.Type() != "number"
		if s.ReadOnly && !s.Never && !few && !hints.IsKey(p.Name) {
			out = append(out, p)
		}
	}
	return out
}

// unreadable makes a fault of each value that cannot be read as it is.
func (l *loader) unreadable() {
	if len(l.c.tree.Faults) == 0 {
		return
	}
	in := map[*jsontree.Value]map[string]string{}
	for _, r := range l.c.tree.Faults {
		if in[r.In] == nil {
			in[r.In] = map[string]string{}
		}
		in[r.In][r.Name] = r.Err.Msg
		if r.Twice {
			in[r.In][r.Name] += ": keep one"
		}
	}
	at := map[string]string{}
	eachMember(l.c.tree.Root, "", func(holder *jsontree.Value, m jsontree.Member, pointer string) {
		if msg, known := in[holder][m.Name]; known {
			at[pointer] = msg
		}
	})
	eachMember(l.root, "", func(_ *jsontree.Value, m jsontree.Member, pointer string) {
		from := pointer
		if l.c.origin != nil {
			from = l.c.origin(pointer)
		}
		if msg, known := at[from]; known {
			l.faults.add(m.Value, bad(pointer, "%s", msg))
		}
	})
}

// eachMember calls a function for each member below a value, with its pointer.
func eachMember(v *jsontree.Value, at string, f func(holder *jsontree.Value, m jsontree.Member, pointer string)) {
	for i, item := range v.Items {
		eachMember(item, at+"/"+strconv.Itoa(i), f)
	}
	for _, m := range v.Members {
		below := at + "/" + jsontree.EscapePointer(m.Name)
		f(v, m, below)
		eachMember(m.Value, below, f)
	}
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
