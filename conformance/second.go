package conformance

import (
	"errors"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/secondopinion"
)

// secondBytes is the largest document that libopenapi is given: it takes some
// twenty times as much memory.
const secondBytes = 1 << 20

// crossCheck keeps the answers of a run for the second opinion.
func (s *setup) crossCheck() *secondopinion.Check {
	check := &secondopinion.Check{Open: s.second, Redactor: s.redactor}
	s.judge.Noted = check.Note
	return check
}

// second opens the second opinion on the document of a run.
func (s *setup) second() (secondopinion.Second, error) {
	if s.contract.Size > secondBytes {
		return nil, errors.New("the document is larger than 1 MiB")
	}
	r, err := secondopinion.New(s.contract.Document())
	if err != nil {
		return nil, err
	}
	return func(op *openapi.Operation, status int, contentType string, body []byte) (bool, string) {
		o := r.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: status, ContentType: contentType, Body: body})
		return o.OK, o.Why
	}, nil
}
