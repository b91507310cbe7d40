package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// crossedWrongs are one attempt of each kind: none, another scheme, a fixed word, and what
// the usual mistakes take for the valid credential. A scheme has some of them.
var crossedWrongs = []string{
	"absent", "empty", "scheme-alone", "other-scheme-basic", "other-scheme-bearer", "bare", "bare-token", "scheme-run-together", "two-fields-wrong-both",
	"wrong-invalid", "wrong-sql-or", "prefix-half", "longer-by-one", "upper-case", "doubled", "last-changed", "elsewhere-x-access-token",
}

// crossedFramings are tried in turns, so that each meets each credential and each body.
var crossedFramings = []message.Framing{message.Length, message.Chunked, message.Pieces, message.Expect, message.HeadPieces}

var credentialCrossings = plan.Mutator{
	Name: "credential-crossings",
	Doc:  "Sends every kind of wrong credential with every kind of body that must be refused, in every framing, because code can find one of them and forget the others.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Auth.Required() || !s.Op.HasJSON() {
			return nil
		}
		bodies := refusedBodies(s)
		if len(bodies) == 0 {
			return nil
		}
		var out []plan.Class
		for _, a := range s.Auth.Attempts() {
			if c, _ := s.Auth.Wrong(a, sampleToken); expectedOf(c) != plan.ExpectRefusedCredential || !slices.Contains(crossedWrongs, a.Name) {
				continue
			}
			turn := len(out)
			out = append(out, presenting(s, a, "crossed", plan.ExpectRefusedCredential, len(bodies), func(g *generate.Gen, draw int) *message.Message {
				m := spoiled(g, bodies, draw)
				m.Framing = crossedFramings[(turn+draw)%len(crossedFramings)]
				return m
			}))
		}
		return out
	},
}

// crossedMembers is how many bodies with a wrong or missing member are tried.
const crossedMembers = 4

// refusedBodies change a baseline message into one that must be refused: one of each kind.
func refusedBodies(s *plan.Space) []func(m *message.Message) {
	members := spoilers(s)
	members = members[:max(0, min(len(members)-1, crossedMembers))] // the last one cuts the body, which is below too
	tree := func(v *jsontree.Value) func(m *message.Message) {
		return func(m *message.Message) { m.Tree = v.Clone() }
	}
	raw := func(change func(b []byte) []byte) func(m *message.Message) {
		return func(m *message.Message) { m.Raw = change(slices.Clone(m.Body())) }
	}
	with := func(text string) func(m *message.Message) {
		return raw(func([]byte) []byte { return []byte(text) })
	}
	return append(members, refusing(s, []func(m *message.Message){
		tree(jsontree.NewObject()), tree(jsontree.NewArray()), tree(jsontree.NewString("x")), tree(jsontree.NewNull()),
		with(""), with("{"), with("name=x"),
		raw(func(b []byte) []byte { return b[:len(b)/2] }),
		raw(func(b []byte) []byte { return append(b, '}') }),
		raw(func(b []byte) []byte { return append(b[:len(b)-1], strings.Repeat(" ", 9<<10)...) }),
	})...)
}
