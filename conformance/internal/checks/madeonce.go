package checks

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

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
