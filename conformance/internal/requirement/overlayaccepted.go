package requirement

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// line is a key that the file may have for an operation. It makes rows of the rules that name it a
// MUST.
type line struct {
	key     string
	methods []string // of the operations that may have it
	rules   []string
	// about reports whether a row of such a rule is about the operation of the line. Without it
	// the row belongs to that operation.
	about func(o *overlayer, op *openapi.Operation, r *Requirement) bool
	// accept reads the value of the key.
	accept func(o *overlayer, at string, op *openapi.Operation, is *openapi.Accepted)
	// needs says what the document lacks if there is no row.
	needs string
}

// lines are the keys about single operations, but for those about pages, with the rules that name them.
func lines(rules []Rule) []line {
	list := []line{
		{key: "allowedIn", accept: (*overlayer).states, needs: "it is not about a thing that can be made, read and changed"},
		{key: "keepsRest", methods: []string{http.MethodPatch, http.MethodPut}, about: readsBack,
			accept: flag(func(is *openapi.Accepted) { is.KeepsRest = true }), needs: "no operation reads what it changes"},
		{key: "replacesAll", methods: []string{http.MethodPut}, about: readsBack,
			accept: flag(func(is *openapi.Accepted) { is.ReplacesAll = true }), needs: "no operation reads what it replaces"},
		{key: "newestFirst", methods: []string{http.MethodGet},
			accept: flag(func(is *openapi.Accepted) { is.NewestFirst = true }), needs: "no POST adds to a list that it reads"},
		{key: "listed", methods: []string{http.MethodPost}, about: adds,
			accept: flag(func(is *openapi.Accepted) { is.Listed = true }), needs: "no list at the same path shows without being asked what it makes"},
		{key: "unlisted", methods: []string{http.MethodDelete}, about: deletes, accept: flag(nil), needs: "no list shows what it deletes"},
		{key: "gone", about: goneWith, accept: flag(nil), needs: "nothing that is deleted is asked for"},
		{key: "madeOnce", methods: []string{http.MethodPost}, accept: (*overlayer).field, needs: "it makes nothing that can be told apart by a key"},
		{key: "visibleTo", accept: (*overlayer).principals, needs: "it needs no credential, or names nothing that another operation makes"},
		{key: "keepsWriteOnly", about: takesSecrets, accept: flag(nil), needs: "its body has no writeOnly member"},
	}
	for i := range list {
		list[i].rules = ruledBy(rules, list[i].key)
	}
	return list
}

// ruledBy returns the names of the rules of a line.
func ruledBy(rules []Rule, line string) []string {
	var out []string
	for i := range rules {
		if rules[i].Line == line {
			out = append(out, rules[i].Name)
		}
	}
	return out
}

// pageKeys are the keys about the list that an operation reads, beside paging.
var pageKeys = [...]string{"paging", "total", "filters", "order"}

// flag reads the value of a key that says all by itself.
func flag(set func(is *openapi.Accepted)) func(o *overlayer, at string, op *openapi.Operation, is *openapi.Accepted) {
	return func(o *overlayer, at string, _ *openapi.Operation, is *openapi.Accepted) {
		switch v := o.at(at); {
		case v.Kind != jsontree.Bool || !v.Bool:
			o.refuse(at, "%s is %s: write true, or remove the line", last(at), shownValue(v))
		case set != nil:
			set(is)
		}
	}
}

// acceptedLine is a line of the file about an operation.
type acceptedLine struct {
	line
	at    string
	op    *openapi.Operation
	level report.Level
}

// accept reads what the file promises of operations, for the document and for each. It keeps the
// lines, and says so of the operations.
func (o *overlayer) accept() {
	if v := o.at("/valid"); v != nil && o.valid("/valid") {
		for _, op := range o.c.Operations {
			o.acceptFor(op, func(is *openapi.Accepted) { is.Valid = true })
		}
	}
	o.resources = resource.All(o.c.Operations)
	ops := o.at("/operations")
	switch {
	case ops == nil || ops.Kind == jsontree.Null: // every line is a comment
		return
	case ops.Kind != jsontree.Object:
		o.refuse("/operations", "operations is %s: write a mapping with the names of operations", kindOf(ops))
		return
	}
	for _, m := range ops.Members {
		at := "/operations/" + jsontree.EscapePointer(m.Name)
		op := o.c.Find(m.Name)
		switch {
		case op == nil:
			row, col := o.tree.NamePosition(at)
			o.complain(row, col, "no operation %s: %s", show(m.Name), hintAt(m.Name, o.c))
		case o.given["operation "+op.Slug] != "":
			o.refuse(at, "%s is given twice, first at %s: write its lines in one place", op.Name(), o.given["operation "+op.Slug])
		case m.Value.Kind != jsontree.Null: // every line of it is a comment
			o.given["operation "+op.Slug] = o.tree.Where(at)
			o.linesOf(at, op)
		}
	}
}

