package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// mustExist reports whether a member may have to name something that exists: a path
// parameter that is no choice, what is named like the key of another resource, and a
// required parameter that a link gives or that is named like such a key.
func (m *Map) mustExist(op *openapi.Operation, member openapi.Member) bool {
	s := member.Schema
	if s.Enum != nil || s.Const != nil || s.ReadOnly || s.Never || chosen(op, member.Path) {
		return false
	}
	switch s.Type() {
	case "boolean", "object", "array", "null":
		return false
	}
	in, _, _ := strings.Cut(member.Path, "/")
	switch in {
	case "path":
		return s.Code != nil || !schema.Ordinary(s)
	case "":
		if len(m.known(op, member)) > 0 || m.state(op, member) != nil || len(m.linked(op, member.Path)) > 0 {
			return true
		}
		names := member.Refers("") != "" || m.looked(op, member) || m.listed(op, member) || m.named(op, member) || m.party(op, member) || m.sole(op, member) || len(m.shown(op, member)) > 0
		if at, _ := m.patterned(op, member); at != nil {
			names = true
		}
		return names && !schema.Ordinary(s)
	}
	names := hints.RefersAt(in, member.Name) != "" && !schema.Ordinary(s)
	return openapi.IfMatch(member.Path) || member.Required && (names || len(m.linked(op, member.Path)) > 0)
}

// looked reports whether the server may look up what a required member of the body names. The
// member has the name of another resource's key, the path has no key, and the document lists a
// status for what does not exist. Names such as name and code need 404: with 409 or 422 they may
// be those of what the request creates.
func (m *Map) looked(op *openapi.Operation, member openapi.Member) bool {
	statuses := unfound
	if hints.Called(member.Name, hints.Common) {
		statuses = statuses[:1]
	}
	return member.Required && len(openapi.Expressions(op.Path)) == 0 && listsOne(op, statuses) &&
		(len(m.keyed(op, member)) > 0 || m.scopes(op, member))
}

// scopes reports whether a member has the name of a key in the middle of the paths of another
// resource, such as project in /projects/{project}/flags/{flag}.
func (m *Map) scopes(op *openapi.Operation, member openapi.Member) bool {
	return !hints.IsKey(member.Name) && slices.ContainsFunc(m.with[member.Name], func(o *openapi.Operation) bool {
		collection, item := before(o.Path, member.Name)
		return item != o.Path && !strings.HasPrefix(op.Path, collection)
	})
}

// listed reports whether a list has the name of another resource, such as roles, and the server
// may look up its items.
func (m *Map) listed(op *openapi.Operation, member openapi.Member) bool {
	resources := m.of[hints.One(member.Name)]
	return strings.HasSuffix(member.Path, "/*") && listsOne(op, unfound[1:]) &&
		slices.ContainsFunc(resources, hasItem) && !slices.Contains(resources, op.First())
}

// shown returns the operations whose lists show the values that a required member of the body may
// have: the items have a required member of the same name, with the same component or pattern, and
// the server may look it up. So the sku in a line of an order is that of a product, though
// no path has it.
func (m *Map) shown(op *openapi.Operation, member openapi.Member) []*openapi.Operation {
	if !member.Required || !strings.HasPrefix(member.Path, "/") || hints.IsKey(member.Name) || hints.Called(member.Name, hints.Common) || !listsOne(op, unfound) {
		return nil
	}
	var out []*openapi.Operation
	for _, from := range m.ops {
		if from.Method == http.MethodGet && from.Path != op.Path && len(openapi.Expressions(from.Path)) == 0 && slices.ContainsFunc(successes(from), func(s *schema.Schema) bool { return showsItem(s, member) }) {
			out = append(out, from)
		}
	}
	return out
}

// showsItem reports whether the items of a list, which may be the answer itself or a member of it,
// have a required member like this one.
func showsItem(s *schema.Schema, member openapi.Member) bool {
	has := func(list *schema.Schema) bool {
		if list.Type() != "array" || list.Items == nil {
			return false
		}
		p := list.Items.Property(member.Name)
		return p != nil && p.Required && p.Schema.Type() == member.Schema.Type() && interchangeable(p.Schema, member.Schema)
	}
	return has(s) || slices.ContainsFunc(s.Properties, func(p *schema.Property) bool { return has(p.Schema) })
}

// interchangeable reports whether two scalar schemas are the same component or have the same pattern.
func interchangeable(a, b *schema.Schema) bool {
	return a.Name != "" && a.Name == b.Name || a.Pattern != "" && a.Pattern == b.Pattern
}

// named reports whether a member of the body has the name of another resource, such as customer,
// and the server may look up what it names.
func (m *Map) named(op *openapi.Operation, member openapi.Member) bool {
	resources := m.of[hints.One(member.Name)]
	return strings.HasPrefix(member.Path, "/") && !strings.HasSuffix(member.Path, "/*") && (!member.Required || listsOne(op, unfound)) &&
		slices.ContainsFunc(resources, hasItem) && !slices.Contains(resources, op.First())
}

// party reports whether a required member of the body may name a resource by a UUID, whatever it is:
// the account to which money goes.
func (m *Map) party(op *openapi.Operation, member openapi.Member) bool {
	return member.Required && strings.HasPrefix(member.Path, "/") && member.Schema.Format == "uuid" &&
		hints.Called(member.Name, hints.Party) && listsOne(op, unfound) && len(m.alike(op, member)) > 0
}

