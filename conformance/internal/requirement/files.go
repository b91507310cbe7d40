package requirement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/yamltree"
)

// Given is what a values file says.
type Given struct {
	// Unreachable says why an operation is not tried, by operation.
	Unreachable map[*openapi.Operation]string
	constants   []constant
}

// ReadValues reads a values file: for each operation, by its operationId, slug or
// method and path, what its parameters and the members of its body are. Where another
// operation gives a value, that becomes the only origin of its place in the contract that is
// returned. An empty file changes nothing. The errors are one line: name:line:column: what is
// wrong and what to write.
func ReadValues(c *openapi.Contract, name string, yaml []byte) (*Given, *openapi.Contract, error) {
	out := &Given{Unreachable: map[*openapi.Operation]string{}}
	if !hasContent(yaml) {
		return out, c, nil
	}
	tree, err := yamltree.Parse(name, yaml)
	if err != nil {
		return nil, nil, err
	}
	c = c.Copy()
	f := &valuesFile{reader: &reader{name: name, tree: tree}, c: c, out: out, seen: map[string]bool{}}
	f.file()
	if f.err != nil {
		return nil, nil, f.err
	}
	return out, c, nil
}

// Of returns the same for a contract that the other one was copied to.
func (g *Given) Of(c *openapi.Contract) *Given {
	out, own := &Given{Unreachable: map[*openapi.Operation]string{}}, c.Own()
	for op, why := range g.Unreachable {
		out.Unreachable[own(op)] = why
	}
	for _, v := range g.constants {
		v.op = own(v.op)
		out.constants = append(out.constants, v)
	}
	return out
}

// valuesFile carries what the steps of ReadValues share.
type valuesFile struct {
	*reader
	c    *openapi.Contract
	out  *Given
	seen map[string]bool
}

type constant struct {
	op    *openapi.Operation
	path  string
	value *jsontree.Value
}

// wrongName complains about the name of a member.
func (f *valuesFile) wrongName(at, format string, args ...any) {
	line, col := f.tree.NamePosition(at)
	f.complain(line, col, format, args...)
}

func (f *valuesFile) file() {
	root := f.tree.Root
	if root.Kind != jsontree.Object {
		f.refuse("", "the file is %s: write a mapping with the names of operations", kindOf(root))
		return
	}
	for _, m := range root.Members {
		at := "/" + jsontree.EscapePointer(m.Name)
		op := f.c.Find(m.Name)
		switch {
		case op == nil:
			f.wrongName(at, "no operation %s: %s", show(m.Name), hintAt(m.Name, f.c))
		case f.seen[op.Slug]:
			f.wrongName(at, "operation %s is here twice: write its values in one place", show(m.Name))
		default:
			f.seen[op.Slug] = true
			f.operation(at, op, m.Value)
		}
	}
}

// parts are the keys of an operation.
var parts = [...]string{"path", "query", "header", "cookie", "body", "unreachable"}

func (f *valuesFile) operation(at string, op *openapi.Operation, v *jsontree.Value) {
	if v.Kind == jsontree.Null {
		return // every line of it is a comment
	}
	if v.Kind != jsontree.Object {
		f.refuse(at, "the values of %s are %s: write a mapping with some of %s", op.Name(), kindOf(v), some(parts[:]))
		return
	}
	for _, m := range v.Members {
		here := at + "/" + jsontree.EscapePointer(m.Name)
		switch {
		case !slices.Contains(parts[:], m.Name):
			f.wrongName(here, "unknown key %s in %s: %s", show(m.Name), op.Name(), near(m.Name, parts[:]))
		case m.Name == "unreachable":
			if reason, ok := f.sentence(here); ok {
				f.out.Unreachable[op] = reason
			}
		case m.Value.Kind == jsontree.Null:
		case m.Value.Kind != jsontree.Object:
			f.refuse(here, "%s is %s: write a mapping of names and values", m.Name, kindOf(m.Value))
		case m.Name == "body":
			f.members(here, op, "", m.Value)
		default:
			f.parameters(here, op, m.Name, m.Value)
		}
	}
}

// parameters reads one section of parameters.
func (f *valuesFile) parameters(at string, op *openapi.Operation, section string, v *jsontree.Value) {
	for _, m := range v.Members {
		here := at + "/" + jsontree.EscapePointer(m.Name)
		f.place(here, op, section+"/"+jsontree.EscapePointer(f.spelling(op, section, m.Name)), m.Value)
	}
}

// spelling returns the name of a header parameter as the document spells it.
func (f *valuesFile) spelling(op *openapi.Operation, section, name string) string {
	for _, m := range op.Members() {
		if in, _, _ := strings.Cut(m.Path, "/"); in == section && section == "header" && strings.EqualFold(m.Name, name) {
			return m.Name
		}
	}
	return name
}

// members reads members of the body: by name, in objects, or by pointer.
func (f *valuesFile) members(at string, op *openapi.Operation, path string, v *jsontree.Value) {
	for _, m := range v.Members {
		here := at + "/" + jsontree.EscapePointer(m.Name)
		below := path + "/" + jsontree.EscapePointer(m.Name)
		if strings.HasPrefix(m.Name, "/") {
			below = path + anyIndex(m.Name)
		}
		if _, isOrigin := origin(m.Value); m.Value.Kind == jsontree.Object && len(m.Value.Members) > 0 && !isOrigin {
			f.members(here, op, below, m.Value)
			continue
		}
		f.place(here, op, below, m.Value)
	}
}

// origin returns the text behind from, if a value is one.
func origin(v *jsontree.Value) (string, bool) {
	from := v.Get("from")
	if v.Kind != jsontree.Object || len(v.Members) != 1 || from == nil || from.Kind != jsontree.String {
		return "", false
	}
	return from.Text, strings.Contains(from.Text, "#")
}

