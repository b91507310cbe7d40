package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// Results returns the verdict on every selected requirement, in the order of the
// set, and what was observed. The argument holds the failures of each requirement
// as text.
func (d *Diagnosis) Results(failures map[int][]report.Failure, selected func(id string) bool) ([]report.Result, []report.Observe) {
	results := make([]report.Result, 0, len(d.judge.Bound)) // there may be more than a hundred thousand
	var seen []report.Observe
	counted, judged := d.watched(), d.judgedByKind(failures)
	byIndex := make([]int, len(d.judge.Bound))
	for i := range d.judge.Bound {
		byIndex[d.judge.Bound[i].Index] = i
	}
	for _, at := range byIndex {
		switch b := d.judge.Bound[at]; {
		case !selected(b.ID):
		case b.Level == report.Open:
			seen = append(seen, d.observed(at, counted[at]))
		default:
			for i := range failures[at] {
				failures[at][i].Flaw.Alike = judged[kindAt(&b, failures[at][i].Flaw.Where)]
			}
			x := d.result(at, d.tallies[at], failures[at], d.noKnownValue(at, d.tallies[at]))
			if d.Shard != nil {
				x = d.ofShard(at, x)
			}
			results = append(results, x)
		}
	}
	Number(results, d.belonging)
	if d.Known != nil {
		d.Known(results)
	}
	d.incomplete(results)
	return results, seen
}

// Number numbers the failures as the report shows them, those of a MUST first, and of one
// level those first that others may follow from. Belonging reports whether a requirement
// is that an answer belongs to its request.
func Number(results []report.Result, belonging func(id string) bool) {
	level := report.Levels()
	type place struct{ level, follows, at int }
	var order []place
	for at := range results {
		if r := &results[at]; len(r.Failures) > 0 {
			order = append(order, place{slices.Index(level, r.Level), follows(r, belonging), at})
		}
	}
	slices.SortStableFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.follows, b.follows))
	})
	n := 0
	for _, p := range order {
		for i := range results[p.at].Failures {
			n++
			results[p.at].Failures[i].N = n
		}
	}
}

// follows orders failed requirements by how much else may follow from them: answers that
// belong to another request first, then what needs other requests or gets no answer.
func follows(r *report.Result, belonging func(id string) bool) int {
	if belonging(r.Requirement) {
		return 0
	}
	if slices.ContainsFunc(r.Failures, func(f report.Failure) bool {
		return f.Cause != "" || len(f.Steps) > 0 && f.Steps[len(f.Steps)-1].Failure != ""
	}) {
		return 1
	}
	return 2
}

func (d *Diagnosis) belonging(id string) bool {
	return slices.ContainsFunc(d.judge.Bound, func(b judge.Bound) bool { return b.ID == id && b.Rule.Role == requirement.RoleBelonging })
}

// Unsettled returns the reasons why a run is incomplete that its results give, one
// sentence each. A result with one of the reasons that are known gives none, nor does one
// that a known failure suppresses.
func Unsettled(results []report.Result, reasons []string) (out []string) {
	ids := map[string][]string{}
	var order []string
	for _, r := range results {
		if r.Known != nil {
			continue
		}
		if slices.Contains(reasons, r.Reason) || r.Level != report.Must || r.Verdict != report.Inconclusive && r.Verdict != report.Error {
			continue
		}
		if ids[r.Reason] == nil {
			order = append(order, r.Reason)
		}
		ids[r.Reason] = append(ids[r.Reason], r.Requirement)
	}
	for _, reason := range order {
		switch list := ids[reason]; {
		case len(list) == 1:
			out = append(out, list[0]+" is inconclusive: "+reason)
		default:
			out = append(out, fmt.Sprintf("%d MUST requirements are inconclusive: %s", len(list), reason))
		}
	}
	return out
}

// incomplete adds the reasons why a run is incomplete, one sentence each.
func (d *Diagnosis) incomplete(results []report.Result) {
	for _, reason := range Unsettled(results, d.target.Reasons) {
		d.target.Because(reason)
	}
	for _, r := range d.run.Records() {
		if r.OwnFault != "" {
			d.target.Because(report.OwnFault + r.OwnFault)
			break
		}
	}
}

