package requirement

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// placedDomain is a domain with the body that it belongs to.
type placedDomain struct {
	op     *openapi.Operation
	path   string
	domain openapi.Domain
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
		var all []*openapi.Schema
		for _, op := range o.c.Operations {
			all = append(all, bodies(op)...)
			if found := locate(bodies(op), path); len(found.schemas) > 0 {
				ops = append(ops, op)
			}
		}
		o.placeIn(at+"/path", "request body", all)
	}
	for _, op := range ops {
		if d.Value != nil && !slices.ContainsFunc(locate(bodies(op), path).schemas, func(s *openapi.Schema) bool { return op.Body.Shape.Matches(s, d.Value) }) {
			o.refuse(at+"/value", "value violates the schema in the document at %s: use a value that the document allows", show(path))
		}
		o.place(at, op, path, d)
	}
}

// place keeps the domain of one body.
func (o *overlayer) place(at string, op *openapi.Operation, path string, d openapi.Domain) {
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
func (o *overlayer) bounds(at string) openapi.Domain {
	given, _ := o.text(at + "/given")
	switch given {
	case "", "may-refuse":
	default:
		o.refuse(at+"/given", "bad given %s: write may-refuse, or leave it out", show(given))
	}
	d := openapi.Domain{Given: given,
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
