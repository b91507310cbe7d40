package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// patchLeavesRest: a PATCH leaves what it does not name.
var patchLeavesRest = rule.Rule{
	Name:        "patch-leaves-rest",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted PATCH changed has the values from before at members that earlier requests gave and the PATCH does not have, and what was done with the thing is not undone.",
	Explanation: "A PATCH that names some members of a resource leaves the others as they were.",
	Fix:         "Change only the members that the PATCH has: a member that is missing is not null, and takes no default.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by.Op.Method != http.MethodPatch || !p.Got.Success() || by == p.Made() {
			return rule.None
		}
		patch := written(p, by)
		if patch == nil {
			return rule.None
		}
		done := undone(p, by, at)
		if done.Verdict == report.Fail {
			return done
		}
		if out := changedRest(p, at, patch, "PATCH, which does not name it"); out.Verdict != report.Inapplicable {
			return out
		}
		return done
	},
}

// undone looks for a member that has the value again from before something was done with
// the thing, although the answer to the PATCH after that still had the new one. Without
// that answer it may be a state that a change is meant to reset.
func undone(p *rule.Input, by *rule.Earlier, at int) rule.Outcome {
	done := slices.IndexFunc(p.History[:at], func(e rule.Earlier) bool { return e.Aside && !e.Reads() && e.Got.Success() })
	if done < 0 {
		return rule.None
	}
	was, after := lastRead(p, 0, done), lastRead(p, done, at)
	is, given := thingIn(p, p.Got.Reading.Root()), thingIn(p, answerOf(by))
	if was == nil || after == nil || is == nil {
		return rule.None
	}
	out := rule.None
	for _, m := range after.Members {
		old, now, said := was.Get(m.Name), is.Get(m.Name), given.Get(m.Name)
		if old == nil || now == nil || said == nil || !scalar(m.Value) || written(p, by).Get(m.Name) != nil {
			continue
		}
		if jsontree.Equal(old, m.Value) || !jsontree.Equal(said, m.Value) {
			continue
		}
		if jsontree.Equal(now, old) {
			return rule.Failed("undone "+m.Name, m.Name+" "+shown(p, said)+", as the answer to the PATCH has it", m.Name+" "+shown(p, old)+", as before "+p.History[done].Op.Name())
		}
		out = rule.Passed
	}
	return out
}
