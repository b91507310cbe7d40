package judge

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// class makes a class of requests with one body each.
func class(slug string, expected message.Expectation, bodies ...string) plan.Mutator {
	return plan.Mutator{Name: slug, Doc: "One body.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyValid, Kind: "k", Expected: expected, Cases: len(bodies), Build: func(g *plan.Gen, draw int) []plan.Step {
			m := g.Baseline()
			m.Tree, m.Raw = nil, []byte(bodies[draw])
			return []plan.Step{{Message: m}}
		}}}
	}}
}

// covered gives what each case can try, by its id.
func covered(t *testing.T, list ...plan.Mutator) (*Judge, map[string]map[string]bool) {
	d := fake.Plants(t, list...)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	j.Cover(d.Plan.Cases)
	out := map[string]map[string]bool{}
	for _, c := range d.Plan.Cases {
		names := map[string]bool{}
		for at, end := j.Of(c.Op); at < end; at++ {
			if j.Covers(c).Has(at) {
				names[j.Bound[at].ID] = true
			}
		}
		out[c.ID] = names
	}
	return j, out
}

func TestACaseCanTryWhatAFaultlessServerShowsAndNothingElse(t *testing.T) {
	_, got := covered(t, class("baseline", message.Accept, baselinePlant), class("bad", message.Refuse, badPlant), class("broken", message.RefuseNotJSON, "{"),
		class("edge", message.Either, `{"id":0,"name":"fern2"}`), class("tagged", message.Either, `{"id":7,"name":"fern2","tag":"rose"}`))
	for id, c := range map[string]struct{ can, cannot []string }{
		"baseline": {[]string{"post-plants-answered", "post-plants-valid-accepted", "post-plants-200-status", "plant-name-required", "echo-name", "newplant-tag-optional"}, []string{"newplant-id-integer", "post-plants-400-status", "error-error-required", "bearer-required", "echo-tag", "echo-may-refuse"}},
		"bad":      {[]string{"newplant-id-integer", "post-plants-400-status", "error-error-required"}, []string{"post-plants-valid-accepted", "post-plants-200-status", "echo-name", "newplant-name-string", "post-plants-body-json"}},
		"broken":   {[]string{"post-plants-body-json", "post-plants-400-json"}, []string{"newplant-id-integer", "post-plants-body-required"}},
		"edge":     {[]string{"post-plants-200-status", "post-plants-400-status", "echo-name"}, []string{"post-plants-valid-accepted", "newplant-id-accepted"}},
		"tagged":   {[]string{"newplant-tag-accepted", "echo-tag"}, []string{"newplant-tag-optional", "newplant-tag-string"}},
	} {
		names := got["post-plants/valid/"+id+"/k/0"]
		for _, can := range c.can {
			assert.True(t, names[can], "%s can try %s", id, can)
		}
		for _, cannot := range c.cannot {
			assert.False(t, names[cannot], "%s cannot try %s", id, cannot)
		}
	}
}

func TestAnOpenPointIsTriedByTheCasesThatShowIt(t *testing.T) {
	unknown := class("unknown-members", message.Either, `{"name":"fern2","id":7,"more":1}`)
	made := unknown.Classes
	unknown.Classes = func(s *plan.Space) []plan.Class {
		list := made(s)
		list[0].Family = plan.FamilyMayRefuse
		return list
	}
	_, got := covered(t, unknown)
	assert.True(t, got["post-plants/may-refuse/unknown-members/k/0"]["open-unknown-members"])
	assert.False(t, got["post-plants/may-refuse/unknown-members/k/0"]["open-nesting"])
}

func TestACaseThatIsExaminedTellsThatItsClassTestsMore(t *testing.T) {
	for _, list := range [][]string{
		{badPlant, badPlant, badPlant, badPlant, `[]`, badPlant},
		{badPlant, badPlant, badPlant, badPlant, badPlant, badPlant, `[]`},
	} {
		_, got := covered(t, class("same", message.Refuse, list...))
		n := 0
		for _, names := range got {
			if names["newplant-object"] {
				n++
			}
		}
		assert.Equal(t, 1, n)
	}
}

