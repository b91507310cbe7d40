package requirement

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/nearest"
)

// bodies returns the schema of the request body, if there is one.
func bodies(op *openapi.Operation) []*schema.Schema {
	if op.Body == nil || op.Body.Shape == nil {
		return nil
	}
	return []*schema.Schema{op.Body.Shape.Schema}
}

// answers returns the schemas of the documented answers.
func answers(op *openapi.Operation) []*schema.Schema {
	var out []*schema.Schema
	for _, r := range op.Responses {
		for _, m := range r.Media {
			if m.Shape != nil {
				out = append(out, m.Shape.Schema)
			}
		}
	}
	return out
}

// placeIn reads a path and refuses one that leads nowhere.
func (o *overlayer) placeIn(at, what string, roots []*schema.Schema) string {
	path, ok := o.text(at)
	if !ok {
		return ""
	}
	if path[0] != '/' {
		o.refuse(at, "%s %s is not a path: start it with /", last(at), show(path))
		return ""
	}
	switch found := locate(roots, path); {
	case len(found.schemas) > 0:
	case len(found.beside) == 0:
		o.refuse(at, "%s %s is not a place in the %s: the document has no members there", last(at), show(path), what)
	default:
		o.refuse(at, "%s %s is not a place in the %s: use one of %s", last(at), show(path), what, some(found.beside))
	}
	return path
}

// located is what a path leads to.
type located struct {
	schemas  []*schema.Schema
	required bool
	// beside are the places where the path left the schemas.
	beside []string
}

// locate follows a path through schemas; "*" stands for an array index and for
// names that the document leaves open.
func locate(roots []*schema.Schema, path string) located {
	now := located{schemas: roots}
	done := ""
	for segment := range strings.SplitSeq(path[1:], "/") {
		next := located{}
		for _, s := range spread(now.schemas) {
			next.step(s, segment, done)
		}
		if len(next.schemas) == 0 {
			return next
		}
		now, done = next, done+"/"+segment
	}
	return now
}

// step takes one segment from one schema.
func (l *located) step(s *schema.Schema, segment, done string) {
	name, _ := jsontree.UnescapePointer(segment)
	for _, p := range s.Properties {
		l.offer(done + "/" + jsontree.EscapePointer(p.Name))
		if p.Name == name && p.Schema != nil {
			l.schemas = append(l.schemas, p.Schema)
			l.required = l.required || p.Required
			return
		}
	}
	var open []*schema.Schema
	if s.Extra != nil {
		open = append(open, s.Extra)
	}
	for _, k := range s.Patterns {
		open = append(open, k.Schema)
	}
	if segment == "*" {
		open = append(open, s.Prefix...)
		if s.Items != nil {
			open = append(open, s.Items)
		}
	}
	if len(open) > 0 || s.Items != nil || len(s.Prefix) > 0 {
		l.offer(done + "/*")
	}
	l.schemas = append(l.schemas, open...)
}

func (l *located) offer(path string) {
	if len(l.beside) <= listed && !slices.Contains(l.beside, path) {
		l.beside = append(l.beside, path)
	}
}

// spread adds the alternatives of the schemas, which stand at the same place.
func spread(list []*schema.Schema) []*schema.Schema {
	var out []*schema.Schema
	for _, s := range list {
		if s == nil {
			continue
		}
		out = append(out, s)
		out = append(out, spread(s.AnyOf)...)
		out = append(out, spread(s.OneOf)...)
		for _, c := range s.Conditions {
			out = append(out, spread(c.Parts())...)
		}
	}
	return out
}

// NameValues reads values that the target is known to take, each written as
// [OPERATION:]PLACE=VALUE: the place is a pointer to a member of the request body, or
// a parameter such as query/limit, and the value is JSON, or a text as it is where the
// place takes one. The constants of a values file come before them. What is returned has other
// domains in the contract, and asks more of the place: a named value must be accepted. The errors
// are one line.
func NameValues(set *Set, c *openapi.Contract, given *Given, list []string) (*Set, *openapi.Contract, error) {
	c = c.Copy()
	n := namer{set: set.Of(c), c: c, given: map[string]string{}}
	if given != nil {
		for _, v := range given.Of(c).constants {
			nameValue(n.set, v.op, v.path, v.value)
		}
	}
	for _, text := range list {
		if err := n.name(text); err != nil {
			return nil, nil, fmt.Errorf("value %s: %w", show(text), err)
		}
	}
	return n.set, c, nil
}

type namer struct {
	set   *Set
	c     *openapi.Contract
	given map[string]string
}

// behind finds the colon between an operation and a place.
var behind = regexp.MustCompile(`:(/|path/|query/|header/|cookie/)`)

// sections begins a parameter.
var sections = regexp.MustCompile(`^(path|query|header|cookie)/`)

