package requirement

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// Candidate is a line that the requirements file may have: true, as far as sentences, names or
// the structure of the document tell.
type Candidate struct {
	Op *openapi.Operation
	// Key and Value are the line.
	Key, Value string
	// Says is the line as a sentence.
	Says []string
	// Evidence is what suggests it. Without any it is the structure of the document alone.
	Evidence []report.Evidence
	// Rows are the ids of the requirements that show whether it is true.
	Rows []string
}

// Candidates lists the lines that a requirements file may have, and that are no MUST without it.
func Candidates(c *openapi.Contract, set *Set) []Candidate {
	would := c.Copy()
	o := overlayer{c: would, resources: resource.All(would.Operations)}
	for _, op := range would.Operations {
		acceptedOf(op, o.supposed(op))
	}
	supposed := Derive(would, set.rules)
	var out []Candidate
	for i, op := range c.Operations {
		as := would.Operations[i]
		valid := line{key: "valid", rules: ruledBy(set.rules, "valid")}
		if rows := chosen(set, func(r *Requirement) bool { return valid.isAbout(&o, op, r) }); len(rows) > 0 {
			out = append(out, candidate(set, op, valid.key, "accepted", rows))
		}
		for _, l := range lines(set.rules) {
			value := o.supposedValue(l, as)
			if value == "" {
				continue
			}
			rows := chosen(supposed, func(r *Requirement) bool { return l.isAbout(&o, as, r) })
			if len(rows) == 0 || !slices.ContainsFunc(rows, func(r *Requirement) bool { return !stands(set, r) }) {
				continue
			}
			one := candidate(set, op, l.key, value, rows)
			if l.key == "gone" && op.Method != http.MethodDelete && len(one.Evidence) == 0 {
				continue // it stands at the DELETE
			}
			out = append(out, one)
		}
		out = append(out, ofList(set, op)...)
	}
	return out
}

// supposed is what is promised of an operation if every candidate is true.
func (o *overlayer) supposed(op *openapi.Operation) openapi.Accepted {
	is := op.Accepted
	put := op.Method == http.MethodPut
	is.KeepsRest, is.ReplacesAll = put && op.Partial != nil, put && op.Partial == nil
	is.NewestFirst, is.Listed = op.Listing != nil, op.Method == http.MethodPost
	is.AllowedIn = o.allowedBy(op)
	return is
}

// supposedValue is the value of a line if it is true, or empty if nothing suggests one.
func (o *overlayer) supposedValue(l line, op *openapi.Operation) string {
	if l.methods != nil && !slices.Contains(l.methods, op.Method) {
		return ""
	}
	switch l.key {
	case "keepsRest", "replacesAll":
		if op.Method == http.MethodPut && (op.Partial != nil) != (l.key == "keepsRest") {
			return ""
		}
	case "allowedIn":
		return flowOf(op.Accepted.AllowedIn)
	case "madeOnce":
		for _, p := range op.Parameters {
			if p.In == "header" && strings.Contains(hints.Flat(p.Name), "idempotency") {
				return yamlText(p.Name)
			}
		}
		return ""
	case "visibleTo":
		if !op.HasOther() {
			return "" // nothing would show it
		}
		return "owner"
	}
	return "true"
}

// allowedBy returns the states in which an operation is allowed, as far as a sentence tells, and those
// that a server seems to leave by itself: it may be in another one when the request comes.
func (o *overlayer) allowedBy(op *openapi.Operation) []openapi.States {
	for _, p := range o.shown(op) {
		values := openapi.StateValues(p.Schema)
		allowed := openapi.States{Member: p.Name}
		for _, is := range values {
			if hints.Passes(is) || !slices.ContainsFunc(values, func(was string) bool { return op.Bound.RefusedIn(values, was, is, true) != "" }) {
				allowed.Values = append(allowed.Values, jsontree.NewString(is))
			}
		}
		passing := func(v *jsontree.Value) bool { return hints.Passes(v.Text) }
		if slices.ContainsFunc(allowed.Values, func(v *jsontree.Value) bool { return !passing(v) }) && len(allowed.Values) < len(values) {
			return []openapi.States{allowed}
		}
	}
	return nil
}

