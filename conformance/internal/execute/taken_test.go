package execute_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// twice sends a text with a letter of two bytes, and again in pieces.
func twice() plan.Mutator {
	return making("twice", plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: 1, Connections: 1, Build: func(g *generate.Gen, _ int) []plan.Step {
		text := jsontree.NewString(g.Word() + "é")
		whole, again := g.Baseline(), g.Baseline()
		whole.Tree.Set("name", text)
		again.Tree.Set("name", text.Clone())
		again.Framing = message.Pieces
		return []plan.Step{{Message: whole}, {Message: again, Taken: true}}
	}})
}

func TestWhatWasAcceptedMustBeAcceptedAgainUnlessRepeatsAreRefused(t *testing.T) {
	name := func(c fake.Call) string {
		_, rest, _ := bytes.Cut(c.Request.Body, []byte(`"name":"`))
		text, _, _ := bytes.Cut(rest, []byte(`"`))
		return string(text)
	}
	wide := func(c fake.Call) bool { return bytes.Contains(c.Request.Body, []byte("é")) }
	for what, refuses := range map[string]func(c fake.Call, times int) bool{
		"in pieces": func(c fake.Call, _ int) bool { return wide(c) && len(c.Request.Cuts) > 0 },
		"repeated":  func(_ fake.Call, times int) bool { return times > 0 },
		"wide":      func(c fake.Call, _ int) bool { return wide(c) },
	} {
		seen := map[string]int{}
		play(t, script{cases: []plan.Mutator{twice()}, serve: func(d *fake.Document, c fake.Call) *exchange.Exchange {
			e := d.Conforming(c.Request)
			if e.Success() {
				if refuses(c, seen[name(c)]) {
					return fake.Answer(400, "application/json", `{"error":400,"message":"no"}`)
				}
				seen[name(c)]++
			}
			return e
		}}, func(t *testing.T, s scene) {
			said := fmt.Sprint(s.ways("twice"))
			assert.Equal(t, what == "in pieces", strings.Contains(said, "post-plants-valid-accepted"), "%s: %s", what, said)
		})
	}
}
