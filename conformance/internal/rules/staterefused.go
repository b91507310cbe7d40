package rules

import (
	"fmt"
	"regexp"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// stateRefused: what the document says is refused in a state is refused there.
var stateRefused = rule.Rule{
	Name:        "state-refused",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "If an action changed a member of the thing that has few values, as reads before and after it show, and a sentence of the document says that the request is refused in the new state, or in every state but the one before, the request is no success. States that a server may leave by itself, such as running, are not judged.",
	Explanation: "A request that the document says is refused in a state, such as a second request to publish what is published, is refused there.",
	Fix:         "Read the state in the transaction that changes it, and answer with the documented refusal if it is not the right one.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || !by.Got.Success() {
			return rule.None
		}
		before, after := lastReadOf(p, 0, at), lastReadOf(p, at+1, len(p.History))
		if before == nil || after == nil {
			return rule.None
		}
		was, is := thingIn(p, answerOf(before)), thingIn(p, answerOf(after))
		if was == nil || is == nil || is.Kind != jsontree.Object {
			return rule.None
		}
		for _, m := range is.Members {
			old := was.Get(m.Name)
			if old == nil || old.Kind != jsontree.String || m.Value.Kind != jsontree.String || passing.MatchString(m.Value.Text) {
				continue
			}
			said := p.Op.Bound.RefusedIn(valuesOf(after, m.Name), old.Text, m.Value.Text, by.Op == p.Op)
			if said == "" {
				continue
			}
			if p.Got.Success() {
				return verdictOf(false, p, fmt.Sprintf("a refusal, because %s is %s now: %q", m.Name, shown(p, m.Value), said))
			}
			return rule.Passed
		}
		return rule.None
	},
}

// passing matches states that a server may leave by itself at any time.
var passing = regexp.MustCompile(`(?i)^(queued|pending|scheduled|submitted|[a-z]+ing)$`)

// valuesOf returns the few texts that a member of what was read may have; nil if it may have
// others.
func valuesOf(read *rule.Earlier, name string) []string {
	if read.Got.Form == nil || read.Got.Form.Shape == nil {
		return nil
	}
	s := read.Got.Form.Shape.Schema
	if q := s.Property(name); q != nil {
		return contract.StateValues(q.Schema)
	}
	for _, below := range s.Properties { // {"data": {"status": ...}}
		if q := below.Schema.Property(name); q != nil {
			return contract.StateValues(q.Schema)
		}
	}
	return nil
}
