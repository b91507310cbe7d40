package proof_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services/crud"
	"plantstore/spec"
	"plantstore/testdata/wording"
)

// worded is a service whose document gets other words: its document and how it is judged, the
// server as it is, and with a fault that breaks a MUST.
type worded struct {
	config conformance.Config
	start  func(t *testing.T, fault bool) string
}

// servicesToWord are the services of this project, by name. Few cases of each operation are
// sent: a wording that changes a verdict changes that of such a one too.
func servicesToWord() map[string]worded {
	accepted := crud.DefaultCredentials()
	return map[string]worded{
		proof.PlantStore: {
			conformance.Config{Spec: spec.OpenAPI, SpecName: "spec/openapi.yaml", Requirements: spec.Requirements, Token: proof.Token, Effort: "gate", Draws: 1},
			func(t *testing.T, fault bool) string {
				begin := func() (*proof.Server, error) { return proof.StartReference(nil) }
				if fault {
					begin = func() (*proof.Server, error) { return proof.StartFault("id-numeric-string") }
				}
				s, err := begin()
				require.NoError(t, err)
				t.Cleanup(s.Close)
				return s.URL
			}},
		proof.CRUD: {
			conformance.Config{Spec: crud.Document(), SpecName: "reference/services/crud/openapi.yaml", Requirements: crud.Requirements(), Effort: "smoke", Draws: -1,
				Auth: map[string]string{"bearer": accepted.Bearer, "deskKey": accepted.DeskKey, "queryKey": accepted.QueryKey}},
			func(t *testing.T, fault bool) string {
				var opts []crud.Option
				if fault {
					f, found := crud.FindFault("zip-pattern")
					require.True(t, found)
					opts = append(opts, crud.WithFault(f))
				}
				s, err := crud.Start("127.0.0.1:0", opts...)
				require.NoError(t, err)
				t.Cleanup(func() { assert.NoError(t, s.Close()) })
				return s.URL
			}},
	}
}

// wordingsSampled is how many of the services' wordings there are for each that go test tries.
const wordingsSampled = 5

func TestNoWordingOfADocumentChangesAVerdictOfAService(t *testing.T) {
	t.Parallel()
	for service, w := range servicesToWord() {
		by := func(t *testing.T, how func(string) string, fault bool) *report.Report {
			t.Helper()
			c := w.config
			text, err := wording.Reword(c.Spec, how)
			require.NoError(t, err)
			c.Spec, c.Target = text, w.start(t, fault)
			c.MaxTime = time.Hour // a busy machine cuts no run
			r, err := conformance.Run(t.Context(), c)
			require.NoError(t, err)
			return r
		}
		var once sync.Once
		var plain [2]*report.Report
		for name, how := range wording.Ways() {
			t.Run(service+" "+name, func(t *testing.T) {
				t.Parallel()
				sample.OneIn(t, wordingsSampled)
				once.Do(func() {
					same := func(said string) string { return said }
					plain = [2]*report.Report{by(t, same, false), by(t, same, true)}
				})
				for i, is := range plain {
					r := by(t, how, i == 1)
					assert.Equal(t, i == 1, len(failed(is)) > 0, "fault %t: %v", i == 1, failed(is))
					assert.Empty(t, wording.Differences(is, r), "fault %t", i == 1)
					assert.Equal(t, is.Summary.Verdict, r.Summary.Verdict, "fault %t: %v", i == 1, r.Summary.Reasons)
				}
			})
		}
	}
}
