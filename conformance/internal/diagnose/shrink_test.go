package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

const (
	baselinePlant = `{"id":7,"name":"fern2"}`
	badPlant      = `{"id":"7","name":"fern2"}`
)

func TestShrinkingKeepsWhatARequestIs(t *testing.T) {
	d := fake.Plants(t)
	sent := func(body string) *message.Sent {
		m := &message.Message{Op: d.Op(), Raw: []byte(body)}
		return d.Endpoint.Classify(m, d.Endpoint.Wire(m, "case"))
	}
	assert.True(t, alike(sent(badPlant), sent(`{"id":"","name":"a2"}`)))
	for _, other := range []string{baselinePlant, "", "{", `{"id":-1,"name":"fern2"}`} {
		assert.False(t, alike(sent(badPlant), sent(other)), other)
	}
	small, large := &message.Message{Raw: []byte(badPlant)}, &message.Message{Raw: []byte(`{"id":"7","name":8}`)}
	assert.Less(t, size(small, sent(badPlant)), size(large, sent(`{"id":"7","name":8}`)), "one defect is smaller than two, whatever the bytes")
}

// one makes a single case that sends what change makes of the plainest request.
func one(change func(m *message.Message)) plan.Mutator {
	return plan.Mutator{Name: "one", Doc: "One request.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyInvalid, Kind: "k", Cases: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
			m := g.Baseline()
			change(m)
			return []plan.Step{{Message: m}}
		}}}
	}}
}

// body replaces the body by a JSON text.
func body(t *testing.T, text string) func(m *message.Message) {
	d, err := jsontree.Parse([]byte(text))
	require.NoError(t, err)
	return func(m *message.Message) { m.Tree = d.Root.Clone() }
}

// run sends the only case and gives its failure; sent is what went out since.
func run(t *testing.T, change func(m *message.Message), serve func(doc *fake.Document) fake.Server) (*execute.Run, *plan.Case, *judge.Failure, *[]*exchange.Request) {
	doc := fake.Plants(t, append(fakerun.Mutators(t, "baseline"), one(change))...)
	var sent []*exchange.Request
	answer := serve(doc)
	r := fakerun.Of(t, doc, func(x *exchange.Request) *exchange.Exchange {
		if sent != nil {
			sent = append(sent, x)
		}
		return answer(x)
	})
	c := doc.Plan.Find("post-plants/invalid/one/k/0")
	require.NotEmpty(t, r.Record(c).Failures)
	sent = []*exchange.Request{}
	return r, c, &r.Record(c).Failures[0], &sent
}

// shrunk gives what is left of a failure.
func shrunk(t *testing.T, change func(m *message.Message), serve func(doc *fake.Document) fake.Server) (*Shrinker, bool, []*exchange.Request) {
	r, c, f, sent := run(t, change, serve)
	s := NewShrinker(t.Context(), r, c, f)
	defer s.Own.Close()
	minimal := s.Shrink()
	return s, minimal, *sent
}

func (s *Shrinker) id(at int) string { return s.run.Judge.Bound[at].ID }

// taking answers every body that breaks the schema as if it were a plant, where a
// condition holds.
func taking(where func(body string) bool) func(doc *fake.Document) fake.Server {
	return func(doc *fake.Document) fake.Server {
		return func(r *exchange.Request) *exchange.Exchange {
			e := doc.Conforming(r)
			if e.Response.Status == 400 && where(string(r.Body)) {
				return fake.Answer(200, "application/json", `{"name":"fern2"}`)
			}
			return e
		}
	}
}

func always(string) bool { return true }

func TestARequestShrinksToWhatFails(t *testing.T) {
	s, minimal, _ := shrunk(t, body(t, `{"name":"fern2","id":"a long text with an x in it","more":[1,2,3],"tag":"rose"}`),
		taking(func(b string) bool { return strings.Contains(b, "x") }))
	assert.True(t, minimal)
	last := s.Best.Steps[0]
	tree := last.Step.Message.Tree
	require.NotNil(t, tree)
	assert.Equal(t, `"x"`, tree.Get("id").String())
	assert.Nil(t, tree.Get("more"))
	assert.Nil(t, tree.Get("tag"))
	assert.Equal(t, "newplant-id-integer", s.id(s.Best.At))
}

