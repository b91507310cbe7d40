package diagnose

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// causes says of each finding that needs more than its last request what that is, the
// most basic ones first.
func (d *Diagnosis) causes(ctx context.Context, found []Finding, list []causes.Hypothesis) []Finding {
	var budget causes.Budget
	var order []int
	for i := range found {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.basic(&found[a]), d.basic(&found[b])) })
	for _, i := range order {
		f := &found[i]
		if how := d.run.End(f.Case); how != "" && d.judge.Bound[f.At].Rule.Rank == requirement.Answered {
			f.Cause = &causes.Cause{Name: "the-end", Sentence: how}
		}
		if f.NotTriedAgain != "" || f.Failure.Beside {
			continue
		}
		c := budget.Find(ctx, d.run, list, f.Case, f.group.failures[f.Case], f.Failure, !d.mayNeedMore(f))
		if c == nil {
			continue
		}
		f.Cause = c
		if c.Failure != nil {
			f.Failure = c.Failure
		}
	}
	return d.suppressAlike(found)
}

// suppressAlike suppresses findings that need the same as a more basic one: that is one
// fault. What fails since something is used up does so wherever a rule looks.
func (d *Diagnosis) suppressAlike(found []Finding) []Finding {
	for _, f := range slices.Clone(found) {
		for _, o := range slices.Clone(found) {
			if f.Cause == nil || o.Cause == nil || f.Cause.Name != o.Cause.Name || !fails(found, f.At) || !d.before(&f, &o) {
				continue
			}
			x, y := &d.judge.Bound[f.At], &d.judge.Bound[o.At]
			alike := f.Cause.Sentence == o.Cause.Sentence || f.Cause.Name == "since-then"
			if alike && (x.Op == y.Op || x.Rule == y.Rule) {
				found = d.without(found, o, f.At)
			}
		}
	}
	return d.suppressMore(d.suppressMixed(found))
}

// before orders findings of different requirements: the more basic one first, then that
// with more cases.
func (d *Diagnosis) before(a, b *Finding) bool {
	return a.At != b.At && cmp.Or(cmp.Compare(d.basic(a), d.basic(b)), cmp.Compare(len(b.group.cases), len(a.group.cases)), cmp.Compare(a.At, b.At)) < 0
}

// maxOfOne is how many MUSTs are reported for what may be one fault.
const maxOfOne = 3

// suppressMore suppresses findings of a MUST that did not come again and whose cause is
// not known, if others have one and there are enough of them: a server with a race fails
// in many ways. So does one that is broken since some moment, every time.
func (d *Diagnosis) suppressMore(found []Finding) []Finding {
	var musts []int
	by := -1
	for i := range found {
		if d.judge.Bound[found[i].At].Level == report.Must && !slices.Contains(musts, found[i].At) {
			musts = append(musts, found[i].At)
		}
		if found[i].Cause != nil && (by < 0 || d.basic(&found[i]) < d.basic(&found[by])) {
			by = i
		}
	}
	if by < 0 || d.judge.Bound[found[by].At].Level != report.Must {
		return found
	}
	first, known := found[by].At, found[by].Cause // the list gets shorter below
	for _, at := range slices.Backward(musts) {
		settled := slices.ContainsFunc(found, func(f Finding) bool {
			return f.At == at && (f.Stable && !d.since(known, &f) || f.NotTriedAgain != "" || f.Cause != nil)
		})
		if len(musts) > maxOfOne && !settled {
			found = d.suppress(found, at, d.judge.Bound[first].ID)
			musts = slices.DeleteFunc(slices.Clone(musts), func(m int) bool { return m == at })
		}
	}
	return found
}

// since reports whether a failure was seen only after what a cause is about began for good.
func (d *Diagnosis) since(c *causes.Cause, f *Finding) bool {
	return c.Since > 0 && !slices.ContainsFunc(f.group.cases, func(k *plan.Case) bool {
		return d.run.Record(k).Sent+d.run.AtOnce() < c.Since
	})
}

// without leaves out one finding, and suppresses its requirement if that was the last.
func (d *Diagnosis) without(found []Finding, gone Finding, by int) []Finding {
	found = slices.DeleteFunc(found, func(x Finding) bool { return x.At == gone.At && x.Cause == gone.Cause })
	if !fails(found, gone.At) {
		found = d.suppress(found, gone.At, d.judge.Bound[by].ID)
	}
	return found
}

// basic orders findings by what they may explain: an answer that belongs to another
// request explains values that come back wrong, and no answer explains all others.
func (d *Diagnosis) basic(f *Finding) int {
	b := d.judge.Bound[f.At]
	switch {
	case b.Rule.Role == requirement.RoleBelonging:
		return 0
	case b.Level != report.Must:
		return 100 + int(b.Rule.Rank)
	}
	return 1 + int(b.Rule.Rank)
}

// mayNeedMore reports whether a failure may need other requests: it did not come again,
// or its case has others, or it is about a credential, and a decision about one can be
// remembered.
func (d *Diagnosis) mayNeedMore(f *Finding) bool {
	return !f.Stable || f.Case.Steps() > 1 || d.judge.Bound[f.At].Rule.Role == requirement.RoleCredentialRefusal
}

// drawn reports whether all cases of a group are of longer orders of requests.
func (g *group) drawn() bool {
	return !slices.ContainsFunc(g.cases, func(c *plan.Case) bool { return !c.Class.Drawn })
}

