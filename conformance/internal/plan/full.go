package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Long is a kind of texts and lists that are long.
type Long int

const (
	noLengths Long = iota
	limited        // those whose length the document limits: they are as long as they may be
	unlimited      // the others
)

const (
	maxLong       = 2000    // characters of a long text
	unlimitedLong = 300     // the same without a limit: more than a column of 255 takes
	longList      = 200     // items of a long list
	unlimitedList = 60      // the same without a limit
	maxLongs      = 8 << 10 // bytes of all long values of a body, about
	shortText     = 40      // a text of that length is no longer than a usual one
	shortList     = 2
)

// Longs lists the kinds that the body of an operation has: with long values of the members whose
// length the document limits, and with those of the others, which a server may refuse.
func Longs(op *openapi.Operation) []Long { return kindsIn(op, limited, unlimited) }

// kindsIn returns the kinds of values that the body of an operation has.
func kindsIn[K interface {
	in(s *schema.Schema, depth int) bool
}](op *openapi.Operation, kinds ...K) []K {
	return slices.DeleteFunc(kinds, func(k K) bool { return op.Body == nil || !k.in(op.Body.Shape.Schema, 0) })
}

// Longest is Rich with texts and lists of one kind that are long, because stores cut them off.
// A server may refuse what is longer than usual.
func (g *Gen) Longest(op *openapi.Operation, kind Long) *message.Message {
	of := *g
	of.long = kind
	m := of.Rich(op)
	g.next = of.next
	return m
}

// in reports whether a value of a schema has something that is long.
func (l Long) in(s *schema.Schema, depth int) bool {
	switch {
	case s == nil || depth > richDepth || s.ReadOnly || s.Never || s.Const != nil || len(s.Enum) > 0:
		return false
	case s.Type() == "array":
		return l.items(s) > shortList
	case s.Type() == "string":
		return l.text(s) > shortText
	}
	return slices.ContainsFunc(richMembers(s), func(p *schema.Property) bool { return l.in(p.Schema, depth+1) })
}

// text is the length of a long text, or 0 if the schema has none.
func (l Long) text(s *schema.Schema) int {
	switch free := s.AnyText(); {
	case free && l == limited && s.MaxLength != nil:
		return min(*s.MaxLength, maxLong)
	case free && l == unlimited && s.MaxLength == nil:
		return unlimitedLong
	}
	return 0
}

// items is the number of items of a long list, or 0 if the schema has none.
func (l Long) items(s *schema.Schema) int {
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
func (g *Gen) prolong(v *jsontree.Value, s *schema.Schema, n, depth int) {
	for tries := 2 * n; len(v.Items) < n && tries > 0 && g.longs < maxLongs; tries-- {
		item := g.baseline(s.Items, depth+1)
		if g.longs += len(item.Text) + 8*len(item.Members) + 4; !slices.ContainsFunc(v.Items, func(w *jsontree.Value) bool { return jsontree.Equal(item, w) }) {
			v.Items = append(v.Items, item)
		}
	}
}

// noMore reports whether a valid request may be refused for the reasons of another one alone,
// such as a key that something else gave.
func noMore(r, before *schema.Reading) bool {
	return r.Kind == schema.MayRefuse && before != nil && before.Kind == r.Kind && !slices.ContainsFunc(r.Reasons, func(why schema.Reason) bool { return !slices.Contains(before.Reasons, why) })
}

// onlyFor reports whether each reason for which a valid request may be refused has one of the words.
func onlyFor(r *schema.Reading, words ...string) bool {
	return r.Kind == schema.MayRefuse && !slices.ContainsFunc(r.Reasons, func(why schema.Reason) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(why.What, word) })
	})
}

// Fullest is Rich with values that stores change more easily: texts with capital letters and
// letters of other scripts, integers that no double holds, true, and two members more in an
// object that takes any. A member that may not have such a value has that of Rich.
func (g *Gen) Fullest(op *openapi.Operation) *message.Message {
	of := *g
	of.far = true
	m := of.Rich(op)
	g.next = of.next
	return m
}