// Without the head field it is taken for another reason, with another spelling it
// is refused: what is not needed goes, the rest stays.
func TestFieldsAndSpellingThatAreNotNeededGo(t *testing.T) {
	change := func(m *message.Message) {
		body(t, `{"name":"fern2","id":"7"}`)(m)
		m.Query, m.Style.Indent = "x=1", "  "
		m.Fields = []exchange.Field{{Name: "X-A", Value: "1"}}
		m.Names = strings.ToUpper
		m.Drop = []string{"User-Agent"}
		m.Framing = message.Chunked
	}
	s, minimal, _ := shrunk(t, change, taking(always))
	assert.True(t, minimal)
	m := s.Best.Steps[0].Step.Message
	// With any of them the server is free in how it refuses: one of them stays.
	kept := len(m.Fields) + len(m.Drop) + len(m.Query)
	if m.Names != nil {
		kept++
	}
	if m.Framing != message.Length {
		kept++
	}
	assert.Equal(t, 1, kept)
	assert.Empty(t, m.Fields)
	assert.Zero(t, m.Style)
	assert.NotEmpty(t, s.Best.Steps[0].Sent.Transport, "it stays a request with an unusual head")
}

// A body that breaks the schema never shrinks to one that is no JSON, or that is
// valid: every candidate is classified before it is sent.
func TestShrinkingNeverSendsAnotherKindOfRequest(t *testing.T) {
	s, _, sent := shrunk(t, body(t, `{"name":"fern2","id":"7","more":{"a":[1,2,{"b":"c"}]}}`), taking(always))
	was := s.Best.Steps[0].Sent
	require.NotEmpty(t, sent)
	for _, x := range sent {
		now := s.target.Endpoint.ClassifyBytes(s.Case.Op, x, x.Body)
		assert.Equal(t, was.Body.Kind.String(), now.Body.Kind.String(), string(x.Body))
		assert.Equal(t, was.Expectation(), now.Expectation(), string(x.Body))
	}
}

func TestWhatIsSmallerIsTheOnlyThingThatIsSent(t *testing.T) {
	const odd = `{"name":"é!","id":"7"}` // the plainest name is simpler, and longer
	_, _, sent := shrunk(t, body(t, odd), taking(func(b string) bool { return strings.Contains(b, `"7"`) }))
	for _, x := range sent {
		assert.Less(t, len(x.Body), len(odd), string(x.Body))
	}
	assert.Less(t, len(sent), 40)
}

// The server takes a missing name too: that is another requirement.
func TestShrinkingKeepsTheRequirementThatFails(t *testing.T) {
	s, _, _ := shrunk(t, body(t, `{"name":"fern2","id":"seven","more":1}`), taking(always))
	assert.Equal(t, "newplant-id-integer", s.id(s.Best.At))
	assert.NotNil(t, s.Best.Steps[0].Step.Message.Tree.Get("name"))
	assert.Equal(t, jsontree.String, s.Best.Steps[0].Step.Message.Tree.Get("id").Kind)
}

// It is refused in two ways; the other one is another failure.
func TestShrinkingKeepsTheWayOfFailing(t *testing.T) {
	s, _, _ := shrunk(t, body(t, `{"name":"fern2","id":"0123456789"}`), func(doc *fake.Document) fake.Server {
		return func(r *exchange.Request) *exchange.Exchange {
			e := doc.Conforming(r)
			if e.Response.Status != 400 {
				return e
			}
			if fake.Holds(r, "012345678") {
				return fake.Answer(500, "", "")
			}
			return fake.Answer(503, "", "")
		}
	})
	assert.Equal(t, "500", s.Best.Outcome.Signature)
	assert.Contains(t, string(s.Best.Steps[0].Step.Message.Body()), "012345678")
}

