package checks

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/rule"
)

// matchListed: If-Match is true if one tag of its list is the current one.
var matchListed = rule.Rule{
	Name:        "match-listed",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A write with a list in If-Match that has the strong tag of the read before is not answered with 400 or 412, where the same operation was accepted with one tag. Other answers say nothing of the field.",
	Explanation: "A write is carried out if one of the tags in If-Match is the current ETag. The list may have others, in any order.",
	Fix:         "Split If-Match at the commas between tags, and compare each one with the current ETag.",
	Check: func(p *rule.Input) rule.Outcome {
		read, write := beforeWrite(p)
		if read == nil || !write.Got.Success() || !strings.HasSuffix(fieldOf(p, "If-Match"), ", "+read.Tag) {
			return rule.None
		}
		if p.Got.Status != http.StatusPreconditionFailed && p.Got.Status != http.StatusBadRequest && !p.Got.Success() {
			return rule.None
		}
		return verdictOf(p.Got.Success(), p, "a success, because one of the tags is the current one")
	},
}