// moreMembers adds two members that the schema does not name, if it gives them a schema.
func (g *Gen) moreMembers(s *schema.Schema, v *jsontree.Value, depth int) {
	if s.Extra == nil && len(s.Patterns) == 0 {
		return
	}
	for range 2 {
		name, of, ok := g.AdditionalName(s, v)
		if !ok || of == nil || of.Never || v.Get(name) != nil || s.MaxProps != nil && len(v.Members) >= *s.MaxProps || !g.spend(len(name)+4) {
			return
		}
		if s.Names == nil && !s.Closed {
			name = strings.ToUpper(name[:1]) + name[1:] // a store may fold names
		}
		v.Members = append(v.Members, jsontree.M(name, g.rich(of, depth+1)))
	}
}

// addAdditional adds members that the schema does not name until there are enough.
func (g *Gen) addAdditional(s *schema.Schema, v *jsontree.Value, depth int) {
	if *s.MinProps > maxItems {
		g.exceed(fmt.Sprintf("an object of at least %d members", *s.MinProps))
	}
	for len(v.Members) < *s.MinProps && g.Over == "" {
		name, of, ok := g.AdditionalName(s, v)
		if !ok || v.Get(name) != nil {
			return
		}
		v.Members = append(v.Members, jsontree.M(name, g.baseline(of, depth+1)))
	}
}

// firstInexact is the smallest integer that no double holds.
const firstInexact = 1<<53 + 1

// exact returns an odd integer above 2^53, if the schema allows one.
func (g *Gen) exact(s *schema.Schema) *jsontree.Value {
	v := jsontree.NewNumber(strconv.FormatInt(firstInexact+2*(g.number()%1_000_000), 10))
	if s.Format != "int64" || !g.judge().Matches(s, v) {
		return jsontree.NewNumber(g.BaselineNumber(s))
	}
	return v
}

// written returns a text of several words in capital and small letters of several scripts,
// as long as the schema allows.
func (g *Gen) written(s *schema.Schema) string {
	plain := g.BaselineText(s)
	text := []rune(plain + " & Zoë's Café " + strings.ToUpper(g.Word()) + " 植物 🌱")
	if s.MaxLength != nil && len(text) > *s.MaxLength {
		text = text[:max(len([]rune(plain)), *s.MaxLength)]
	}
	return strings.TrimSpace(string(text))
}

// Rich returns a valid request of another operation with more in its body than the
// simplest one: optional members at every level, longer texts, the last value of an
// enum, false, decimals, times with an offset and lists of two items. A member that
// would make the request invalid is left as it was, and so is one that names another
// thing.
func (g *Gen) Rich(op *openapi.Operation) *message.Message {
	m := g.Request(op, false)
	switch {
	case op.Body == nil || m.Tree == nil:
	case m.Tree.Kind == jsontree.Object:
		g.Enrich(m, "", slices.DeleteFunc(slices.Clone(richMembers(op.Body.Shape.Schema)), func(p *schema.Property) bool {
			return slices.Contains(g.id.Refused.Of(op, g.draw), "/"+jsontree.EscapePointer(p.Name)) || !g.falsy.allows(p)
		}))
	default:
		g.enrich(m, "", op.Body.Shape.Schema)
	}
	return m
}

// Enrich gives members of the object at a place of the body rich values, as far as the message
// stays valid.
func (g *Gen) Enrich(m *message.Message, at string, list []*schema.Property) {
	for _, p := range list {
		path := at + "/" + jsontree.EscapePointer(p.Name)
		if !p.Schema.ReadOnly && !p.Schema.Never && !slices.Contains(m.Op.Bind, path) && !domained(m.Op.Body.Shape, path) {
			g.enrich(m, path, p.Schema)
		}
	}
	m.Bind()
}

// enrich gives one place of the body a rich value, if the message stays valid.
func (g *Gen) enrich(m *message.Message, path string, s *schema.Schema) {
	of := *g
	of.Op, of.shape = m.Op, m.Op.Body.Shape
	of.made, of.steps, of.Over = 0, 0, ""
	more := m.Clone()
	set := more.Set(path, of.rich(s, 0))
	of.order(more)
	g.next = of.next
	switch r := more.Reading(); {
	case set && r != nil && (r.Kind == schema.MustAccept || r.Unpaired() || noMore(r, m.Reading()) || g.long != noLengths && onlyFor(r, "long ") || g.falsy != noFalsy && onlyFor(r, "empty ", "zero ", "white space ")):
		*m, g.longs = *more, of.longs
	case g.far || g.long != noLengths || g.falsy != noFalsy:
		plain := *g
		plain.far, plain.long, plain.falsy = false, noLengths, noFalsy
		plain.enrich(m, path, s)
		g.next = plain.next
	}
}