// The first cases of a class stand for the others if they test the same.
func TestAllCasesOfAClassCanTestWhatItsFirstOnesAllCan(t *testing.T) {
	_, got := covered(t, class("same", message.Refuse, badPlant, badPlant, badPlant, badPlant, badPlant, `[]`, badPlant))
	for draw := range 7 {
		names := got["post-plants/valid/same/k/"+string(rune('0'+draw))]
		assert.True(t, names["newplant-id-integer"], "%d", draw)
		assert.False(t, names["newplant-object"], "the sixth was not examined")
	}
}

func TestEveryCaseOfAClassIsExaminedIfItsFirstOnesDiffer(t *testing.T) {
	_, got := covered(t, class("mixed", message.Refuse, badPlant, `{"id":7,"name":8}`, `{"id":7}`, badPlant, `[]`))
	for draw, want := range []string{"newplant-id-integer", "newplant-name-string", "newplant-name-required", "newplant-id-integer", "newplant-object"} {
		names := got["post-plants/valid/mixed/k/"+string(rune('0'+draw))]
		for _, id := range []string{"newplant-id-integer", "newplant-name-string", "newplant-name-required", "newplant-object"} {
			assert.Equal(t, id == want, names[id], "%d: %s", draw, id)
		}
	}
}

func TestALargeCaseIsOnlyOneThatIsAnswered(t *testing.T) {
	heavy := class("heavy", message.Unstated, baselinePlant)
	made := heavy.Classes
	heavy.Classes = func(s *plan.Space) []plan.Class {
		list := made(s)
		list[0].Phase = plan.Heavy
		return list
	}
	_, got := covered(t, heavy)
	assert.Equal(t, map[string]bool{"post-plants-answered": true, "post-plants-framing": true}, got["post-plants/valid/heavy/k/0"])
}

// A token without letters has no other case: such an attempt is the valid one.
func TestAWrongCredentialThatIsTheValidOneCanTryNothing(t *testing.T) {
	same := class("same", message.RefuseCredential, baselinePlant)
	other := plan.Mutator{Name: "other", Doc: "No credential.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyCredential, Kind: "k", Expected: message.RefuseCredential, Cases: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
			m := g.Baseline()
			m.Credentials = []message.Presented{}
			return []plan.Step{{Message: m}}
		}}}
	}}
	_, got := covered(t, same, other)
	assert.Empty(t, got["post-plants/valid/same/k/0"])
	assert.True(t, got["post-plants/credential/other/k/0"]["bearer-required"])
	assert.True(t, got["post-plants/credential/other/k/0"]["bearer-challenge"])
}

func TestRequirementsAreAskedTheMostBasicFirstAndKeepTheirPlaceInTheSet(t *testing.T) {
	j := plants(t)
	first, end := j.Of(j.Bound[0].Op)
	assert.Zero(t, first)
	assert.Len(t, j.Bound, end)
	seen := map[int]bool{}
	last := requirement.Rank(0)
	for _, b := range j.Bound {
		assert.GreaterOrEqual(t, b.Rule.Rank, last, b.ID)
		last = b.Rule.Rank
		seen[b.Index] = true
		assert.Equal(t, b.Requirement.Rule, b.Rule.Name)
	}
	assert.Len(t, seen, len(j.Bound))
	made := &plan.Case{Op: j.Bound[0].Op, Class: &plan.Class{Rules: []string{"belongs"}}}
	assert.Equal(t, "post-plants-answered", j.Bound[j.Answered(made)].ID)
	made.Class.Hinted = true
	assert.Equal(t, "answer-belongs", j.Bound[j.Answered(made)].ID, "a case that a text makes shows nothing else")
	assert.Equal(t, -1, j.Answered(&plan.Case{Op: &openapi.Operation{}, Class: &plan.Class{}}))
}

