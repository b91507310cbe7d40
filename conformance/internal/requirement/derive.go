package requirement

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// Derive returns the requirements that the document states: one for each thing
// that an implementer can get wrong by itself, and those that rules derive.
func Derive(c *openapi.Contract, rules []Rule) *Set {
	d := deriver{c: c, rules: rules, ids: openapi.NewSlugs(), resources: resource.All(c.Operations), asked: map[asked]*Requirement{}}
	for _, op := range c.Operations {
		d.op = op
		d.operation()
		for _, additional := range op.Additional {
			d.op = additional
			d.additional()
		}
		d.remaining(op)
	}
	return &Set{List: d.out, rules: rules}
}

// remaining tells the requirements about whole requests of an operation which places have
// one of their own: a value at any other place is for them, such as an item or a member
// that the schema does not name.
func (d *deriver) remaining(op *openapi.Operation) {
	own := map[string]bool{}
	for i := len(d.out) - 1; i >= 0 && d.out[i].Op == op; i-- {
		if r := d.out[i]; r.Rule == "accepted" && r.Args.Key.Path != "" {
			own[r.Args.Key.Path] = true
		}
	}
	for i := len(d.out) - 1; i >= 0 && d.out[i].Op == op; i-- {
		if r := d.out[i]; r.Rule == "accepted" && r.Args.Key.Path == "" {
			r.Args.Others = own
		}
	}
}

type deriver struct {
	c     *openapi.Contract
	rules []Rule
	op    *openapi.Operation
	of    *openapi.Body // that the rows are about, or nil
	ids   *openapi.Slugs
	// resources are those of the document.
	resources []*resource.Resource
	asked     map[asked]*Requirement // of bodies with alternatives
	out       []*Requirement
	slab      []Requirement
	text      []byte // of the sentence that is being written
	deeper    bool   // the schema goes on where the rows about it end
}

// add appends a row with a sentence.
func (d *deriver) add(id, rule string, level report.Level, clause Clause, args Args, sentence string, values ...any) {
	d.text = fmt.Appendf(d.text[:0], sentence, values...)
	d.row(id, rule, level, clause, args)
}

// row appends a row with the text as its sentence; an id already taken is told apart by
// its operation. Rows come from slabs, since a large document has a hundred thousand.
func (d *deriver) row(id, rule string, level report.Level, clause Clause, args Args) {
	if d.ids.Taken(id) {
		id = d.op.Slug + "-" + id
	}
	id = d.ids.Take(id)
	if clause.Pointer != "" {
		clause.Pointer = d.c.Clause(clause.Pointer)
	}
	if len(d.slab) == cap(d.slab) {
		d.slab = make([]Requirement, 0, min(max(8, 2*cap(d.slab)), 24)) // 24 fill 8 KiB
	}
	d.slab = append(d.slab, Requirement{ID: id, Sentence: string(d.text), Level: level,
		Clause: clause, Rule: rule, Args: args, Op: d.op.First(), Body: d.of})
	d.out = append(d.out, &d.slab[len(d.slab)-1])
}

func (d *deriver) must(id, rule, pointer string, args Args, sentence string, values ...any) {
	d.add(id, rule, report.Must, Clause{Pointer: pointer}, args, sentence, values...)
}

func (d *deriver) should(id, rule, rfc string, args Args, sentence string, values ...any) {
	d.add(id, rule, report.Should, Clause{RFC: rfc}, args, sentence, values...)
}

// evidence attaches a piece of evidence to the last row, if there is one. The row has its level
// without it.
func (d *deriver) evidence(e *report.Evidence) {
	if e != nil {
		d.out[len(d.out)-1].Evidence = []report.Evidence{{Fact: e.Fact, Place: d.c.Clause(e.Place), Quote: e.Quote}}
	}
}

func (d *deriver) operation() {
	op, s := d.op, d.op.Slug
	d.add(s+"-answered", "answered", report.Must, Clause{Pointer: op.Pointer + "/responses", RFC: "RFC 9110, 15.6"}, Args{},
		"Every request gets a complete answer without a server error (5xx).")
	d.add(s+"-framing", "framing", report.Must, Clause{RFC: "RFC 9112, 6"}, Args{},
		"Every answer is well-formed HTTP.")
	d.credentials()
	d.of = op.Body
	d.must(s+"-valid-accepted", "accepted", op.Pointer+"/responses", Args{}, "A valid request is accepted.")
	d.of = nil
	d.undocumented()
	d.parameters()
	if b := op.Body; b != nil {
		d.of = b
		if b.Required {
			d.must(s+"-body-required", "refuses-empty", op.Pointer+"/requestBody", Args{}, "A request without a body is refused.")
		}
		d.add(s+"-body-json", "refuses-syntax", report.Must, Clause{Pointer: b.Pointer, RFC: "RFC 8259, 2"}, Args{},
			"A body that is not %s is refused.", syntax(b))
		w := walker{d: d, rule: "refuses-schema", request: true, text: b.Form(), stem: stem(b.Shape.Schema, s+"-body")}
		w.schema(b.Shape.Schema, "", w.stem, 0)
		d.of = nil
	}
	if LeavesSecrets(op, op) {
		d.should(s+"-write-only-echoed", "write-only-echoed", "OpenAPI 3.1, 4.8.24; JSON Schema Validation, 9.4", Args{}, "What a client sends for a writeOnly member does not come back.")
		d.evidence(d.c.KeepsSecrets(op))
	}
	if op.Method == "POST" && len(op.Defaulted()) > 0 {
		d.should(s+"-default-applied", "default-applied", "OpenAPI 3.1, 4.8.24; JSON Schema Validation, 9.2", Args{}, "What a request leaves out has its default.")
	}
	d.answers()
	d.lifecycles()
	d.listings()
	d.byRules(false, nil)
}

