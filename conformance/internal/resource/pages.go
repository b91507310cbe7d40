package resource

import (
	"net/url"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Page is one answer of an operation that lists resources.
type Page struct {
	Root *jsontree.Value
	// Field returns the value of a documented header field, or nil.
	Field func(name string) *jsontree.Value
}

// Items returns the items, and whether the answer has a list.
func (p Page) Items(l *openapi.Listing) ([]*jsontree.Value, bool) {
	v := p.Root.At(l.Items)
	if v == nil || v.Kind != jsontree.Array {
		return nil, false
	}
	return v.Items, true
}

// Total returns how many items all pages have, and whether the answer says so.
func (p Page) Total(l *openapi.Listing) (int64, bool) {
	var v *jsontree.Value
	switch {
	case l.TotalField != "":
		v = p.Field(l.TotalField)
	case l.Total != "":
		v = p.Root.At(l.Total)
	}
	if v == nil {
		return 0, false
	}
	return jsontree.Int64(v.Text)
}

// Next returns the value of the cursor for the page after this one, or nil if there is
// none.
func (p Page) Next(l *openapi.Listing) *jsontree.Value {
	var v *jsontree.Value
	switch {
	case l.Next != "":
		v = p.Root.At(l.Next)
	case l.NextField != "":
		v = p.Field(l.NextField)
	default:
		items, _ := p.Items(l)
		if len(items) > 0 {
			v = items[len(items)-1].Get(l.Key)
		}
	}
	if v == nil || v.Text == "" {
		return nil
	}
	text := v.Text
	if strings.EqualFold(l.NextField, "Link") {
		text = linked(text)
	}
	if _, query, found := strings.Cut(text, "?"); found && l.Cursor != nil {
		// A link to the next page: the cursor is in it.
		values, err := url.ParseQuery(query)
		if err != nil {
			return nil
		}
		text = values.Get(l.Cursor.Name)
	}
	if text == "" {
		return nil
	}
	return jsontree.NewString(text)
}

// linked returns the address of the link to the next page (RFC 8288, 3), or an empty text.
func linked(field string) string {
	for field != "" {
		_, rest, _ := strings.Cut(field, "<")
		address, behind, closed := strings.Cut(rest, ">")
		if !closed {
			return ""
		}
		parameters, next, _ := strings.Cut(behind, "<")
		if said := strings.ReplaceAll(strings.ToLower(parameters), " ", ""); strings.Contains(said, `rel="next"`) || strings.Contains(said, "rel=next") {
			return address
		}
		field = "<" + next
	}
	return ""
}

// Key returns what identifies an item among others, or an empty text.
func Key(l *openapi.Listing, item *jsontree.Value) string {
	v := item.Get(l.Key)
	if v == nil || v.Kind != jsontree.String && v.Kind != jsontree.Number {
		return ""
	}
	return v.Text
}

// First returns the number of the first page: what the document says, or what a page shows
// that was asked for by the number 1. If it does not begin like one that was asked for
// without a number, it is the second.
func First(l *openapi.Listing, without, one []*jsontree.Value) int64 {
	if l.Guessed && len(without) > 0 && len(one) > 0 && Key(l, without[0]) != Key(l, one[0]) {
		return 0
	}
	return l.First
}

// word is a part of the name of a parameter that says on which side of its value the
// members of the items are.
type word struct {
	text  string
	bound openapi.Bound
	// timed words are about times alone, and may be the whole name then.
	timed bool
}

func words() []word {
	return []word{
		{"after", openapi.Min, true}, {"since", openapi.Min, true}, {"from", openapi.Min, true},
		{"before", openapi.Max, true}, {"until", openapi.Max, true}, {"till", openapi.Max, true}, {"to", openapi.Max, true},
		{"minimum", openapi.Min, false}, {"min", openapi.Min, false}, {"gte", openapi.Min, false}, {"gt", openapi.Min, false},
		{"maximum", openapi.Max, false}, {"max", openapi.Max, false}, {"lte", openapi.Max, false}, {"lt", openapi.Max, false},
	}
}

// bounds returns the filters of a parameter whose name is that of a member with such a word
// before or after it: createdAfter, min_price, budget[max].
func bounds(l *openapi.Listing, p *openapi.Parameter) []openapi.Filter {
	if p.Schema == nil {
		return nil
	}
	name := hints.Flat(p.Name)
	if len(p.Schema.Properties) == 0 {
		if member, side := bounded(l.Item, name, p.Schema); member != "" {
			return []openapi.Filter{{Parameter: p, Member: member, Bound: side}}
		}
		return nil
	}
	var out []openapi.Filter
	for _, q := range p.Schema.Properties {
		if q.Schema == nil {
			continue
		}
		if member, side := bounded(l.Item, name+hints.Flat(q.Name), q.Schema); member != "" {
			out = append(out, openapi.Filter{Parameter: p, At: "/" + jsontree.EscapePointer(q.Name), Member: member, Bound: side})
		}
	}
	return out
}

// bounded returns the member that a name is about and the side, or an empty text.
func bounded(item *schema.Schema, name string, s *schema.Schema) (member string, side openapi.Bound) {
	for _, w := range words() {
		for _, cut := range []func(string, string) (string, bool){strings.CutSuffix, strings.CutPrefix} {
			rest, found := cut(name, w.text)
			if !found {
				continue
			}
			if m := measured(item, rest, s); m != "" {
				return m, w.bound
			}
			if w.timed && slices.Contains([]string{"", "date", "time"}, rest) {
				if m := onlyTime(item, s); m != "" {
					return m, w.bound
				}
			}
		}
	}
	return "", openapi.Same
}

// measured returns the member of a name, or of the time of what happened, whose values
// have an order that those of a parameter have too.
func measured(item *schema.Schema, name string, s *schema.Schema) string {
	if name == "" {
		return ""
	}
	for _, ending := range []string{"", "at", "on", "time", "date"} {
		for _, q := range item.Properties {
			if hints.Flat(q.Name) == name+ending && comparable(s, q.Schema) {
				return q.Name
			}
		}
	}
	return ""
}

// onlyTime returns the member of an item that is a time, if it is the only one.
func onlyTime(item *schema.Schema, s *schema.Schema) string {
	found := ""
	for _, q := range item.Properties {
		if !timed(q.Schema) || !comparable(s, q.Schema) {
			continue
		}
		if found != "" {
			return ""
		}
		found = q.Name
	}
	return found
}

// comparable reports whether the values of two schemas are numbers, or times and days.
func comparable(s, of *schema.Schema) bool {
	number := func(s *schema.Schema) bool { return s.Type() == "number" || s.Type() == "integer" }
	return scalar(s) && scalar(of) && (number(s) && number(of) || timed(s) && timed(of))
}

func timed(s *schema.Schema) bool {
	return s != nil && s.Type() == "string" && (s.Format == "date" || s.Format == "date-time")
}

// Orders returns the values of a parameter that sort the items by one of their members.
func Orders(op *openapi.Operation, l *openapi.Listing, p *openapi.Parameter) []openapi.Order {
	if p == nil {
		return nil
	}
	dependency := direction(op, p)
	var out []openapi.Order
	for _, v := range p.Schema.Enum {
		if v.Kind != jsontree.String {
			continue
		}
		name, down, said := parted(v.Text)
		m := sorted(l.Item, name)
		switch {
		case m == "":
		case dependency == nil || said:
			out = append(out, openapi.Order{Parameter: p, Value: v, Member: m, Down: down})
		default:
			for _, w := range dependency.Schema.Enum {
				out = append(out, openapi.Order{Parameter: p, Value: v, Direction: dependency, Way: w, Member: m, Down: descends(w.Text)})
			}
		}
	}
	return out
}

// direction returns the parameter that says which way another one sorts, or nil.
func direction(op *openapi.Operation, of *openapi.Parameter) *openapi.Parameter {
	return query(op, hints.Names(hints.Direction), func(p *openapi.Parameter) bool {
		return p != of && len(p.Schema.Enum) > 0 && !slices.ContainsFunc(p.Schema.Enum, func(v *jsontree.Value) bool {
			return !slices.Contains([]string{"asc", "desc", "ascending", "descending"}, strings.ToLower(v.Text))
		})
	})
}

func descends(text string) bool { return strings.HasPrefix(strings.ToLower(text), "desc") }

// parted splits a value such as -name, name:desc or name_asc into the member and the way,
// and reports whether it says which way.
func parted(text string) (name string, down, said bool) {
	if rest, found := strings.CutPrefix(text, "-"); found {
		return rest, true, true
	}
	if rest, found := strings.CutPrefix(text, "+"); found {
		return rest, false, true
	}
	for _, mark := range []string{":", ",", " ", "_", ".", "-"} {
		i := strings.LastIndex(text, mark)
		if i <= 0 {
			continue
		}
		switch strings.ToLower(text[i+1:]) {
		case "asc", "ascending":
			return text[:i], false, true
		case "desc", "descending":
			return text[:i], true, true
		}
	}
	return text, false, false
}

// sorted returns the member of an item that a name in an order stands for: the member of
// that name, or the time of what happened, such as createdAt for created.
func sorted(item *schema.Schema, name string) string {
	for _, ending := range []string{"", "at", "on", "time", "date"} {
		for _, p := range item.Properties {
			if hints.Flat(p.Name) == hints.Flat(name)+ending && scalar(p.Schema) {
				return p.Name
			}
		}
	}
	return ""
}

// filters finds the parameters that have the name of a member of the items.
func filters(op *openapi.Operation, l *openapi.Listing) {
	for _, p := range op.Parameters {
		if p.In != "query" || p.Required || p.Media != "" || p == l.Limit || p == l.Follows() || slices.ContainsFunc(l.Orders, func(o openapi.Order) bool { return o.Parameter == p || o.Direction == p }) {
			continue
		}
		l.Filters = append(l.Filters, FiltersBy(l, p)...)
	}
}

// FiltersBy returns the filters that a parameter stands for: that of the member of the items
// which has its name and values like its own, or bounds of a member.
func FiltersBy(l *openapi.Listing, p *openapi.Parameter) []openapi.Filter {
	if f := same(l, p); f != nil {
		return []openapi.Filter{*f}
	}
	return bounds(l, p)
}

// same returns the filter of a parameter that has the name of a member, or nil if no member
// fits. Times are left out: such a filter may mean a day.
func same(l *openapi.Listing, p *openapi.Parameter) *openapi.Filter {
	for _, q := range l.Item.Properties {
		if q.Schema == nil || q.Schema.WriteOnly || hints.Flat(q.Name) != hints.Flat(p.Name) && hints.Flat(q.Name) != hints.Flat(p.Name)+"s" {
			continue
		}
		one, of := single(p.Schema), single(q.Schema)
		if one == nil || of == nil || hints.Flat(q.Name) != hints.Flat(p.Name) && q.Schema.Type() != "array" {
			continue
		}
		timed := strings.HasPrefix(of.Format, "date") || of.Format == "time"
		same := one.Type() == of.Type() || one.Type() == "integer" && of.Type() == "number" || one.Type() == "number" && of.Type() == "integer"
		if same && !timed && slices.Contains([]string{"string", "integer", "number", "boolean"}, one.Type()) {
			return &openapi.Filter{Parameter: p, Member: q.Name}
		}
	}
	return nil
}

// single returns the schema of one value: of an item, where there may be several.
func single(s *schema.Schema) *schema.Schema {
	if s != nil && s.Type() == "array" {
		return s.Items
	}
	return s
}
