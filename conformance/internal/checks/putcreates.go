package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// putCreates: a PUT that creates a thing is answered with 201.
var putCreates = rule.Rule{
	Name:        "put-creates",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Where the document lists 201 for a PUT, a success for a thing that a read just did not find is 201, or 202. Only keys that are too long to be in use by chance are judged.",
	Explanation: "A PUT that creates a resource is answered with 201 (Created), and one that replaces it with 200 or 204.",
	Fix:         "Find out in the same statement whether the resource existed, and answer 201 if it did not.",
	Check: func(p *rule.Input) rule.Outcome {
		before := missedRead(p)
		if before == nil || !p.Got.Success() || p.Got.Status == http.StatusAccepted {
			return rule.None
		}
		return verdictOf(p.Got.Status == http.StatusCreated, p, "201, because "+before.Op.Name()+" just did not find it")
	},
}
