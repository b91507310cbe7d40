package conformance

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/secondopinion"
)

// second opens the second opinion on the document of a run. It takes ten times
// the document in memory, so it is opened after the verdicts, if at all.
func (s *setup) second() (judge.Second, error) {
	r, err := secondopinion.New(s.config.Spec)
	if err != nil {
		return nil, err
	}
	return func(op *contract.Operation, status int, contentType string, body []byte) (bool, string) {
		o := r.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: status, ContentType: contentType, Body: body})
		return o.OK, o.Why
	}, nil
}
