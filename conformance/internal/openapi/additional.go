package openapi

import (
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"

	"plantstore/conformance/internal/schema"
)

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

// Refuses415 reports whether the document lists 415 for requests with a body: that its
// media type is not supported (RFC 9110, 15.5.16).
func (o *Operation) Refuses415() bool {
	return o.Body != nil && slices.ContainsFunc(o.Responses, func(r *Response) bool { return r.Status == "415" })
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