// sole reports whether a required member of the body is the key of the thing that an operation is
// about, because its path has none, as in RPC: POST /getUser with an id.
func (m *Map) sole(op *openapi.Operation, member openapi.Member) bool {
	return member.Required && strings.LastIndexByte(member.Path, '/') == 0 && hints.IsKey(member.Name) && len(openapi.Expressions(op.Path)) == 0 &&
		listsOne(op, unfound[:1]) && len(m.alike(op, member)) > 0
}

// listsOne reports whether the document lists one of these statuses.
func listsOne(op *openapi.Operation, statuses []int) bool {
	return slices.ContainsFunc(statuses, func(status int) bool { return op.Lists(status) != nil })
}

// unfound are the statuses for a request whose body names something that does not exist.
var unfound = []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}

// free reports whether a member that may be looked up may also have to be new, or may have any
// value: the document does not list 404, and 409 may mean that a key is taken, or only a list shows
// such values.
func (m *Map) free(op *openapi.Operation, member openapi.Member) bool {
	if member.Refers("") == "" && len(m.shown(op, member)) > 0 || m.party(op, member) {
		return true
	}
	return strings.HasPrefix(member.Path, "/") && member.Refers("") == "" && op.Lists(http.StatusNotFound) == nil && (m.looked(op, member) || m.named(op, member))
}

// Families numbers the operations of a document. What one of them makes or deletes can
// only be a resource of another, or be needed by it, if both have the same number: their
// paths begin with the same collection, or one may get a value from the other.
func (m *Map) Families() map[*openapi.Operation]int {
	if m == nil {
		return nil
	}
	f := families{of: map[*openapi.Operation]int{}}
	collections := map[string]int{}
	for i, op := range m.ops {
		f.of[op], f.joined = i, append(f.joined, i)
		if above, found := fixed(op.Path); found {
			collections[above] = i
		}
	}
	for i, op := range m.ops {
		for path, _ := fixed(op.Path); ; path = path[:strings.LastIndexByte(path, '/')] {
			if other, found := collections[path]; found {
				f.join(i, other)
			}
			if !strings.Contains(path, "/") {
				break
			}
		}
	}
	for op, needs := range m.needs {
		for _, n := range needs {
			for _, w := range n.Dependencies {
				if w.From != nil {
					f.join(f.of[op.First()], f.of[w.From.First()])
				}
			}
		}
	}
	out := map[*openapi.Operation]int{}
	for op, i := range f.of {
		out[op] = f.head(i)
	}
	return out
}

// fixed returns the part of a path before its first segment with an expression, and
// whether it has one.
func fixed(path string) (string, bool) {
	before, _, found := strings.Cut(path, "{")
	if !found {
		return strings.TrimSuffix(path, "/"), false
	}
	return before[:max(strings.LastIndexByte(before, '/'), 0)], true
}

// families joins numbers; the head of each family is its least.
type families struct {
	of     map[*openapi.Operation]int
	joined []int
}

func (f *families) head(i int) int {
	for f.joined[i] != i {
		f.joined[i] = f.joined[f.joined[i]]
		i = f.joined[i]
	}
	return i
}

func (f *families) join(a, b int) {
	a, b = f.head(a), f.head(b)
	f.joined[max(a, b)] = min(a, b)
}

// known returns the ways to a member of a request that signs in, or names a resource by a secret: a
// user by name and password, a card by its number and pin. The operation that made the resource has
// all of them, in its request or in its answer.
func (m *Map) known(op *openapi.Operation, member openapi.Member) []Dependency {
	if !op.SignsIn() || !member.Required || !strings.HasPrefix(member.Path, "/") {
		return nil
	}
	var out []Dependency
	for _, from := range m.ops {
		if from.Method != http.MethodPost || from == op.First() || from.Body == nil || len(openapi.Expressions(from.Path)) > 0 {
			continue
		}
		all, secret := map[string]Dependency{}, false
		for _, p := range op.Body.Shape.Schema.Properties {
			if !p.Required {
				continue
			}
			w, chosen := knownFrom(from, p)
			if w.None() {
				all = nil
				break
			}
			all[p.Name] = w
			secret = secret || chosen
		}
		if w, ok := all[member.Name]; ok && secret {
			out = append(out, w)
		}
	}
	return out
}

// namesExampleUser reports whether a member is one of a request that signs in, and the document has
// an example of each member that it needs: those are often about a user who exists.
func namesExampleUser(c *openapi.Contract, op *openapi.Operation, member openapi.Member) bool {
	named := func(m openapi.Member) bool {
		return m.Required && strings.HasPrefix(m.Path, "/") && m.Schema.Enum == nil && m.Schema.Const == nil
	}
	return op.SignsIn() && named(member) && !chosen(op, member.Path) && !slices.ContainsFunc(op.Members(), func(m openapi.Member) bool {
		return named(m) && len(c.Examples(op, m)) == 0
	})
}

// knownFrom returns the way to a member through an operation that may have made the resource, and
// whether its request has the value. The kind is Unknown if there is none.
func knownFrom(from *openapi.Operation, p *schema.Property) (w Dependency, chosen bool) {
	for _, q := range from.Body.Shape.Schema.Properties {
		if q.Required && hints.Flat(q.Name) == hints.Flat(p.Name) && q.Schema.Type() == p.Schema.Type() {
			return Dependency{Kind: Producer, From: from, Request: "/" + jsontree.EscapePointer(q.Name)}, true
		}
	}
	for _, s := range successes(from) {
		for _, pointer := range within(s, p.Name, false, func(q *schema.Schema) bool { return q.Type() == p.Schema.Type() }) {
			return Dependency{Kind: Producer, From: from, Pointer: pointer}, false
		}
	}
	return Dependency{Kind: Unknown}, false
}
