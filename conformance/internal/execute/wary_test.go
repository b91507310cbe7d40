package execute_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

func TestATargetThatStopsAnsweringOnKeptConnectionsIsToldSoon(t *testing.T) {
	// It answers one request of these cases on each connection.
	deaf := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if !c.Fresh && (of(c, "one") || of(c, "pair")) {
			return hanging()
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: deaf, workers: 4, cases: []plan.Mutator{pairs("pair", 200), singles("one", 400)}}, func(t *testing.T, s scene) {
		assert.Less(t, s.took, 40*time.Second)
		assert.Empty(t, s.ways("one"), "each is answered on a connection of its own")
		ways := s.ways("pair")
		assert.Len(t, ways, 1, "one is confirmed, the others stay behind it")
		for _, way := range ways {
			assert.Equal(t, "post-plants-answered: timed out\n", way)
		}
		hung := 0
		for _, c := range s.sent("pair") {
			if !c.Fresh {
				hung++
			}
		}
		assert.Less(t, hung, 100, "what no case of a mutator shows otherwise is not waited for in each class")
	})
}

// pairs is n classes of a case each: two requests on a connection.
func pairs(name string, n int) plan.Mutator {
	two := sequence(name, 1, 2, nil)
	return plan.Mutator{Name: name, Doc: two.Doc, Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for i := range n {
			c := two.Classes(s)[0]
			c.Kind = fmt.Sprintf("kind-%d", i)
			out = append(out, c)
		}
		return out
	}}
}

// A server that does not read chunks takes them for the next request.
func TestNoCaseFollowsAnUnusualFramingOnItsConnection(t *testing.T) {
	chunked := making("chunked", plan.Class{Family: plan.FamilyMayRefuse, Cases: 20, Expected: plan.ExpectMayRefuse, Build: func(g *generate.Gen, _ int) []plan.Step {
		m := g.Baseline()
		m.Framing = message.Chunked
		return []plan.Step{{Message: m}}
	}})
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange { return d.Conforming(c.Request) }
	play(t, script{serve: serve, cases: []plan.Mutator{chunked, singles("plain", 20)}}, func(t *testing.T, s scene) {
		var before fake.Call
		kept, behind := 0, 0
		for i, c := range s.Calls() {
			switch {
			case i > 0 && of(before, "chunked"):
				assert.True(t, c.Fresh, c.Request.Case)
				behind++
			case !c.Fresh:
				kept++
			}
			before = c
		}
		assert.NotZero(t, behind)
		assert.NotZero(t, kept)
	})
}
