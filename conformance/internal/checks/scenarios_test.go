package checks_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

func TestAReplacementGivesEveryMemberAnotherValue(t *testing.T) {
	t.Parallel()
	sizes := map[int]bool{}
	for draw := range 4 {
		steps := stepsOf(t, "albums", fmt.Sprintf("get-albums-albumid/sequence/replaced/read/%d", draw))
		before, after := steps[0].Message.Tree, steps[2].Message.Tree
		sizes[len(after.Members)-len(before.Members)] = true
		for _, m := range after.Members {
			assert.False(t, jsontree.Equal(before.Get(m.Name), m.Value), "draw %d: %s stays as it was", draw, m.Name)
		}
	}
	assert.Equal(t, map[int]bool{-2: true, 0: true, 2: true}, sizes, "optional members go, stay and come")
}

func TestEachMemberIsPatchedInACaseOfItsOwn(t *testing.T) {
	t.Parallel()
	var patched []string
	for draw := range 6 {
		steps := stepsOf(t, "cards", fmt.Sprintf("get-cards-cardid/sequence/patched/read/%d", draw))
		one := ""
		for _, m := range steps[len(steps)-2].Message.Tree.Members {
			assert.False(t, jsontree.Equal(steps[0].Message.Tree.Get(m.Name), m.Value), "draw %d: %s stays as it was", draw, m.Name)
			one += m.Name
			if m.Value.Kind == jsontree.Null {
				one += " away"
			}
		}
		patched = append(patched, one)
	}
	assert.Equal(t, []string{"front", "back", "hint", "frontbackhint", "back away", "hint away"}, patched)
}

func TestAPutIsRepeatedByteForByte(t *testing.T) {
	t.Parallel()
	steps := stepsOf(t, "albums", "put-albums-albumid/sequence/repeated/put/0")
	assert.Equal(t, string(steps[1].Message.Body()), string(steps[2].Message.Body()))
	assert.NotEqual(t, string(steps[0].Message.Body()), string(steps[1].Message.Body()))
}

func TestARefusedChangeIsWrongInItsLastMemberAlone(t *testing.T) {
	t.Parallel()
	for _, change := range []string{"patch", "put"} {
		m := stepsOf(t, "albums", "get-albums-albumid/sequence/refused/"+change+"-albums-albumid/0")[2].Message
		r := m.Reading()
		assert.Equal(t, schema.Invalid, r.Kind)
		require.Len(t, r.Violations, 1, change)
		assert.Equal(t, "/year", r.Violations[0].Path)
		members := m.Tree.Members
		require.Len(t, members, 3, change)
		assert.Equal(t, "year", members[2].Name, "what is valid comes before it")
		require.True(t, m.Remove("/year"))
		assert.Equal(t, schema.MustAccept, m.Reading().Kind, "the other members are valid")
	}
}

func TestAJSONPatchDoesWhatItsKindSays(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"replaced": "replace /front; replace /back", "added": "add /back; add /hint", "removed": "remove /back; remove /hint",
		"tested": "replace /front test /front; replace /back test /back"} {
		var all []string
		for draw := range 2 {
			steps := stepsOf(t, "cards", fmt.Sprintf("get-cards-cardid/sequence/json-patched/%s/%d", kind, draw))
			before, patch := steps[0].Message.Tree, steps[2].Message
			assert.True(t, slices.ContainsFunc(patch.Fields, func(f exchange.Field) bool { return f.Value == "application/json-patch+json" }), kind)
			var one []string
			for _, o := range patch.Tree.Items {
				at := o.Get("path").Text
				one = append(one, o.Get("op").Text+" "+at)
				assert.Equal(t, kind != "added", before.At(at) != nil, "%s: the thing has the member before", kind)
				assert.Equal(t, kind != "removed", o.Get("value") != nil, "%s: a value", kind)
				assert.False(t, jsontree.Equal(before.At(at), o.Get("value")), "%s: another value", kind)
			}
			if kind == "tested" {
				assert.False(t, jsontree.Equal(patch.Tree.Items[0].Get("value"), patch.Tree.Items[1].Get("value")), "the test fails")
			}
			all = append(all, strings.Join(one, " "))
		}
		assert.Equal(t, want, strings.Join(all, "; "))
	}
}

// What stands for the key of the resource is filled in from the answer that made it.
func TestAKeyThatNobodyGaveIsNotThatOfTheThing(t *testing.T) {
	t.Parallel()
	for entry, given := range map[string]bool{"created": true, "never-given": false} {
		m := stepsOf(t, "albums", "get-albums-albumid/sequence/"+entry+"/read/0")[1].Message
		stands := m.Bound["path/albumId"]
		require.NotNil(t, stands)
		assert.Equal(t, given, jsontree.Equal(stands, m.Key()), entry)
	}
}

func TestAPatchGivesAMemberWhatManyLanguagesTakeForNoValue(t *testing.T) {
	t.Parallel()
	var given []string
	for draw := range 2 {
		steps := stepsOf(t, "crud", fmt.Sprintf("get-projects-projectid/sequence/patched/emptied/%d", draw))
		given = append(given, string(steps[2].Message.Body()))
	}
	assert.Equal(t, []string{`{"budget":0}`, `{"archived":false}`}, given)
}

