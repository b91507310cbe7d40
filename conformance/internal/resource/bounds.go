package resource

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

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
		{"after", openapi.Least, true}, {"since", openapi.Least, true}, {"from", openapi.Least, true},
		{"before", openapi.Most, true}, {"until", openapi.Most, true}, {"till", openapi.Most, true}, {"to", openapi.Most, true},
		{"minimum", openapi.Least, false}, {"min", openapi.Least, false}, {"gte", openapi.Least, false}, {"gt", openapi.Least, false},
		{"maximum", openapi.Most, false}, {"max", openapi.Most, false}, {"lte", openapi.Most, false}, {"lt", openapi.Most, false},
	}
}

// bounds returns the filters of a parameter whose name is that of a member with such a word
// before or after it: createdAfter, min_price, budget[max].
func bounds(l *openapi.Listing, p *openapi.Parameter) []openapi.Filter {
	if p.Schema == nil {
		return nil
	}
	name := openapi.Flat(p.Name)
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
		if member, side := bounded(l.Item, name+openapi.Flat(q.Name), q.Schema); member != "" {
			out = append(out, openapi.Filter{Parameter: p, At: "/" + jsontree.EscapePointer(q.Name), Member: member, Bound: side})
		}
	}
	return out
}

// bounded returns the member that a name is about and the side, or an empty text.
func bounded(item *openapi.Schema, name string, s *openapi.Schema) (member string, side openapi.Bound) {
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
func measured(item *openapi.Schema, name string, s *openapi.Schema) string {
	if name == "" {
		return ""
	}
	for _, ending := range []string{"", "at", "on", "time", "date"} {
		for _, q := range item.Properties {
			if openapi.Flat(q.Name) == name+ending && comparable(s, q.Schema) {
				return q.Name
			}
		}
	}
	return ""
}

// onlyTime returns the member of an item that is a time, if it is the only one.
func onlyTime(item *openapi.Schema, s *openapi.Schema) string {
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
func comparable(s, of *openapi.Schema) bool {
	number := func(s *openapi.Schema) bool { return s.Type() == "number" || s.Type() == "integer" }
	return scalar(s) && scalar(of) && (number(s) && number(of) || timed(s) && timed(of))
}

func timed(s *openapi.Schema) bool {
	return s != nil && s.Type() == "string" && (s.Format == "date" || s.Format == "date-time")
}
