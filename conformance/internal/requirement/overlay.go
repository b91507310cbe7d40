package requirement

import (
	"bytes"
	"regexp"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/yamltree"
)

// Overlay applies a requirements file to a set. A row with a known id replaces the
// sentence, level and clause; other rows are added; and the domains of request bodies
// become narrower or wider, in the set and the contract that are returned. Errors are one
// line: name:line:column: what is wrong and what to write; name is the name of the file. An
// added row may use the given rules. An empty file changes nothing.
func Overlay(set *Set, c *openapi.Contract, name string, yaml []byte, rules []string) (*Set, *openapi.Contract, error) {
	if !hasContent(yaml) {
		return set, c, nil
	}
	tree, err := yamltree.Parse(name, yaml)
	if err != nil {
		return nil, nil, err
	}
	c = c.Copy()
	set = set.Of(c)
	o := overlayer{reader: &reader{name: name, tree: tree}, c: c, rules: rules, out: &Set{rules: set.rules},
		known: make(map[string]*Requirement, len(set.List)), given: map[string]string{}, said: map[string]bool{}}
	o.file(set)
	if o.err != nil {
		return nil, nil, o.err
	}
	for _, l := range o.listings {
		if len(l.is.Promised) > 0 {
			l.op.Listing = l.is
		}
	}
	valid := ruledBy(set.rules, "valid")
	o.out.List = slices.DeleteFunc(o.out.List, func(r *Requirement) bool { return r.Op.Accepted.Valid && slices.Contains(valid, r.Rule) })
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
	return o.out, c, nil
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
	// accepted are the lines about operations. Anew reports whether they change what is derived.
	accepted  []acceptedLine
	anew      bool
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
		set = Derive(o.c, set.rules)
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

// The rules that judge nothing: their rows are open points.
const (
	ruleObserve      = "observe"
	ruleUnobservable = "unobservable"
)

// added makes a row that no document can state, still without its words.
func (o *overlayer) added(row, id, rule string) *Requirement {
	if !slices.Contains(o.rules, rule) {
		o.refuse(row+"/rule", "unknown rule %s: use one of %s", show(rule), some(o.rules))
		return nil
	}
	op := o.operation(row)
	if op == nil {
		return nil
	}
	r := &Requirement{ID: id, Rule: rule, Op: op}
	// One that the file adds takes the place of the derived one.
	o.out.List = slices.DeleteFunc(o.out.List, func(d *Requirement) bool {
		return rule == "belongs" && d.Rule == rule && d.Op == op && d.Args.Kind != ""
	})
	o.args(row, r)
	o.out.List = append(o.out.List, r)
	o.known[id] = r
	return r
}

// statusForm is a status as the document spells one.
var statusForm = regexp.MustCompile(`^([1-5]([0-9][0-9]|XX)|default)$`)

func (o *overlayer) args(row string, r *Requirement) {
	at := row + "/args"
	if o.at(at) != nil && !o.object(at, "args", "path", "kind", "from", "to", "classes", "statuses") {
		return
	}
	a := &r.Args
	a.Kind, _ = o.text(at + "/kind")
	a.Key.Path = o.placeIn(at+"/path", "request body", bodies(r.Op))
	a.From = o.placeIn(at+"/from", "request body", bodies(r.Op))
	a.To = o.placeIn(at+"/to", "answer", answers(r.Op))
	a.Classes = o.texts(at + "/classes")
	a.Statuses = o.texts(at + "/statuses")
	for i, s := range a.Statuses {
		if !statusForm.MatchString(s) {
			o.refuse(o.list(at + "/statuses")[i], "bad status %s: use three digits, 4XX or default", show(s))
			return
		}
	}
	if r.Rule == ruleObserve && len(a.Classes) == 0 {
		o.refuse(row, "rule observe needs args.classes: add patterns of class slugs")
	}
}

// operation returns the operation that a value names; without one there must be
// no choice.
func (o *overlayer) operation(row string) *openapi.Operation {
	at := row + "/operation"
	if slug, ok := o.text(at); ok {
		return o.named(at, slug)
	}
	if len(o.c.Operations) != 1 {
		o.refuse(row, "operation is missing: add one of %s", o.slugs())
		return nil
	}
	return o.c.Operations[0]
}

func (o *overlayer) named(at, slug string) *openapi.Operation {
	for _, op := range o.c.Operations {
		if op.Slug == slug {
			return op
		}
	}
	o.refuse(at, "unknown operation %s: use one of %s", show(slug), o.slugs())
	return nil
}

func (o *overlayer) slugs() string {
	var out []string
	for _, op := range o.c.Operations {
		out = append(out, op.Slug)
	}
	return some(out)
}

// placedDomain is a domain with the body that it belongs to.
type placedDomain struct {
	op     *openapi.Operation
	path   string
	domain schema.Domain
}

// domain reads one domain for the operations named, or for all that have the
// place.
func (o *overlayer) domain(at string) {
	if !o.object(at, "the domain", "path", "operations", "given", "minLength", "maxLength", "minimum", "maximum", "examples", "value") {
		return
	}
	path, ok := o.text(at + "/path")
	if !ok {
		o.refuse(at, "path is missing: add the place of a value in the request body")
		return
	}
	d := o.bounds(at)
	var ops []*openapi.Operation
	for _, item := range o.list(at + "/operations") {
		slug, _ := o.text(item)
		if op := o.named(item, slug); op != nil {
			o.placeIn(at+"/path", "request body", bodies(op))
			ops = append(ops, op)
		}
	}
	switch v := o.at(at + "/operations"); {
	case v != nil && len(ops) == 0:
		o.refuse(at+"/operations", "operations is empty: name some of %s, or remove it to use all", o.slugs())
	case v == nil:
		var all []*schema.Schema
		for _, op := range o.c.Operations {
			all = append(all, bodies(op)...)
			if found := locate(bodies(op), path); len(found.schemas) > 0 {
				ops = append(ops, op)
			}
		}
		o.placeIn(at+"/path", "request body", all)
	}
	for _, op := range ops {
		if d.Value != nil && !slices.ContainsFunc(locate(bodies(op), path).schemas, func(s *schema.Schema) bool { return op.Body.Shape.Matches(s, d.Value) }) {
			o.refuse(at+"/value", "value violates the schema in the document at %s: use a value that the document allows", show(path))
		}
		o.place(at, op, path, d)
	}
}

// place keeps the domain of one body.
func (o *overlayer) place(at string, op *openapi.Operation, path string, d schema.Domain) {
	key := op.Slug + " " + path
	switch first := o.given[key]; {
	case first != "":
		o.refuse(at+"/path", "domain %s is given twice, first at %s: remove one", show(path), first)
	case d.Given != "" && locate(bodies(op), path).required:
		o.refuse(at+"/given", "%s is required: given is for optional members", show(path))
	}
	o.given[key] = o.tree.Where(at + "/path")
	o.domains = append(o.domains, placedDomain{op, path, d})
}

// bounds reads what the domain says of its values.
func (o *overlayer) bounds(at string) schema.Domain {
	given, _ := o.text(at + "/given")
	switch given {
	case "", "may-refuse":
	default:
		o.refuse(at+"/given", "bad given %s: write may-refuse, or leave it out", show(given))
	}
	d := schema.Domain{Given: given,
		MinLength: o.length(at + "/minLength"), MaxLength: o.length(at + "/maxLength"),
		Minimum: o.number(at + "/minimum"), Maximum: o.number(at + "/maximum")}
	for _, item := range o.list(at + "/examples") {
		if text, ok := o.text(item); ok {
			d.Examples = append(d.Examples, text)
		}
	}
	d.Value = o.at(at + "/value")
	switch {
	case given == "" && d.Value == nil && d.MinLength+d.MaxLength == 0 && d.Minimum+d.Maximum == "" && len(d.Examples) == 0:
		o.refuse(at, "the domain says nothing: add given, minLength, maxLength, minimum, maximum, examples or value")
	case d.MaxLength > 0 && d.MinLength > d.MaxLength:
		o.refuse(at+"/minLength", "minLength is above maxLength: no value is left")
	case d.Minimum != "" && d.Maximum != "" && jsontree.Compare(d.Minimum, d.Maximum) > 0:
		o.refuse(at+"/minimum", "minimum is above maximum: no value is left")
	}
	return d
}

// maxMustAcceptLength is the longest string that a file may call must-accept.
const maxMustAcceptLength = 1 << 16

func (o *overlayer) length(at string) int {
	v := o.at(at)
	if v == nil {
		return 0
	}
	n, ok := jsontree.Int64(v.Text)
	if v.Kind != jsontree.Number || !ok || n < 1 || n > maxMustAcceptLength {
		o.refuse(at, "bad %s: use a whole number from 1 to %d", last(at), maxMustAcceptLength)
		return 0
	}
	return int(n)
}

func (o *overlayer) number(at string) string {
	v := o.at(at)
	if v == nil {
		return ""
	}
	if v.Kind != jsontree.Number {
		o.refuse(at, "bad %s: use a number", last(at))
		return ""
	}
	return v.Text
}