func TestARefusalIsShrunkToOneInTheSameWords(t *testing.T) {
	refuse := func(words string) *exchange.Exchange {
		return fake.Answer(400, "application/json", `{"error":"`+words+`"}`)
	}
	s, _, _ := shrunk(t, body(t, `{"id":4000000000,"name":"a fern of some length"}`), func(doc *fake.Document) fake.Server {
		return func(r *exchange.Request) *exchange.Exchange {
			d, err := jsontree.Parse(r.Body)
			switch {
			case err != nil:
			case d.Root.Get("name") != nil && len(d.Root.Get("name").Text) < 4:
				return refuse("used before")
			case above("2147483647")(d.Root):
				return refuse("too much")
			}
			return doc.Conforming(r)
		}
	})
	last := s.Best.Steps[len(s.Best.Steps)-1]
	assert.Contains(t, string(last.Exchange.Response.Content), "too much")
	assert.True(t, above("2147483647")(last.Sent.Body.Root()))
}

func TestAFailureThatNothingSmallerShowsStaysAsItWas(t *testing.T) {
	r, c, f, _ := run(t, body(t, `{"name":"fern2","id":"seven"}`), func(doc *fake.Document) fake.Server {
		return func(x *exchange.Request) *exchange.Exchange {
			if fake.Holds(x, `"name":"fern2","id":"seven"`) {
				return fake.Answer(500, "", "")
			}
			return doc.Conforming(x)
		}
	})
	s := NewShrinker(t.Context(), r, c, f)
	defer s.Own.Close()
	assert.True(t, s.Shrink())
	assert.Contains(t, string(s.Best.Steps[0].Step.Message.Body()), "seven")
	assert.Equal(t, *f, s.Best, "nothing smaller failed")
}

func TestShrinkingSendsNoMoreRequestsThanItsBudget(t *testing.T) {
	long := body(t, `{"name":"fern2","id":"`+strings.Repeat("abcdefghij", 70)+`"}`)
	keep := taking(func(b string) bool { return strings.Contains(b, strings.Repeat("abcdefghij", 70)) })
	r, c, f, sent := run(t, long, keep)
	s := NewShrinker(t.Context(), r, c, f)
	defer s.Own.Close()
	assert.False(t, s.Shrink(), "it says that the budget ended it")
	assert.Len(t, *sent, limits.ShrinkRequests)

	*sent = nil
	s = NewShrinker(t.Context(), r, c, f)
	s.left = 3
	assert.False(t, s.Shrink())
	assert.Zero(t, s.left)

	s = NewShrinker(t.Context(), r, c, f)
	s.Within(time.Hour, time.Now().Add(-time.Second))
	assert.False(t, s.Shrink(), "the time of all examples together is over")
	assert.Equal(t, limits.ShrinkRequests, s.left)

	ended, stop := context.WithCancel(t.Context())
	stop()
	s = NewShrinker(ended, r, c, f)
	assert.False(t, s.Shrink())
	assert.Equal(t, limits.ShrinkRequests, s.left)
}

func TestShrinkingGivesUpAfterSomeCandidatesThatGotNoAnswer(t *testing.T) {
	hung := 0
	r, c, f, sent := run(t, body(t, `{"name":"fern2","id":"0123456789","more":[1,2,3]}`), func(doc *fake.Document) fake.Server {
		return func(x *exchange.Request) *exchange.Exchange {
			e := doc.Conforming(x)
			switch {
			case e.Response.Status == 400 && fake.Holds(x, `"0123456789","more":[1,2,3]`):
				return fake.Answer(200, "application/json", `{"name":"fern2"}`)
			case e.Response.Status == 400:
				hung++
				return fake.Failing(exchange.TimedOut)
			}
			return e
		}
	})
	s := NewShrinker(t.Context(), r, c, f)
	defer s.Own.Close()
	assert.False(t, s.Shrink())
	assert.Equal(t, limits.ShrinkSilent, hung)

	s.Best.Steps[0].Exchange.Failure = &exchange.Failure{Kind: exchange.TimedOut}
	*sent = nil
	assert.False(t, s.Shrink(), "a time-out itself is not made smaller")
	assert.Empty(t, *sent)
}