// Of two operations each has its own requirements, and sets of them do not meet.
func TestEachOperationHasItsOwnRequirements(t *testing.T) {
	c, err := openapi.Load("two.json", []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
"/a":{"get":{"responses":{"200":{"description":"it"}}}},"/b":{"get":{"responses":{"200":{"description":"it"}}}}}}`))
	require.NoError(t, err)
	p, err := plan.New(c, nil, 1, 1)
	require.NoError(t, err)
	j := New(requirement.Derive(c, checks.Rules()), checks.Rules(), p, &message.Endpoint{Auth: func(*openapi.Operation) *message.Auth { return nil }})
	_, middle := j.Of(c.Operations[0])
	second, end := j.Of(c.Operations[1])
	assert.Equal(t, middle, second)
	assert.Equal(t, len(j.Bound), end)
	for at := range j.Bound {
		assert.Equal(t, at < middle, j.Bound[at].Op == c.Operations[0], at)
	}
	s := j.NewSet(c.Operations[1])
	s.Add(end - 1)
	assert.True(t, s.Has(end-1))
	assert.False(t, s.Has(0))
	assert.NotEqual(t, j.Answered(&plan.Case{Op: c.Operations[0], Class: &plan.Class{}}), j.Answered(&plan.Case{Op: c.Operations[1], Class: &plan.Class{}}))
}

func TestWhatAFaultlessServerAnswersHoldsWhatWasSent(t *testing.T) {
	j := plants(t)
	op := j.Bound[0].Op
	sent := played(j, `{"id":7,"name":"fern2"}`, answered(200, jsonType, echoed)).Sent
	list := j.ideals(op, sent)
	require.Len(t, list, 1)
	got := requirement.Read(op, list[0])
	assert.Equal(t, 200, got.Status)
	assert.True(t, jsontree.Equal(jsontree.NewString("fern2"), got.Reading.Root().Get("name")))
	assert.Len(t, j.ideals(op, played(j, `{"id":0,"name":"fern2"}`, answered(200, jsonType, echoed)).Sent), 2, "either may come")
}

// With a token without underscores, ${CONFORMANCE_TOKEN//_/-} is the right one.
func TestACredentialThatThisTokenMakesTheRightOneIsNotTried(t *testing.T) {
	presents := func(value string) plan.Mutator {
		return plan.Mutator{Name: "changed", Doc: "One credential.", Classes: func(*plan.Space) []plan.Class {
			return []plan.Class{{Family: plan.FamilyCredential, Kind: "k", Phase: plan.Credential, Expected: message.Unstated, Cases: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
				m := g.Baseline()
				m.Credentials = []message.Presented{{Field: "Authorization", Value: func(token string) string { return "Bearer " + token + value }}}
				return []plan.Step{{Message: m}}
			}}}
		}}
	}
	for value, differs := range map[string]bool{"": false, "x": true} {
		d := fake.Plants(t, presents(value))
		j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
		c := d.Plan.Cases[len(d.Plan.Cases)-1]
		assert.Equal(t, differs, j.Differs(c, d.Plan.Build(c, plan.Identity{})), value)
	}
}

// over makes an empty set of the requirements from first to end.
func over(first, end int) Set { return Set{first: first, words: make([]uint64, (end-first+63)/64)} }

func TestASetHoldsWhatWasAddedAndNothingElse(t *testing.T) {
	const first, end = 100, 300
	for _, members := range [][]int{{}, {100}, {163}, {164}, {100, 163, 164, 227, 228, 299}} {
		s := over(first, end)
		for _, at := range members {
			s.Add(at)
		}
		var each []int
		s.Each(func(at int) { each = append(each, at) })
		assert.ElementsMatch(t, members, each)
		assert.True(t, slices.IsSorted(each))
		assert.Equal(t, len(members) == 0, s.Empty())
		for at := first - 70; at < end+70; at++ {
			assert.Equal(t, slices.Contains(members, at), s.Has(at), at)
		}
	}
}

func TestAUnionHoldsTheMembersOfBothInEveryWord(t *testing.T) {
	a, b := over(5, 205), over(5, 205)
	for _, at := range []int{5, 68, 140} {
		a.Add(at)
	}
	for _, at := range []int{68, 69, 204} {
		b.Add(at)
	}
	a.Union(b)
	var got []int
	a.Each(func(at int) { got = append(got, at) })
	assert.Equal(t, []int{5, 68, 69, 140, 204}, got)
	a.Union(Set{})
	assert.True(t, a.Has(204), "an empty set of no operation adds nothing")
}

func TestEqualSetsHaveOneKeyAndOthersAnother(t *testing.T) {
	keys := map[string]string{}
	for name, members := range map[string][]int{"none": nil, "first": {0}, "second word": {64}, "last": {199}, "both": {0, 64}} {
		s, again := over(0, 200), over(0, 200)
		for _, at := range members {
			s.Add(at)
		}
		for _, at := range slices.Backward(members) {
			again.Add(at)
		}
		assert.Equal(t, s.key(), again.key())
		assert.Empty(t, keys[s.key()], "%s has the key of another set", name)
		keys[s.key()] = name
	}
	assert.NotEqual(t, over(0, 64).key(), over(64, 128).key(), "sets of two operations")
}
