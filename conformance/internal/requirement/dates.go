package requirement

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// modifiedSince derives the rows about reading a thing by the time of its last change, if
// the document has that time and 304.
func (d *deriver) modifiedSince(r *resource.Resource) {
	listed := d.op.Lists(http.StatusNotModified)
	if listed == nil || !r.Dated() {
		return
	}
	clause := Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 13.1.3"}
	d.add(d.op.Slug+"-not-modified-since", "not-modified-since", report.Should, clause, Args{}, "With the time of the last change in If-Modified-Since the answer is 304.")
	d.add(d.op.Slug+"-modified-since", "modified-since", report.Must, clause, Args{}, "With a time before the last change in If-Modified-Since the answer is not 304.")
}

// unmodifiedSince derives the row about a write that another one has overtaken, by the time
// of the last change. It is a MUST if the document has the field.
func (d *deriver) unmodifiedSince(r *resource.Resource) {
	listed := d.op.Lists(http.StatusPreconditionFailed)
	if listed == nil || !r.Dated() || !resource.ChecksDates(d.op) {
		return
	}
	level := mustIf(slices.ContainsFunc(d.op.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "header" && openapi.Flat(p.Name) == "ifunmodifiedsince"
	}))
	d.add(d.op.Slug+"-unmodified-since", "unmodified-since", level, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 13.1.4"}, Args{},
		"A write with a time before the last change in If-Unmodified-Since is refused.")
}
