package rules

import (
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// successStatus: a success is one of the documented ones.
var successStatus = rule.Rule{
	Name: "success-status",
	Rank: rule.Status,
	Doc:  "A success carries one of the documented statuses in Statuses.",
	Mend: "answer with the documented status: 201 or 204 is another contract",
	Check: func(p *rule.Pass) rule.Outcome {
		if !p.Got.Success() {
			return rule.None
		}
		return owed(documented(p), p)
	},
}

// refusalStatus: a refusal is one of the documented ones.
var refusalStatus = rule.Rule{
	Name: "refusal-status",
	Rank: rule.Status,
	Doc:  "What is no success is a refusal with one of the documented statuses in Statuses, any 4xx where none is documented. Refused credentials and transport matters may take any 4xx.",
	Mend: "answer every refusal with the documented status, also those that the framework writes by itself",
	Check: func(p *rule.Pass) rule.Outcome {
		switch p.Sent.Duty() {
		case request.Either, request.Refuse:
			if p.Got.Success() {
				return rule.None
			}
			return owed(documented(p) && p.Got.Refusal(), p)
		case request.Anything, request.RefuseAnyhow:
			if p.Got.Success() || p.Sent.Credential != request.CredentialValid {
				return rule.None
			}
			return verdictOf(p.Got.Refusal() || p.Sent.Refusable(p.Got.Status), p, "a success or a client error")
		}
		return rule.None
	},
}

func documented(p *rule.Pass) bool {
	list := p.Requirement.Args.Statuses
	for _, s := range list {
		for _, r := range p.Op.Responses {
			if r.Status == s && r.Matches(p.Got.Status) {
				return true
			}
		}
	}
	return len(list) == 0
}
