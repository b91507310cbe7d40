package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// neverGiven: a key that no answer gave names nothing.
var neverGiven = rule.Rule{
	Name:        "never-given",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request that reads a thing by a key that the target makes itself, and that no answer gave, is no success. If the case read the thing before by its own key, only that thing is judged.",
	Explanation: "An identifier that the server never gave does not lead to a success.",
	Fix:         "Answer 404 where nothing has this identifier. Do not answer with an empty or another resource.",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Made() == nil || p.Got.Success() && (metByChance(p) || met(p)) {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "no success, because no answer gave this key")
	},
}

// metByChance reports whether a success may be about a thing that was there before: a short
// key that the suite makes up may be in use, and the answer has it.
func metByChance(p *rule.Input) bool {
	key, root := keySent(p.Op, p.Sent), p.Got.Reading.Root()
	if key == nil || root == nil || !short(key) {
		return false
	}
	for _, m := range root.Members {
		if m.Value.Text == key.Text {
			return true
		}
	}
	return false
}

// met reports whether a success is not about the thing that the case read before: something
// else may have the other key.
func met(p *rule.Input) bool {
	before := p.Last(http.MethodGet)
	if before == nil || before.Op != p.Op || before.Key == nil {
		return false
	}
	root := p.Got.Reading.Root()
	if root == nil {
		return true
	}
	same := before.Got != nil && jsontree.Equal(root, before.Got.Reading.Root())
	return !same && !slices.ContainsFunc(root.Members, func(m jsontree.Member) bool { return m.Value.Text == before.Key.Text })
}