// ofList returns the lines about the list that an operation reads.
func ofList(set *Set, op *openapi.Operation) []Candidate {
	l := op.Listing
	if l == nil {
		return nil
	}
	var out []Candidate
	add := func(key, value string, named []*openapi.Parameter) {
		rules := ruledBy(set.rules, key)
		rows := chosen(set, func(r *Requirement) bool { return r.Op == op && slices.Contains(rules, r.Rule) })
		if value != "" && len(rows) > 0 && slices.ContainsFunc(rows, func(r *Requirement) bool { return r.Level != report.Must }) {
			one := candidate(set, op, key, value, rows)
			for _, p := range named {
				if p != nil && !slices.ContainsFunc(one.Evidence, func(e report.Evidence) bool { return e.Place == p.Pointer }) {
					one.Evidence = append(one.Evidence, report.Evidence{Fact: "the parameter has this name", Place: p.Pointer, Quote: p.Name})
				}
			}
			out = append(out, one)
		}
	}
	add("paging", pagesOf(l), []*openapi.Parameter{l.Limit, l.Follows()})
	add("total", yamlText(l.Total+l.TotalField), nil)
	var names []string
	var filters []*openapi.Parameter
	for _, f := range l.Filters {
		if name := yamlText(f.Parameter.Name); !slices.Contains(names, name) {
			names, filters = append(names, name), append(filters, f.Parameter)
		}
	}
	if len(names) > 0 {
		add("filters", "["+strings.Join(names, ", ")+"]", filters)
	}
	if len(l.Orders) > 0 {
		add("order", yamlText(l.Orders[0].Parameter.Name), []*openapi.Parameter{l.Orders[0].Parameter})
	}
	return out
}

// pagesOf returns the line about the pages of a list.
func pagesOf(l *openapi.Listing) string {
	var parts []string
	add := func(key string, p *openapi.Parameter) {
		if p != nil {
			parts = append(parts, key+": "+yamlText(p.Name))
		}
	}
	if add("limit", l.Limit); l.Limit != nil && l.Key != "" {
		switch l.Follows() {
		case l.Offset:
			add("offset", l.Offset)
		case l.Page:
			add("page", l.Page)
		default:
			if add("cursor", l.Cursor); l.Next+l.NextField != "" {
				parts = append(parts, "next: "+yamlText(l.Next+l.NextField))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// candidate makes a candidate of its rows, with the evidence that the derived ones have.
func candidate(set *Set, op *openapi.Operation, key, value string, rows []*Requirement) Candidate {
	out := Candidate{Op: op, Key: key, Value: value}
	for _, r := range rows {
		out.Rows = append(out.Rows, r.ID)
		if !slices.Contains(out.Says, r.Sentence) {
			out.Says = append(out.Says, r.Sentence)
		}
		if derived := set.Find(r.ID); derived != nil {
			for _, e := range derived.Evidence {
				if !slices.Contains(out.Evidence, e) {
					out.Evidence = append(out.Evidence, e)
				}
			}
		}
	}
	return out
}

// stands reports whether a requirement is a MUST without the line.
func stands(set *Set, r *Requirement) bool {
	derived := set.Find(r.ID)
	return derived != nil && derived.Level == report.Must
}

func chosen(set *Set, is func(*Requirement) bool) []*Requirement {
	var out []*Requirement
	for _, r := range set.List {
		if is(r) {
			out = append(out, r)
		}
	}
	return out
}

// flowOf writes states in one line.
func flowOf(list []openapi.States) string {
	var members []string
	for _, s := range list {
		var values []string
		for _, v := range s.Values {
			values = append(values, yamlText(v.Text))
		}
		members = append(members, yamlText(s.Member)+": ["+strings.Join(values, ", ")+"]")
	}
	if len(members) == 0 {
		return ""
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// yamlText writes a text so that YAML reads it as one.
func yamlText(s string) string {
	plain := s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" && strings.Trim(s[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	switch strings.ToLower(s) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = s == ""
	}
	if plain {
		return s
	}
	return strconv.QuoteToASCII(s)
}

// shortCondition bounds the condition that a sentence names.
const shortCondition = 60

// under returns a walker whose sentences name the condition, if it is about one member that
// has one value and short. Otherwise the rows of then and else read the same.
func (w *walker) under(c schema.Condition, part *schema.Schema, path, is string) *walker {
	out, s := *w, c.If
	if part != nil {
		out.part = part.Pointer
	}
	if s == nil || w.when != "" || len(s.Properties) != 1 || s.Not != nil || len(s.AnyOf)+len(s.OneOf)+len(s.Conditions) > 0 {
		return &out
	}
	told := s.Properties[0]
	value := told.Schema.Const
	if value == nil && len(told.Schema.Enum) == 1 {
		value = told.Schema.Enum[0]
	}
	if value == nil {
		return &out
	}
	text := value.String()
	if value.Kind == jsontree.String {
		text = value.Text
	}
	if when := " where " + w.place(path+"/"+jsontree.EscapePointer(told.Name)) + " " + is + " " + exchange.Visible([]byte(text)); len(when) <= shortCondition {
		out.when = when
	}
	return &out
}

// named returns a walker whose sentences name the pattern of the members at a path.
func (w *walker) named(path, pattern string) *walker {
	out := *w
	if w.patterns == nil && len(pattern) <= shortCondition {
		out.patterns = map[string]string{path: exchange.Visible([]byte(pattern))}
	}
	return &out
}
