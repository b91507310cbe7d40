package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// tagged reports whether a body has a tag, other than the allowed ones.
func hasTag(allowed ...string) func(*jsontree.Value) bool {
	return func(body *jsontree.Value) bool {
		v := body.Get("tag")
		for _, a := range allowed {
			if v != nil && v.Text == a {
				return false
			}
		}
		return v != nil
	}
}

func TestOneAllowedTagIsEnough(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members", "string-values")
	d := diagnose(t, doc, wrong(doc, hasTag("rose")))
	assert.Empty(t, d.failed())
	assert.Equal(t, report.Pass, d.results["newplant-tag-accepted"].Verdict)
	assert.Empty(t, d.target.Reasons)
}

func TestWhereEveryTagIsRefusedAlikeTheUserIsAskedForOne(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members", "string-values")
	d := diagnose(t, doc, wrong(doc, hasTag()))
	assert.Empty(t, d.failed())
	for _, id := range []string{"newplant-tag-accepted", "echo-tag"} {
		assert.Equal(t, report.Inconclusive, d.results[id].Verdict, id)
		assert.Contains(t, d.results[id].Reason, "--value '/tag=VALUE'", id)
	}
	assert.Equal(t, report.Pass, d.results["echo-name"].Verdict)
}

func TestWhereTagsAreRefusedInDifferentFormsTheMemberIsNotTaken(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members", "string-values")
	for name, other := range map[string]*exchange.Exchange{
		"another status":  fake.Answer(422, "application/json", `{"error":400,"message":"no"}`),
		"another message": fake.Answer(400, "application/json", `{"error":400,"message":"never","tag":"x"}`),
	} {
		n := 0
		d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
			p, err := jsontree.Parse(r.Body)
			if err != nil || !hasTag()(p.Root) {
				return doc.Conforming(r)
			}
			if n++; n%2 == 0 {
				e := *other.Response
				return &exchange.Exchange{Response: &e}
			}
			return refuse()
		})
		assert.Contains(t, d.failed(), "newplant-tag-accepted", name)
	}
}

// The refusals look alike, but not those of the tag alone.
func TestWhereTheSameRequestWithoutTheTagIsRefusedTooItIsNoMatterOfAList(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members")
	run := fakerun.Of(t, doc, wrong(doc, hasTag()))
	d := &Diagnosis{target: doc.Target(wrong(doc, func(*jsontree.Value) bool { return true })), judge: run.Judge, run: run}
	assert.Empty(t, d.withoutKnownValue(t.Context(), map[int]bool{}))
	d = &Diagnosis{target: doc.Target(doc.Conforming), judge: run.Judge, run: run}
	assert.Len(t, d.withoutKnownValue(t.Context(), map[int]bool{}), 1)
}

func TestAnOrdinaryWordIsOneThatOnlyAListRefuses(t *testing.T) {
	for text, want := range map[string]bool{"rose": true, "Rose": true, "": false, "a1": false, "é": false, "two words": false,
		strings.Repeat("a", 16): true, strings.Repeat("a", 17): false} {
		assert.Equal(t, want, ordinaryWord(text), fmt.Sprintf("%q", text))
	}
}
