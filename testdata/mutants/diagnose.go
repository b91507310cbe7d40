package main

func diagnoseMutants() []mutant {
	return []mutant{
		{
			Name: "media-type-charged-to-the-last", File: "attribute.go",
			Old: `if !b.About(op) || b.Rule.Role`, New: `if b.Rule.Role`,
			Why: "a refused media type is charged to another one",
		},
		{
			Name: "unchecked-media-type-many-times", File: "confirm.go",
			Old: `if first := d.unchecked(found, op, additional); first >= 0 {`, New: `if first := d.unchecked(found, op, additional); first < -1 {`,
			Why: "a form that is not checked at all is reported once for each keyword",
		},
		{
			Name: "nothing-checked-is-one-media-type", File: "confirm.go",
			Old: `failed < 2 || !refused`, New: `failed < 2`,
			Why: "a server that checks no body is said to check one media type",
		},
		{
			Name: "charge-whole-for-member", File: "attribute.go",
			Old: `			path = member.Path`, New: `			path = c.Op.Members()[0].Path`,
			Why: "a refused id is charged to the name",
		},
		{
			Name: "pair-charged-to-the-last", File: "attribute.go",
			Old: `				return // several parts matter`, New: `				_ = path`,
			Why: "two values that are refused together alone are charged to one of them",
		},
		{
			Name: "spelling-charged-to-a-member", File: "attribute.go",
			Old: `string(plain.Body()) == string(m.Body()) || d.refused(ctx, c, plain)`,
			New: `plain != nil`,
			Why: "a server that refuses white space is told to accept other ids",
		},
		{
			Name: "refused-means-answered", File: "attribute.go",
			Old: `e.Failure == nil && !explore.Accepted(c.Op, e)`, New: `e.Failure == nil && explore.Accepted(c.Op, e)`,
			Why: "what is accepted is taken for refused",
		},
		{
			Name: "confirm-always-stable", File: "confirm.go",
			Old: `	case f.Outcome.Signature == "flaky":
		return false, ""`, New: `	case len(f.Steps) > 0:
		return true, ""
	case f.Outcome.Signature == "flaky":
		return false, ""`,
			Why: "a failure that never came again is called stable",
		},
		{
			Name: "confirm-waits-for-a-time-out", File: "confirm.go",
			Old: `		return true, "" // where it happened, and alone`, New: `		break`,
			Why: "each time-out costs a third whole wait",
		},
		{
			Name: "not-tried-again-dropped", File: "confirm.go",
			Old: `		return false, err.Error()`, New: `		return false, ""`,
			Why: "a failure is called unstable that nobody tried again",
		},
		{
			Name: "ended-run-is-unstable", File: "confirm.go",
			Old: `	case err != nil && ctx.Err() != nil:
		return false, execute.EndedReason`, New: `	case err != nil && ctx.Err() != nil:
		return false, ""`,
			Why: "a failure is called unstable because the run ended",
		},
		{
			Name: "only-the-same-way-confirms", File: "confirm.go",
			Old: `r.Failures[i].At == g.at || d.judge.Bound[r.Failures[i].At].Rule == d.judge.Bound[g.at].Rule`,
			New: `r.Failures[i].At == g.at && r.Failures[i].Outcome.Signature == g.signature`,
			Why: "a server that fails each time with another status is called unstable",
		},
		{
			Name: "sometimes-refused-is-unguarded", File: "explanations.go",
			Old: ` && d.tallies[at].failed >= d.tallies[at].judged`, New: ``,
			Why: "a wrong token that is taken is not reported, because an absent one is taken once",
		},
		{
			Name: "credential-rows-never-suppressed", File: "explanations.go",
			Old: `return role == requirement.RoleCredentialRefusal ||`, New: `return false && role == requirement.RoleCredentialRefusal ||`,
			Why: "a server without a check of credentials has four failures",
		},
		{
			Name: "stable-member-suppressed", File: "explanations.go",
			Old: `f.again() && !f.Baseline`, New: `f.NotTriedAgain != "" && !f.Baseline`,
			Why: "a refused value is silent where other requests are refused too",
		},
		{
			Name: "unconfirmed-member-suppressed", File: "explanations.go",
			Old: `f.again() && !f.Baseline`, New: `f.Stable && !f.Baseline`,
			Why: "a failure that nobody could confirm goes without a word",
		},
		{
			Name: "suppressed-stays-judged", File: "explanations.go",
			Old: `d.tallies[at].suppressedBy, d.tallies[at].judged = by, 0`, New: `d.tallies[at].suppressedBy = by`,
			Why: "a requirement whose failures are suppressed is green",
		},
		{
			Name: "recheck-whatever-looks-refused", File: "confirm.go",
			Old: `		return last.Repeated`, New: `		return true`,
			Why: "a first refusal is excused on a store that takes repeats",
		},
		{
			Name: "recheck-needs-no-pass", File: "confirm.go",
			Old: ` && again.Passed.Has(r.Failures[0].At)`, New: ` || true`,
			Why: "a refusal is excused though the neighbour is refused too",
		},
		{
			Name: "recheck-any-older-value", File: "confirm.go",
			Old: `plan.IsFresh(m.Value.Text) && d.judge.Origins.Unknown(c.Op, m)`, New: `(plan.IsFresh(m.Value.Text) || true) && d.judge.Origins.Unknown(c.Op, m)`,
			Why: "a changed name is excused as that of an older resource",
		},
		{
			Name: "counted-numbers-judged", File: "confirm.go",
			Old: `r.Status/100 == 4 && v != nil`, New: `r.Status/100 == 5 && v != nil`,
			Why: "a store that numbers its plants from 1 fails",
		},
		{
			Name: "one-pass-is-not-enough", File: "confirm.go",
			Old: `if !passed[f.At] && !unnamed[f.At] {`, New: `if !unnamed[f.At] {`,
			Why: "a server that takes a list of tags fails for those that are not on it",
		},
		{
			Name: "unnamed-list-fails", File: "confirm.go",
			Old: `if !passed[f.At] && !unnamed[f.At] {`, New: `if !passed[f.At] && (!unnamed[f.At] || true) {`,
			Why: "a server fails whose list of tags holds none of ours",
		},
		{
			Name: "unlike-refusals-are-a-list", File: "refusals.go",
			Old: `all = all && p.Answer.Status == one.Steps[one.Step].Answer.Status && like.Fits(p.Answer)`,
			New: `_ = like`,
			Why: "a server that breaks on every tag is asked for its list",
		},
		{
			Name: "list-without-control", File: "refusals.go",
			Old: `!all || got == nil || !d.takenWithout(ctx, got, path)`, New: `!all || got == nil`,
			Why: "a server that refuses everything by then is asked for its list of tags",
		},
		{
			Name: "list-control-about-no-thing", File: "refusals.go", Also: []string{"conformance"},
			Old: `d.target.Bind(ctx, s, m) == nil && `, New: ``,
			Why: "a right server that takes only a few tags fails where they are put on a thing",
		},
		{
			Name: "simplest-has-most-steps", File: "group.go",
			Old: `return len(f.Steps)*1e12 + f.Defects*1e9`, New: `return -len(f.Steps)*1e12 + f.Defects*1e9`,
			Why: "a report shows a sequence of a hundred requests where one shows it",
		},
		{
			Name: "simplest-has-most-defects", File: "group.go",
			Old: `return len(f.Steps)*1e12 + f.Defects*1e9`, New: `return len(f.Steps)*1e12 - f.Defects*1e9`,
			Why: "a report shows a body with three defects where one shows it",
		},
		{
			Name: "simplest-body-is-large", File: "group.go",
			Old: `+ large*1e5 +`, New: `- large*1e5 +`,
			Why: "a report shows a body of a megabyte where a small one shows it",
		},
		{
			Name: "should-before-must", File: "group.go",
			Old: `			return x < y`, New: `			return x > y`,
			Why: "the time for shrinking is spent on a SHOULD",
		},
		{
			Name: "several-defects-never-settled", File: "attribute.go",
			Old: `if f.Defects == 1 || bound.Rank != requirement.Class || bound.Role == requirement.RoleOpen || len(f.Steps) > 1 {`, New: `if f.Defects > 0 || bound.Rank != requirement.Class {`,
			Why: "one fault is reported under every keyword that a body happens to break beside it",
		},
		{
			Name: "released-failures-stay", File: "attribute.go",
			Old: `				r.Suppressed.Add(g.at)`, New: `				r.Passed.Add(g.at)`,
			Why: "a case that another failure explains counts as passed",
		},
		{
			Name: "untried-counts-as-judged", File: "tally.go",
			Old: `	if r == nil || r.State != judge.Tried {
		t.untried++`, New: `	if r == nil || r.State != judge.Tried {
		t.judged++`,
			Why: "what was not tried is green",
		},
		{
			Name: "untried-class-is-green", File: "tally.go",
			Old: `k.cases > 0 && k.judged == 0 && out[at].untriedClass == ""`, New: `k.cases < 0 && k.judged == 0 && out[at].untriedClass == ""`,
			Why: "a class of which nothing was tried is green",
		},
		{
			Name: "inapplicable-counts", File: "tally.go",
			Old: `				}
			})
			continue
`, New: `				}
			})
`,
			Why: "a class that this target cannot be asked holds the requirement up",
		},
		{
			Name: "suppressed-counts-as-judged", File: "tally.go",
			Old: `		t.suppressed++
`, New: `		t.judged++
`,
			Why: "a requirement that nothing could show is green",
		},
		{
			Name: "unsure-suppressor-weighs-alike", File: "tally.go",
			Old: `weight = 1 // it may`, New: `weight = sureWeight // it may`,
			Why: "the report names the wrong requirement as the reason",
		},
		{
			Name: "suppressed-is-inapplicable", File: "diagnose.go",
			Old: `return report.Inconclusive, report.Suppressed + r.suppressedBy`, New: `return report.Inapplicable, suppressed + r.suppressedBy`,
			Why: "an inconclusive requirement is hidden, and the run is green",
		},
		{
			Name: "untried-class-passes", File: "diagnose.go",
			Old: `	case r.untriedClass != "":
		return report.Inconclusive,`, New: `	case r.untriedClass != "":
		return report.Pass,`,
			Why: "a class of which nothing was tried is green",
		},
		{
			Name: "unshown-must-is-inapplicable", File: "result.go",
			Old: `case b.Level != report.Must || b.Free:`, New: `case true:`,
			Why: "a MUST that nothing showed is no reason to doubt the run",
		},
		{
			Name: "failures-numbered-in-order", File: "result.go",
			Old: `cmp.Compare(a.level, b.level)`, New: `cmp.Compare(b.level, a.level)`,
			Why: "the failure of a SHOULD is told before that of a MUST",
		},
		{
			Name: "consequences-numbered-first", File: "result.go",
			Old: `cmp.Compare(a.follows, b.follows)`, New: `cmp.Compare(b.follows, a.follows)`,
			Why: "what follows from a race is told before the race",
		},
		{
			Name: "race-reported-in-every-way", File: "causes.go",
			Old: `if len(musts) > maxOfOne && !settled {`, New: `if len(musts) > len(found) && !settled {`,
			Why: "a server with one race fails ten requirements",
		},
		{
			Name: "race-hides-other-faults", File: "causes.go",
			Old: `f.At == at && (f.Stable && !d.since(known, &f) || f.NotTriedAgain != "" || f.Cause != nil)`, New: `f.At == at && f.Cause != nil`,
			Why: "a fault that comes every time is hidden behind a race",
		},
		{
			Name: "broken-since-hides-nothing", File: "causes.go",
			Old: `return c.Since > 0 && !`, New: `return c.Since < 0 && !`,
			Why: "a server that checks nothing since some moment fails seven requirements",
		},
	}
}
