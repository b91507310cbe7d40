package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
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
	case message.Accept:
		return statuses(p.Op.Successes(), "a success")
	case message.Refuse:
		return refusals(p.Op)
	case message.Either:
		return statuses(p.Op.Successes(), "a success") + " or " + refusals(p.Op)
	case message.RefuseCredential, message.RefuseAnyhow:
		return "a client error (4xx)"
	}
	return "a success or a client error"
}

// refusals lists the documented refusals of bad input. Where none can mean that, any is one.
func refusals(op *openapi.Operation) string {
	list := op.Documented(4)
	if !slices.ContainsFunc(list, (*openapi.Response).BadInput) {
		list = nil
	}
	return statuses(list, "a client error")
}

// statuses lists documented answers. Those that follow each other and have the same schema
// are named together.
func statuses(list []*openapi.Response, otherwise string) string {
	var groups []string
	for len(list) > 0 {
		phrase, n := phraseOf(list[0]), 1
		group := []string{list[0].Status}
		for ; n < len(list) && phrase != "" && phraseOf(list[n]) == phrase; n++ {
			group = append(group, list[n].Status)
		}
		text := either(group)
		if phrase != "" {
			text += " with " + phrase
		}
		groups, list = append(groups, text), list[n:]
	}
	return cmp.Or(strings.Join(groups, " or "), otherwise)
}

// phraseOf names the schema of an answer; it is empty if that has no name.
func phraseOf(r *openapi.Response) string {
	if len(r.Media) == 0 || r.Media[0].Shape == nil {
		return ""
	}
	return r.Media[0].Shape.Schema.Phrase()
}

// either joins words: 400, 401 or 422.
func either(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
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
