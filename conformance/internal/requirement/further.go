package requirement

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/report"
)

// further derives what is asked of the bodies of a further media type. The rest of the
// operation is asked with the first.
func (d *deriver) further() {
	b, s := d.op.Body, d.op.Slug
	d.of = b
	defer func() { d.of = nil }()
	d.must(s+"-valid-accepted", "accepted", b.Pointer, Args{}, "A valid request with a body of %s is accepted.", b.Media)
	if d.op.SameBytes() {
		if !b.Shape.Schema.Source.Empty() || len(b.Shape.Schema.Properties) > 0 {
			d.must(s+"-body-refused", "refuses-schema", b.Pointer+"/schema", Args{Kind: AnyKeyword}, "A body of %s that violates the schema is refused.", b.Media)
		}
		return
	}
	if b.Structured() {
		d.add(s+"-body-json", "refuses-syntax", report.Must, Clause{Pointer: b.Pointer}, Args{}, "A body that is not %s is refused.", syntax(b))
	}
	w := walker{d: d, rule: "refuses-schema", request: true, text: b.Form(), stem: s + "-body", media: b.Media}
	w.schema(b.Shape.Schema, "", w.stem, 0)
}

// AnyKeyword is the kind of a requirement about all keywords of a schema.
const AnyKeyword = "any"

// rowsWith returns an operation and its copies for further media types whose requests
// have a place.
func rowsWith(op *contract.Operation, path string) []*contract.Operation {
	var out []*contract.Operation
	for _, row := range op.Rows() {
		if len(placed(row, path).schemas) > 0 {
			out = append(out, row)
		}
	}
	return out
}
