package nearest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/internal/nearest"
)

func TestNamesAreNearThatAreAFewLettersOrOnePartAway(t *testing.T) {
	known := []string{"trailing-comma", "trailing-comma-twice", "post/invalid/wrong-types/id", "post/invalid/wrong-types/tag", "a", ""}
	for name, want := range map[string][]string{
		"trailing-coma":          {"trailing-comma"},
		"tralling-coma":          {"trailing-comma"},
		"comma":                  {"trailing-comma", "trailing-comma-twice"},
		"post/invalid/id":        {"post/invalid/wrong-types/id"},
		"post/wrong-types/tag":   {"post/invalid/wrong-types/tag"},
		"trailing-comma-twices":  {"trailing-comma-twice"},
		"nothing-like-it":        nil,
		strings.Repeat("x", 1e6): nil,
	} {
		assert.Equal(t, want, nearest.Names(name, known), "%.30s", name)
	}
}

func TestTwoNeighboursThatAreSwappedAreOneMistake(t *testing.T) {
	known := []string{"run", "man", "auto", "name-12", "name-34"}
	for name, want := range map[string][]string{
		"rnu":     {"run"},
		"nmaes":   nil,
		"atuo":    {"auto"},
		"name-21": {"name-12"},
		"nur":     nil,
	} {
		assert.Equal(t, want, nearest.Names(name, known), name)
	}
}

func TestAHintNamesWhatIsNear(t *testing.T) {
	assert.Equal(t, "did you mean name-1, name-2?", nearest.Hint("name", []string{"name-1", "name-2", "other"}))
	assert.Empty(t, nearest.Hint("name", []string{"other"}))
}

func TestEquallyNearNamesAreAtMostThree(t *testing.T) {
	assert.Equal(t, []string{"name-1", "name-2", "name-3"}, nearest.Names("name-0", []string{"name-1", "name-2", "name-3", "name-4"}))
}
