package checks

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

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

var created = plan.Mutator{
	Name: "created",
	Doc:  "Makes a thing, of each alternative that its body has, and reads it, because a server may answer that it made a thing and keep nothing, or something else.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		add(madeBy(s, "read", r.Make, draws, 0))
		for _, additional := range r.Make.Additional {
			if additional.Alternative != "" {
				add(madeBy(s, "read-"+openapi.NameSlug(additional.Alternative), additional, 2, 1))
			}
		}
	},
}

// madeBy makes a class of cases that read what an operation made, from a draw on.
func madeBy(s *plan.Space, kind string, by *openapi.Operation, cases, from int) plan.Class {
	return about(kind, judges(createdReadable, storedCreated, writeOnlyKept), cases, func(g *plan.Gen, draw int) []plan.Step {
		return row(with(g, by, from+draw), simplest(g, s.Op))
	})
}

var located = plan.Mutator{
	Name: "located",
	Doc:  "Makes a thing and reads it at the Location of the response, because that may lead nowhere where the identifier leads to the thing.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		add(about("located", judges(createdReadable), 1, func(g *plan.Gen, _ int) []plan.Step {
			steps := script(g, r.Make, s.Op)
			if r.Make.Lists(http.StatusAccepted) != nil {
				// After 202 only what can be read by its key must be there.
				steps = script(g, r.Make, s.Op, s.Op)
			}
			steps[len(steps)-1].From = plan.Located{}
			return steps
		}))
	},
}

// createdReadable: what was made can be read.
var createdReadable = requirement.Rule{
	Name:        "created-readable",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "what was created cannot be read",
	Aspect:      requirement.AspectMade,
	Doc:         "A request that reads what an accepted request made is not answered with 404 or 410. After 202 the thing may not be there yet, unless it was read before. A thing that was made with a time may be over, where the document lists 410. An answer about another thing fails if the request names that one: its key is another one than the answer that made the thing has, as are its texts. So a Location may lead to another thing. A PUT or PATCH must not make the thing disappear. This is not judged after an action or an answer 202, after a change that gives the thing a key or may hide it, and where the client chose the key.",
	Explanation: "What a request created can be read, by the identifier or the Location of the response, which lead to no other resource. The read is repeated for as long as --settle says.",
	Fix:         "Store what you create before you answer, and look it up by the identifier that you return.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Read {
			return nil
		}
		made := s.Resource.Make
		if at := s.Readable(made); at != "" {
			return s.Row(report.Must, at, "", "What %s made can be read.", made.Name())
		}
		return s.Should("RFC 9110, 15.3.2", "What %s made can be read.", made.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		made := p.Made()
		switch {
		case made == nil || !made.Got.Success() || p.Deleted():
			return requirement.None
		case p.Got.Success():
			return notAnother(p, made)
		case made.Got.Status == http.StatusAccepted && !readBefore(p) || !p.Got.Missing():
			return requirement.None // it may be refused for another reason
		case p.Got.Status == http.StatusGone && p.Op.Lists(http.StatusGone) != nil && timed(made), mayMove(p, made):
			return requirement.None
		}
		return verdictOf(false, p, "a success, because "+made.Op.Name()+" made it")
	},
}

// notAnother fails an answer about another resource than the one that a request made.
func notAnother(p *requirement.Input, made *requirement.TraceStep) requirement.Outcome {
	if made.Sent.Body == nil || p.Sent.Body == nil {
		return requirement.Passed
	}
	sent, key := made.Sent.Body.Root(), keySent(p.Op, p.Sent)
	gave, is := unwrapped(answerOf(made), sent), unwrapped(p.Got.Reading.Root(), sent)
	if key == nil || gave == nil || is == nil || !differs(made, sent, gave, is) {
		return requirement.Passed
	}
	for _, m := range is.Members {
		was := gave.Get(m.Name)
		isKey := hints.IsKey(m.Name) || hints.Flat(m.Name) == hints.Flat(keyName(p.Op))
		if isKey && was != nil && scalar(was) && scalar(m.Value) && m.Value.Text == key.Text && was.Text != key.Text {
			return requirement.Failed("another thing", m.Name+" "+shown(p, was)+", which "+made.Op.Name()+" made", m.Name+" "+shown(p, m.Value))
		}
	}
	return requirement.Passed
}

// differs reports whether a resource has none of the texts that a request gave another one, as
// its answer repeats them, but other ones in their place.
func differs(made *requirement.TraceStep, sent, gave, is *jsontree.Value) bool {
	found := false
	for _, m := range message.Values(made.Op, sent) {
		now, was := is.Get(m.Name), gave.Get(m.Name)
		if now == nil || was == nil || m.Value.Kind != jsontree.String || len(m.Value.Text) <= minText || !kept(m.Value, was) {
			continue
		}
		if kept(m.Value, now) {
			return false
		}
		found = true
	}
	return found
}

