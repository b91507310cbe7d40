package resource

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Orders returns the values of a parameter that sort the items by one of their members.
func Orders(op *openapi.Operation, l *openapi.Listing, p *openapi.Parameter) []openapi.Order {
	if p == nil {
		return nil
	}
	way := direction(op, p)
	var out []openapi.Order
	for _, v := range p.Schema.Enum {
		if v.Kind != jsontree.String {
			continue
		}
		name, down, said := parted(v.Text)
		m := sorted(l.Item, name)
		switch {
		case m == "":
		case way == nil || said:
			out = append(out, openapi.Order{Parameter: p, Value: v, Member: m, Down: down})
		default:
			for _, w := range way.Schema.Enum {
				out = append(out, openapi.Order{Parameter: p, Value: v, Direction: way, Way: w, Member: m, Down: descends(w.Text)})
			}
		}
	}
	return out
}

// direction returns the parameter that says which way another one sorts, or nil.
func direction(op *openapi.Operation, of *openapi.Parameter) *openapi.Parameter {
	return query(op, []string{"order", "sortorder", "direction", "sortdirection", "sortdir", "dir", "orderdir"}, func(p *openapi.Parameter) bool {
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
func sorted(item *openapi.Schema, name string) string {
	for _, ending := range []string{"", "at", "on", "time", "date"} {
		for _, p := range item.Properties {
			if openapi.Flat(p.Name) == openapi.Flat(name)+ending && scalar(p.Schema) {
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
		if q.Schema == nil || q.Schema.WriteOnly || openapi.Flat(q.Name) != openapi.Flat(p.Name) && openapi.Flat(q.Name) != openapi.Flat(p.Name)+"s" {
			continue
		}
		one, of := single(p.Schema), single(q.Schema)
		if one == nil || of == nil || openapi.Flat(q.Name) != openapi.Flat(p.Name) && q.Schema.Type() != "array" {
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
func single(s *openapi.Schema) *openapi.Schema {
	if s != nil && s.Type() == "array" {
		return s.Items
	}
	return s
}
