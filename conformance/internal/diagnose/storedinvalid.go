package diagnose

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// suppressStored suppresses what is wrong with answers if that follows from other requests,
// which were invalid and accepted: the server stores what it should have refused, and shows
// it later. Each thing that is wrong in the answers has a text that only such a request sent.
func (d *Diagnosis) suppressStored(found []Finding) []Finding {
	for at := range d.judge.Bound {
		if d.judge.Bound[at].Rule.Rank != requirement.Schema {
			continue
		}
		if by := d.storedBy(at, found); by >= 0 {
			found = d.suppress(found, at, d.judge.Bound[by].ID)
		}
	}
	return found
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