// undocumented derives the row about values that the document does not list: a refusal with a
// status that it lists may be due to a rule that no schema states.
func (d *deriver) undocumented() {
	op := d.op
	given := op.Body != nil || op.Params != nil
	if refuses := len(op.Documented(4)) > 0 || op.Response(400) != nil; given && refuses {
		d.add(op.Slug+"-undocumented-rule", "undocumented-rule", report.Suspected, Clause{Pointer: op.Pointer + "/responses"}, Args{},
			"Valid requests are accepted, whatever values they have.")
	}
}

// parameters derives one row for each keyword of each parameter.
func (d *deriver) parameters() {
	if d.op.Params == nil {
		return
	}
	for _, in := range d.op.Params.Schema.Properties {
		stem := d.op.Slug + "-" + in.Name
		w := walker{d: d, rule: "refuses-schema", request: true, text: true, stem: stem}
		for _, p := range in.Schema.Properties {
			w.property(p, in.Name, stem, 1)
		}
	}
}

// syntax names the form that a body must have before its schema is checked.
func syntax(b *openapi.Body) string {
	if b.Form() {
		return b.Media
	}
	return "JSON"
}

// credentials derives the rows of the security schemes that requests can carry, and
// one for each alternative that they do not use.
func (d *deriver) credentials() {
	if !d.op.Demands() {
		d.alternatives()
		return
	}
	list := d.op.Schemes()
	for _, s := range d.op.Security[d.op.Chosen] {
		if s.Header != "" {
			list = append(list, s) // no case is about it, and the report says so
		}
	}
	for _, sc := range list {
		about := ""
		if len(list) > 1 {
			about = sc.Name
		}
		p, s := sc.Pointer, sc.Slug
		d.must(s+"-required", "refuses-credential", p, Args{Kind: "absent", Scheme: about}, "A request without a credential is refused.")
		in, name := sc.Documented()
		byScheme := in == "header" && name == "Authorization" && sc.Type != "apiKey"
		if byScheme {
			at := p
			if sc.Type == "http" {
				at = p + "/scheme"
			}
			d.must(s+"-scheme", "refuses-credential", at, Args{Kind: "scheme", Scheme: about}, "A credential of another scheme is refused.")
		}
		d.must(s+"-token", "refuses-credential", p, Args{Kind: "token", Scheme: about}, "A wrong or malformed credential is refused.")
		d.must(s+"-refusal", "credential-refusal", p, Args{Scheme: about}, "A missing or wrong credential is refused with a client error (4xx).")
		if byScheme && slices.Contains(d.op.Security[d.op.Chosen], sc) { // other alternatives are only tried in the usual spelling
			d.should(s+"-scheme-case", "accepts-credential", "RFC 9110, 11.1", Args{Kind: "case", Scheme: about}, "The scheme name is case-insensitive.")
			d.should(s+"-scheme-blanks", "accepts-credential", "RFC 9110, 11.4", Args{Kind: "blanks", Scheme: about}, "Several spaces after the scheme name are accepted.")
		}
		if byScheme {
			d.should(s+"-challenge", "challenge", "RFC 9110, 11.6.1 and 15.5.2", Args{Scheme: about}, "A credential is refused with 401 and WWW-Authenticate, with 403, or with 400.")
		}
	}
	d.alternatives()
}

// alternatives derives a row for each other alternative of the security that the
// user gave the credentials for, and for none at all.
func (d *deriver) alternatives() {
	pointer := d.op.Pointer + "/security"
	for i, alt := range d.op.Security {
		if i == d.op.Chosen || !d.op.Tried(i) {
			continue
		}
		label := openapi.Label(alt)
		if len(alt) == 0 {
			d.must(d.op.Slug+"-accepts-"+label, "accepts-alternative", pointer, Args{Kind: label}, "A request without a credential is accepted, because the document lists none as an alternative.")
			continue
		}
		d.must(d.op.Slug+"-accepts-"+label, "accepts-alternative", pointer, Args{Kind: label}, "The credentials of each alternative are accepted: %s.", label)
	}
}

func stem(s *schema.Schema, otherwise string) string {
	return cmp.Or(openapi.Slug(s.Name), otherwise)
}

const (
	shown  = 60 // characters of a text from a file
	listed = 30 // names in a list
)

// show quotes a text from a file, so that a message stays one short line.
func show(s string) string {
	if r := []rune(s); len(r) > shown {
		return strconv.Quote(string(r[:shown])) + "..."
	}
	return strconv.Quote(s)
}

// near says what a wrong name may stand for, or which names there are.
func near(name string, known []string) string {
	return cmp.Or(nearest.Hint(name, known), "use one of "+some(known))
}

// some joins names; of very many the first.
func some(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) > listed {
		return strings.Join(names[:listed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// lifecycles derives the rows about what several requests say together of one thing. A target may
// leave open what became of a resource.
func (d *deriver) lifecycles() {
	for _, r := range append([]*resource.Resource{{}}, d.resources...) {
		d.byRules(true, r)
	}
}

// byRules adds the rows that rules derive by themselves.
func (d *deriver) byRules(history bool, r *resource.Resource) {
	s := &Subject{Contract: d.c, Op: d.op, Resource: r, Resources: d.resources}
	for i := range d.rules {
		rule := &d.rules[i]
		if rule.Derive == nil || history != (rule.Rank == History) {
			continue
		}
		if q := rule.Derive(s); q != nil {
			d.add(cmp.Or(q.ID, d.op.Slug+"-"+rule.Name), rule.Name, q.Level, q.Clause, q.Args, "%s", q.Sentence)
			d.out[len(d.out)-1].Free = q.Free || history
			for i := range q.Evidence {
				d.evidence(&q.Evidence[i])
			}
		}
	}
}
