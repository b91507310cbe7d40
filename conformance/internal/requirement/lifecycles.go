package requirement

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// lifecycles derives the rows about what several requests say together of one thing.
func (d *deriver) lifecycles() {
	from := len(d.out)
	defer func() { d.free(from, true) }() // a target may leave open what became of a resource
	// Only what this operation reads can be below a resource.
	var read []*resource.Resource
	for _, r := range d.resources {
		if r.Read == d.op {
			read = append(read, r)
		}
	}
	post := resource.Adder(d.c.Operations, d.op)
	if post != nil {
		d.storedAdded(post)
	}
	d.newestFirst(post)
	for _, r := range d.resources {
		d.others(r)
		d.siblings(r)
		d.belongs(r)
		d.madeOnce(r)
		d.stateRefused(r)
		if r.GetOf(d.op) != nil {
			d.should(d.op.Slug+"-head-like-get", "head-like-get", "RFC 9110, 9.3.2 and 8.6", Args{}, "HEAD is answered like GET, without the body.")
		}
		switch {
		case d.op == r.Read:
			d.read(r)
			d.gone(r, true)
		case d.op == r.Head:
			d.gone(r, true)
		case d.op == r.Patch:
			d.gone(r, true)
			d.ifMatch(r)
			d.matched(r)
			d.unmodifiedSince(r)
		case d.op == r.Replace, d.op == r.Delete:
			d.ifMatch(r)
			d.matched(r)
			d.matchAny(r)
			d.unmodifiedSince(r)
			d.put(r, r.PutMissing(), "put-missing", "A PUT of a resource that does not exist is refused.")
			d.put(r, r.PutCreates(), "put-creates", "A PUT that creates a resource is answered with 201.")
			d.createOnly(r)
		case r.Delete != nil && (d.op == r.List || r.Searches(d.op)):
			d.should(d.op.Slug+"-unlisted", "unlisted", "RFC 9110, 9.3.5", Args{Kind: r.Delete.Slug}, "What %s deleted is not listed any more.", r.Delete.Name())
			d.evidence(r.Delete.Unlists)
		case r.IsPart(d.op):
			d.gone(r, false)
			if post := r.Adder(d.op); post != nil {
				d.storedAdded(post)
			}
			if put := r.PartAt(d.op.Path, http.MethodPut); put != nil && put.Body != nil && d.op.Method == http.MethodGet {
				d.storedReplaced(put)
			}
		case r.Delete != nil && slices.ContainsFunc(read, r.Holds):
			d.missing("gone-above", "gone", r.Delete.Slug, "RFC 9110, 9.3.5", false, "What "+r.Delete.Name()+" deleted takes with it what is below.")
		}
	}
}

// newestFirst derives the row about the order of a list. Without a POST that adds to it at the top
// level, it is that of a resource.
func (d *deriver) newestFirst(post *openapi.Operation) {
	for _, r := range d.resources {
		if post == nil && r.List == d.op {
			post = r.Make
		}
		post = cmp.Or(post, r.Adder(d.op))
	}
	if post != nil && d.op.HasFirst(post) {
		d.suspect(d.op.NewestFirst, d.op.Slug+"-newest-first", "newest-first", Args{}, "What %s made last comes first in the list.", post.Name())
	}
}