// timed reports whether a request has a time: that may be when what it makes is over.
func timed(made *requirement.TraceStep) bool {
	if made.Op.Body == nil || made.Op.Body.Shape == nil || made.Sent.Body.Root() == nil {
		return false
	}
	return slices.ContainsFunc(made.Op.Body.Shape.Schema.Properties, func(q *schema.Property) bool {
		return (q.Schema.Format == "date-time" || q.Schema.Format == "date") && made.Sent.Body.Root().Get(q.Name) != nil
	})
}

// mayMove reports whether an accepted change may have given the resource another address, or
// hidden it.
func mayMove(p *requirement.Input, made *requirement.TraceStep) bool {
	first, key := written(p, made), keySent(p.Op, p.Sent)
	return slices.ContainsFunc(p.History[1:], func(e requirement.TraceStep) bool {
		if e.Reads() || !e.Got.Success() {
			return false
		}
		body := written(p, &e)
		return body == nil || first == nil || key == nil || hides(first, body) || slices.ContainsFunc(body.Members, func(m jsontree.Member) bool {
			own := m.Name == "id" || hints.Flat(m.Name) == hints.Flat(keyName(p.Op))
			return own || m.Value.Text == key.Text || first.Get(m.Name) != nil && first.Get(m.Name).Text == key.Text
		})
	})
}

// hides reports whether a change may hide a resource: a boolean changes, or a text becomes one
// that says so.
func hides(was, is *jsontree.Value) bool {
	return slices.ContainsFunc(is.Members, func(m jsontree.Member) bool {
		if holds(was.Get(m.Name), m.Value) {
			return false
		}
		return m.Value.Kind == jsontree.Bool || saysGone(m.Value.Text, "hid", "priva", "draft", "retir", "expir", "suspend", "block", "end", "sold", "lost")
	})
}

// readBefore reports whether the same request found the resource before, at another address.
func readBefore(p *requirement.Input) bool {
	return slices.ContainsFunc(p.History, func(e requirement.TraceStep) bool { return e.Op == p.Op && e.Got.Success() })
}

// storedCreated: reading gives what creating gave.
var storedCreated = requirement.Rule{
	Name:        "stored-created",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a read returns other values than the thing was created with",
	Aspect:      requirement.AspectStored,
	Doc:         "An answer that reads what an accepted request made has the values of that request, as its answer gave them. Only members that both have are compared; spellings that stores change are equal. A key that the server gave is the same in both, if one of them is the key with which the thing is read. What is left of a value, such as a text that was cut, fails even if its answer had it.",
	Explanation: "Reading a resource returns the values that it was created with, in the form in which the creating response returned them.",
	Fix:         "Store every member that you accept, and return what is stored.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Read {
			return nil
		}
		return s.Should("RFC 9110, 9.3.1 and 9.3.3", "Reading gives the values that %s gave.", s.Resource.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		made := p.Made()
		if made == nil || !made.Got.Success() || len(p.History) > 1 || !p.Got.Success() {
			return requirement.None
		}
		if out := sameKey(p, made); out.Verdict == report.Fail {
			return out
		}
		return stored(p, made, 0)
	},
}

// sameKey fails if the server gives a resource one key when it is made and another when it is read. One
// of the two is the key with which it is read.
func sameKey(p *requirement.Input, made *requirement.TraceStep) requirement.Outcome {
	sent, key := written(p, made), keySent(p.Op, p.Sent)
	gave, is := unwrapped(answerOf(made), sent), unwrapped(p.Got.Reading.Root(), sent)
	if key == nil || gave == nil || is == nil {
		return requirement.None
	}
	for _, m := range is.Members {
		was := gave.Get(m.Name)
		if was == nil || sent.Get(m.Name) != nil || !scalar(was) || !scalar(m.Value) || !hints.IsKey(m.Name) && hints.Flat(m.Name) != hints.Flat(keyName(p.Op)) {
			continue
		}
		about := strings.EqualFold(was.Text, key.Text) || strings.EqualFold(m.Value.Text, key.Text)
		if about && !strings.EqualFold(was.Text, m.Value.Text) {
			return inResource(p, is, m.Name, requirement.Failed("another "+m.Name, m.Name+" "+shown(p, was)+", as "+made.Op.Name()+" gave it", m.Name+" "+shown(p, m.Value)))
		}
	}
	return requirement.None
}

// putCreates: a PUT that creates a resource is answered with 201.
var putCreates = requirement.Rule{
	Name:        "put-creates",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a PUT does not say whether it created or replaced",
	Doc:         "Where the document lists 201 for a PUT, a success for a thing that a read just did not find is 201, or 202. Only keys that are too long to be in use by chance are judged.",
	Explanation: "A PUT that creates a resource is answered with 201 (Created), and one that replaces it with 200 or 204.",
	Fix:         "Find out in the same statement whether the resource existed, and answer 201 if it did not.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Replace || s.Resource.PutCreates() == nil {
			return nil
		}
		return s.Row(report.Must, s.Resource.PutCreates().Pointer, "RFC 9110, 9.3.4", "A PUT that creates a resource is answered with 201.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before := missedRead(p)
		if before == nil || !p.Got.Success() || p.Got.Status == http.StatusAccepted {
			return requirement.None
		}
		return verdictOf(p.Got.Status == http.StatusCreated, p, "201, because "+before.Op.Name()+" just did not find it")
	},
}

