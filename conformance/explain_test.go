package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

// From a report to the code in one step: the file that explain names exists and
// holds the entry, and what it says is expected is what the id says.
func TestExplainLeadsFromACaseToTheEntryThatMakesIt(t *testing.T) {
	for id, want := range map[string]struct{ mutator, expected, place string }{
		"post-plants/valid/member-order/body/order/0":              {"member-order", "must be accepted", "body"},
		"post-plants/invalid/wrong-types/id/string":                {"wrong-types", "must be refused: the body violates the schema", "id"},
		"post-plants/not-json/syntax-errors/body/trailing-comma/1": {"syntax-errors", "must be refused: the body is not JSON", "body"},
		"post-plants/sequence/state-leaks/tag-then-absent":         {"state-leaks", "must be accepted", ""},
	} {
		e, err := conformance.Explain(t.Context(), conformance.Config{Cache: plantPlans}, id)
		require.NoError(t, err, id)
		require.NotNil(t, e.Class, id)
		assert.Equal(t, id, e.Class.ID)
		assert.Equal(t, want.mutator, e.Class.Mutator)
		assert.Equal(t, want.expected, e.Class.Expected)
		assert.Equal(t, want.place, e.Class.Place)
		assert.NotEmpty(t, e.Class.Doc)
		assert.NotEmpty(t, e.Class.Requirements)
		assert.True(t, strings.HasPrefix(e.Class.Example, "curl "), e.Class.Example)
		source, err := os.ReadFile(filepath.Join("..", e.Class.File))
		require.NoError(t, err)
		assert.Contains(t, string(source), `Name: "`+want.mutator+`"`)
	}
}

func TestExplainTellsWhereTheRuleOfARequirementIs(t *testing.T) {
	e, err := conformance.Explain(t.Context(), conformance.Config{Cache: plantPlans}, "newplant-id-integer")
	require.NoError(t, err)
	assert.Nil(t, e.Class)
	source, err := os.ReadFile(filepath.Join("..", e.File))
	require.NoError(t, err)
	assert.Regexp(t, `Name: +"`+e.Rule+`"`, string(source))
}

func TestAnIDThatIsNearlyRightIsToldFromOneThatIsNot(t *testing.T) {
	for id, want := range map[string]string{
		"post-plants/invalid/id/string/0":                "did you mean post-plants/invalid/wrong-types/id/string?",
		"post-plants/invalid/wrong-types/id/strnig/3":    "did you mean post-plants/invalid/wrong-types/id/string?",
		"post-plants/invalid/wrong-types/id/string/1000": "has the cases 0 to 7",
		"newplant-id-integre":                            "did you mean newplant-id-integer?",
		"":                                               "see conformance list",
		"/":                                              "see conformance list",
		"\x1b[2J":                                        "see conformance list",
	} {
		_, err := conformance.Explain(t.Context(), conformance.Config{Cache: plantPlans}, id)
		var setup *conformance.SetupError
		require.ErrorAs(t, err, &setup, id)
		assert.Contains(t, err.Error(), want, id)
	}
}
