package requirement

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
)

// further derives what is asked of the bodies of a further media type or alternative. The
// rest of the operation is asked with the first.
func (d *deriver) further() {
	b, s := d.op.Body, d.op.Slug
	d.of = b
	defer func() { d.of = nil }()
	w := walker{d: d, rule: "refuses-schema", request: true, text: b.Form(), stem: s + "-body", media: b.Media}
	if a := d.op.Alternative; a != "" {
		d.must(s+"-valid-accepted", "accepted", b.Pointer, Args{}, "A valid request whose body is of the alternative %s is accepted.", a)
		w.media = "the alternative " + a
		w.schema(b.Shape.Schema, "", w.stem, 0)
		return
	}
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
	w.schema(b.Shape.Schema, "", w.stem, 0)
}

// AnyKeyword is the kind of a requirement about all keywords of a schema.
const AnyKeyword = "any"

// rowsWith returns an operation and its copies for further media types whose requests
// have a place.
func rowsWith(op *openapi.Operation, path string) []*openapi.Operation {
	var out []*openapi.Operation
	for _, row := range op.Rows() {
		if len(placed(row, path).schemas) > 0 {
			out = append(out, row)
		}
	}
	return out
}

// asked is what a row asks of the body of an operation.
type asked struct {
	op            *openapi.Operation
	rule, pointer string
	key           openapi.Key
}

// shared reports whether the body of another alternative is asked the same by the same
// place of the document, and makes that row one of this alternative too.
func (w *walker) shared(rule string, key openapi.Key, pointer string) bool {
	if w.d.op.Alternative == "" {
		return false
	}
	row := w.d.asked[asked{w.d.op.First(), rule, pointer, key}]
	if row != nil {
		row.Also = append(row.Also, w.d.of)
	}
	return row != nil
}

// state remembers the last row for other alternatives of the body.
func (w *walker) state(rule string, key openapi.Key, pointer string) {
	if first := w.d.op.First(); w.d.of != nil && first.HasAlternatives() {
		w.d.asked[asked{first, rule, pointer, key}] = w.d.out[len(w.d.out)-1]
	}
}
