package requirement

import (
	"bytes"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/yamltree"
)

// Overlay applies a requirements file to a set. A row with a known id replaces the
// sentence, level and clause; other rows are added; and the domains of request bodies
// become narrower or wider. The set itself is not changed, and the contract is not
// changed if there is an error. Errors are one line: name:line:column: what is wrong
// and what to write; name is the name of the file. An added row may use the given
// rules. An empty file changes nothing.
func Overlay(set *Set, c *openapi.Contract, name string, yaml []byte, rules []string) (*Set, error) {
	if !hasContent(yaml) {
		return set, nil
	}
	tree, err := yamltree.Parse(name, yaml)
	if err != nil {
		return nil, err
	}
	o := overlayer{reader: &reader{name: name, tree: tree}, c: c, rules: rules, out: &Set{},
		known: make(map[string]*Requirement, len(set.List)), given: map[string]string{}, said: map[string]bool{}}
	o.file(set)
	if o.err != nil {
		for _, undo := range slices.Backward(o.undo) {
			undo()
		}
		return nil, o.err
	}
	for _, l := range o.listings {
		if len(l.is.Promised) > 0 {
			l.op.Listing = l.is
		}
	}
	o.out.List = slices.DeleteFunc(o.out.List, func(r *Requirement) bool { return r.Rule == "undocumented-rule" && r.Op.Accepted.Valid })
	for _, d := range o.domains {
		for _, row := range d.op.Rows() {
			if row == d.op || len(locate(bodies(row), d.path).schemas) > 0 {
				row.Body.Shape.Domains[d.path] = d.domain
			}
		}
		if o.relax(d); d.domain.Value != nil {
			nameValue(o.out, d.op, d.path, d.domain.Value)
		}
	}
	return o.out, nil
}

// relax asks for one accepted value only where some implementations rightly
// refuse the member.
func (o *overlayer) relax(d placedDomain) {
	for _, r := range o.out.List {
		if d.domain.Given == "may-refuse" && r.Op == d.op && r.Rule == "accepted" && r.Args.Key.Path == d.path {
			r.Rule = "some-accepted"
		}
	}
}

// overlayer carries what the steps of Overlay share.
type overlayer struct {
	*reader
	c     *openapi.Contract
	rules []string
	out   *Set
	known map[string]*Requirement
	// given says where an id, or a domain of an operation, was given first.
	given   map[string]string
	domains []placedDomain
	// listings are those that the file speaks of.
	listings []placedListing
	// accepted are the lines about operations. Anew reports whether they change what is derived,
	// and undo takes them back.
	accepted  []acceptedLine
	anew      bool
	undo      []func()
	resources []*resource.Resource
	// said are the keys of a line about all lists that some operation has.
	said map[string]bool
}

func (o *overlayer) file(set *Set) {
	if o.tree.Root.Kind != jsontree.Null && !o.object("", "the file", "service", "valid", "operations", "paging", "requirements", "domains") {
		return
	}
	if o.accept(); o.err != nil {
		return
	}
	if o.anew {
		set = Derive(o.c)
	}
	o.out.List = make([]*Requirement, len(set.List))
	for i, r := range set.List {
		row := *r
		o.out.List[i], o.known[r.ID] = &row, &row
	}
	if o.tree.Root.Kind == jsontree.Null {
		return
	}
	o.text("/service")
	o.paging()
	if o.promiseAccepted(); o.err != nil {
		return
	}
	for _, at := range o.list("/requirements") {
		o.row(at)
	}
	for _, at := range o.list("/domains") {
		o.domain(at)
	}
}

// hasContent reports whether anything but comments and white space is there.
func hasContent(yaml []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(yaml, []byte("\uFEFF"))) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return true
		}
	}
	return false
}
