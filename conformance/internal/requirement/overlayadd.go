package requirement

import (
	"regexp"
	"slices"

	"plantstore/conformance/internal/openapi"
)

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