// read derives the rows about reading what other operations wrote.
func (d *deriver) read(r *resource.Resource) {
	s := d.op.Slug
	if at := cmp.Or(locationOf(r.Make), linkFrom(r.Make, d.op)); at != "" {
		d.must(s+"-created-readable", "created-readable", at, Args{}, "What %s made can be read.", r.Make.Name())
	} else {
		d.should(s+"-created-readable", "created-readable", "RFC 9110, 15.3.2", Args{}, "What %s made can be read.", r.Make.Name())
	}
	d.should(s+"-stored-created", "stored-created", "RFC 9110, 9.3.1 and 9.3.3", Args{}, "Reading gives the values that %s gave.", r.Make.Name())
	if r.TakesOptional() {
		d.should(s+"-carried-over", "carried-over", "RFC 9110, 9.3.3", Args{}, "What %s made has no values of the resource made before it.", r.Make.Name())
	}
	if r.Replace != nil {
		d.storedReplaced(r.Replace)
		if said := cmp.Or(r.Replace.Replaces, r.Replace.Whole); said != nil || r.Replace.Accepted.ReplacesAll {
			d.suspect(said, s+"-replaced-members", "replaced-members", Args{}, "Reading gives every value that %s sent, and no other.", r.Replace.Name())
		}
	}
	if r.Replace != nil && r.Replace.Body != nil {
		d.should(s+"-replaced-again", "replaced-again", "RFC 9110, 9.2.2", Args{}, "The same request to %s twice leaves what one leaves.", r.Replace.Name())
	}
	if len(r.TakesReadOnly()) > 0 {
		d.should(s+"-read-only-kept", "read-only-kept", "OpenAPI 3.1, 4.8.24; JSON Schema Validation, 9.4", Args{}, "What a client sends for a readOnly member is not stored.")
	}
	takes := slices.DeleteFunc([]*openapi.Operation{r.Make, r.Replace, r.Patch}, func(op *openapi.Operation) bool { return op == nil || !leavesSecrets(op, d.op) })
	if len(takes) > 0 {
		d.secret(s+"-write-only-kept", "write-only-kept", "What a client sends for a writeOnly member is not read.", takes...)
	}
	if r.ReplacesWhole() && len(r.Replace.Droppable(false)) > 0 {
		d.should(s+"-replaced-whole", "replaced-whole", "RFC 9110, 9.3.4", Args{}, "What %s leaves out does not stay.", r.Replace.Name())
		d.evidence(cmp.Or(r.Replace.Partial, r.Replace.Whole))
	}
	if r.Patch != nil && r.Patch.Body != nil {
		d.should(s+"-stored-patched", "stored-patched", "RFC 5789, 2", Args{}, "Reading gives the values that %s gave.", r.Patch.Name())
	}
	if r.Patch != nil && r.Patch.Body != nil && !picksMembers(r.Patch) {
		d.should(s+"-patch-leaves-rest", "patch-leaves-rest", "RFC 5789, 2; RFC 7396, 1", Args{}, "%s leaves the members that it does not name.", r.Patch.Name())
		d.evidence(r.Patch.Keeps)
	}
	if slices.ContainsFunc(r.Parts, func(op *openapi.Operation) bool { return r.IsPart(op) && op.Method == http.MethodPost }) {
		d.should(s+"-stored-done", "stored-done", "RFC 9110, 9.3.3", Args{}, "Reading gives the state that the answer to a POST about the thing had.")
	}
	if r.TakesJSONPatch() {
		d.should(s+"-json-patched", "json-patched", "RFC 6902, 4 and 5", Args{}, "Reading gives what the operations of %s make.", r.Patch.Name())
	}
	if changes := cmp.Or(r.Patch, r.Replace); changes != nil && changes.Body != nil {
		d.should(s+"-refused-unchanged", "refused-unchanged", "RFC 5789, 2; RFC 9110, 15.5", Args{}, "What is refused changes nothing.")
	}
	d.tags(r)
	d.modifiedSince(r)
	if !r.Chosen() {
		d.missing("never-given", "never-given", "", "RFC 9110, 15.5.5", true, "A key that no answer gave is no success.")
	}
}

// belongs derives the rows about a resource that is below one other thing alone.
func (d *deriver) belongs(r *resource.Resource) {
	switch {
	case len(r.Above) == 0:
	case d.op == r.List && d.op.Listing != nil:
		d.should(d.op.Slug+"-listed-below", "listed-below", "RFC 3986, 3.3; RFC 9110, 9.3.1", Args{}, "The list has nothing that %s made below another one.", r.Make.Name())
	case d.op == r.Read:
		d.missing("below-other", "below-other", "", "RFC 3986, 3.3; RFC 9110, 15.5.5", true, "What "+r.Make.Name()+" made below one thing is not found below another one.")
		if len(r.Writes()) > 0 {
			d.missing("changed-below", "changed-below", "", "RFC 3986, 3.3; RFC 9110, 15.5.5", true, "What "+r.Make.Name()+" made is not changed by requests that name it below another one.")
		}
	}
}

// madeOnce derives the row about a request that is sent again, if the document says what
// happens to it.
func (d *deriver) madeOnce(r *resource.Resource) {
	field, names := d.op.MadeOnce(), openapi.Expressions(r.Path)
	if d.op != r.Make || field == nil || r.Chosen() || len(names) == 0 {
		return
	}
	d.suspect(field.SentAgain(), d.op.Slug+"-made-once", "made-once", Args{To: names[len(names)-1]},
		"A request that is sent again with the same %s makes no second resource.", field.Name)
}

