package mutate

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// misname makes a name that propertyNames does not allow of one that it allows.
type misname func(right string) string

// wrongNames has one member with a name that breaks one keyword of propertyNames, and a
// value that fits. The keywords of a name share one requirement, so each has a class.
func (p *place) wrongNames(s *plan.Space) []plan.Class {
	n := p.schema.Names
	if n == nil || p.schema.Type() != "object" {
		return nil
	}
	var out []plan.Class
	with := func(kind string, list ...misname) {
		classes := invalid(s, p.where(), kind, list, func(g *plan.Gen, make misname) *message.Message { return p.misnamed(g, make) })
		for i := range classes {
			if classes[i].Subject != "" {
				classes[i].Subject += " " + kind
			}
		}
		out = append(out, classes...)
	}
	if n.Pattern != "" {
		with("name-outside-pattern", p.outsideNames()...)
		with("name-too-long-for-pattern", tooLong(n.Pattern))
		with("name-too-short-for-pattern", tooShort(n.Pattern))
	}
	if maximum := n.MaxLength; maximum != nil && *maximum < longest {
		with("long-name", func(right string) string {
			return right + strings.Repeat(lastLetter(right), max(1, *maximum+1-len([]rune(right))))
		},
			func(string) string { return strings.Repeat("a", *maximum+1) })
	}
	if minimum := n.MinLength; minimum != nil && *minimum > 1 {
		with("short-name", func(right string) string { return string([]rune(right)[:min(*minimum-1, len([]rune(right)))]) })
	}
	if n.Enum != nil || n.Const != nil {
		with("other-name", misname(title), misname(strings.ToUpper), misname(behind("s")), misname(before("_")))
	}
	return out
}

// outsideNames are names that keep the lengths of propertyNames and not its pattern.
func (p *place) outsideNames() []misname {
	var out []misname
	for _, corrupt := range []func(string) string{title, behind("1"), behind("_"), before("_"), behind("!"), before("1"), strings.ToUpper, func(string) string { return "A1" }, split("-")} {
		out = append(out, func(right string) string {
			if n := p.schema.Names; n.MaxLength != nil {
				right = string([]rune(right)[:max(0, min(len([]rune(right)), *n.MaxLength-1))])
			}
			return corrupt(right)
		})
	}
	return out
}

// misnamed is a baseline message with one member under a name that is not allowed.
func (p *place) misnamed(g *plan.Gen, make misname) *message.Message {
	m := p.in(g)
	v := p.get(m)
	if v == nil {
		return nil
	}
	right, _, ok := g.AdditionalName(p.schema, nil)
	name := make(right)
	if !ok || v.Get(name) != nil || p.schema.Closed || p.schema.Property(name) != nil {
		return nil
	}
	if maximum := p.schema.MaxProps; maximum != nil && len(v.Members) >= *maximum {
		i := slices.IndexFunc(v.Members, func(one jsontree.Member) bool {
			q := p.schema.Property(one.Name)
			return q == nil || !q.Required
		})
		if i < 0 {
			return nil
		}
		v.Members = slices.Delete(v.Members, i, i+1)
	}
	schema := p.schema.Extra
	v.Set(name, g.BaselineValue(schema))
	return m
}

// nearNames adds a member whose name is close to one that a pattern of a closed object
// matches: a server may look for the pattern anywhere in the name.
func (p *place) nearNames(s *plan.Space) []plan.Class {
	if len(p.schema.Patterns) == 0 {
		return nil
	}
	first := p.schema.Patterns[0]
	list := []misname{behind("1"), behind("!"), behind("_"), behind(" "), before("1"), before("a"), before(" "), split("-"), title, strings.ToUpper, misname(tooLong(first.Pattern))}
	return unlabelled(invalid(s, p.where(), "near-pattern-name", list, func(g *plan.Gen, make misname) *message.Message {
		name, ok := g.Named(first.Pattern)
		m := p.in(g)
		v := p.get(m)
		if name = make(name); !ok || v == nil || v.Get(name) != nil {
			return nil
		}
		v.Set(name, g.BaselineValue(first.Schema))
		return m
	}))
}

// maxPlaceholders bounds the members that one text names.
const maxPlaceholders = 3

