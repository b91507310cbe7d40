package checks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

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
