package diagnose

import (
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// suppressStored suppresses what is wrong with answers if that follows from other requests,
// which were invalid and accepted: the server stores what it should have refused, and shows
// it later. All that is wrong in the answer stands beside a text that only such a request
// sent.
func (d *Diagnosis) suppressStored(found []Finding) []Finding {
	for i := 0; i < len(found); i++ {
		f := found[i]
		if d.judge.Bound[f.At].Rule.Rank != rule.Schema {
			continue
		}
		if by := d.storedBy(&f, found); by >= 0 {
			found = d.suppress(found, f.At, d.judge.Bound[by].ID)
			i = -1 // others moved
		}
	}
	return found
}

// storedBy returns the requirement that should have refused what an answer shows, or -1: that
// of the same keyword, if several of the operation fail.
func (d *Diagnosis) storedBy(f *Finding, found []Finding) int {
	key, by := d.judge.Bound[f.At].Args.Key, -1
	for _, thing := range wrongThings(f, key) {
		explained := false
		for _, text := range texts(thing) {
			for _, o := range found {
				b := &d.judge.Bound[o.At]
				if op := d.stored[text]; op == nil || b.Op != op || !d.refusal(&o) || !succeeds(&o) {
					continue
				}
				if explained = true; by < 0 || b.Args.Key.Keyword == key.Keyword {
					by = o.At
				}
			}
		}
		if !explained {
			return -1
		}
	}
	return by
}

// wrongThings returns the things in an answer in which a keyword is violated: the items of the
// outermost array, or the whole body. It is the answer of the run: a later one shows also what
// the diagnosis sent.
func wrongThings(f *Finding, key contract.Key) []*jsontree.Value {
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
		thing := p.Answer.Reading.Root().At(at)
		if thing == nil {
			return nil
		}
		out = append(out, thing)
	}
	return out
}

// noteStored notes the texts of invalid requests that were accepted, each with the operation
// that took it. It comes before they are tried again, with other texts.
func (d *Diagnosis) noteStored() {
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil {
			continue
		}
		for i := range r.Failures {
			f := &r.Failures[i]
			p := &f.Steps[f.Step]
			if m := p.Step.Message; d.judge.Bound[f.At].Rule.Role == rule.RoleRefusal && p.Answer.Success() && m.Tree != nil {
				for _, text := range texts(m.Tree) {
					d.stored[text] = m.Op.First()
				}
			}
		}
	}
}

// leastSent is the length of a text that no other request sent. A fresh one has a digit too.
const leastSent = 6

// texts returns the texts of a value that one request alone may have sent.
func texts(v *jsontree.Value) []string {
	var out []string
	if v.Kind == jsontree.String && len(v.Text) >= leastSent && strings.ContainsAny(v.Text, "0123456789") {
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
