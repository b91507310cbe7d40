package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/rule"
)

var sentAgain = plan.Mutator{
	Name: "sent-again",
	Doc:  "Sends a request that makes a thing twice with one value of a header field such as Idempotency-Key, where the description of the field says what happens to a request that is sent again, because a server may make two things.",
	Classes: func(s *plan.Space) []plan.Class {
		field := s.Op.MadeOnce()
		if field == nil || !slices.ContainsFunc(s.Resources, func(r *resource.Resource) bool { return r.Make == s.Op && !r.Chosen() }) {
			return nil
		}
		members := s.Op.Members()
		at := slices.IndexFunc(members, func(m openapi.Member) bool { return m.Path == field.Place() })
		c := about("post", []string{"made-once"}, 1, func(g *generate.Gen, _ int) []plan.Step {
			first := giving(g, s.Op, &members[at])
			return []plan.Step{{Message: first}, {Message: first.Clone(), Repeats: true}}
		})
		c.Hinted = s.Op.Accepted.MadeOnce == nil
		return []plan.Class{c}
	},
}

// madeOnce: a request that is sent again makes no second thing.
var madeOnce = rule.Rule{
	Name:        "made-once",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A success for a request with the body of an accepted one, and with its value of a header field such as Idempotency-Key, gives the key that the first answer gave. To is its name in the path. Such a request may be refused.",
	Explanation: "A request that a client sends again with the same idempotency key makes no second resource: the answer has the identifier that the first one had.",
	Fix:         "Store the key and the answer in the transaction that creates the resource, and give that answer again.",
	Check: func(p *rule.Input) rule.Outcome {
		made, field := p.Made(), p.Op.MadeOnce()
		if made == nil || field == nil || made.Op != p.Op || !made.Got.Success() || !p.Got.Success() || made.Sent.Body == nil || p.Sent.Body == nil {
			return rule.None
		}
		key, sent := made.Sent.Body.At(field.Place()), written(p, made)
		if key == nil || !jsontree.Equal(key, p.Sent.Body.At(field.Place())) || sent != nil && !jsontree.Equal(sent, p.Sent.Body.Root()) {
			return rule.None
		}
		first, now := keyIn(answerOf(made), sent, p.Requirement.Args.To), keyIn(p.Got.Reading.Root(), sent, p.Requirement.Args.To)
		if first == nil || now == nil {
			return rule.None
		}
		if !jsontree.Equal(first, now) {
			return rule.Failed("made again", "the key "+shown(p, first)+", as the first of two equal requests got", "the key "+shown(p, now))
		}
		return rule.Passed
	},
}

// keyIn returns the key that an answer gives to what a request made, by its name in the path or a
// usual one. It is nil if there is none.
func keyIn(answer, sent *jsontree.Value, name string) *jsontree.Value {
	is := answer
	if of := unwrapped(answer, sent); of != nil {
		is = of
	}
	if is == nil || is.Kind != jsontree.Object {
		return nil
	}
	for _, usual := range []string{name, "id", "uuid"} {
		for _, m := range is.Members {
			if openapi.Flat(m.Name) == openapi.Flat(usual) && scalar(m.Value) {
				return m.Value
			}
		}
	}
	return nil
}

var repeated = plan.Mutator{
	Name: "repeated",
	Doc:  "Sends a PUT or a DELETE twice, and a PUT after a DELETE: clients repeat these methods when an answer is lost (RFC 9110, 9.2.2).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Delete }) {
			out = append(out, alone(about("delete", []string{"answered"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				return row(simplest(g, r.Make), simplest(g, s.Op), simplest(g, s.Op))
			})))
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Replace }) {
			out = append(out, about("put", []string{"answered"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				m := simplest(g, s.Op)
				return row(simplest(g, r.Make), m, m.Clone())
			}))
			if r.Delete != nil {
				out = append(out, alone(about("put-deleted", []string{"answered"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return row(simplest(g, r.Make), simplest(g, r.Delete), simplest(g, s.Op))
				})))
			}
		}
		return out
	},
}
