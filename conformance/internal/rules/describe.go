package rules

import (
	"fmt"

	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// describe names an answer: status, media type, and what its body is.
func describe(p *rule.Input) string {
	switch failure := p.Exchange.Failure; {
	case p.Got != nil:
		return p.Got.String()
	case failure != nil:
		return failure.Error()
	}
	return "no answer"
}

// signature is the part of an answer that one way of failing keeps.
func signature(p *rule.Input) string {
	if p.Got == nil {
		return "none"
	}
	return fmt.Sprint(p.Got.Status)
}

// expectation words what a expectation asks for.
func expectation(p *rule.Input) string {
	switch p.Sent.Expectation() {
	case request.Accept:
		return statuses(p, 2, "a success")
	case request.Refuse:
		return statuses(p, 4, "a client error")
	case request.Either:
		return statuses(p, 2, "a success") + " or " + statuses(p, 4, "a client error")
	case request.RefuseCredential, request.RefuseAnyhow:
		return "a client error (4xx)"
	}
	return "a success or a client error"
}

// statuses words the documented answers of one class.
func statuses(p *rule.Input, class byte, otherwise string) string {
	out := ""
	for _, r := range p.Op.Documented(class) {
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

// expected passes, or fails with what the server has to do.
func expected(ok bool, p *rule.Input) rule.Outcome {
	if ok {
		return rule.Passed
	}
	return verdictOf(false, p, expectation(p))
}

// verdictOf is a shorthand for outcomes that pass or fail.
func verdictOf(ok bool, p *rule.Input, want string) rule.Outcome {
	if ok {
		return rule.Passed
	}
	return rule.Failed(signature(p), want, describe(p))
}
