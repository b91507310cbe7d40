package report_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/report"
)

// drawnResults makes results of any shape from numbers.
func drawnResults(numbers []uint16) []report.Result {
	categories := []report.Category{report.Crash, report.Security, report.Loss, report.Answer, report.Refusal, report.Leniency, ""}
	rules := []string{"answered", "refuses-credential", "stored-patched", "answer-schema", "accepted", "refuses-schema", ""}
	tells := []report.Tells{"", report.TellsCredential, "", report.TellsAnswer, report.TellsRequest, report.TellsValue, ""}
	kinds := []string{"type/null", "type/converted", "500/baseline", "500/long-field", "500/value/texts/long", "credential/absent", "minimum"}
	var out []report.Result
	for i, n := range numbers {
		rnd := rand.New(rand.NewPCG(uint64(n), 1))
		r := report.Result{Requirement: fmt.Sprint("r", i), Level: report.Levels()[rnd.IntN(3)], Operation: fmt.Sprint("GET /", rnd.IntN(4)), Verdict: report.Fail, Sentence: "A rule."}
		for k := range rnd.IntN(4) {
			at := rnd.IntN(len(rules))
			r.Failures = append(r.Failures, report.Failure{N: 10*i + k + 1, Sent: fmt.Sprint(rnd.IntN(9)), Flaw: report.Flaw{Category: categories[at], Rule: rules[at], OnePlace: rules[at] == "answer-schema", Tells: tells[at], Kind: kinds[rnd.IntN(len(kinds))],
				Where: []string{"string in body", "integer in query", ""}[rnd.IntN(3)], Said: []string{"", "no such table"}[rnd.IntN(2)], Alike: rnd.IntN(9)}})
			if x := &r.Failures[len(r.Failures)-1].Flaw; strings.Contains(x.Kind, "/value/") {
				x.Tried = []string{"/a", "/b"}[rnd.IntN(2)]
			}
		}
		out = append(out, r)
	}
	return out
}

func TestFindingsDoNotDependOnTheOrderAndHoldEveryFailure(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("any order", prop.ForAll(func(numbers []uint16) bool {
		results := drawnResults(numbers)
		want := report.Findings(results)
		members, in := 0, map[string]bool{}
		for _, f := range want {
			members += len(f.Members)
			for _, id := range f.Requirements {
				in[id] = true
			}
		}
		failures := 0
		for _, r := range results {
			failures += max(1, len(r.Failures))
			if !in[r.Requirement] {
				return false
			}
		}
		rand.New(rand.NewPCG(2, 3)).Shuffle(len(results), func(a, b int) { results[a], results[b] = results[b], results[a] })
		return members == failures && assert.ObjectsAreEqual(want, report.Findings(results))
	}, gen.SliceOf(gen.UInt16())))
	properties.TestingRun(t)
}

func TestNoTwoFindingsHaveOneID(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("ids", prop.ForAll(func(numbers []uint16) bool {
		var ids []string
		for _, f := range report.Findings(drawnResults(numbers)) {
			ids = append(ids, f.ID)
		}
		slices.Sort(ids)
		return len(ids) == len(slices.Compact(ids))
	}, gen.SliceOf(gen.UInt16())))
	properties.TestingRun(t)
}

// in returns the id of the finding that has a failure, by its number.
func in(t *testing.T, list []report.Finding, n int) string {
	for _, f := range list {
		if slices.ContainsFunc(f.Members, func(m report.Member) bool { return m.N == n }) {
			return f.ID
		}
	}
	require.Fail(t, "no finding has the failure")
	return ""
}

// kind is the part of an id that says which kind of fault it is.
func kind(id string) string {
	kind, _, _ := strings.Cut(id, "-")
	return kind
}

func TestTheIDOfAFindingStaysIfFailuresVanish(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("ids", prop.ForAll(func(numbers []uint16, drop uint16) bool {
		results := drawnResults(numbers)
		was := report.Findings(results)
		rnd := rand.New(rand.NewPCG(uint64(drop), 4))
		for i := range results {
			results[i].Failures = slices.DeleteFunc(results[i].Failures, func(report.Failure) bool { return rnd.IntN(2) == 0 })
			if len(results[i].Failures) == 0 {
				results[i].Verdict = report.Pass
			}
		}
		for _, f := range report.Findings(results) {
			for _, m := range f.Members {
				if kind(in(t, was, m.N)) != kind(f.ID) {
					return false
				}
			}
		}
		return true
	}, gen.SliceOf(gen.UInt16()), gen.UInt16()))
	properties.TestingRun(t)
}

func TestAFaultThatBecomesOneOfManyPlacesKeepsItsKind(t *testing.T) {
	list := []report.Result{fails("a", "POST /a", leniency("minimum", "integer in body"))}
	one := report.Findings(list)[0].ID
	for i := range 9 {
		list = append(list, fails(fmt.Sprint("b", i), "POST /b", leniency("minimum", "integer in body")))
	}
	many := report.Findings(list)
	require.Len(t, many, 1)
	assert.True(t, report.Kin(one, many[0].ID))
	assert.Equal(t, many[0].ID, report.Findings(list[3:])[0].ID, "the places of some are enough")
	other := report.Findings([]report.Result{fails("c", "POST /c", leniency("minimum", "integer in body"))})[0].ID
	assert.False(t, report.Kin(one, other), "%s %s", one, other)
	assert.True(t, report.Kin(other, many[0].ID))
}

func TestTheIDHasNothingOfTheValuesThatWereDrawn(t *testing.T) {
	crash := func(said, words string) string {
		return report.Findings([]report.Result{fails("a", "GET /a", report.Flaw{Category: report.Crash, Rule: "answered", Kind: "500/type/null", Said: said, Words: words})})[0].ID
	}
	assert.Equal(t, crash("KeyError: 'bcd'", "KeyError: …"), crash("KeyError: 'xyz'", "KeyError: …"))
	assert.NotEqual(t, crash("KeyError: 'bcd'", "KeyError: …"), crash("TypeError: 'bcd'", "TypeError: …"))
}
