package services_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// told runs a service of forty operations and lists the findings that fail the run.
func told(t *testing.T, habits ...string) ([]string, *report.Report) {
	t.Helper()
	r := byDocument(t, "framework.yaml", services.FrameworkDocument(), services.Framework(habits...), conformance.Config{Token: services.Key})
	var out []string
	for _, f := range r.Findings {
		if f.Level == report.Must {
			out = append(out, f.Sentence)
		}
	}
	return out, r
}

func TestAServiceOfFortyOperationsWithoutHabitsHasNoFinding(t *testing.T) {
	t.Parallel()
	got, r := told(t)
	assert.Empty(t, got, shown(t, r))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
}

func TestAHabitOfAFrameworkIsOneFinding(t *testing.T) {
	t.Parallel()
	for _, habit := range append(services.Habits(), "version crashes") {
		t.Run(habit, func(t *testing.T) {
			t.Parallel()
			got, r := told(t, habit)
			assert.Len(t, got, 1, shown(t, r))
		})
	}
}

func TestIndependentMistakesAreAFindingEach(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			got, r := told(t, services.Mistakes()[:n]...)
			assert.Len(t, got, n, shown(t, r))
		})
	}
}

func TestEightHabitsOfAFrameworkAreEightFindings(t *testing.T) {
	t.Parallel()
	got, r := told(t, services.Habits()...)
	assert.Len(t, got, 8, shown(t, r))
	assert.Equal(t, len(got), len(slices.Compact(slices.Sorted(slices.Values(got)))))
}
