package conformance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
)

// An interrupt while a document is read must not wait for the plan, and is no
// mistake of the user.
func TestAnEndedContextEndsTheReadingOfTheDocumentAndThePlan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := conformance.Config{Spec: largeDocument(50, 20, 40), SpecName: "large.json", Target: "http://127.0.0.1:1", Token: "Token-0123456789"}
	calls := map[string]func() error{
		"list":    func() error { _, err := conformance.List(ctx, c); return err },
		"explain": func() error { _, err := conformance.Explain(ctx, c, "x"); return err },
		"run":     func() error { _, err := conformance.Run(ctx, c); return err },
		"replay":  func() error { _, err := conformance.Replay(ctx, c, "x"); return err },
	}
	for name, call := range calls {
		err := call()
		assert.EqualError(t, err, "the run was interrupted before anything was sent", name)
		var setup *conformance.SetupError
		assert.NotErrorAs(t, err, &setup, name)
	}
}

func TestTheTimeForARunCoversTheMakingOfItsPlan(t *testing.T) {
	_, err := conformance.Run(t.Context(), conformance.Config{MaxTime: time.Nanosecond, Target: "http://127.0.0.1:1", Token: "Token-0123456789"})
	assert.EqualError(t, err, "the run reached its time limit (see --max-time) before anything was sent")
}
