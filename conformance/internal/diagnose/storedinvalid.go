package diagnose

import (
	"bytes"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// suppressStored suppresses what is wrong with answers if that follows from another request,
// which was invalid and accepted: the server stores what it should have refused, and shows it
// later. The answer has a text that only such a request sent.
func (d *Diagnosis) suppressStored(found []Finding) []Finding {
	for i := 0; i < len(found); i++ {
		f := found[i]
		if d.judge.Bound[f.At].Rule.Rank != rule.Schema {
			continue
		}
		by := slices.IndexFunc(found, func(o Finding) bool { return d.refusal(&o) && succeeds(&o) && d.sameKeyword(&f, &o) && shows(&f, &o) })
		if by < 0 {
			continue
		}
		found = d.suppress(found, f.At, d.judge.Bound[found[by].At].ID)
		i = -1 // others moved
	}
	return found
}

// sameKeyword reports whether two findings are about the same keyword of a member of the same
// name, or the first about a choice of schemas, any of which the member may be part of.
func (d *Diagnosis) sameKeyword(answer, sent *Finding) bool {
	a, b := d.judge.Bound[answer.At].Args.Key, d.judge.Bound[sent.At].Args.Key
	switch a.Keyword {
	case "oneOf", "anyOf", "allOf":
		return true
	}
	last := func(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
	return a.Keyword == b.Keyword && a.Name == b.Name && last(a.Path) == last(b.Path)
}

// leastShown is the length of a text that no other request sent.
const leastShown = 6

// shows reports whether the answer that shows a finding has a text that a request of another
// one sent.
func shows(answer, sent *Finding) bool {
	r := answer.Failure.Steps[answer.Failure.Step].Exchange.Response
	if r == nil {
		return false
	}
	for _, c := range sent.group.cases {
		failure := sent.group.failures[c]
		m := failure.Steps[failure.Step].Step.Message
		if m.Tree != nil && slices.ContainsFunc(texts(m.Tree), func(text string) bool { return bytes.Contains(r.Content, []byte(text)) }) {
			return true
		}
	}
	return false
}

// texts returns the texts of a value that are long enough to be of one request alone.
func texts(v *jsontree.Value) []string {
	var out []string
	if v.Kind == jsontree.String && len(v.Text) >= leastShown {
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