// documents are the documents in which every case is examined. Together they have one of each entry.
func documents() []string {
	return []string{"crud", "albums", "cards", "minutes", "articles", "lockers", "accounts", "notes", "stamps", "guides", "workshop", "drawers", "shelves", "payments", "ballots", "chores"}
}

// load reads a document as a run does whose user gave a second credential.
func load(t *testing.T, name string) *openapi.Contract {
	t.Helper()
	path := "../../../reference/services/testdata/" + name + ".yaml"
	if name == "crud" {
		path = "../../../reference/services/crud/openapi.yaml"
	}
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	c, err := openapi.Load(name, b)
	require.NoError(t, err)
	return analysed(c.ChooseOther(func(*openapi.Scheme) bool { return true }))
}

// analysed finds the lists of a document, and the ways to what its requests need.
func analysed(c *openapi.Contract) *openapi.Contract {
	c = resource.FindPaging(c)
	_, c = resource.Analyse(c)
	return c
}

// plannedFor makes the plan of a document that is given as text.
func plannedFor(t *testing.T, document string) *plan.Plan {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	return planned(t, analysed(c), 1, plan.Effort{})
}

// planned makes the plan of a document with all scenarios.
func planned(t *testing.T, c *openapi.Contract, seed uint64, effort plan.Effort) *plan.Plan {
	t.Helper()
	return fake.Plan(t, c, seed, 1, effort, checks.Scenarios()...)
}

// plansOf are the plans of the documents by name. Each is made once for all tests.
var plansOf fake.Shared[*plan.Plan]

// planOf is the plan of a document with all scenarios.
func planOf(t *testing.T, name string) *plan.Plan {
	t.Helper()
	return plansOf.Of(name, func() *plan.Plan { return planned(t, load(t, name), 1, plan.Effort{}) })
}

// walked are the cases of every document with their steps, which are built once for all tests.
var walked fake.Shared[[]walkedCase]

type walkedCase struct {
	of    *plan.Case
	steps []plan.Step
}

// walk calls f with the steps of every case of every document.
func walk(t *testing.T, f func(t *testing.T, p *plan.Plan, c *plan.Case, steps []plan.Step)) {
	t.Helper()
	for _, name := range documents() {
		p := planOf(t, name)
		require.NotEmpty(t, p.Cases, name)
		built := walked.Of(name, func() (out []walkedCase) {
			for _, c := range p.Cases {
				out = append(out, walkedCase{of: c, steps: p.Build(c, plan.Identity{Seed: 1})})
			}
			return out
		})
		for _, w := range built {
			require.NotEmpty(t, w.steps, w.of.ID)
			f(t, p, w.of, w.steps)
		}
	}
}

// stepsOf builds one case of a document.
func stepsOf(t *testing.T, document, id string) []plan.Step {
	t.Helper()
	return built(t, planOf(t, document), id)
}

// built builds one case of a plan.
func built(t *testing.T, p *plan.Plan, id string) []plan.Step {
	t.Helper()
	c := p.Find(id)
	require.NotNil(t, c, id)
	return p.Build(c, plan.Identity{Seed: 1})
}

// story names the operations of the steps and what is special about each.
func story(steps []plan.Step) string {
	var out []string
	for _, s := range steps {
		one := s.Message.Op.ID
		if s.Message.Other {
			one = "other:" + one
		}
		if s.Resource > 0 {
			one += "'"
		}
		if s.Kind == plan.Refers {
			one += "@"
		}
		if s.Open {
			one += "?"
		}
		if c, conditional := s.From.(plan.Condition); conditional {
			one += fmt.Sprintf("[%s of %d%s]", c.Field, c.Step, c.As)
			if c.Older {
				one = strings.TrimSuffix(one, "]") + ", older]"
			}
		}
		out = append(out, one)
	}
	return strings.Join(out, " ")
}

func TestTheCatalogueIsComplete(t *testing.T) {
	t.Parallel()
	assert.NoError(t, plan.Validate(checks.Scenarios()))
	left := map[string]bool{}
	for _, m := range checks.Scenarios() {
		left[m.Name] = true
	}
	walk(t, func(_ *testing.T, _ *plan.Plan, c *plan.Case, _ []plan.Step) { delete(left, c.Class.Mutator) })
	assert.Empty(t, left, "no document has a case of it")
}

// drawnOf returns the stories of the drawn cases of a kind.
func drawnOf(t *testing.T, document, kind string, seed uint64, effort string) []string {
	t.Helper()
	e, err := plan.EffortFor(effort, 1, 1)
	require.NoError(t, err)
	p := planned(t, load(t, document), seed, e)
	var out []string
	for _, c := range p.Cases {
		if c.Class.Mutator == "drawn" && c.Class.Kind == kind {
			out = append(out, story(p.Build(c, plan.Identity{Seed: seed})))
		}
	}
	return out
}

