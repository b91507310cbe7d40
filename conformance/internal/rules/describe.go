package rules

import (
	"fmt"
	"net/http"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/requirement"
)

// describe names an answer: status, media type, and what its body is.
func describe(p *requirement.Pass) string { return Describe(p.Exchange.Failure, p.Got) }

// Describe names what came of a request, without values that differ from one
// request to the next.
func Describe(failure error, g *requirement.Got) string {
	if g == nil {
		if failure != nil {
			return failure.Error()
		}
		return "no answer"
	}
	out := fmt.Sprint(g.Status)
	if t := http.StatusText(g.Status); t != "" {
		out += " " + t
	}
	switch {
	case g.Reading != nil && g.Form != nil && g.Form.Shape.Schema.Name != "" && g.Reading.Kind == contract.Plain:
		return out + ", " + article(g.Form.Shape.Schema.Name)
	case g.Media == "":
		return out + ", no media type"
	}
	return out + ", " + g.Media
}

func article(name string) string {
	switch name[0] {
	case 'A', 'E', 'I', 'O', 'a', 'e', 'i', 'o':
		return "an " + name
	}
	return "a " + name
}

// signature is the part of an answer that one way of failing keeps.
func signature(p *requirement.Pass) string {
	if p.Got == nil {
		return "none"
	}
	return fmt.Sprint(p.Got.Status)
}

// expectation words what a duty asks for.
func expectation(p *requirement.Pass) string {
	switch p.Sent.Duty() {
	case requirement.Accept:
		return statuses(p, 2, "a success")
	case requirement.Refuse:
		return statuses(p, 4, "a client error")
	case requirement.Either:
		return statuses(p, 2, "a success") + " or " + statuses(p, 4, "a client error")
	case requirement.RefuseCredential:
		return "a client error (4xx)"
	}
	return "a success or a client error"
}

// statuses words the documented answers of one class.
func statuses(p *requirement.Pass, class byte, otherwise string) string {
	out := ""
	for _, r := range p.Op.Documented(class) {
		if out != "" {
			out += " or "
		}
		out += r.Status
		for _, m := range r.Media {
			if m.Shape != nil && m.Shape.Schema.Name != "" {
				out += " with " + article(m.Shape.Schema.Name)
			}
			break
		}
	}
	if out == "" {
		return otherwise
	}
	return out
}
