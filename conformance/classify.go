package conformance

import (
	"fmt"

	"plantstore/conformance/internal/openapi"
)

// Classifier gives the exact classification of request bodies that every
// verdict rests on, for the operation with a slug such as "post-plants", the
// stem of its requirements: plain (every implementation takes it), edge (may be
// taken or refused), invalid (breaks the schema) or not JSON (breaks RFC 8259),
// with the reasons why a valid body is not the plainest. The error is that of the
// document, or that it has no such operation with a body.
func Classifier(c Config, operation string) (func(body []byte) string, error) {
	s, err := setUp(offline(c))
	if err != nil {
		return nil, &SetupError{err}
	}
	for _, op := range s.contract.Operations {
		if op.Slug == operation && op.Body != nil {
			return func(body []byte) string { return kindOf(op, body) }, nil
		}
	}
	return nil, &SetupError{fmt.Errorf("no operation %s with a body in %s", operation, s.config.SpecName)}
}

// kindOf describes a reading: its kind, and how a valid body differs from the
// baseline.
func kindOf(op *openapi.Operation, body []byte) string {
	r := op.Body.Shape.Read(body)
	out := r.Kind.String()
	for _, e := range r.Reasons {
		out += "; " + e.Path + " " + e.What
	}
	for _, at := range r.Unusual {
		out += "; " + at + " not as in the baseline"
	}
	return out
}