// richMembers lists the members of an object: its own, or those of the alternative that
// the simplest request has.
func richMembers(s *schema.Schema) []*schema.Property {
	switch {
	case len(s.Properties) > 0:
		return s.Properties
	case len(s.OneOf) > 0:
		return richMembers(s.OneOf[0])
	case len(s.AnyOf) > 0:
		return richMembers(s.AnyOf[0])
	}
	return nil
}

// domained reports whether the user says which values a member has, or one below it.
func domained(shape *schema.Shape, path string) bool {
	for at := range shape.Domains {
		if at == path || strings.HasPrefix(at, path+"/") {
			return true
		}
	}
	return false
}

// rich returns a value of a schema that has more to lose than the simplest one.
func (g *Gen) rich(s *schema.Schema, depth int) *jsontree.Value {
	switch {
	case s == nil || depth > richDepth || s.Const != nil:
		return g.baseline(s, depth)
	case len(s.Enum) > 0:
		return g.copied(s.Enum[len(s.Enum)-1])
	case len(s.OneOf) > 0 || len(s.AnyOf) > 0:
		return g.baseline(s, depth)
	}
	if v := g.emptied(s); v != nil {
		return v
	}
	switch s.Type() {
	case "object":
		v := g.baselineObject(s, depth)
		for _, p := range s.Properties {
			if !p.Schema.ReadOnly && !p.Schema.Never {
				v.Set(p.Name, g.rich(p.Schema, depth+1))
			}
		}
		g.inOrder(s, v, free)
		if g.far {
			g.moreMembers(s, v, depth)
		}
		return v
	case "array":
		v := g.baselineArray(s, depth)
		if n := len(v.Items); len(s.Prefix) == 0 && s.Contains == nil && (s.MaxItems == nil || n < *s.MaxItems) {
			v.Items = append(v.Items, g.baseline(s.Items, depth+1))
		}
		if s.Items != nil && !s.Unique && len(s.Prefix) == 0 {
			for i := range v.Items {
				v.Items[i] = g.rich(s.Items, depth+1)
			}
		}
		if n := g.long.items(s); n > len(v.Items) {
			g.prolong(v, s, n, depth)
		}
		return v
	case "number":
		return g.decimals(s)
	case "integer":
		if g.far {
			return g.exact(s)
		}
	case "boolean":
		return jsontree.NewBool(g.far)
	case "string":
		return jsontree.NewString(g.longer(s))
	}
	return g.baseline(s, depth)
}

// richDepth is how many levels of a body have optional members.
const richDepth = 4

// decimals returns a number with decimals, if the schema allows one.
func (g *Gen) decimals(s *schema.Schema) *jsontree.Value {
	plain := g.BaselineNumber(s)
	for _, more := range []string{".37", ".5"} {
		v := jsontree.NewNumber(plain + more)
		if !strings.Contains(plain, ".") && g.judge().Matches(s, v) {
			return v
		}
	}
	return jsontree.NewNumber(plain)
}

// longer returns a text of several words, as long as the schema allows, or a time with
// an offset.
func (g *Gen) longer(s *schema.Schema) string {
	plain := g.BaselineText(s)
	switch {
	case s.Format == "date-time" && s.Code == nil:
		return strings.Replace(plain, "Z", "+05:30", 1)
	case !s.AnyText():
		return plain
	case g.far:
		return g.written(s)
	}
	if n := g.long.text(s); n > shortText && g.longs < maxLongs {
		return g.lengthen(plain, n)
	}
	text := plain + " & " + g.Word() + " " + g.Word() + " " + g.Word()
	if s.MaxLength != nil && len(text) > *s.MaxLength {
		text = strings.TrimSpace(text[:max(len(plain), *s.MaxLength)])
	}
	return text
}
