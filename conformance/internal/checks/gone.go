package checks

import (
	"net/http"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// gone: what was deleted is gone.
var gone = rule.Rule{
	Name:        "gone",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Kind names the operation that deletes. A request that names what an accepted DELETE deleted is no success. After 202 the thing may still be there, and a thing that is read as deleted, archived or the like was deleted. An answer about another thing is for other rules.",
	Explanation: "A request that names a deleted resource does not succeed. A response that marks the resource as deleted is accepted.",
	Fix:         "Delete the resource itself, and whatever caches or indexes its reads use.",
	Check: func(p *rule.Input) rule.Outcome {
		by := p.Last(http.MethodDelete)
		if by == nil || !by.Got.Success() || by.Op.Slug != p.Requirement.Args.Kind {
			return rule.None
		}
		if after := p.Last(http.MethodGet); p.Op.Method == http.MethodHead && after != nil && after.Got.Success() {
			return rule.None // what GET says of it decides, and HEAD says less
		}
		if p.Got.Success() && (by.Got.Status == http.StatusAccepted || marked(p) || another(p)) {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "no success, because "+by.Op.Name()+" deleted it")
	},
}

// marked reports whether the answer is unlike that before the deletion: it says that
// the thing is deleted.
func marked(p *rule.Input) bool {
	before := p.Last(http.MethodGet)
	if before == nil || p.Got.Reading.Root() == nil || before.Got.Reading.Root() == nil {
		return false
	}
	return marks(before.Got.Reading.Root(), p.Got.Reading.Root())
}

// another reports whether the answer has nothing in common with that before the
// deletion: it is about another thing, and says nothing of this one.
func another(p *rule.Input) bool {
	before := p.Last(http.MethodGet)
	if before == nil || p.Got.Reading.Root() == nil || before.Got.Reading.Root() == nil {
		return false
	}
	was, is := before.Got.Reading.Root(), p.Got.Reading.Root()
	differ := false
	for _, m := range is.Members {
		old := was.Get(m.Name)
		if old == nil || !scalar(old) {
			continue
		}
		if jsontree.Equal(old, m.Value) {
			return false
		}
		differ = true
	}
	return differ
}
