package proof_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/internal/sample"
	"plantstore/reference/services/crud"
)

func TestAFaultOfTheCRUDServiceIsFoundByItsClause(t *testing.T) {
	t.Parallel()
	keep := func(_ proof.Kind, name string) bool { return name == "zip-pattern" || name == "desk-key-any-case" }
	rows, err := proof.Table(context.Background(), proof.Options{Service: proof.CRUD, Keep: keep, Parallel: 2,
		Config: conformance.Config{Cache: shared, Only: []string{"post-users/*zip*", "get-reports*/credential/*"}, Draws: -1}})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for _, r := range rows {
		require.NoError(t, r.Err, r.Name)
		assert.True(t, r.Killed(), "%s should trip %s, tripped %v", r.Name, r.Breaks, r.Tripped)
		assert.NotContains(t, r.Breaks, "#", "the requirement has a name")
	}
}

func TestTheTableOfTheCRUDServiceHasEveryFaultAndVariant(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	kept := map[proof.Kind]int{}
	_, err := proof.Table(ctx, proof.Options{Service: proof.CRUD, Keep: func(k proof.Kind, _ string) bool { kept[k]++; return false }})
	require.NoError(t, err)
	assert.Equal(t, map[proof.Kind]int{proof.Fault: len(crud.Faults()), proof.Variant: len(crud.Variants()) + 1}, kept)
	_, err = proof.Table(ctx, proof.Options{Service: proof.CRUD, Under: "nothing"})
	assert.ErrorContains(t, err, `"nothing"`)
}

func TestAFaultOfSeveralExchangesIsFoundByTheRequirementItNames(t *testing.T) {
	t.Parallel()
	keep := func(_ proof.Kind, name string) bool {
		return name == "put-not-stored" || name == "delete-keeps" || name == "file-unknown-empty"
	}
	rows, err := proof.Table(context.Background(), proof.Options{Service: proof.CRUD, Keep: keep, Parallel: 2,
		Config: conformance.Config{Cache: shared, Effort: "gate", Only: []string{"get-projects-projectid-stored-replaced", "get-projects-projectid-gone", "get-files-name-ext-never-given"}, Draws: -1}})
	require.NoError(t, err)
	require.Len(t, rows, 3)
	for _, r := range rows {
		assert.True(t, r.Good(), r.Name)
		if r.Name == "put-not-stored" {
			assert.Equal(t, []string{"get-projects-projectid-stored-replaced"}, r.Warned, "a SHOULD")
			continue
		}
		assert.Equal(t, []string{r.Breaks}, r.Tripped, r.Name)
	}
}

func TestWhatOnlyAcceptedLinesFindIsMissedWithoutThem(t *testing.T) {
	sample.OneIn(t, 4)
	t.Parallel()
	want := map[string]string{"sort-ignored": proof.Missed, "put-not-stored": proof.Found}
	rows, err := proof.Table(context.Background(), proof.Options{Service: proof.CRUD, Keep: func(_ proof.Kind, name string) bool { return want[name] != "" }, Parallel: 2,
		Config: conformance.Config{Cache: shared, Effort: "smoke", Only: []string{"get-projects-sorted", "get-projects-projectid-stored-replaced"}, Draws: -1}})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for _, r := range rows {
		assert.True(t, r.Good(), r.Name)
		assert.Equal(t, want[r.Name], r.Bare, r.Name)
	}
	var out strings.Builder
	require.NoError(t, proof.Write(&out, "markdown", rows, proof.Summarise(rows, nil)))
	assert.Contains(t, out.String(), "- without the lines of the requirements file: 1 found, 0 more suspected\n")
	assert.Contains(t, out.String(), "| state | without lines |\n")
	assert.Regexp(t, `\| sort-ignored \|.*\| ok \| missed \|`, out.String())
}
