package requirement

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// answers derives the rows about the documented answers.
//
// A success must be documented, by its status, a range or default. So must a refusal, whatever
// it is for, if the document lists any. One that lists no 4xx leaves open every refusal.
func (d *deriver) answers() {
	op := d.op
	successes, refusals := op.Successes(), op.Documented(4)
	var byDefault []*openapi.Response
	if i := slices.IndexFunc(op.Responses, func(r *openapi.Response) bool { return r.Status == "default" }); i >= 0 {
		byDefault = op.Responses[i : i+1]
	}
	d.status("success", successes, "success-status", "A success has a documented status")
	for _, r := range successes {
		d.answer(r, len(successes)+len(byDefault) > 1)
	}
	if refusable(op) {
		if op.Body != nil || op.Params != nil {
			d.status("refusal", refusals, "refusal-status", "A refusal has a documented status")
			d.listed(refusals, len(byDefault) > 0)
		}
	}
	d.ownValues(successes)
	for _, r := range refusals {
		d.answer(r, !refusable(op) || len(refusals)+len(byDefault) > 1 || !r.BadInput())
	}
	if r := op.Lists(http.StatusUnsupportedMediaType); r != nil && op.Body != nil {
		d.add(op.Slug+"-other-media", "refuses-media", report.Should, Clause{Pointer: r.Pointer, RFC: "RFC 9110, 15.5.16"}, Args{},
			"A body of a media type that the document does not list is refused.")
	}
	for _, r := range byDefault {
		d.answer(r, !refusable(op) || len(refusals) > 0)
	}
	for _, status := range []int{http.StatusNotImplemented, http.StatusServiceUnavailable} {
		if r := op.Lists(status); r != nil {
			d.answer(r, true) // any other 5xx is a failure, whatever its form
		}
	}
}

// ownValues derives the row about what an answer must not have: the values of another
// request. It needs a free text or number that the request sends and the answer has too.
func (d *deriver) ownValues(successes []*openapi.Response) {
	rfc, known := map[string]string{http.MethodGet: "RFC 9110, 9.3.1", http.MethodPost: "RFC 9110, 9.3.3", http.MethodPut: "RFC 9110, 9.3.4", http.MethodPatch: "RFC 5789, 2"}[d.op.Method]
	if !known {
		return
	}
	kind, sentence := OwnValues, "What an answer says of the thing that a request made or changed is not from a request about another thing."
	var sent *schema.Schema
	switch {
	case d.op.Method == http.MethodGet:
		kind, sentence = AskedValues, "Where an answer repeats what a query asked for, it is not what only another query asked for."
		if q := d.op.Params; q != nil {
			if p := q.Schema.Property("query"); p != nil {
				sent = p.Schema
			}
		}
	case d.op.Body != nil && d.op.Body.Shape != nil:
		sent = d.op.Body.Shape.Schema
		if slices.ContainsFunc(d.resources, func(r *resource.Resource) bool { return r.Make == d.op }) {
			kind = MadeValues
		}
	}
	depth := nested
	if kind == AskedValues {
		depth = 0
	}
	for _, r := range successes {
		for _, m := range r.Media {
			if m.Shape == nil || !m.JSON() || sent == nil || !has(sent, depth, func(p *schema.Property) bool {
				free := p.Schema.Type() == "string" && p.Schema.AnyText() || kind != AskedValues && p.Schema.AnyNumber()
				return free && !p.Schema.ReadOnly && !p.Schema.WriteOnly &&
					has(m.Shape.Schema, nested, func(q *schema.Property) bool { return q.Name == p.Name })
			}) {
				continue
			}
			d.add(d.op.Slug+"-belongs", "belongs", report.Must, Clause{Pointer: m.Pointer + "/schema", RFC: rfc}, Args{Kind: kind}, "%s", sentence)
			d.out[len(d.out)-1].Free = true
			return
		}
	}
}

// The Kind of a derived row of the rule belongs: the operation makes a resource with each
// request, this is not known, or it only reads, as a query asks.
const (
	MadeValues  = "made-values"
	OwnValues   = "own-values"
	AskedValues = "asked-values"
)

// nested is how deep in envelopes a member is looked for.
const nested = 2

// has reports whether an object, or one in it, has such a member.
func has(s *schema.Schema, depth int, is func(*schema.Property) bool) bool {
	return slices.ContainsFunc(s.Properties, func(p *schema.Property) bool { return is(p) || depth > 0 && has(p.Schema, depth-1, is) })
}

// refusable reports whether some requests of an operation have to be refused.
func refusable(op *openapi.Operation) bool {
	return op.Body != nil || op.Security != nil && !op.Unasked || op.Params != nil
}

// status derives the row about the statuses of one kind. Those that are listed are
// the only ones allowed.
func (d *deriver) status(kind string, listed []*openapi.Response, rule, sentence string) {
	label, pointer := kind, d.op.Pointer+"/responses"
	allowed := statusesOf(listed)
	if len(allowed) > 0 {
		label, pointer = strings.ToLower(strings.Join(allowed, "-")), listed[len(listed)-1].Pointer
		sentence += " (" + strings.Join(allowed, ", ") + ")"
	}
	d.must(d.op.Slug+"-"+label+"-status", rule, pointer, Args{Statuses: allowed}, "%s.", sentence)
}