func (n *namer) name(text string) error {
	ops, rest := n.c.Operations, text
	if at := behind.FindStringIndex(text); at != nil && !strings.HasPrefix(text, "/") && !strings.Contains(text[:at[0]], "=") {
		name := text[:at[0]]
		if name == "" {
			return fmt.Errorf("no operation before the colon: write OPERATION:PLACE=VALUE, or PLACE=VALUE for all")
		}
		op := n.c.Find(name)
		if op == nil {
			return fmt.Errorf("no operation %s: %s", show(name), hintAt(name, n.c))
		}
		ops, rest = []*openapi.Operation{op}, text[at[0]+1:]
	}
	if !strings.HasPrefix(rest, "/") && !sections.MatchString(rest) || !strings.Contains(rest, "=") {
		return fmt.Errorf("use PLACE=VALUE, such as /member=word or query/limit=5, or OPERATION:PLACE=VALUE")
	}
	// A name may have a sign of equality in it: the shortest place counts.
	for at := 0; ; at++ {
		i := strings.IndexByte(rest[at:], '=')
		if i < 0 {
			break
		}
		at += i
		path := anyIndex(rest[:at])
		for _, op := range ops {
			if len(placed(op, path).schemas) > 0 {
				return n.keep(ops, path, rest[at+1:])
			}
		}
	}
	path, _, _ := strings.Cut(rest, "=")
	return fmt.Errorf("%s is not a place in the request%s", show(path), nearPlace(anyIndex(path), ops))
}

// hintAt names the operations that a wrong name may stand for.
func hintAt(name string, c *openapi.Contract) string {
	var slugs []string
	for _, op := range c.Operations {
		slugs = append(slugs, op.Slug)
	}
	return cmp.Or(nearest.Hint(name, c.Names()), "use one of "+some(slugs))
}

// nearPlace names the places that a wrong one may stand for.
func nearPlace(path string, ops []*openapi.Operation) string {
	var beside []string
	for _, op := range ops {
		for _, b := range placed(op, path).beside {
			if path[0] != '/' {
				b = b[1:]
			}
			beside = append(beside, b)
		}
	}
	if len(beside) == 0 {
		return ""
	}
	return ": " + near(path, beside)
}

// indices are those of arrays: any index stands for all.
var indices = regexp.MustCompile(`/[0-9]+\b`)

func anyIndex(path string) string { return indices.ReplaceAllString(path, "/*") }

// placed locates a place of a request: of the body ("/owner") or of a parameter
// ("query/limit").
func placed(op *openapi.Operation, path string) located {
	switch {
	case path[0] == '/':
		return locate(bodies(op), path)
	case op.Params == nil:
		return located{}
	}
	return locate([]*schema.Schema{op.Params.Schema}, "/"+path)
}

// keep names a value at a place of every operation that has it.
func (n *namer) keep(ops []*openapi.Operation, path, text string) error {
	kept := 0
	candidates := []*jsontree.Value{jsontree.NewString(text)}
	if doc, err := jsontree.Parse([]byte(text)); err == nil {
		candidates = append(candidates, doc.Root)
	}
	for _, op := range ops {
		if len(placed(op, path).schemas) == 0 {
			continue
		}
		v, fits := fitting(op, path, candidates)
		if !fits {
			if len(ops) > 1 {
				continue // it may be meant for another operation
			}
			return fmt.Errorf("it violates the schema in the document at %s", path)
		}
		key := op.Slug + " " + path
		if n.given[key] != "" {
			return fmt.Errorf("%s already has a value: give one per place", path)
		}
		n.given[key] = text
		kept++
		nameValue(n.set, op, path, v)
	}
	if kept == 0 {
		return fmt.Errorf("it violates the schema in the document at %s", path)
	}
	return nil
}

// shapeAt returns the shape that a place belongs to, and the key of its domain there.
func shapeAt(op *openapi.Operation, path string) (shape *schema.Shape, key string) {
	if path[0] == '/' {
		return op.Body.Shape, path
	}
	return op.Params, "/" + path
}

// nameValue keeps the value of one place, which must then be accepted.
func nameValue(set *Set, op *openapi.Operation, path string, v *jsontree.Value) {
	for _, row := range rowsWith(op, path) {
		if kept, fits := fitting(row, path, spellings(v)); fits {
			shape, key := shapeAt(row, path)
			d := shape.Domains[key]
			d.Value = kept
			shape.Domains[key] = d
		}
	}
	for _, r := range set.List {
		if r.Op == op && r.Rule == "some-accepted" && r.Args.Key.Path == path {
			r.Rule = "accepted"
		}
	}
}

// fitting returns the first of some spellings of a value that a place takes.
func fitting(op *openapi.Operation, path string, candidates []*jsontree.Value) (*jsontree.Value, bool) {
	shape, _ := shapeAt(op, path)
	for _, v := range candidates {
		for _, s := range placed(op, path).schemas {
			if shape.Matches(s, v) {
				return v, true
			}
		}
	}
	return nil, false
}
