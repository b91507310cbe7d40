package judge

import (
	"context"
	"fmt"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// unnamed finds the requirements of which nothing can be said: every value of a
// member was refused, always in one form, while the same request without the
// member is a success. The target may have a list of values that holds none of
// ours; only its owner can name one (design, section 6).
func (j *Judge) unnamed(ctx context.Context, passed bits) bits {
	out := newBits(len(j.bound))
	for at := range j.bound {
		b := &j.bound[at]
		if !b.rule.Some || passed.has(at) {
			continue
		}
		path := b.req.Args.Key.Path
		got, all := j.refusedAlike(at, path)
		if !all || got == nil || !j.takenWithout(ctx, got, path) {
			continue
		}
		out.set(at)
		value := path + "=VALUE"
		if len(j.Contract.Operations) > 1 {
			value = b.req.Op.Slug + ":" + value
		}
		if j.lists == nil {
			j.lists = map[*contract.Operation]map[string]string{}
		}
		if j.lists[b.req.Op] == nil {
			j.lists[b.req.Op] = map[string]string{}
		}
		j.lists[b.req.Op][path] = fmt.Sprintf("name a %s that the target allows with --value '%s': every one that was tried is refused alike (%s), and the same request without it is taken",
			path, value, got.steps[got.step].got)
	}
	return out
}

// refusedAlike gives a refusal of a value of the member, and whether those of all
// plain words are in the same form.
func (j *Judge) refusedAlike(at int, path string) (one *failure, all bool) {
	var like likeness
	all = true
	for _, c := range j.Cases {
		r := j.records[c]
		if r == nil {
			continue
		}
		for i := range r.weak {
			f := &r.weak[i]
			p := &f.steps[f.step]
			if f.at != at || !p.got.Refusal() {
				all = all && f.at != at
				continue
			}
			if v := p.sent.Body.Root().At(path); v == nil || v.Kind == jsontree.String && !plainWord(v.Text) {
				continue // it may be refused for what it is
			}
			if one == nil {
				one, like = f, likenessOf(p.step.Message.Op, p.sent, p.got)
			}
			all = all && p.got.Status == one.steps[one.step].got.Status && like.fits(p.got)
		}
	}
	return one, all
}

// plainWord tells whether a text is a word that nothing but a list refuses.
func plainWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 16
}

// takenWithout sends the request of a failure again, with fresh values and without
// the member.
func (j *Judge) takenWithout(ctx context.Context, f *failure, path string) bool {
	op := f.steps[f.step].step.Message.Op
	m := j.mild(j.Plan.Preflight(op, j.identity(0), generate.TwinNumber(j.twin())))
	if m.Tree.At(path) != nil && !m.Tree.RemoveAt(path) {
		return false
	}
	s := j.Client.Session()
	defer s.Close()
	e := j.send(ctx, s, m, "control", "control")
	return e != nil && e.Failure == nil && e.Response.Status/100 == 2
}

// unnamedAt says why a requirement says nothing where it rests on a value of a
// member that nobody named; empty where it says something.
func (j *Judge) unnamedAt(at int, t tally) string {
	req := j.bound[at].req
	if why := j.lists[req.Op][req.Args.Key.Path]; why != "" && j.bound[at].rule.Some {
		return why
	}
	if t.judged > 0 {
		return ""
	}
	for path, why := range j.lists[req.Op] {
		if req.Args.From == path || req.Args.To == path || req.Args.Key.Path == path && j.bound[at].rule.Rank == rule.Schema {
			return why
		}
	}
	return ""
}
