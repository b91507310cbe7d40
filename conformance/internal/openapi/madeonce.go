package openapi

import (
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/report"
)

// MadeOnce returns the header field by whose value a server knows a request that is sent again,
// such as Idempotency-Key, if the requirements file or its description says so. It is nil if there is none.
func (o *Operation) MadeOnce() *Parameter {
	if o.Accepted.MadeOnce != nil {
		return o.Accepted.MadeOnce
	}
	for _, p := range o.Parameters {
		if p.In == "header" && p.SentAgain() != nil {
			return p
		}
	}
	return nil
}

// SentAgain returns the description of a header field that tells a request which is sent again, or
// nil.
func (p *Parameter) SentAgain() *report.Evidence {
	return hints.SentAgain(Flat(trimX(p.Name)), p.Text())
}