// stateRefused derives the row about an operation that the document says is refused in some
// states of the resource.
func (d *deriver) stateRefused(r *resource.Resource) {
	if r.Bound(d.op) {
		d.suspect(d.op.Bound.Said(), d.op.Slug+"-state-refused", "state-refused", Args{}, "In the states in which the request is not allowed, it is refused.")
	}
}

// storedAdded derives the row about reading in a list what a POST added to it. That a list shows at
// once all that was made is a habit alone: it may wait for an approval.
func (d *deriver) storedAdded(post *openapi.Operation) {
	d.suspect(post.Enlists, d.op.Slug+"-stored-added", "stored-added", Args{}, "The list has what %s added.", post.Name())
}

// storedReplaced derives the row about reading what a PUT replaced.
func (d *deriver) storedReplaced(put *openapi.Operation) {
	d.should(d.op.Slug+"-stored-replaced", "stored-replaced", "RFC 9110, 9.3.4", Args{}, "Reading gives the values that %s gave.", put.Name())
}

// tags derives the rows about the entity tags of a resource, as far as the document knows
// them.
func (d *deriver) tags(r *resource.Resource) {
	s, changes := d.op.Slug, r.Replace != nil || r.Patch != nil
	if changes && slices.ContainsFunc(d.op.Documented(2), hasTag) {
		d.should(s+"-etag-changes", "etag-changes", "RFC 9110, 8.8.1", Args{}, "The ETag changes with the representation.")
		d.add(s+"-strong-etag", "strong-etag", report.Must, Clause{RFC: "RFC 9110, 8.8.1 and 8.8.3"}, Args{}, "A strong ETag changes when a PUT or PATCH changes the representation.")
	}
	if r.Replace != nil && slices.ContainsFunc(d.op.Documented(2), hasTag) && slices.ContainsFunc(r.Replace.Documented(2), hasTag) {
		d.add(s+"-put-tag", "put-tag", report.Must, Clause{RFC: "RFC 9110, 9.3.4"}, Args{}, "The ETag in the answer to %s is not the one from before the change.", r.Replace.Name())
	}
	listed := d.op.Lists(http.StatusNotModified)
	if listed == nil {
		return
	}
	compares := slices.ContainsFunc(d.op.Documented(2), hasTag) || resource.Takes(d.op, "If-None-Match", `"current"`)
	d.add(s+"-if-none-match", "if-none-match", mustIf(compares), Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 13.1.2 and 13.2.1"}, Args{},
		"With the current ETag in If-None-Match the answer is 304.")
	d.evidence(d.op.MayCompare)
	d.add(s+"-not-modified", "not-modified", report.Should, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 13.1.2"}, Args{},
		"The answer is 304 also if If-None-Match has the current ETag in a list or in its other form, or is an asterisk.")
	d.add(s+"-not-modified-fields", "not-modified-fields", report.Should, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 15.4.5"}, Args{},
		"A 304 has the ETag and the other fields about caches that a 200 has.")
	if changes {
		d.add(s+"-modified", "modified", report.Must, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 13.1.2"}, Args{},
			"With the ETag from before a change in If-None-Match the answer is not 304.")
	}
}

func hasTag(r *openapi.Response) bool {
	return slices.ContainsFunc(r.Headers, func(h *openapi.Header) bool { return openapi.Flat(h.Name) == "etag" })
}

// ifMatch derives the row about a write that another one has overtaken, if the document
// lists its answer.
func (d *deriver) ifMatch(r *resource.Resource) {
	listed := d.op.Lists(http.StatusPreconditionFailed)
	if listed == nil || r.Read == nil || r.Replace == nil && r.Patch == nil {
		return
	}
	d.add(d.op.Slug+"-if-match", "if-match", report.Must, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 13.1.1"}, Args{},
		"A write with the ETag from before another write in If-Match is refused.")
}