// placeholders are the forms of template languages and format functions; * stands for the name
// of a member.
var placeholders = []string{"{{*}}", "${*}", "{*}%(*)s"}

var memberPlaceholders = plan.Mutator{
	Name: "member-placeholders",
	Doc:  "Sends strings with placeholders for members of the body, such as {{name}} and %(name)s, because code that replaces one placeholder after the other in a template replaces these too.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var names []string
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			if len(names) < maxPlaceholders {
				names = append(names, p.Name)
			}
		}
		if len(names) == 0 {
			return nil
		}
		var texts []string
		for _, form := range placeholders {
			text := ""
			for _, name := range names {
				text += strings.ReplaceAll(form, "*", name)
			}
			texts = append(texts, text+nonceMark)
		}
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			return sorted(s, p.where(), "placeholders", sampleOf(texts, rank(s, p, (*place).free)), func(g *plan.Gen, text string) *message.Message {
				return p.with(g, jsontree.NewString(fill(g, text)))
			})
		})
	},
}

// wrapping puts a whole body into something else.
type wrapping func(s *plan.Space, body *jsontree.Value) *jsontree.Value

type wrapGroup struct {
	kind string
	list []wrapping
}

func enveloped(name string) wrapping {
	return func(_ *plan.Space, body *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, body))
	}
}

var wraps = []wrapGroup{
	{"in-array", []wrapping{
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value { return jsontree.NewArray(b) },
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value { return jsontree.NewArray(b, b.Clone()) },
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewArray(jsontree.NewArray(b))
		},
	}},
	{"in-envelope", []wrapping{
		enveloped("data"), enveloped("body"), enveloped("payload"), enveloped("item"), enveloped("value"), enveloped("object"),
		enveloped("request"), enveloped("params"), enveloped("0"), enveloped(""), enveloped("input"), enveloped("attributes"),
		named(func(s *plan.Space) string { return strings.ToLower(s.Op.Body.Shape.Schema.Name) }),
		enveloped("entity"), enveloped("resource"), enveloped("model"), enveloped("json"), enveloped("record"), enveloped("__proto__"),
		named(func(s *plan.Space) string { return lowerFirst(s.Op.Body.Shape.Schema.Name) }), named(func(s *plan.Space) string { return snake(s.Op.Body.Shape.Schema.Name) }),
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M("jsonrpc", jsontree.NewString("2.0")), jsontree.M("method", jsontree.NewString("create")),
				jsontree.M("params", jsontree.NewArray(b)), jsontree.M("id", jsontree.NewInt(1)))
		},
		named(lastSegment), named(resource),
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M("data", jsontree.NewObject(jsontree.M("type", jsontree.NewString("item")), jsontree.M("attributes", b))))
		},
		func(s *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M(cmp.Or(s.Op.Body.Shape.Schema.Name, "root"), b))
		},
	}},
	{"in-string", []wrapping{
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value { return jsontree.NewString(b.String()) },
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewString(jsontree.NewString(b.String()).String())
		},
	}},
	{"as-list", []wrapping{members(false), members(true), inOrder(1), inOrder(2), inOrder(3), inOrder(4), inOrder(5), inOrder(0)}},
}

// named is an envelope whose name comes from the document.
func named(of func(s *plan.Space) string) wrapping {
	return func(s *plan.Space, b *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(cmp.Or(of(s), "root"), b))
	}
}

// inOrder lists the values of an object in another order, as readers that take
// members by position expect them: n chooses among the first permutations.
func inOrder(n int) wrapping {
	return func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
		left := append([]jsontree.Member(nil), b.Members...)
		out := jsontree.NewArray()
		for rest := n + 1; len(left) > 0; rest /= 2 {
			i := rest % len(left)
			out.Items = append(out.Items, left[i].Value)
			left = append(left[:i], left[i+1:]...)
		}
		return out
	}
}

// members lists the values of an object, or its names and values in pairs.
func members(pairs bool) wrapping {
	return func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
		out := jsontree.NewArray()
		for _, m := range b.Members {
			if pairs {
				out.Items = append(out.Items, jsontree.NewArray(jsontree.NewString(m.Name), m.Value))
			} else {
				out.Items = append(out.Items, m.Value)
			}
		}
		return out
	}
}

