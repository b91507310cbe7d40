package reach

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// mostWays bounds the ways to one value: each costs requests before it is given up.
const mostWays = 12

// producers returns the operations that may give the value of a member, the most
// likely first: those at the collection of the path, then those of the same resource
// elsewhere.
func (m *Map) producers(op *contract.Operation, member contract.Member) []Way {
	out := m.known(op, member)
	if len(out) > 0 {
		return out
	}
	section, _, _ := strings.Cut(member.Path, "/")
	named := member.Refers(section)
	if named == "" && (strings.HasSuffix(member.Path, "/*") || m.named(op, member)) {
		named = member.Name // a list has the name of what it holds
	}
	collection, item, thing := "", "", named
	if strings.HasPrefix(member.Path, "path/") {
		collection, item = before(op.Path, member.Name)
		if word := resource(collection); word != "" {
			thing = word
		}
	}
	var near, far []*contract.Operation
	if item != "" {
		near = m.at[trimmed(collection)]
	}
	for _, word := range slices.Compact([]string{contract.One(thing), contract.One(named)}) {
		for _, o := range m.of[word] {
			if o != op.First() && !slices.Contains(near, o) {
				far = append(far, o)
			}
		}
	}
	for _, o := range m.showing(item) {
		if o != op.First() && !slices.Contains(near, o) && !slices.Contains(far, o) {
			far = append(far, o)
		}
	}
	made := m.putAt(op, member, item)
	for i, list := range [][]*contract.Operation{near, far} {
		for _, method := range []string{"POST", "PUT", "GET"} {
			if i == 0 && method == "GET" && (op.Method != "GET" || slices.ContainsFunc(made, func(w Way) bool { return Creates(w.From) })) {
				// Another case may delete the item of a list, and a request should only change
				// what the run made.
				out = append(out, made...)
				made = nil
			}
			for _, from := range list {
				if from.Method == method && (method == "GET" || !hasItem(from)) && len(out) < mostWays {
					out = append(out, m.ways(from, member, item)...)
				}
			}
		}
	}
	out = append(out, made...)
	if section == "" {
		out = append(out, m.putIn(thing, op)...)
	}
	if len(out) == 0 {
		out = m.sameKey(op, member)
	}
	if len(out) == 0 {
		for _, from := range m.shown(op, member) {
			out = append(out, m.ways(from, member, item)...)
		}
	}
	if len(out) == 0 && item == "" && section != "header" && section != "cookie" {
		out = m.alike(op, member)
	}
	return out[:min(len(out), mostWays)]
}

// putAt returns the ways to a thing whose key the client chooses: a PUT makes it.
func (m *Map) putAt(op *contract.Operation, member contract.Member, item string) []Way {
	var out []Way
	for _, from := range m.at[trimmed(item)] {
		if item != "" && from.Method == "PUT" && from != op.First() && from.Path == item {
			out = append(out, Way{Kind: Producer, From: from, Request: member.Path})
		}
	}
	return out
}

// putIn returns the ways to the keys of things that a PUT creates and a body names.
func (m *Map) putIn(thing string, op *contract.Operation) []Way {
	var out []Way
	for _, from := range m.of[contract.One(thing)] {
		if names := contract.Expressions(from.Path); Creates(from) && from != op.First() && len(names) == 1 {
			out = append(out, Way{Kind: Producer, From: from, Request: contract.PathPlace(names[0])})
		}
	}
	return out
}

// listsLast puts the items of lists after the other ways to what a body names. Another case may
// have created such an item, and may not be able to delete it while something refers to it.
func listsLast(ways []Way) []Way {
	lists, others := []Way{}, []Way{}
	for _, w := range ways {
		if w.Kind == List {
			lists = append(lists, w)
		} else {
			others = append(others, w)
		}
	}
	return append(others, lists...)
}