// matched derives the rows about how the tags in If-Match are compared.
func (d *deriver) matched(r *resource.Resource) {
	if d.op.Lists(http.StatusPreconditionFailed) == nil || r.Read == nil {
		return
	}
	if d.op != r.Delete && resource.Takes(d.op, "If-Match", `"other", "right"`) {
		d.should(d.op.Slug+"-match-listed", "match-listed", "RFC 9110, 13.1.1", Args{}, "A write with the current ETag behind another one in If-Match is carried out.")
	}
	if d.op != r.Delete && resource.Takes(d.op, "If-Match", "*") {
		d.should(d.op.Slug+"-match-existing", "match-existing", "RFC 9110, 13.1.1", Args{}, "A write with If-Match: * is carried out if the resource exists.")
	}
	if resource.Takes(d.op, "If-Match", `W/"right"`) {
		d.should(d.op.Slug+"-match-weak", "match-weak", "RFC 9110, 13.1.1 and 8.8.3.2", Args{}, "A write with the current ETag as a weak one in If-Match is refused.")
	}
}

// matchAny derives the row about If-Match: * for a resource that does not exist.
func (d *deriver) matchAny(r *resource.Resource) {
	if d.op != r.Replace || r.MatchesAny() == nil {
		return
	}
	listed := cmp.Or(d.op.Lists(http.StatusPreconditionFailed), d.op.Lists(http.StatusNotFound))
	d.add(d.op.Slug+"-match-any", "match-any", report.Must, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 13.1.1"}, Args{},
		"A PUT with If-Match: * is refused if the resource does not exist.")
}

// put derives the row of a rule about a PUT of a resource that does not exist, for which the
// document lists an answer.
func (d *deriver) put(r *resource.Resource, listed *openapi.Response, rule, sentence string) {
	if d.op == r.Replace && listed != nil {
		d.add(d.op.Slug+"-"+rule, rule, report.Must, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 9.3.4"}, Args{}, "%s", sentence)
	}
}

// createOnly derives the row about If-None-Match: * for a resource that exists.
func (d *deriver) createOnly(r *resource.Resource) {
	if d.op != r.Replace || r.CreatesOnly() == nil {
		return
	}
	d.add(d.op.Slug+"-create-only", "create-only", report.Must, Clause{Pointer: d.op.Lists(http.StatusPreconditionFailed).Pointer, RFC: "RFC 9110, 13.1.2"}, Args{},
		"A PUT with If-None-Match: * is refused if the resource exists.")
}

// gone derives the row about an operation that names a deleted thing. What an operation
// about a part of it answers is only judged if the document lists an answer for that.
func (d *deriver) gone(r *resource.Resource, whole bool) {
	if r.Delete != nil {
		if d.missing("gone", "gone", r.Delete.Slug, "RFC 9110, 9.3.5", whole, "What "+r.Delete.Name()+" deleted is no success any more.") && !whole && r.Make.Lists(http.StatusGone) == nil {
			d.evidence(d.op.TellsGone)
		}
	}
}

// missing derives the row of a rule about a resource that is not there: a MUST if the
// document lists an answer for that, and otherwise a SHOULD. The name ends its id, and kind
// says what deleted the resource. It returns whether there is a row.
func (d *deriver) missing(name, rule, kind, rfc string, whole bool, sentence string) bool {
	id, args := d.op.Slug+"-"+name, Args{Kind: kind}
	for _, status := range []int{http.StatusGone, http.StatusNotFound} {
		if r := d.op.Lists(status); r != nil {
			d.add(id, rule, mustIf(whole), Clause{Pointer: r.Pointer, RFC: rfc}, args, "%s", sentence)
			return true
		}
	}
	if whole {
		d.should(id, rule, rfc, args, "%s", sentence)
	}
	return whole
}

// linkFrom returns where the document says that an answer names what another operation is
// about. It is empty if no link says so.
func linkFrom(from, op *openapi.Operation) string {
	for _, o := range op.Origins {
		if o.From == from && o.Link != "" && strings.HasPrefix(o.Place, "path/") {
			return o.Link
		}
	}
	return ""
}

// locationOf returns where the document says that an answer has the Location of what was
// made. It is empty if it does not say so.
func locationOf(op *openapi.Operation) string {
	for _, r := range op.Documented(2) {
		for _, h := range r.Headers {
			if openapi.Flat(h.Name) == "location" {
				return h.Pointer
			}
		}
	}
	return ""
}

// picksMembers reports whether a parameter says which members a PATCH changes, whatever its body
// names (AIP-134).
func picksMembers(op *openapi.Operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return hints.Called(p.Name, hints.Mask)
	})
}