func TestADrawnCaseReadsWhatItChangedInTwoToFourSteps(t *testing.T) {
	t.Parallel()
	lengths := map[int]bool{}
	for seed := range uint64(8) {
		for _, s := range drawnOf(t, "albums", "read", seed, "full") {
			steps := strings.Fields(s)
			between := steps[1 : len(steps)-1]
			lengths[len(between)] = true
			assert.Equal(t, []string{"addAlbum", "getAlbum"}, []string{steps[0], steps[len(steps)-1]}, s)
			assert.True(t, slices.Contains(between, "putAlbum") || slices.Contains(between, "patchAlbum"), s)
			assert.NotEqual(t, "getAlbum", between[len(between)-1], "%s: the last read shows a change", s)
		}
	}
	assert.Equal(t, map[int]bool{2: true, 3: true, 4: true}, lengths)
}

func TestEveryKindOfChangeFollowsEachOtherOneWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	all := strings.Join(drawnOf(t, "albums", "read", 1, "full")[:10], "\n")
	for _, pair := range []string{"putAlbum patchAlbum", "patchAlbum putAlbum", "putAlbum putAlbum", "patchAlbum patchAlbum", "patchAlbum patchAlbum?", "putAlbum patchAlbum?",
		"patchAlbum getAlbum patchAlbum", "putAlbum getAlbum putAlbum"} {
		assert.Contains(t, all+"\n", pair+" ", pair)
	}
}

func TestTheOrderBehindTheFixedOnesDiffersBetweenSeeds(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for seed := range uint64(4) {
		list := drawnOf(t, "albums", "read", seed, "full")
		assert.Equal(t, drawnOf(t, "albums", "read", 0, "full")[:10], list[:10], "the first orders are fixed")
		seen[strings.Join(list[10:], "\n")] = true
	}
	assert.Len(t, seen, 4)
}

func TestADrawnCaseIsTriedAsOftenAsTheEffortAllows(t *testing.T) {
	t.Parallel()
	for effort, want := range map[string][]int{"smoke": {0, 0, 0}, "gate": {7, 4, 2}, "full": {16, 4, 2}} {
		var got []int
		for _, kind := range []string{"read", "deleted", "listed"} {
			got = append(got, len(drawnOf(t, "albums", kind, 1, effort)))
		}
		assert.Equal(t, want, got, effort)
	}
}

// What it was before shows whether it is only marked as deleted.
func TestWhatIsDeletedAfterChangesIsReadBetweenThem(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{
		"addAlbum getAlbum patchAlbum getAlbum dropAlbum getAlbum",
		"addAlbum putAlbum getAlbum dropAlbum getAlbum",
		"addAlbum getAlbum addAlbum' dropAlbum dropAlbum' getAlbum",
		"addAlbum patchAlbum getAlbum patchAlbum getAlbum dropAlbum getAlbum",
	}, drawnOf(t, "albums", "deleted", 1, "full"))
	assert.Equal(t, []string{
		"addAlbum patchAlbum listAlbums dropAlbum listAlbums",
		"addAlbum putAlbum listAlbums dropAlbum listAlbums",
	}, drawnOf(t, "albums", "listed", 1, "full"))
}

// The client chooses the key of a note: a second one could be the first again.
func TestThereIsNoThingBesideOneWhoseKeyTheClientChooses(t *testing.T) {
	t.Parallel()
	list := drawnOf(t, "notes", "deleted", 1, "full")
	require.NotEmpty(t, list)
	assert.NotContains(t, strings.Join(list, "\n"), "'")
}

func TestEveryActionOfAThingIsDrawn(t *testing.T) {
	t.Parallel()
	all := strings.Join(drawnOf(t, "articles", "read", 1, "full"), "\n")
	for _, action := range []string{"submitArticle?", "approveArticle?", "publishArticle?"} {
		assert.Contains(t, all, " getArticle "+action+" editArticle getArticle", action)
	}
}

// A server may store one word of a text and lose the rest.
func TestDrawnReplacementsHaveUsualAndRichValues(t *testing.T) {
	t.Parallel()
	seen := map[bool]bool{}
	p := planOf(t, "albums")
	for _, c := range p.Cases {
		for _, s := range p.Build(c, plan.Identity{Seed: 1}) {
			if c.Class.Mutator == "drawn" && s.Message.Op.ID == "putAlbum" {
				assert.Len(t, s.Message.Tree.Members, 3, c.ID)
				seen[strings.Contains(s.Message.Tree.Get("title").Text, " & ")] = true
			}
		}
	}
	assert.Equal(t, map[bool]bool{false: true, true: true}, seen)
}

func TestOnlyTheChangesThatMayBeRefusedAreWrong(t *testing.T) {
	t.Parallel()
	p := planOf(t, "albums")
	for _, c := range p.Cases {
		if c.Class.Mutator != "drawn" {
			continue
		}
		for _, s := range p.Build(c, plan.Identity{Seed: 1}) {
			want := schema.MustAccept
			if s.Open {
				want = schema.Invalid
			}
			if r := s.Message.Reading(); r != nil {
				assert.Equal(t, want, r.Kind, "%s: %s", c.ID, s.Message.Body())
			}
		}
	}
}