// place reads the value of one place.
func (f *valuesFile) place(at string, op *openapi.Operation, path string, v *jsontree.Value) {
	found := placed(op, path)
	if len(found.schemas) == 0 {
		f.wrongName(at, "%s is not a place in the request of %s%s", show(path), op.Name(), nearPlace(path, []*openapi.Operation{op}))
		return
	}
	key := op.Slug + " " + path
	if f.seen[key] {
		f.wrongName(at, "%s is given twice: keep one", show(path))
		return
	}
	f.seen[key] = true
	if text, ok := origin(v); ok {
		f.origin(at+"/from", op, path, text, !found.required)
		return
	}
	kept, fits := fitting(op, path, spellings(v))
	if !fits {
		f.refuse(at, "the value violates the schema of %s in the document: use one that the document allows, or from: OPERATION#/POINTER", show(path))
		return
	}
	f.out.constants = append(f.out.constants, constant{op, path, kept})
}

// origin reads OPERATION#/POINTER, OPERATION#HEADER or OPERATION#request/NAME.
func (f *valuesFile) origin(at string, op *openapi.Operation, path, text string, optional bool) {
	name, what, _ := strings.Cut(text, "#")
	from := f.c.Find(name)
	switch {
	case from == nil:
		f.refuse(at, "no operation %s: %s", show(name), hintAt(name, f.c))
	case what == "":
		f.refuse(at, "nothing behind the #: write a pointer into the answer such as %s#/id, a header field, or request/NAME", name)
	default:
		op.Origins = slices.DeleteFunc(op.Origins, func(o openapi.Origin) bool { return o.Place == path })
		op.Origins = append(op.Origins, openapi.Origin{Place: path, From: from, What: what, Optional: optional})
	}
}

// spellings returns a value and what else it may be meant to be: 7 for a text, "7" for
// a number.
func spellings(v *jsontree.Value) []*jsontree.Value {
	out := []*jsontree.Value{v}
	switch v.Kind {
	case jsontree.Number:
		out = append(out, jsontree.NewString(v.Text))
	case jsontree.Bool:
		out = append(out, jsontree.NewString(fmt.Sprint(v.Bool)))
	case jsontree.String:
		if doc, err := jsontree.Parse([]byte(v.Text)); err == nil {
			out = append(out, doc.Root)
		}
	}
	return out
}

// KnownFailure is an entry of a file of known failures.
type KnownFailure struct {
	// Pattern selects requirements by their ids; * stands for any characters. It is empty if the
	// entry is about a finding, by its id.
	Pattern string
	Finding string
	Reason  string
	Link    string    // empty for none
	Expires time.Time // the last day on which the entry holds; zero for none
	Line    int       // of the file, from 1
}

// DateForm is how a date is written.
const DateForm = "2006-01-02"

// ReadKnownFailures reads a file of known failures: a list of entries with the keys
// requirement or finding, reason, link and expires. A file without content has none. The errors
// are one line: name:line:column: what is wrong and what to write.
func ReadKnownFailures(name string, yaml []byte) ([]KnownFailure, error) {
	if !hasContent(yaml) {
		return nil, nil
	}
	tree, err := yamltree.Parse(name, yaml)
	if err != nil {
		return nil, err
	}
	f := &reader{name: name, tree: tree}
	if k := tree.Root.Kind; k != jsontree.Array && k != jsontree.Null {
		f.refuse("", "the file is %s: write a list of entries with requirement or finding, and reason", kindOf(tree.Root))
		return nil, f.err
	}
	var out []KnownFailure
	seen := map[string]int{}
	for i := range tree.Root.Items {
		k := f.knownFailure("/" + strconv.Itoa(i))
		key, subject := "requirement", k.Pattern
		if k.Finding != "" {
			key, subject = "finding", k.Finding
		}
		if f.err == nil && seen[key+subject] > 0 {
			f.refuse("/"+strconv.Itoa(i)+"/"+key, "%s is in line %d too: keep one", show(subject), seen[key+subject])
		}
		seen[key+subject] = k.Line
		out = append(out, k)
	}
	if f.err != nil {
		return nil, f.err
	}
	return out, nil
}

// knownFailure reads an entry.
func (s *reader) knownFailure(at string) KnownFailure {
	var k KnownFailure
	v := s.at(at)
	if v.Kind != jsontree.Object {
		s.refuse(at, "the entry is %s: write a mapping with requirement or finding, and reason", kindOf(v))
		return k
	}
	keys := []string{"requirement", "finding", "reason", "link", "expires"}
	for _, m := range v.Members {
		if !slices.Contains(keys, m.Name) {
			line, col := s.tree.NamePosition(at + "/" + jsontree.EscapePointer(m.Name))
			s.complain(line, col, "unknown key %s: %s", show(m.Name), near(m.Name, keys))
		}
	}
	k.Line, _ = s.tree.Position(at)
	switch one, other := v.Get("requirement"), v.Get("finding"); {
	case one == nil && other == nil:
		s.refuse(at, "the entry has no requirement and no finding: add one")
	case one != nil && other != nil:
		s.refuse(at, "the entry has a requirement and a finding: keep one, or write two entries")
	case v.Get("reason") == nil:
		s.refuse(at, "the entry has no reason: add one")
	}
	k.Pattern, _ = s.text(at + "/requirement")
	k.Finding, _ = s.text(at + "/finding")
	k.Reason, _ = s.sentence(at + "/reason")
	k.Link, _ = s.sentence(at + "/link")
	if text, ok := s.text(at + "/expires"); ok {
		day, err := time.Parse(DateForm, text)
		if err != nil {
			s.refuse(at+"/expires", "%s is not a date: write it like 2030-12-31", show(text))
		}
		k.Expires = day
	}
	return k
}
