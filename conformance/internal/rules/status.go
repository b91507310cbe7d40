package rules

import (
	"plantstore/conformance/internal/requirement"
)

// successStatus: a success is one of the documented ones.
var successStatus = requirement.Rule{
	Name: "success-status",
	Rank: requirement.Status,
	Doc:  "A success carries one of the documented statuses in Statuses.",
	Mend: "answer with the documented status: 201 or 204 is another contract",
	Check: func(p *requirement.Pass) requirement.Outcome {
		if !p.Got.Success() {
			return requirement.None
		}
		return owed(documented(p), p)
	},
}

// refusalStatus: a refusal is one of the documented ones.
var refusalStatus = requirement.Rule{
	Name: "refusal-status",
	Rank: requirement.Status,
	Doc:  "What is no success is a refusal with one of the documented statuses in Statuses, any 4xx where none is documented. Refused credentials and transport matters may take any 4xx.",
	Mend: "answer every refusal with the documented status, also those that the framework writes by itself",
	Check: func(p *requirement.Pass) requirement.Outcome {
		switch p.Sent.Duty() {
		case requirement.Either, requirement.Refuse:
			if p.Got.Success() {
				return requirement.None
			}
			return owed(documented(p) && p.Got.Refusal(), p)
		case requirement.Anything, requirement.RefuseAnyhow:
			if p.Got.Success() || p.Sent.Credential != requirement.CredentialValid {
				return requirement.None
			}
			return verdictOf(p.Got.Refusal() || p.Sent.Refusable(p.Got.Status), p, "a success or a client error")
		}
		return requirement.None
	},
}

func documented(p *requirement.Pass) bool {
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