const wrapEach = 2

var wrappedBody = plan.Mutator{
	Name: "wrapped-body",
	Doc:  "Puts the whole valid body into an array, an envelope or a string, because lenient frameworks unwrap it.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, group := range wraps {
			var list []wrapping
			for range wrapEach {
				list = append(list, group.list...)
			}
			out = append(out, invalid(s, wholeBody, group.kind, list, changed(func(m *message.Message, wrap wrapping) {
				m.Tree = wrap(s, m.Tree)
			}))...)
		}
		// Readers by position want every member, the optional ones too.
		for _, absent := range []bool{false, true} {
			kind := map[bool]string{false: "as-full-list", true: "as-list-with-null"}[absent]
			out = append(out, invalid(s, wholeBody, kind, []int{0, 1, 2, 3, 4, 5, 6, 7}, func(g *plan.Gen, n int) *message.Message {
				m := full(s, g)
				for i, member := range m.Tree.Members {
					if p := s.Op.Body.Shape.Schema.Property(member.Name); absent && p != nil && !p.Required {
						m.Tree.Members[i].Value = jsontree.NewNull()
					}
				}
				m.Tree = inOrder(n)(s, m.Tree)
				return m
			})...)
		}
		return out
	},
}

// maxOthers is how many other alternatives the values of one are sent as.
const maxOthers = 4

// tagValue is a member that tells alternatives apart, with the value of another one.
type tagValue struct{ member, value string }

var otherAlternatives = plan.Mutator{
	Name: "other-alternatives",
	Doc:  "Sends the members of one alternative with the discriminator value of another, or of none, because servers often check what is common to all alternatives and no more.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.section {
				return nil
			}
			var others, none []tagValue
			for i := range p.schema.Merged {
				m := &p.schema.Merged[i]
				list := tagValues(m)
				others = append(others, spread(list, maxOthers)...)
				if len(list) > 0 {
					none = append(none, tagValue{list[0].member, list[0].value + "x"}, tagValue{list[0].member, ""})
				}
			}
			return append(
				ahead(invalid(s, p.where(), "says-it-is-another", others, p.tagged(false))),
				append(ahead(invalid(s, p.where(), "says-it-is-another-with-all-members", others, p.tagged(true))),
					ahead(invalid(s, p.where(), "says-it-is-unknown", none, p.tagged(false)))...)...)
		})
	},
}

// tagValues are the values of the member that tells the alternatives apart: the discriminator,
// or a member that has one value in each.
func tagValues(m *schema.Merged) []tagValue {
	var out []tagValue
	for _, value := range m.Others {
		out = append(out, tagValue{m.Member, value})
	}
	if out != nil || m.Index >= len(m.All) {
		return out
	}
	for _, own := range m.All[m.Index].Properties {
		mine := onlyText(own.Schema)
		if mine == "" {
			continue
		}
		for _, other := range m.All {
			if q := other.Property(own.Name); q != nil {
				if theirs := onlyText(q.Schema); theirs != "" && theirs != mine {
					out = append(out, tagValue{own.Name, theirs})
				}
			}
		}
	}
	return out
}

// onlyText is the text that a schema takes as its only value, or an empty one.
func onlyText(s *schema.Schema) string {
	only := s.Const
	if only == nil && len(s.Enum) == 1 {
		only = s.Enum[0]
	}
	if only == nil || only.Kind != jsontree.String {
		return ""
	}
	return only.Text
}

// tagged is a message with the value of another alternative at a place; if full, with
// every optional member of its own.
func (p *place) tagged(full bool) func(*plan.Gen, tagValue) *message.Message {
	return func(g *plan.Gen, c tagValue) *message.Message {
		m := p.in(g)
		v := p.get(m)
		if v == nil || v.Kind != jsontree.Object || v.Get(c.member) == nil {
			return nil
		}
		added := false
		for _, q := range p.schema.Optional() {
			if full && v.Get(q.Name) == nil && !q.Schema.Never {
				v.Set(q.Name, g.BaselineValue(q.Schema))
				added = true
			}
		}
		if full && !added {
			return nil
		}
		v.Set(c.member, jsontree.NewString(c.value))
		return m
	}
}
