package execute_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// acceptsAll answers every request with a plant, whatever its body and credential.
func acceptsAll(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Name string `json:"name"`
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &in) // what is no plant gets a plant all the same
	out, _ := json.Marshal(map[string]string{"name": in.Name})
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(out)
}

func TestARunEndsAtAFailureThatIsEnoughAndCanBeResumed(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, enough := range []bool{true, false} {
		d := fakerun.Plants(t, "baseline", "wrong-types", "credentials")
		run, _ := against(t, d, http.HandlerFunc(acceptsAll), execute.Settings{Workers: 1, Stops: func(f *judge.Failure) bool {
			asked++
			return enough
		}}, func(*explore.Target) {})
		failed, untried := counted(run)
		assert.Equal(t, enough, run.Stopped())
		if !enough {
			assert.Greater(t, failed, 1)
			assert.Zero(t, untried, "no failure was enough")
			continue
		}
		assert.Equal(t, 1, failed)
		assert.Positive(t, untried)
		for _, c := range run.Cases {
			if c.Class.Phase == plan.Credential {
				require.Nil(t, run.Record(c), "%s was tried after the end", c.ID)
			}
		}
		run.Resume(t.Context())
		again, untried := counted(run)
		assert.False(t, run.Stopped())
		assert.Greater(t, again, failed)
		assert.Zero(t, untried)
	}
	assert.Greater(t, asked, 2)
}

// counted counts the cases that failed and those without a record.
func counted(run *execute.Run) (failed, untried int) {
	for _, c := range run.Cases {
		switch r := run.Record(c); {
		case r == nil:
			untried++
		case len(r.Failures) > 0:
			failed++
		}
	}
	return failed, untried
}