// joinDrawn adds what longer orders of requests show of a requirement to what shorter ones
// show of it, or the first of the longer ones: that is one fault, which may look different
// after other changes.
func joinDrawn(list []*group) []*group {
	return slices.DeleteFunc(slices.Clone(list), func(g *group) bool {
		if !g.drawn() {
			return false
		}
		i := slices.IndexFunc(list, func(o *group) bool { return o.at == g.at && !o.drawn() })
		if i < 0 {
			i = slices.IndexFunc(list, func(o *group) bool { return o.at == g.at })
		}
		if list[i] == g {
			return false
		}
		list[i].take(g)
		return true
	})
}

// suppressDrawn suppresses what only longer orders of requests show of the values of a
// thing if a shorter one shows another fault of them, or another order does: a lost value
// is missing wherever it is looked for.
func (d *Diagnosis) suppressDrawn(found []Finding) []Finding {
	var values []Finding
	for i := range found {
		if r := d.judge.Bound[found[i].At].Rule; r.Rank == requirement.History && r.Aspect.Values() {
			values = append(values, found[i])
		}
	}
	slices.SortStableFunc(values, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(len(a.Failure.Steps), len(b.Failure.Steps)))
	})
	for k, f := range values {
		by := slices.IndexFunc(values[:k], func(o Finding) bool { return d.explainsDrawn(&o, &f) && fails(found, o.At) })
		shorter := slices.ContainsFunc(values, func(o Finding) bool { return o.At == f.At && !o.group.drawn() })
		if by >= 0 && f.group.drawn() && !shorter && fails(found, f.At) {
			found = d.suppress(found, f.At, d.judge.Bound[values[by].At].ID)
		}
	}
	return found
}

// order puts findings of longer orders behind the others.
func order(f Finding) int {
	if f.group.drawn() {
		return 1
	}
	return 0
}

// explainsDrawn reports whether a finding is about the same thing as another one, and not
// of a lower level.
func (d *Diagnosis) explainsDrawn(b, o *Finding) bool {
	x, y := &d.judge.Bound[b.At], &d.judge.Bound[o.At]
	return b.At != o.At && x.Op == y.Op && (x.Level == report.Must || y.Level != report.Must)
}

// storedBy returns the requirement that should have refused all that is wrong in the answers
// about another one, or -1. Of several it returns one about the same keyword.
func (d *Diagnosis) storedBy(at int, found []Finding) int {
	by, key := -1, d.judge.Bound[at].Args.Key
	for i := range found {
		if found[i].At != at {
			continue
		}
		wrong := wrongResources(&found[i], key)
		if len(wrong) == 0 {
			return -1
		}
		for _, res := range wrong {
			took := d.tookResource(res, key.Keyword, found)
			if took < 0 {
				return -1
			}
			if by < 0 || d.judge.Bound[took].Args.Key.Keyword == key.Keyword {
				by = took
			}
		}
	}
	return by
}

// tookResource returns the requirement that should have refused the request that made a resource, or
// -1. Of several it returns one about the given keyword.
func (d *Diagnosis) tookResource(res *jsontree.Value, keyword string, found []Finding) int {
	by, took := -1, map[*openapi.Operation]bool{}
	for _, text := range texts(res) {
		took[d.stored[text]] = true
	}
	for i := range found {
		o, b := &found[i], &d.judge.Bound[found[i].At]
		if took[b.Op] && d.refusal(o) && succeeds(o) && (by < 0 || b.Args.Key.Keyword == keyword) {
			by = o.At
		}
	}
	return by
}

// wrongResources returns the resources in an answer in which a keyword is violated: the items of the
// outermost array, or the whole body. It is the answer of the run: a later one shows also what
// the diagnosis sent.
func wrongResources(f *Finding, key schema.Key) []*jsontree.Value {
	failure := f.group.failures[f.Case]
	if failure == nil {
		return nil
	}
	p := &failure.Steps[failure.Step]
	if p.Answer == nil || p.Answer.Reading == nil || p.Answer.Reading.Root() == nil {
		return nil
	}
	var out []*jsontree.Value
	for _, v := range p.Answer.Reading.Violations {
		if v.Key() != key {
			continue
		}
		at := v.Pointer
		if list, _, inside := strings.Cut(v.Path, "/*"); inside {
			item, _, _ := strings.Cut(at[len(list)+1:], "/")
			at = at[:len(list)+1+len(item)]
		} else {
			at = ""
		}
		res := p.Answer.Reading.Root().At(at)
		if res == nil {
			return nil
		}
		out = append(out, res)
	}
	return out
}

// storedTexts returns the texts of invalid requests that were accepted, each with the operation
// that took it.
func (d *Diagnosis) storedTexts() map[string]*openapi.Operation {
	out := map[string]*openapi.Operation{}
	add := func(m *message.Message) {
		if m.Tree == nil {
			return
		}
		given := map[string]bool{} // by the target or the document, so that other requests have them too
		for _, v := range m.Bound {
			given[v.Text] = true
		}
		for _, text := range texts(m.Tree) {
			if !given[text] {
				out[text] = m.Op.First()
			}
		}
	}
	for _, g := range d.groups() {
		if d.judge.Bound[g.at].Rule.Role != requirement.RoleRefusal {
			continue
		}
		for _, c := range g.cases {
			f := g.failures[c]
			if p := &f.Steps[f.Step]; p.Answer.Success() {
				add(p.Step.Message)
			}
		}
	}
	return out
}

// minSent is how long a text is, at least, that no other request sent.
const minSent = 6

// texts returns the texts of a value that only one request may have sent: fresh ones are long
// and have a digit.
func texts(v *jsontree.Value) []string {
	var out []string
	if v.Kind == jsontree.String && len(v.Text) >= minSent && strings.ContainsAny(v.Text, "0123456789") {
		out = append(out, v.Text)
	}
	for _, item := range v.Items {
		out = append(out, texts(item)...)
	}
	for _, m := range v.Members {
		out = append(out, texts(m.Value)...)
	}
	return out
}
