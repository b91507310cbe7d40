package checks

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// echo: a success returns the value that was sent.
var echo = requirement.Rule{
	Name:        "echo",
	Rank:        requirement.Echo,
	Category:    report.Answer,
	Means:       "the answer does not have the value that was sent",
	Role:        requirement.RoleEcho,
	ExplainedBy: []*requirement.Rule{&belongs},
	Doc:         "In a success the value at To equals the must-accept value sent at From, at least after Unicode normalisation (NFC).",
	Explanation: "A successful response returns the value that was sent, at least after Unicode normalization (NFC).",
	Fix:         "Return what was stored, unchanged: do not trim, fold case, escape twice or change the character set.",
	Check:       compares(false, func(sent, got *jsontree.Value) bool { return same(sent, got) || normalized(sent, got) }),
}

// echoExact: a success returns the value that was sent, code point for code point.
var echoExact = requirement.Rule{
	Name:        "echo-exact",
	Rank:        requirement.Advice,
	Category:    report.Answer,
	Means:       "the answer changes the characters of the value that was sent",
	Role:        requirement.RoleEcho,
	ExplainedBy: []*requirement.Rule{&belongs},
	Doc:         "In a success the value at To equals the must-accept value sent at From, code point for code point.",
	Explanation: "A successful response returns the value that was sent, code point for code point.",
	Fix:         "Do not normalize text that belongs to the client.",
	Check:       compares(false, same),
}

// echoMayRefuse: a may-refuse value that is accepted comes back unchanged.
var echoMayRefuse = requirement.Rule{
	Name:        "echo-may-refuse",
	Rank:        requirement.Advice,
	Category:    report.Answer,
	Means:       "an unusual value is accepted, and changed",
	ExplainedBy: []*requirement.Rule{&belongs},
	Doc:         "If a value that some stores refuse is accepted, it comes back unchanged.",
	Explanation: "If the server accepts a value that it may refuse, it returns the value unchanged.",
	Fix:         "Refuse a value that cannot be stored instead of changing it.",
	Check:       compares(true, same),
}

// echoed returns the value that was sent and the value that came back for a
// requirement. It returns ok false if there is nothing to compare.
func echoed(p *requirement.Input) (sent, got *jsontree.Value, ok bool) {
	if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading == nil || p.Sent.Reused && !p.Sent.OwnKey {
		return nil, nil, false
	}
	if slices.Contains(origins(p), requirement.SameResource) {
		return nil, nil, false // the resource that was there before
	}
	a := p.Requirement.Args
	sent, got = p.Sent.Body.Root().At(a.From), p.Got.Reading.Root().At(a.To)
	return sent, got, sent != nil && p.Got.Reading.Root() != nil
}

// mayRefuseAt reports whether the value at a path is one that some stores change.
// An optional member or a long text that is accepted must be kept whole.
func mayRefuseAt(p *requirement.Input, path string) bool {
	for _, e := range p.Sent.Body.Reasons {
		if (e.Path == path || e.Path == "") && e.What != "given" && e.What != "long string" {
			return true
		}
	}
	return false
}

// compares returns the check of an echo rule: for the values that some stores
// change, or for the others. Alike says whether two values are equal.
func compares(mayRefuse bool, alike func(sent, got *jsontree.Value) bool) func(*requirement.Input) requirement.Outcome {
	return func(p *requirement.Input) requirement.Outcome {
		sent, got, ok := echoed(p)
		if !ok || mayRefuseAt(p, p.Requirement.Args.From) != mayRefuse || !p.Sent.Body.Sound() {
			return requirement.None
		}
		if alike(sent, got) {
			return requirement.Passed
		}
		return wrong(p, requirement.Failed("echo", "the value that was sent", shown(p, got)), p.Requirement.Args.To, got)
	}
}

func same(a, b *jsontree.Value) bool { return b != nil && jsontree.Equal(a, b) }

// normalized reports whether two strings are equal after Unicode normalization.
func normalized(a, b *jsontree.Value) bool {
	return b != nil && a.Kind == jsontree.String && b.Kind == jsontree.String &&
		norm.NFC.String(a.Text) == norm.NFC.String(b.Text)
}

func shown(p *requirement.Input, v *jsontree.Value) string {
	if v == nil {
		return "no value"
	}
	return p.Shorten(v.String(), 200)
}

// origins returns, for each member of an answer, which request sent its value.
func origins(p *requirement.Input) []requirement.Origin {
	root := p.Got.Reading.Root()
	if root == nil {
		return nil
	}
	out := make([]requirement.Origin, len(root.Members))
	for i, m := range root.Members {
		if m.Value.Kind == jsontree.String {
			out[i] = p.Origin("/"+jsontree.EscapePointer(m.Name), m.Value.Text)
		}
	}
	return out
}