// listed derives the row about refusals that the document leaves open: those of an operation for
// which it has none, and 404 for a path in which a value does not have its form.
func (d *deriver) listed(refusals []*openapi.Response, byDefault bool) {
	op := d.op
	template := strings.Contains(op.Path, "{") && op.Response(http.StatusNotFound) == nil
	if byDefault || len(op.Responses) == 0 || len(refusals) > 0 && !template {
		return
	}
	d.add(op.Slug+"-refusal-listed", "refusal-listed", report.Should, Clause{Pointer: op.Pointer + "/responses"}, Args{Statuses: statusesOf(refusals)},
		"The document lists the refusals that the operation gives.")
}

func statusesOf(list []*openapi.Response) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.Status)
	}
	return out
}

// answer derives the rows about one documented answer: its media type, its body in
// each documented form, and its header fields. The target is free to give another
// documented answer instead, or it has to give this one.
func (d *deriver) answer(r *openapi.Response, free bool) {
	s, label := d.op.Slug, strings.ToLower(r.Status)
	from := len(d.out)
	args := Args{Statuses: []string{r.Status}}
	if len(r.Media) > 0 {
		d.must(s+"-"+label+"-media-type", "media-type", r.Pointer+"/content", args, "A %s answer has a documented media type.", r.Status)
	}
	first := true
	for _, m := range r.Media {
		if m.XML() && d.op.Method != "HEAD" {
			d.wellFormed(r, m, args, len(r.Media) > 1)
			continue
		}
		if m.Shape == nil || d.op.Method == "HEAD" {
			continue
		}
		before := len(d.out)
		id, args := s+"-"+label, args
		if len(r.Media) > 1 {
			args.Media = m.Type
		}
		name := stem(m.Shape.Schema, id+"-body")
		if !first {
			id += "-" + cmp.Or(openapi.Slug(m.Type), "any")
			name = id + "-body"
		}
		d.body(id, name, r, m, args)
		d.free(before, len(r.Media) > 1 || m.Range())
		first = false
	}
	for _, h := range r.Headers {
		d.header(r, h, args)
	}
	d.free(from, free)
}

// free marks the rows from a place on, if the target may choose another answer.
func (d *deriver) free(from int, is bool) {
	for _, r := range d.out[from:] {
		r.Free = r.Free || is
	}
}

// body derives the rows about the body of an answer in one form.
func (d *deriver) body(id, stem string, r *openapi.Response, m openapi.Media, args Args) {
	if m.JSON() {
		d.add(id+"-json", "answer-json", report.Must, Clause{Pointer: m.Pointer, RFC: "RFC 8259, 2 and 8.1"}, args,
			"The body of a %s answer is JSON in UTF-8 without a byte order mark.", r.Status)
	} else {
		d.must(id+"-form", "answer-form", m.Pointer, args, "The body of a %s answer is %s.", r.Status, m.Type)
	}
	from := len(d.out)
	w := walker{d: d, rule: "answer-schema", args: args, stem: stem}
	d.deeper = m.Shape.Cut != ""
	w.schema(m.Shape.Schema, "", w.stem, 0)
	for _, r := range d.out[from:] {
		r.Free = strings.Contains(r.Args.Key.Path, "/*") // the list may be empty
	}
	if d.deeper {
		d.below(m, stem, args, d.out[from:])
	}
}

// below derives the row about all that the rows about an answer do not reach.
func (d *deriver) below(m openapi.Media, stem string, args Args, rows []*Requirement) {
	for _, r := range rows {
		args.Beyond = append(args.Beyond, r.Args.Key)
	}
	d.must(stem+"-deeper", "answer-schema", m.Pointer+"/schema", args, "In the answer, all values keep the schema, however deep they are.")
	d.out[len(d.out)-1].Free = true // there may be none so deep
}

// wellFormed derives the row about the syntax of an answer in XML.
func (d *deriver) wellFormed(r *openapi.Response, m openapi.Media, args Args, free bool) {
	from := len(d.out)
	args.Media = m.Type
	d.add(d.op.Slug+"-"+strings.ToLower(r.Status)+"-"+openapi.Slug(m.Type)+"-form", "answer-form", report.Must,
		Clause{Pointer: m.Pointer, RFC: "RFC 7303, 3"}, args, "The body of a %s answer is %s.", r.Status, m.Type)
	d.free(from, free)
}

// header derives the rows about one header field of an answer.
func (d *deriver) header(r *openapi.Response, h *openapi.Header, args Args) {
	id := d.op.Slug + "-" + strings.ToLower(r.Status) + "-header-" + openapi.NameSlug(h.Name)
	args.Header = h.Name
	if h.Required {
		d.must(id+"-required", "answer-header", h.Pointer, args, "A %s answer has the header %s.", r.Status, h.Name)
	}
	if h.Shape == nil {
		return
	}
	before := len(d.out)
	if h.Media != "" {
		args.Key.Keyword = "json"
		d.must(id+"-json", "answer-header-schema", h.Pointer, args, "In the answer, the header %s is JSON.", h.Name)
	}
	w := walker{d: d, rule: "answer-header-schema", args: args, stem: id, root: "the header " + h.Name}
	w.schema(h.Shape.Schema, "", w.stem, 0)
	d.free(before, !h.Required)
}

// LeavesSecrets reports whether a success of an operation may have a member that is writeOnly
// in what another one takes, as far as the schema of the answer says: it is open.
func LeavesSecrets(takes, answers *openapi.Operation) bool {
	places := takes.WriteOnly()
	for _, r := range answers.Documented(2) {
		for _, m := range r.Media {
			if !m.JSON() || m.Shape == nil || m.Shape.Schema.Type() != "object" {
				continue
			}
			for _, place := range places {
				if m.Shape.Schema.Leaves(place) {
					return true
				}
			}
		}
	}
	return false
}