// putMissing: a PUT does not make a resource without saying so.
var putMissing = requirement.Rule{
	Name:        "put-missing",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a PUT of a thing that does not exist is not answered as documented",
	Doc:         "Where the document lists 404 or 410 for a PUT, and no 201, a PUT of a thing that a read just did not find is not a success. Only keys that are too long to be in use by chance are judged. 202 is not judged, because a refusal may follow, nor is 201, which says that the thing was made.",
	Explanation: "A PUT of a resource that does not exist gets the documented refusal. A server that creates the resource answers 201.",
	Fix:         "Look for the resource first, and answer 404 where there is none: do not insert what cannot be updated.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Replace || s.Resource.PutMissing() == nil {
			return nil
		}
		return s.Row(report.Must, s.Resource.PutMissing().Pointer, "RFC 9110, 9.3.4", "A PUT of a resource that does not exist is refused.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		made, before := p.Made(), missedRead(p)
		if made == nil || !made.Got.Success() || before == nil || p.Got.Status == http.StatusAccepted || p.Got.Status == http.StatusCreated {
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "no success, because "+before.Op.Name()+" just did not find it")
	},
}

var carriedOverScenario = plan.Mutator{
	Name: "carried-over",
	Doc:  "Makes a thing with optional members between two without them and reads both of those, because a server that reuses an object carries its members over to the next thing.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || !r.TakesOptional() {
			return
		}
		add(alone(about("read", judges(carriedOver), 2, func(g *plan.Gen, draw int) []plan.Step {
			full := g.Request(r.Make, true)
			if draw > 0 {
				full = g.Fullest(r.Make)
			}
			steps := append(script(g, r.Make, s.Op), sibling(full, 1), sibling(simplest(g, r.Make), 2))
			steps[1].Aside, steps[2].Aside = true, true
			return append(steps, plan.Step{Message: simplest(g, s.Op), Kind: plan.About, Resource: 2})
		})))
	},
}

// carriedOver: a resource has no members of the one that was made before it.
var carriedOver = requirement.Rule{
	Name:        "carried-over",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a new thing has a value of another thing",
	Doc:         "A thing that was made without a member does not have the value that the request before it gave to that member of another thing. A value that a thing had even before that request is a default. A value of fewer than four characters is not judged: it may be equal by chance.",
	Explanation: "A resource has no value of another one that was created before it.",
	Fix:         "Make a new object for each request, and set every member of it: do not reuse one that still has the values of the last request.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Read || !s.Resource.TakesOptional() {
			return nil
		}
		return s.Should("RFC 9110, 9.3.3", "What %s made has no values of the resource made before it.", s.Resource.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		if len(p.History) < 4 || !p.Got.Success() || p.Op != p.History[1].Op {
			return requirement.None
		}
		before, of, made := &p.History[1], &p.History[2], &p.History[3]
		given, sent, is := bodyOfMade(of), bodyOfMade(made), resourceIn(p, p.Got.Reading.Root())
		was, key := resourceIn(p, answerOf(before)), keySent(p.Op, p.Sent)
		if given == nil || sent == nil || is == nil || was == nil || !before.Got.Success() || key == nil || before.Key == nil || jsontree.Equal(key, before.Key) {
			return requirement.None // or one thing, made twice
		}
		out := requirement.None
		for _, m := range given.Members {
			if sent.Get(m.Name) != nil || !telling(m.Value) || holds(was.Get(m.Name), m.Value) {
				continue
			}
			if holds(is.Get(m.Name), m.Value) {
				return requirement.Failed("carried over "+m.Name, "no "+m.Name+" of the resource that was made before", m.Name+" "+shown(p, is.Get(m.Name)))
			}
			out = requirement.Passed
		}
		return out
	},
}

// bodyOfMade returns the body of an accepted request that made a resource, or nil.
func bodyOfMade(e *requirement.TraceStep) *jsontree.Value {
	if root := e.Sent.Body.Root(); e.Got.Success() && root != nil && root.Kind == jsontree.Object {
		return root
	}
	return nil
}

// telling reports whether a value is one that a server does not choose by chance.
func telling(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.Array:
		return slices.ContainsFunc(v.Items, telling)
	case jsontree.Object:
		return slices.ContainsFunc(v.Members, func(m jsontree.Member) bool { return telling(m.Value) })
	}
	return scalar(v) && utf8.RuneCountInString(v.Text) >= minText
}