// linesOf reads the lines of one operation.
func (o *overlayer) linesOf(at string, op *openapi.Operation) {
	keys := []string{"valid"}
	for _, l := range lines(o.out.rules) {
		keys = append(keys, l.key)
	}
	if !o.object(at, op.Name(), append(keys, pageKeys[:]...)...) {
		return
	}
	if v := o.at(at + "/valid"); v != nil && o.valid(at+"/valid") {
		o.acceptFor(op, func(is *openapi.Accepted) { is.Valid = true })
	}
	for _, l := range lines(o.out.rules) {
		here := at + "/" + l.key
		if o.at(here) == nil {
			continue
		}
		if l.methods != nil && !slices.Contains(l.methods, op.Method) {
			o.refuse(here, "%s is for %s, and %s is a %s: remove the line", l.key, strings.Join(l.methods, " and "), op.Name(), op.Method)
			return
		}
		if l.key == "replacesAll" && op.Accepted.KeepsRest {
			o.refuse(here, "%s keeps what it leaves out, as keepsRest says: remove one of the lines", op.Name())
			return
		}
		read := acceptedLine{line: l, at: here, op: op, level: report.Must}
		if o.acceptFor(op, func(is *openapi.Accepted) { l.accept(o, here, op, is) }); l.key == "visibleTo" && !op.Accepted.Owned {
			read.level = report.Open
		}
		o.accepted = append(o.accepted, read)
	}
}

// acceptFor changes what is accepted of an operation and its copies.
func (o *overlayer) acceptFor(op *openapi.Operation, change func(is *openapi.Accepted)) {
	is := op.Accepted
	if change(&is); o.err != nil {
		return
	}
	acceptedOf(op, is)
	o.anew = true
}

func acceptedOf(op *openapi.Operation, is openapi.Accepted) {
	for _, row := range op.Rows() {
		row.Accepted = is
	}
}

// valid reads the line about valid requests.
func (o *overlayer) valid(at string) bool {
	text, ok := o.text(at)
	if ok && text != "accepted" {
		o.refuse(at, "bad valid %s: write accepted, or remove the line", show(text))
	}
	return ok && text == "accepted"
}