// result returns the verdict on one requirement. Unknown says which value must be named
// before it can be judged.
func (d *Diagnosis) result(at int, t tally, failures []report.Failure, unknown string) report.Result {
	b := &d.judge.Bound[at]
	r := report.Result{Requirement: b.ID, Level: b.Level, Sentence: b.Sentence, Clause: b.Clause.String(), Evidence: b.Evidence, Operation: b.Op.Title(),
		Cases: report.Cases{Planned: t.planned, Judged: t.judged, Failed: t.failed, Suppressed: t.suppressed, NotTried: t.untried}}
	if unknown == "" {
		unknown = d.unvalued(b)
	}
	why := reasons{tally: t, failed: len(failures) > 0, unknown: unknown,
		unplanned: func() (report.Verdict, string) { return d.unplanned(b, t) },
		untested:  func() (report.Verdict, string) { return d.untested(b, t) }}
	r.Verdict, r.Reason = why.verdict()
	if why.failed {
		r.Failures, r.Evidence = failures, append(d.concerns(at), r.Evidence...)
	}
	return r
}

// unvalued says that a requirement is about requests with a member of which no valid value was found.
// What is refused with an invalid one may be refused for that reason.
func (d *Diagnosis) unvalued(b *judge.Bound) string {
	if b.Op == nil || len(b.Args.Statuses) > 0 || b.Rule.Rank != requirement.Class {
		return ""
	}
	at := b.Args.Key.Path
	if b.Args.Key.Keyword == "required" {
		at += "/" + jsontree.EscapePointer(b.Args.Key.Name)
	}
	for _, path := range []string{at, b.Args.From} {
		for _, op := range b.Op.Rows() {
			if why := d.target.Plan.Space(op).WithoutValue(path); why != "" {
				return why
			}
		}
	}
	return ""
}

// unplanned says what it means that a requirement has no case that applies.
func (d *Diagnosis) unplanned(b *judge.Bound, t tally) (report.Verdict, string) {
	switch {
	case b.OfOthers() && !b.Op.HasOther():
		return report.Inapplicable, NoOther
	case b.OfOthers() && d.target.Facts.SecondPrincipal(b.Op) != "":
		return report.Inconclusive, d.target.Facts.SecondPrincipal(b.Op)
	case b.Rule.Role.Credential() && b.Op != nil && b.Op.Header != "":
		return report.Inapplicable, fmt.Sprintf("header %s of the user goes with every request, so none can be sent without a credential: give it with --auth instead", b.Op.Header)
	case t.unexamined:
		return report.Inconclusive, unexamined
	case d.target.Plan.Thinned(b.Op) && !b.Free:
		return report.Inapplicable, leftOut + d.target.Plan.Effort.Name
	case b.Rule.Rank == requirement.History && !b.Free && b.Level == report.Must:
		return report.Inconclusive, "no case can try what the requirements file says of this list"
	}
	return report.Inapplicable, cmp.Or(t.unplayed, "the plan has no case for it")
}

// untested says what it means that cases were tried and none of them was judged.
func (d *Diagnosis) untested(b *judge.Bound, t tally) (report.Verdict, string) {
	switch {
	case t.ruled, b.Rule.Role == requirement.RoleOmission && d.target.Facts.Of(b.Op).Demanded(b.Args.Key.Path):
		return report.Inapplicable, "every valid request was refused because of a rule that the schema does not state"
	case b.Level != report.Must || b.Free:
		return report.Inapplicable, "no exchange tested it"
	case b.Rule.Role == requirement.RoleAcceptance && namesSomething(b):
		return report.Inapplicable, "each value names something that may not exist: name one that does with --value"
	case aboutRefusals(b) && !d.mustRefuse(b.Op):
		return report.Inapplicable, "no request was tried that must be refused"
	}
	return report.Inconclusive, noneJudged + d.unusualKey(b)
}

