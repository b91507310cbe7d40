package checks

import (
	"cmp"
	"net/http"
	"slices"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

var refusedScenario = plan.Mutator{
	Name: "refused",
	Doc:  "Makes a thing, reads it, sends a change with a valid and an invalid member, or with a tag in If-Match that it never had, and reads it again, because a server may store members one after the other until one is refused.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		for _, change := range []*openapi.Operation{r.Patch, r.Replace} {
			if change == nil || change == r.Make {
				continue
			}
			if change.Body != nil && change.Lists(http.StatusPreconditionFailed) != nil && takesTag(change, plan.AsForeign) {
				add(about(openapi.Slug(change.Slug)+"-matched", judges(refusedUnchanged), 1, func(g *plan.Gen, _ int) []plan.Step {
					return append(open(2, conditional(row(g.Request(r.Make, true), simplest(g, s.Op), g.Request(change, true)), plan.Condition{Field: "If-Match", Step: 1, As: plan.AsForeign})), use(g, s.Op))
				}))
			}
			if !canCorrupt(change) {
				continue
			}
			add(about(openapi.Slug(change.Slug), judges(refusedUnchanged), 1, func(g *plan.Gen, _ int) []plan.Step {
				return open(2, row(g.Request(r.Make, true), simplest(g, s.Op), corrupted(g, change), simplest(g, s.Op)))
			}))
		}
	},
}

// refusedUnchanged: what is refused changes nothing.
var refusedUnchanged = requirement.Rule{
	Name:        "refused-unchanged",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a refused request changes what is stored",
	Aspect:      requirement.AspectChanged,
	Doc:         "An answer that reads a thing after a refused request about it has the values from before. After 408 the request may have been handled in part.",
	Explanation: "A request that is refused leaves the resource as it was: a change is made as a whole or not at all.",
	Fix:         "Check the whole request before you change anything, or change everything in one transaction.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		change := cmp.Or(s.Resource.Patch, s.Resource.Replace)
		if s.Op != s.Resource.Read || change == nil || change.Body == nil {
			return nil
		}
		return s.Should("RFC 5789, 2; RFC 9110, 15.5", "What is refused changes nothing.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || !by.Got.Refusal() || by.Got.Status == http.StatusRequestTimeout || !p.Got.Success() {
			return requirement.None
		}
		return changedRest(p, at, nil, by.Op.Name()+" that was refused")
	},
}

var refusedMadeScenario = plan.Mutator{
	Name: "refused-made",
	Doc:  "Makes a thing, lists its collection, sends a request for another thing that is invalid at its last member alone, and lists the collection again, because a server may store a thing before it has checked the whole request.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.List || s.Op.Listing == nil || r.Make.Method != http.MethodPost || !canCorrupt(r.Make) {
			return
		}
		add(alone(about("list", judges(refusedNotMade), 1, func(g *plan.Gen, _ int) []plan.Step {
			wrong := sibling(corrupted(g, r.Make), 1)
			wrong.Aside, wrong.Open = true, true
			return append(ownList(row(simplest(g, r.Make), wholeList(g, r))), wrong, next(wholeList(g, r)))
		})))
	},
}

// refusedNotMade: a request that is refused makes nothing.
var refusedNotMade = requirement.Rule{
	Name:        "refused-not-made",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a refused request makes a thing all the same",
	Doc:         "A list after a refused request that should make a thing has no new item with a text which only that request gave. An item that says that it was refused is right: some services keep what they refuse. After 408 the request may have been handled in part.",
	Explanation: "A request that is refused makes no resource: the list is as it was.",
	Fix:         "Check the whole request before you store anything, or do both in one transaction.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if r := s.Resource; s.Op != r.List || s.Op.Listing == nil || r.Make.Method != http.MethodPost || !canCorrupt(r.Make) {
			return nil
		}
		return s.Should("RFC 9110, 15.5", "What %s refuses is not made.", s.Resource.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		pages := listings(p)
		i := slices.IndexFunc(p.History, func(e requirement.TraceStep) bool {
			return e.Aside && e.Op.Method == http.MethodPost && e.Got.Refusal() && e.Got.Status != http.StatusRequestTimeout
		})
		if i < 0 || len(pages) < 2 {
			return requirement.None
		}
		by, before, after := &p.History[i], pages[len(pages)-2], pages[len(pages)-1]
		for n, item := range after.items {
			if after.keys[n] == "" || slices.Contains(before.keys, after.keys[n]) || saysRefused(item) {
				continue
			}
			for _, m := range by.Sent.Body.Root().Members {
				free := takes(by.Op, m.Name)
				if free == nil || m.Value.Kind != jsontree.String || !free.AnyText() || !unusual(m.Value) || wasSent(p, i-1, m.Value) {
					continue
				}
				if v := item.Get(m.Name); v != nil && kept(m.Value, v) {
					return requirement.Failed("made", "no new item, because "+by.Op.Name()+" was refused", "one with "+m.Name+" "+shown(p, v)+", as that request has it")
				}
			}
		}
		return requirement.Passed
	},
}