// states reads in which states an operation is allowed.
func (o *overlayer) states(at string, op *openapi.Operation, is *openapi.Accepted) {
	v := o.at(at)
	if v.Kind != jsontree.Object || len(v.Members) == 0 {
		o.refuse(at, "allowedIn is %s: write the member that has the state and its values, such as {status: [open]}", kindOf(v))
		return
	}
	var names []string
	for _, p := range o.shown(op) {
		if values := openapi.StateValues(p.Schema); len(values) > 0 || p.Schema.Type() == "boolean" {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		o.refuse(at, "nothing that can be read of what %s is about has a state, a member with few values: remove the line", op.Name())
		return
	}
	for _, m := range v.Members {
		here := at + "/" + jsontree.EscapePointer(m.Name)
		if !slices.Contains(names, m.Name) {
			o.refuse(here, "%s is no member with few values: %s", show(m.Name), near(m.Name, names))
			return
		}
		states := openapi.States{Member: m.Name}
		for _, item := range o.list(here) {
			value := o.at(item)
			if !slices.ContainsFunc(o.shown(op), func(p *schema.Property) bool { return p.Name == m.Name && hasValue(p.Schema, value) }) {
				o.refuse(item, "%s is no value of %s: use one of %s", show(shownValue(value)), m.Name, some(o.valuesOf(op, m.Name)))
				return
			}
			states.Values = append(states.Values, value)
		}
		if len(states.Values) == 0 {
			o.refuse(here, "%s has no values: write those in which %s is allowed, such as [%s]", m.Name, op.Name(), o.valuesOf(op, m.Name)[0])
			return
		}
		is.AllowedIn = append(slices.Clone(is.AllowedIn), states)
	}
}

// shown lists the members of what an operation is about, as reading it shows them: also those
// inside an envelope.
func (o *overlayer) shown(op *openapi.Operation) []*schema.Property {
	var out []*schema.Property
	for _, r := range o.resources {
		if r.Read == nil || !r.IsPart(op) && op != r.Patch && op != r.Replace && op != r.Delete {
			continue
		}
		for _, answer := range r.Read.Documented(2) {
			for _, m := range answer.Media {
				if m.Shape == nil {
					continue
				}
				for _, p := range m.Shape.Schema.Properties {
					out = append(append(out, p), p.Schema.Properties...)
				}
			}
		}
	}
	return out
}

func (o *overlayer) valuesOf(op *openapi.Operation, name string) []string {
	var out []string
	for _, p := range o.shown(op) {
		if p.Name == name && len(out) == 0 {
			if out = openapi.StateValues(p.Schema); p.Schema.Type() == "boolean" {
				out = []string{"true", "false"}
			}
		}
	}
	return out
}

func hasValue(s *schema.Schema, v *jsontree.Value) bool {
	return s.Type() == "boolean" && v.Kind == jsontree.Bool || v.Kind == jsontree.String && slices.Contains(openapi.StateValues(s), v.Text)
}

// field reads which header field makes a request harmless that is sent again.
func (o *overlayer) field(at string, op *openapi.Operation, is *openapi.Accepted) {
	name, ok := o.text(at)
	if !ok {
		return
	}
	var names []string
	for _, p := range op.Parameters {
		if p.In == "header" {
			if names = append(names, p.Name); http.CanonicalHeaderKey(p.Name) == http.CanonicalHeaderKey(name) {
				is.MadeOnce = p
				return
			}
		}
	}
	if len(names) == 0 {
		o.refuse(at, "%s has no header parameter: remove the line", op.Name())
		return
	}
	o.refuse(at, "%s has no header parameter %s: %s", op.Name(), show(name), near(name, names))
}

// principals reads who may see, change or delete what somebody made.
func (o *overlayer) principals(at string, _ *openapi.Operation, is *openapi.Accepted) {
	switch text, ok := o.text(at); {
	case ok && text == "owner":
		is.Owned = true
	case ok && text != "anyone":
		o.refuse(at, "bad visibleTo %s: write owner, for the principal that made it, or anyone", show(text))
	}
}

// isAbout reports whether the line of an operation says what a row requires.
func (l line) isAbout(o *overlayer, op *openapi.Operation, r *Requirement) bool {
	if !slices.Contains(l.rules, r.Rule) {
		return false
	}
	if l.about != nil {
		return l.about(o, op, r)
	}
	return r.Op == op
}

// promiseAccepted makes the rows of the accepted lines what the file says of them.
func (o *overlayer) promiseAccepted() {
	if ops := o.at("/operations"); ops != nil {
		for _, m := range ops.Members {
			o.pagesOf("/operations/"+jsontree.EscapePointer(m.Name), o.c.Find(m.Name))
		}
	}
	if o.err != nil {
		return
	}
	for _, l := range o.listings {
		o.promise(l)
	}
	for _, l := range o.accepted {
		found := false
		for _, r := range o.out.List {
			if !l.isAbout(o, l.op, r) {
				continue
			}
			found = true
			r.Level, r.Evidence = l.level, nil
			r.Clause.Section = report.AcceptedAt + o.tree.Where(l.at)
		}
		if !found && l.level == report.Must {
			o.refuse(l.at, "%s of %s cannot be judged, because %s: remove the line", l.key, l.op.Name(), l.needs)
			return
		}
	}
}

// readsBack: the row is about reading what the operation wrote.
func readsBack(o *overlayer, op *openapi.Operation, r *Requirement) bool {
	return slices.ContainsFunc(o.resources, func(of *resource.Resource) bool {
		return of.Read == r.Op && (of.Patch == op || of.Replace == op)
	})
}

// adds: the row is about the list that the operation adds to.
func adds(o *overlayer, op *openapi.Operation, r *Requirement) bool {
	return resource.Adder(o.c.Operations, r.Op) == op ||
		slices.ContainsFunc(o.resources, func(of *resource.Resource) bool { return of.Adder(r.Op) == op })
}

// deletes: the row is about what the operation deleted.
func deletes(_ *overlayer, op *openapi.Operation, r *Requirement) bool {
	return r.Args.Kind == op.Slug
}

// goneWith: the row is about asking with the operation for what was deleted, or about asking for
// what the operation deleted.
func goneWith(o *overlayer, op *openapi.Operation, r *Requirement) bool {
	return r.Op == op || deletes(o, op, r) && slices.ContainsFunc(o.resources, func(of *resource.Resource) bool {
		return of.Delete == op && slices.Contains([]*openapi.Operation{of.Read, of.Head, of.Patch, of.Replace}, r.Op)
	})
}

// takesSecrets: the row is about what is writeOnly in the body of the operation.
func takesSecrets(o *overlayer, op *openapi.Operation, r *Requirement) bool {
	if r.Rule != "write-only-kept" {
		return r.Op == op
	}
	return slices.ContainsFunc(o.resources, func(of *resource.Resource) bool {
		return of.Read == r.Op && slices.Contains([]*openapi.Operation{of.Make, of.Patch, of.Replace}, op)
	})
}

// shownValue is a value of the file as a message shows it.
func shownValue(v *jsontree.Value) string {
	if v.Kind == jsontree.Bool || v.Kind == jsontree.Number || v.Kind == jsontree.String {
		return v.String()
	}
	return kindOf(v)
}
