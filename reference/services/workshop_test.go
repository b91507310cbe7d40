package services_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// A trailer replaces a trailer: what is made for it is of the same kind.
func TestAServerThatKeepsTheKindOfAVehicleIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "the kind changes"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "garage.yaml", services.Garage(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestWhatIsMadeOfTheSecondKindIsReadToo(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"another plate is shown": "get-vehicles-vehicleid-stored-created",
		"another frame is shown": "get-vehicles-vehicleid-stored-created",
		"trailers are not found": "get-vehicles-vehicleid-created-readable",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "garage.yaml", services.Garage(wrong), "get-vehicles-vehicleid/sequence/created/*")
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}

func TestAServerWhoseThingsAreOnlySearchedForIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "deleted is marked"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "tools.yaml", services.Tools(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestADeletedThingThatASearchStillFindsIsReported(t *testing.T) {
	t.Parallel()
	r := small(t, "tools.yaml", services.Tools("deleted is found"), "*/unlisted/*")
	assert.Equal(t, []string{"get-tools-findbyowner-unlisted"}, tripped(r), shown(t, r))
}

// states are the cases that call operations at a thing in another state than usual.
var states = []string{"*/after-done/*", "*/in-state/*", "*/in-use/*"}

func TestAServerMayRefuseAnythingAtAThingInAnotherState(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "loans outlive tools"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "workshop.yaml", services.Workshop(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestACrashAtAThingInOneStateIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"read of a retired tool":          "get-tools-toolid",
		"edit of a retired tool":          "patch-tools-toolid",
		"deletion of a retired tool":      "delete-tools-toolid",
		"repair of a retired tool":        "post-tools-toolid-repairs",
		"retirement of a retired tool":    "post-tools-toolid-retirement",
		"loan of a retired tool":          "post-loans",
		"read of a broken tool":           "get-tools-toolid",
		"repair of a broken tool":         "post-tools-toolid-repairs",
		"deletion of a lent tool":         "delete-tools-toolid",
		"loan of a deleted tool":          "post-loans",
		"read of a loan without its tool": "get-loans-loanid",
		"end of a loan without its tool":  "delete-loans-loanid",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "workshop.yaml", services.Workshop(wrong), states...)
			assert.Equal(t, []string{want + "-answered"}, tripped(r), shown(t, r))
		})
	}
}

func TestACrashInOneStateIsToldInAsFewStepsAsShowItAndReplayed(t *testing.T) {
	t.Parallel()
	for wrong, steps := range map[string]int{"repair of a broken tool": 2, "retirement of a retired tool": 3, "deletion of a lent tool": 3, "end of a loan without its tool": 4} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "workshop.yaml", services.Workshop(wrong), states...)
			i := slices.IndexFunc(r.Results, func(x report.Result) bool { return x.Verdict == report.Fail })
			require.GreaterOrEqual(t, i, 0, shown(t, r))
			assert.Len(t, r.Results[i].Failures[0].Story, steps)
			out := replayed(t, "workshop.yaml", services.Workshop(wrong), "", states...)
			assert.Len(t, out.Steps, steps)
		})
	}
}