func TestASequenceLosesTheStepsThatAreNotNeeded(t *testing.T) {
	many := plan.Mutator{Name: "one", Doc: "A sequence.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyInvalid, Kind: "k", Phase: plan.Sequence, Cases: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
			var steps []plan.Step
			for n := range 9 {
				m := g.Baseline()
				if n == 3 {
					m.Tree.Set("id", jsontree.NewString("seven"))
				}
				steps = append(steps, plan.Step{Message: m})
			}
			return steps
		}}}
	}}
	doc := fake.Plants(t, append(fakerun.Mutators(t, "baseline"), many)...)
	spoilt, count := false, 0
	r := fakerun.Of(t, doc, func(x *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(x)
		if e.Response.Status == 400 {
			spoilt, count = true, 0
			return e
		}
		if count++; spoilt && count == 5 { // the fifth behind a refused one
			spoilt = false
			return fake.Answer(500, "", "")
		}
		return e
	})
	c := doc.Plan.Find("post-plants/invalid/one/k/0")
	require.NotEmpty(t, r.Record(c).Failures)
	s := NewShrinker(t.Context(), r, c, &r.Record(c).Failures[0])
	defer s.Own.Close()
	require.Len(t, s.Best.Steps, 9)
	assert.True(t, s.Shrink())
	assert.Len(t, s.Best.Steps, 6)
	assert.Contains(t, string(s.Best.Steps[0].Step.Message.Body()), "seven")
}

func TestARequestWithSeveralDefectsIsSettledOnTheOneThatFailsAlone(t *testing.T) {
	noName := taking(func(b string) bool { return !strings.Contains(b, `"name"`) })
	r, c, f, _ := run(t, body(t, `{"id":"7"}`), noName)
	at := Settle(t.Context(), r, c, f)
	assert.Equal(t, "newplant-name-required", r.Judge.Bound[at].ID)

	// It was reported under the name, which is missing too.
	r, c, f, _ = run(t, body(t, `{"id":"7"}`), taking(func(b string) bool { return strings.Contains(b, `"id":"`) }))
	require.Equal(t, "newplant-name-required", r.Judge.Bound[f.At].ID)
	at = Settle(t.Context(), r, c, f)
	assert.Equal(t, "newplant-id-integer", r.Judge.Bound[at].ID)

	// If neither fails alone, the requirement stays the same.
	r, c, f, _ = run(t, body(t, `{"id":"7"}`), taking(func(b string) bool { return !strings.Contains(b, `"name"`) && strings.Contains(b, `"7"`) }))
	was := f.At
	at = Settle(t.Context(), r, c, f)
	assert.Equal(t, was, at)
}

// A target that takes a value once needs fresh ones for each candidate.
func TestCandidatesHaveFreshValuesWhereTheTargetTakesAValueOnce(t *testing.T) {
	has := map[string]bool{}
	more := func(m *message.Message) {
		m.Tree.Set("tag", jsontree.NewInt(8))
		m.Tree.Set("more", jsontree.NewString("abcdef"))
	}
	s, minimal, sent := shrunk(t, more, func(doc *fake.Document) fake.Server {
		return func(x *exchange.Request) *exchange.Exchange {
			p, err := jsontree.Parse(x.Body)
			if err != nil || p.Root.Get("id") == nil {
				return doc.Conforming(x)
			}
			id := p.Root.Get("id").Text
			if has[id] {
				return fake.Answer(400, "application/json", `{"error":409,"message":"taken"}`)
			}
			has[id] = true
			return taking(always)(doc)(x)
		}
	})
	assert.True(t, minimal)
	assert.Regexp(t, `^\{"name":"","id":.,"tag":8\}$`, string(s.Best.Steps[0].Step.Message.Body()), "a small id, used once, would make repeats of all others")
	ids := map[string]bool{}
	for _, x := range sent {
		p, err := jsontree.Parse(x.Body)
		require.NoError(t, err)
		if id := p.Root.Get("id"); id != nil {
			assert.False(t, ids[id.Text] && len(id.Text) > 3, "id %s was sent twice", id.Text)
			ids[id.Text] = true
		}
	}
	assert.NotEmpty(t, ids)
}
