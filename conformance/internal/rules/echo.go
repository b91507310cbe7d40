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

// echo: the answer is about what was sent.
var echo = rule.Rule{
	Name:  "echo",
	Rank:  rule.Echo,
	Role:  rule.RoleEcho,
	Doc:   "In a success the value at To equals the plain value sent at From, at least after Unicode normalisation (NFC).",
	Mend:  "answer with what was stored, unchanged: no trimming, no case folding, no escaping twice, no other character set",
	Check: compares(false, func(sent, got *jsontree.Value) bool { return same(sent, got) || folded(sent, got) }),
}

// echoExact: to the code point.
var echoExact = rule.Rule{
	Name:  "echo-exact",
	Rank:  rule.Advice,
	Role:  rule.RoleEcho,
	Doc:   "In a success the value at To equals the plain value sent at From, code point for code point.",
	Mend:  "do not normalise text that belongs to the client",
	Check: compares(false, same),
}

// echoEdge: an edge value that was accepted.
var echoEdge = rule.Rule{
	Name:  "echo-edge",
	Rank:  rule.Advice,
	Doc:   "Where a value that some stores refuse is accepted, it comes back unchanged.",
	Mend:  "refuse what cannot be kept rather than changing it silently",
	Check: compares(true, same),
}

// belongs: the answer is nobody else's.
var belongs = rule.Rule{
	Name: "belongs",
	Rank: rule.Echo,
	Role: rule.RoleBelonging,
	Doc:  "In a success no member of the answer carries a value that another request sent in the member of the same name. Only values that one request alone carries are judged.",
	Mend: "keep no request's data in variables that requests share; look for caches, buffers and handlers that are reused before the answer is written",
	Check: func(p *rule.Pass) rule.Outcome {
		if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading.Root() == nil || p.Sent.Reused {
			return rule.None
		}
		for i, whose := range owners(p) {
			if whose == rule.Others {
				return rule.Failed("belongs", "no value of another request", "the "+p.Got.Reading.Root().Members[i].Name+" of another request")
			}
		}
		return rule.Passed
	},
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