// belongs: the answer has no values of another request.
var belongs = requirement.Rule{
	Name:        "belongs",
	Rank:        requirement.Echo,
	Category:    report.Security,
	Means:       "an answer holds the data of another request",
	Role:        requirement.RoleBelonging,
	Doc:         "In a success no member of the answer has a value that only another request sent in the member of the same name. Values that several requests sent, and its own value cut, trimmed or in another case, are not judged. A number is another's only if none came back in that place that no request sent, and lower and higher ones did. With Kind own-values or made-values only the answer to a valid request is judged, at members that it sent with a fresh value, and not against requests that may be about the same thing. With Kind asked-values the same holds for a GET and its query, where the answer has none of its own values.",
	Explanation: "A successful response contains no value of another request. Only values that a single request sent are compared.",
	Fix:         "Do not keep data of a request in variables that requests share. Check caches, buffers and handlers that are reused before the answer is written.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if kind := p.Requirement.Args.Kind; kind != "" {
			return ownValues(p)
		}
		if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading.Root() == nil || p.Sent.Reused && !p.Sent.OwnKey {
			return requirement.None
		}
		for i, origin := range origins(p) {
			if m := p.Got.Reading.Root().Members[i]; origin == requirement.OtherRequest && !changedOnly(p.Sent.Body.Root().Get(m.Name), m.Value) {
				return wrong(p, requirement.Failed("belongs", "no value of another request", "the "+m.Name+" of another request"), "/"+jsontree.EscapePointer(m.Name), m.Value)
			}
		}
		return requirement.Passed
	},
}

// ownValues judges the answer to a request where the document says no more than what the
// answer looks like. Only members that the request itself sent with a fresh value are judged.
func ownValues(p *requirement.Input) requirement.Outcome {
	root := p.Got.Reading.Root()
	if !p.Got.Success() || p.Sent.Body == nil || p.Sent.Expectation() != message.Accept || p.Sent.Reused || root == nil {
		return requirement.None
	}
	asked := p.Requirement.Args.Kind == requirement.AskedValues
	sent := plan.Carrier(p.Sent.Body.Root())
	if asked {
		sent = p.Sent.Body.Values.Get("query")
	}
	res, out := likeSent(root, sent), requirement.None
	if res == nil {
		return out
	}
	for _, m := range res.Members {
		own := sent.Get(m.Name)
		number := own != nil && own.Kind == jsontree.Number && !asked // what a query asks for by a number may be a size or a page
		if own == nil || own.Kind != m.Value.Kind || !number && (own.Kind != jsontree.String || !plan.IsFresh(own.Text)) || number && !plan.IsFreshNumber(own.Text) {
			continue
		}
		if asked && repeatsText(root, own.Text) {
			return requirement.Passed // the rest may be about earlier requests
		}
		if !changedOnly(own, m.Value) && p.Another(message.At(m.Name, asked), own, m.Value, p.Requirement.Args.Kind) {
			return requirement.Failed("belongs", "no value of another request", "the "+m.Name+" of another request")
		}
		out = requirement.Passed
	}
	return out
}

// deepest is how deep in an answer the object is looked for that is like the one that was sent.
const deepest = 2

// likeSent returns the object of an answer, in no list, that has most of the names that were sent.
// If several have as many, none is known to be the one that the request made: one of them may be
// the state before, or another resource.
func likeSent(root, sent *jsontree.Value) *jsontree.Value {
	if sent == nil {
		return nil
	}
	for list, depth := []*jsontree.Value{root}, 0; len(list) > 0 && depth <= deepest; depth++ {
		var best *jsontree.Value
		var below []*jsontree.Value
		maximum, several := 0, false
		for _, v := range list {
			if v.Kind != jsontree.Object {
				continue
			}
			n := 0
			for _, m := range v.Members {
				if sent.Get(m.Name) != nil {
					n++
				}
				below = append(below, m.Value)
			}
			several = n == maximum || several && n < maximum
			if n > maximum {
				best, maximum = v, n
			}
		}
		switch {
		case maximum > 0 && several:
			return nil
		case maximum > 0:
			return best
		}
		list = below
	}
	return nil
}

// repeatsText reports whether a text is part of any text of an answer.
func repeatsText(root *jsontree.Value, text string) bool {
	found := false
	root.Walk(func(_ string, v *jsontree.Value) {
		found = found || v.Kind == jsontree.String && strings.Contains(v.Text, text)
	})
	return found
}

// changedOnly reports whether a value that came back is the one that was sent, cut, trimmed
// or in another case: then it is not from another request that sent it in that form.
func changedOnly(sent, got *jsontree.Value) bool {
	return sent != nil && (sent.Kind == jsontree.Number && jsontree.Equal(sent, got) || sent.Kind == jsontree.String &&
		(strings.Contains(sent.Text, got.Text) || strings.EqualFold(strings.TrimSpace(sent.Text), got.Text)))
}
