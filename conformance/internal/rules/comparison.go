package rules

import (
	"slices"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// echoed finds the value sent and the value that came back for a row; ok is
// false where the row has nothing to compare.
func echoed(p *rule.Pass) (sent, got *jsontree.Value, ok bool) {
	if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading == nil || p.Sent.Reused {
		return nil, nil, false
	}
	if slices.Contains(owners(p), rule.Kins) {
		return nil, nil, false // the resource that was there before
	}
	a := p.Requirement.Args
	sent, got = p.Sent.Body.Root().At(a.From), p.Got.Reading.Root().At(a.To)
	return sent, got, sent != nil && p.Got.Reading.Root() != nil
}

// edgeAt tells whether the value at a path is one that some stores change. A
// member that need not be taken, or a long text, is kept whole once it is taken.
func edgeAt(p *rule.Pass, path string) bool {
	for _, e := range p.Sent.Body.Edges {
		if (e.Path == path || e.Path == "") && e.What != "given" && e.What != "long string" {
			return true
		}
	}
	return false
}

// compares makes the check of an echo row: of the values that some stores change
// or of the others, which come back alike.
func compares(edge bool, alike func(sent, got *jsontree.Value) bool) func(*rule.Pass) rule.Outcome {
	return func(p *rule.Pass) rule.Outcome {
		sent, got, ok := echoed(p)
		if !ok || edgeAt(p, p.Requirement.Args.From) != edge || !p.Sent.Body.Sound() {
			return rule.None
		}
		if alike(sent, got) {
			return rule.Passed
		}
		return rule.Failed("echo", "the value that was sent", shown(p, got))
	}
}

func same(a, b *jsontree.Value) bool { return b != nil && jsontree.Equal(a, b) }

// folded tells whether two strings differ in normalisation alone.
func folded(a, b *jsontree.Value) bool {
	return b != nil && a.Kind == jsontree.String && b.Kind == jsontree.String &&
		norm.NFC.String(a.Text) == norm.NFC.String(b.Text)
}

func shown(p *rule.Pass, v *jsontree.Value) string {
	if v == nil {
		return "no value"
	}
	return p.Shorten(v.String(), 200)
}

// owners tells for each member of an answer who sent its value.
func owners(p *rule.Pass) []rule.Whose {
	root := p.Got.Reading.Root()
	if root == nil {
		return nil
	}
	out := make([]rule.Whose, len(root.Members))
	for i, m := range root.Members {
		if m.Value.Kind == jsontree.String {
			out[i] = p.Whose("/"+jsontree.EscapePointer(m.Name), m.Value.Text)
		}
	}
	return out
}