// saysRefused reports whether a text of an item says that it was refused.
func saysRefused(item *jsontree.Value) bool {
	return slices.ContainsFunc(item.Members, func(m jsontree.Member) bool {
		return m.Value.Kind == jsontree.String && saysGone(m.Value.Text, "refus", "reject", "fail", "invalid", "error", "declin", "denied")
	})
}

// canCorrupt reports whether a body can have a valid member and one of a wrong type.
func canCorrupt(op *openapi.Operation) bool {
	if op.Body == nil || op.Body.Form() {
		return false
	}
	members := op.Body.Shape.Schema.Properties
	return len(members) > 1 && slices.ContainsFunc(members, func(p *schema.Property) bool { return wrongFor(p) != nil })
}

// wrongFor returns a value of a type that no server takes for that of a member, or nil.
func wrongFor(p *schema.Property) *jsontree.Value {
	switch {
	case p.Schema.ReadOnly || p.Schema.Never:
	case !p.Schema.Allows("object"):
		return jsontree.NewObject()
	case !p.Schema.Allows("array"):
		return jsontree.NewArray()
	}
	return nil
}

// corrupted returns a request with new values that is invalid at its last member alone.
func corrupted(g *plan.Gen, op *openapi.Operation) *message.Message {
	m := simplest(g, op)
	members := slices.Clone(op.Body.Shape.Schema.Properties)
	i := len(members) - 1
	for wrongFor(members[i]) == nil {
		i--
	}
	wrong := members[i]
	g.Enrich(m, "", slices.Delete(members, i, i+1))
	m.Tree.Members = slices.DeleteFunc(m.Tree.Members, func(v jsontree.Member) bool { return v.Name == wrong.Name })
	m.Tree.Set(wrong.Name, wrongFor(wrong))
	return m
}

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
		c := about("post", judges(madeOnce), 1, func(g *plan.Gen, _ int) []plan.Step {
			first := giving(g, s.Op, &members[at])
			return []plan.Step{{Message: first}, {Message: first.Clone(), Kind: plan.Repeats}}
		})
		c.Hinted = s.Op.Accepted.MadeOnce == nil
		return []plan.Class{c}
	},
}

// madeOnce: a request that is sent again makes no second thing.
var madeOnce = requirement.Rule{
	Name:        "made-once",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a request sent again with its idempotency key makes a second thing",
	Line:        "madeOnce",
	Doc:         "A success for a request with the body of an accepted one, and with its value of a header field such as Idempotency-Key, gives the key that the first answer gave. To is its name in the path. Such a request may be refused.",
	Explanation: "A request that a client sends again with the same idempotency key makes no second resource: the answer has the identifier that the first one had.",
	Fix:         "Store the key and the answer in the transaction that creates the resource, and give that answer again.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		field, names := s.Op.MadeOnce(), openapi.Expressions(s.Resource.Path)
		if s.Op != s.Resource.Make || field == nil || s.Resource.Chosen() || len(names) == 0 {
			return nil
		}
		return s.Suspect(field.SentAgain(), "A request that is sent again with the same %s makes no second resource.", field.Name).With(requirement.Args{To: names[len(names)-1]})
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		made, field := p.Made(), p.Op.MadeOnce()
		if made == nil || field == nil || made.Op != p.Op || !made.Got.Success() || !p.Got.Success() || made.Sent.Body == nil || p.Sent.Body == nil {
			return requirement.None
		}
		key, sent := made.Sent.Body.At(field.Place()), written(p, made)
		if key == nil || !jsontree.Equal(key, p.Sent.Body.At(field.Place())) || sent != nil && !jsontree.Equal(sent, p.Sent.Body.Root()) {
			return requirement.None
		}
		first, now := keyIn(answerOf(made), sent, p.Requirement.Args.To), keyIn(p.Got.Reading.Root(), sent, p.Requirement.Args.To)
		if first == nil || now == nil {
			return requirement.None
		}
		if !jsontree.Equal(first, now) {
			return requirement.Failed("made again", "the key "+shown(p, first)+", as the first of two equal requests got", "the key "+shown(p, now))
		}
		return requirement.Passed
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
			if hints.Flat(m.Name) == hints.Flat(usual) && scalar(m.Value) {
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
			out = append(out, alone(about("delete", judges(answered), 1, func(g *plan.Gen, _ int) []plan.Step {
				return script(g, r.Make, s.Op, s.Op)
			})))
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Replace }) {
			out = append(out, about("put", judges(answered), 1, func(g *plan.Gen, _ int) []plan.Step {
				m := simplest(g, s.Op)
				return row(simplest(g, r.Make), m, m.Clone())
			}))
			if r.Delete != nil {
				out = append(out, alone(about("put-deleted", judges(answered), 1, func(g *plan.Gen, _ int) []plan.Step {
					return script(g, r.Make, r.Delete, s.Op)
				})))
			}
		}
		return out
	},
}