// Creates reports whether an operation is a PUT of one thing that lists 201: the client chooses
// the key.
func Creates(op *contract.Operation) bool {
	return op.Method == "PUT" && op.Response(201) != nil && hasItem(op)
}

// chooses reports whether a member is the key of the thing that a request creates.
func chooses(op *contract.Operation, member contract.Member) bool {
	if !Creates(op) || !strings.HasPrefix(member.Path, "path/") {
		return false
	}
	_, item := before(op.Path, member.Name)
	return item == op.Path
}

// showing returns the POST operations elsewhere whose answer has the same component as reading
// the item: POST /renders answers with a job, say.
func (m *Map) showing(item string) []*contract.Operation {
	if item == "" {
		return nil
	}
	var out []*contract.Operation
	for _, read := range m.at[trimmed(item)] {
		if read.Method != "GET" {
			continue
		}
		for _, s := range successes(read) {
			for _, o := range m.giving[s.Name] {
				if !strings.HasPrefix(o.Path, trimmed(item)) && !slices.Contains(out, o) {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// sameKey returns the ways to a key that has the same name in the path of another resource: if
// there is /links/{code}, /r/{code} gets what POST /links made.
func (m *Map) sameKey(op *contract.Operation, member contract.Member) []Way {
	var out []Way
	for _, o := range m.keyed(op, member) {
		collection, item := before(o.Path, member.Name)
		for _, from := range m.at[trimmed(collection)] {
			if from.Method == "POST" && from != op.First() {
				out = append(out, m.ways(from, member, item)...)
			}
		}
	}
	return out
}

// keyed returns an operation of each other resource whose path ends with a key of the same
// name and type.
func (m *Map) keyed(op *contract.Operation, member contract.Member) []*contract.Operation {
	if contract.IsKey(member.Name) {
		return nil // every resource has one of that name
	}
	var out []*contract.Operation
	for _, o := range m.with[member.Name] {
		collection, item := before(o.Path, member.Name)
		if item != o.Path || strings.HasPrefix(op.Path, collection) || o.Params == nil {
			continue
		}
		same := slices.ContainsFunc(o.Members(), func(other contract.Member) bool {
			return other.Path == contract.PathPlace(member.Name) && other.Schema.Type() == member.Schema.Type()
		})
		known := slices.ContainsFunc(out, func(other *contract.Operation) bool { return other.Path == o.Path })
		if same && !known {
			out = append(out, o)
		}
	}
	return out
}

// alike returns the keys of things that can be made without anything else and that
// have the type of a member: its name does not tell what it refers to.
func (m *Map) alike(op *contract.Operation, member contract.Member) []Way {
	var out []Way
	for _, from := range m.ops {
		if from == op.First() || from.Method != "POST" || strings.Contains(from.Path, "{") {
			continue
		}
		for _, s := range successes(from) {
			for _, key := range keys[:3] {
				p := s.Property(key)
				if p != nil && p.Schema.Type() == member.Schema.Type() && p.Schema.Format == member.Schema.Format {
					out = append(out, Way{Kind: Producer, From: from, Pointer: "/" + key})
				}
			}
		}
	}
	return out
}

// trimmed is a path without a slash at its end.
func trimmed(path string) string { return strings.TrimSuffix(path, "/") }

// hasItem reports whether an operation is about one thing that exists: its path ends
// with an expression.
func hasItem(op *contract.Operation) bool { return strings.HasSuffix(trimmed(op.Path), "}") }

// ways is waysOf, once for each operation, name and item.
func (m *Map) ways(from *contract.Operation, member contract.Member, item string) []Way {
	key := from.Slug + " " + member.Name + " " + item + " " + member.Schema.Type()
	list, known := m.given[key]
	if !known {
		list = waysOf(from, member, item)
		m.given[key] = list
	}
	return list
}

// waysOf returns where an operation's exchange may have the value.
func waysOf(from *contract.Operation, member contract.Member, item string) []Way {
	kind := Producer
	if from.Method == "GET" {
		kind = List
	}
	var out []Way
	add := func(pointer string) { out = append(out, Way{Kind: kind, From: from, Pointer: pointer}) }
	schemas := successes(from)
	// A text may hold a number, but what is a number is more likely.
	for _, usual := range []bool{true, false} {
		fits := func(s *contract.Schema) bool {
			return (member.Schema.Type() == "integer" && s.Type() == "string") != usual
		}
		for i, name := range slices.Concat([]string{member.Name}, keys, ownKeys(item)) {
			for _, s := range schemas {
				for _, pointer := range within(s, name, kind == List, fits) {
					add(pointer)
				}
			}
			if i == 0 && kind == Producer && from.Body != nil {
				if p := from.Body.Shape.Schema.Property(name); p != nil && fits(p.Schema) {
					out = append(out, Way{Kind: Producer, From: from, Request: "/" + jsontree.EscapePointer(name)})
				}
			}
		}
	}
	if kind == Producer && item != "" {
		out = append(out, Way{Kind: Producer, From: from, Header: "Location", Template: item})
	}
	return out[:min(len(out), 6)]
}

// successes returns the schemas of the documented successes.
func successes(op *contract.Operation) []*contract.Schema {
	out := schemas(op.Documented(2)...)
	if r := op.Response(200); len(out) == 0 && r != nil {
		out = schemas(r)
	}
	return out
}

func schemas(list ...*contract.Response) []*contract.Schema {
	var out []*contract.Schema
	for _, r := range list {
		for _, media := range r.Media {
			if media.Shape != nil {
				out = append(out, media.Shape.Schema)
			}
		}
	}
	return out
}

// within returns the places of an answer that hold a scalar of that name which fits: in the
// answer itself, one object deeper, or in the items of a list.
func within(s *contract.Schema, name string, list bool, fits func(*contract.Schema) bool) []string {
	var out []string
	for _, one := range alternatives(s) {
		if list {
			out = append(out, listed(one, name, fits)...)
			continue
		}
		out = append(out, members(one, name, "", fits)...)
		for _, p := range one.Properties {
			if p.Schema.Type() == "object" {
				for _, below := range alternatives(p.Schema) {
					out = append(out, members(below, name, "/"+jsontree.EscapePointer(p.Name), fits)...)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return slices.Compact(out)
}

// listed returns the places of that name in the items of a list, which may be the
// answer itself or a member of it.
func listed(s *contract.Schema, name string, fits func(*contract.Schema) bool) []string {
	var out []string
	items := func(list *contract.Schema, at string) {
		if list.Type() != "array" || list.Items == nil {
			return
		}
		for _, item := range alternatives(list.Items) {
			out = append(out, members(item, name, at+"/-", fits)...)
			if t := item.Type(); (t == "string" || t == "integer") && name == keys[0] && fits(item) {
				out = append(out, at+"/-")
			}
		}
	}
	items(s, "")
	for _, p := range s.Properties {
		at := "/" + jsontree.EscapePointer(p.Name)
		items(p.Schema, at)
		for _, q := range p.Schema.Properties {
			items(q.Schema, at+"/"+jsontree.EscapePointer(q.Name))
		}
	}
	return out
}

// members returns the scalar members of that name which fit.
func members(s *contract.Schema, name, at string, fits func(*contract.Schema) bool) []string {
	var out []string
	for _, p := range s.Properties {
		if t := p.Schema.Type(); contract.Flat(p.Name) == contract.Flat(name) && t != "object" && t != "array" && t != "boolean" && fits(p.Schema) {
			out = append(out, at+"/"+jsontree.EscapePointer(p.Name))
		}
	}
	return out
}

// alternatives returns a schema and the branches of its anyOf and oneOf.
func alternatives(s *contract.Schema) []*contract.Schema {
	out := []*contract.Schema{s}
	out = append(out, s.OneOf...)
	return append(out, s.AnyOf...)
}
