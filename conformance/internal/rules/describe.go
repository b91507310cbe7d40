package rules

import (
	"fmt"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// describe describes an answer: status, media type, and what its body is.
func describe(p *rule.Input) string {
	switch failure := p.Exchange.Failure; {
	case p.Got != nil:
		return p.Got.String()
	case failure != nil:
		return failure.Error()
	}
	return "no answer"
}

// signature returns the part of an answer that is the same for one way of failing.
func signature(p *rule.Input) string {
	if p.Got == nil {
		return "none"
	}
	return fmt.Sprint(p.Got.Status)
}

// expectation describes what the server has to do with the request.
func expectation(p *rule.Input) string {
	switch p.Sent.Expectation() {
	case request.Accept:
		return statuses(p.Op.Successes(), "a success")
	case request.Refuse:
		return statuses(p.Op.Documented(4), "a client error")
	case request.Either:
		return statuses(p.Op.Successes(), "a success") + " or " + statuses(p.Op.Documented(4), "a client error")
	case request.RefuseCredential, request.RefuseAnyhow:
		return "a client error (4xx)"
	}
	return "a success or a client error"
}

// statuses lists documented answers.
func statuses(list []*contract.Response, otherwise string) string {
	out := ""
	for _, r := range list {
		if out != "" {
			out += " or "
		}
		out += r.Status
		for _, m := range r.Media {
			if m.Shape != nil && m.Shape.Schema.Phrase() != "" {
				out += " with " + m.Shape.Schema.Phrase()
			}
			break
		}
	}
	if out == "" {
		return otherwise
	}
	return out
}

// expected returns a pass, or a failure that says what the server has to do.
func expected(ok bool, p *rule.Input) rule.Outcome {
	if ok {
		return rule.Passed
	}
	return verdictOf(false, p, expectation(p))
}

// verdictOf returns a pass, or a failure with a description of what was wanted.
func verdictOf(ok bool, p *rule.Input, want string) rule.Outcome {
	if ok {
		return rule.Passed
	}
	return rule.Failed(signature(p), want, describe(p))
}
