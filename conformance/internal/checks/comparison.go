package checks

import (
	"slices"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// echoed returns the value that was sent and the value that came back for a
// requirement. It returns ok false if there is nothing to compare.
func echoed(p *rule.Input) (sent, got *jsontree.Value, ok bool) {
	if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading == nil || p.Sent.Reused && !p.Sent.OwnKey {
		return nil, nil, false
	}
	if slices.Contains(origins(p), rule.SameResource) {
		return nil, nil, false // the resource that was there before
	}
	a := p.Requirement.Args
	sent, got = p.Sent.Body.Root().At(a.From), p.Got.Reading.Root().At(a.To)
	return sent, got, sent != nil && p.Got.Reading.Root() != nil
}

// mayRefuseAt reports whether the value at a path is one that some stores change.
// An optional member or a long text that is accepted must be kept whole.
func mayRefuseAt(p *rule.Input, path string) bool {
	for _, e := range p.Sent.Body.Reasons {
		if (e.Path == path || e.Path == "") && e.What != "given" && e.What != "long string" {
			return true
		}
	}
	return false
}

// compares returns the check of an echo rule: for the values that some stores
// change, or for the others. Alike says whether two values are equal.
func compares(mayRefuse bool, alike func(sent, got *jsontree.Value) bool) func(*rule.Input) rule.Outcome {
	return func(p *rule.Input) rule.Outcome {
		sent, got, ok := echoed(p)
		if !ok || mayRefuseAt(p, p.Requirement.Args.From) != mayRefuse || !p.Sent.Body.Sound() {
			return rule.None
		}
		if alike(sent, got) {
			return rule.Passed
		}
		return rule.Failed("echo", "the value that was sent", shown(p, got))
	}
}

func same(a, b *jsontree.Value) bool { return b != nil && jsontree.Equal(a, b) }

// normalized reports whether two strings are equal after Unicode normalization.
func normalized(a, b *jsontree.Value) bool {
	return b != nil && a.Kind == jsontree.String && b.Kind == jsontree.String &&
		norm.NFC.String(a.Text) == norm.NFC.String(b.Text)
}

func shown(p *rule.Input, v *jsontree.Value) string {
	if v == nil {
		return "no value"
	}
	return p.Shorten(v.String(), 200)
}

// origins returns, for each member of an answer, which request sent its value.
func origins(p *rule.Input) []rule.Origin {
	root := p.Got.Reading.Root()
	if root == nil {
		return nil
	}
	out := make([]rule.Origin, len(root.Members))
	for i, m := range root.Members {
		if m.Value.Kind == jsontree.String {
			out[i] = p.Origin("/"+jsontree.EscapePointer(m.Name), m.Value.Text)
		}
	}
	return out
}
