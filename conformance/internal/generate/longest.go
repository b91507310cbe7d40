package generate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// lengths says which texts and lists are long.
type lengths int

const (
	noLengths lengths = iota
	limited           // those whose length the document limits: they are as long as they may be
	unlimited         // the others
)

const (
	mostLong      = 2000    // characters of a long text
	unlimitedLong = 300     // the same without a limit: more than a column of 255 takes
	longList      = 200     // items of a long list
	unlimitedList = 60      // the same without a limit
	mostLongs     = 8 << 10 // bytes of all long values of a body, about
	shortText     = 40      // a text of that length is no longer than a usual one
	shortList     = 2
)

// Long is one of the two kinds of requests with long values.
type Long struct{ which lengths }

// Longs lists the kinds that an operation has: with long values of the members whose length
// the document limits, and with those of the others, which a server may refuse.
func Longs(op *openapi.Operation) []Long {
	var out []Long
	for _, which := range []lengths{limited, unlimited} {
		if op.Body != nil && which.in(op.Body.Shape.Schema, 0) {
			out = append(out, Long{which})
		}
	}
	return out
}

// Longest is Rich with texts and lists of one kind that are long, because stores cut them off.
// A server may refuse what is longer than usual.
func (g *Gen) Longest(op *openapi.Operation, long Long) *message.Message {
	of := *g
	of.long = long.which
	m := of.Rich(op)
	g.next = of.next
	return m
}

// in reports whether a value of a schema has something that is long.
func (l lengths) in(s *openapi.Schema, depth int) bool {
	switch {
	case s == nil || depth > richDepth || s.ReadOnly || s.Never || s.Const != nil || len(s.Enum) > 0:
		return false
	case s.Type() == "array":
		return l.items(s) > shortList
	case s.Type() == "string":
		return l.text(s) > shortText
	}
	return slices.ContainsFunc(richMembers(s), func(p *openapi.Property) bool { return l.in(p.Schema, depth+1) })
}

// text is the length of a long text, or 0 if the schema has none.
func (l lengths) text(s *openapi.Schema) int {
	switch free := s.AnyText(); {
	case free && l == limited && s.MaxLength != nil:
		return min(*s.MaxLength, mostLong)
	case free && l == unlimited && s.MaxLength == nil:
		return unlimitedLong
	}
	return 0
}

// items is the number of items of a long list, or 0 if the schema has none.
func (l lengths) items(s *openapi.Schema) int {
	switch free := len(s.Prefix) == 0 && s.Contains == nil && s.Items != nil && len(s.Items.Enum) == 0 && s.Items.Const == nil; {
	case free && l == limited && s.MaxItems != nil:
		return min(*s.MaxItems, longList)
	case free && l == unlimited && s.MaxItems == nil:
		return unlimitedList
	}
	return 0
}

// lengthen fills a text with words.
func (g *Gen) lengthen(text string, n int) string {
	var b strings.Builder
	b.WriteString(text)
	for b.Len() < n {
		b.WriteString(" " + g.Word())
	}
	g.longs += n
	if text = b.String()[:n]; strings.HasSuffix(text, " ") {
		return text[:n-1] + "s"
	}
	return text
}

// prolong adds items to a list, each with other values, as long as there is room for them.
func (g *Gen) prolong(v *jsontree.Value, s *openapi.Schema, n, depth int) {
	for tries := 2 * n; len(v.Items) < n && tries > 0 && g.longs < mostLongs; tries-- {
		item := g.baseline(s.Items, depth+1)
		if g.longs += len(item.Text) + 8*len(item.Members) + 4; !slices.ContainsFunc(v.Items, func(w *jsontree.Value) bool { return jsontree.Equal(item, w) }) {
			v.Items = append(v.Items, item)
		}
	}
}

// onlyLong reports whether a valid request may be refused for the length of its values alone.
func onlyLong(r *openapi.Reading) bool {
	return r.Kind == openapi.MayRefuse && !slices.ContainsFunc(r.Reasons, func(why openapi.Reason) bool { return !strings.Contains(why.What, "long ") })
}
