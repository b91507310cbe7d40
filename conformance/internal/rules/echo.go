package rules

import (
	"slices"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/requirement"
)

// echoed finds the value sent and the value that came back for a row; ok is
// false where the row has nothing to compare.
func echoed(p *requirement.Pass) (sent, got *jsontree.Value, ok bool) {
	if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading == nil || p.Sent.Reused {
		return nil, nil, false
	}
	if slices.Contains(owners(p), requirement.Kins) {
		return nil, nil, false // the resource that was there before
	}
	a := p.Requirement.Args
	sent, got = p.Sent.Body.Root().At(a.From), p.Got.Reading.Root().At(a.To)
	return sent, got, sent != nil && p.Got.Reading.Root() != nil
}

// edgeAt tells whether the value at a path is one that some stores change. A
// member that need not be taken, or a long text, is kept whole once it is taken.
func edgeAt(p *requirement.Pass, path string) bool {
	for _, e := range p.Sent.Body.Edges {
		if (e.Path == path || e.Path == "") && e.What != "given" && e.What != "long string" {
			return true
		}
	}
	return false
}

// compares makes the check of an echo row: of the values that some stores change
// or of the others, which come back alike.
func compares(edge bool, alike func(sent, got *jsontree.Value) bool) func(*requirement.Pass) requirement.Outcome {
	return func(p *requirement.Pass) requirement.Outcome {
		sent, got, ok := echoed(p)
		if !ok || edgeAt(p, p.Requirement.Args.From) != edge || !p.Sent.Body.Sound() {
			return requirement.None
		}
		if alike(sent, got) {
			return requirement.Passed
		}
		return requirement.Failed("echo", "the value that was sent", shown(p, got))
	}
}

// echo: the answer is about what was sent.
var echo = requirement.Rule{
	Name:  "echo",
	Rank:  requirement.Echo,
	Doc:   "In a success the value at To equals the plain value sent at From, at least after Unicode normalisation (NFC).",
	Mend:  "answer with what was stored, unchanged: no trimming, no case folding, no escaping twice, no other character set",
	Check: compares(false, func(sent, got *jsontree.Value) bool { return same(sent, got) || folded(sent, got) }),
}

// echoExact: to the code point.
var echoExact = requirement.Rule{
	Name:  "echo-exact",
	Rank:  requirement.Advice,
	Doc:   "In a success the value at To equals the plain value sent at From, code point for code point.",
	Mend:  "do not normalise text that belongs to the client",
	Check: compares(false, same),
}

// echoEdge: an edge value that was accepted.
var echoEdge = requirement.Rule{
	Name:  "echo-edge",
	Rank:  requirement.Advice,
	Doc:   "Where a value that some stores refuse is accepted, it comes back unchanged.",
	Mend:  "refuse what cannot be kept rather than changing it silently",
	Check: compares(true, same),
}

// belongs: the answer is nobody else's.
var belongs = requirement.Rule{
	Name: "belongs",
	Rank: requirement.Echo,
	Doc:  "In a success no member of the answer carries a value that another request sent in the member of the same name. Only values that one request alone carries are judged.",
	Mend: "keep no request's data in variables that requests share; look for caches, buffers and handlers that are reused before the answer is written",
	Check: func(p *requirement.Pass) requirement.Outcome {
		if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading.Root() == nil || p.Sent.Reused {
			return requirement.None
		}
		for i, whose := range owners(p) {
			if whose == requirement.Others {
				return requirement.Failed("belongs", "no value of another request", "the "+p.Got.Reading.Root().Members[i].Name+" of another request")
			}
		}
		return requirement.Passed
	},
}

// owners tells for each member of an answer who sent its value.
func owners(p *requirement.Pass) []requirement.Whose {
	root := p.Got.Reading.Root()
	if root == nil {
		return nil
	}
	out := make([]requirement.Whose, len(root.Members))
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

func shown(p *requirement.Pass, v *jsontree.Value) string {
	if v == nil {
		return "no value"
	}
	return p.Shorten(v.String(), 200)
}