// unusualKey says why no request of an operation has to be accepted, if that is the form of the keys that
// the target gives: many servers and proxies refuse an encoded slash in a path. It is empty otherwise.
func (d *Diagnosis) unusualKey(b *judge.Bound) string {
	if b.Rule.Role != requirement.RoleAcceptance {
		return ""
	}
	for _, o := range d.target.Openings {
		if o.Op != b.Op || !explore.Accepted(o.Op, o.Exchange) {
			continue
		}
		if r := o.Message.Reading(); r != nil {
			for _, why := range r.Reasons {
				if strings.HasPrefix(why.Path, openapi.PathPlace("")) {
					return fmt.Sprintf(": a server may refuse values of %s as this one gives them (%s): name another one with --value", why.Path, why.What)
				}
			}
		}
	}
	return ""
}

// namesSomething reports whether a requirement is about a member that refers to another resource
// by its key, or by its bare name. The key of the body itself names the resource that is made.
func namesSomething(b *judge.Bound) bool {
	path := b.Args.Key.Path
	if openapi.IfMatch(path) {
		return true // what a PUT creates has no ETag yet
	}
	own := strings.LastIndexByte(path, '/') == 0 && hints.IsKey(path[1:])
	return hints.KeyAt(path) && !own || slices.ContainsFunc(b.Op.Members(), func(m openapi.Member) bool { return m.Path == path && m.Resource != "" })
}

// leftOut begins the reason of a requirement that has no case at the effort of the run.
const leftOut = "not tried at --effort "

// LeftOut counts the results without a case at the effort of the run. The verdict then
// covers only a part of the contract.
func LeftOut(results []report.Result) (n int) {
	for _, r := range results {
		if r.Verdict == report.Inapplicable && strings.HasPrefix(r.Reason, leftOut) {
			n++
		}
	}
	return n
}

// aboutRefusals reports whether a requirement is only about answers that refuse a request.
func aboutRefusals(b *judge.Bound) bool {
	return b.Rule.OfRefusals || len(b.Args.Statuses) > 0 && !slices.ContainsFunc(b.Args.Statuses, func(s string) bool { return !strings.HasPrefix(s, "4") && s != "default" })
}

// mustRefuse reports whether a request of an operation was judged that must be refused:
// where any text is a value of every parameter, there is none.
func (d *Diagnosis) mustRefuse(op *openapi.Operation) bool {
	for at := range d.judge.Bound {
		b := &d.judge.Bound[at]
		if b.Op == op && b.Level == report.Must && (b.Rule.Role == requirement.RoleRefusal || b.Rule.Role == requirement.RoleCredentialRefusal) && d.tallies[at].judged > 0 {
			return true
		}
	}
	return false
}

// NoOther says why what belongs to one principal is not tried.
const NoOther = "no second credential: give --auth-other NAME=VALUE"

// watched is what was counted for one open point: how often each outcome was seen, and what
// the cases tried that had it.
type watched struct {
	counts map[string]int
	kinds  map[string][]string
}

// watched returns what was counted for the open points, by their index in Bound.
func (d *Diagnosis) watched() map[int]*watched {
	out := map[int]*watched{}
	for c, r := range d.run.Records() {
		for _, f := range r.Observed {
			w := out[f.At]
			if w == nil {
				w = &watched{counts: map[string]int{}, kinds: map[string][]string{}}
				out[f.At] = w
			}
			got := f.Outcome.Got
			w.counts[got]++
			if k := c.Class.Tries(); !slices.Contains(w.kinds[got], k) {
				w.kinds[got] = append(w.kinds[got], k)
			}
		}
	}
	return out
}

// observed reports an open point. What was counted is nil if no case tried it.
func (d *Diagnosis) observed(at int, w *watched) report.Observe {
	b := d.judge.Bound[at]
	o := report.Observe{Requirement: b.ID, Sentence: b.Sentence, Clause: b.Clause.String()}
	if w == nil {
		return o
	}
	for what, n := range w.counts {
		slices.Sort(w.kinds[what]) // the same for every division into shards
		o.Seen = append(o.Seen, report.Seen{What: d.judge.Redactor.Text(what), Count: n, Kinds: w.kinds[what]})
	}
	slices.SortFunc(o.Seen, func(a, b report.Seen) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return o
}
