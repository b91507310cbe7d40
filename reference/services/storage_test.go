package services_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services"
)

func TestAServerThatReadsKeysInAnUnusualWayIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "wrong keys are bad requests", "blanks are trimmed", "letters of any case in seals", "any base"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "boxes.yaml", services.Boxes(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestAThingThatIsFoundUnderAKeyLikeItsOwnIsReported(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"only the beginning of a key is read":    {"get-boxes-boxid-path-boxid-integer", "get-labels-labelid-path-labelid-pattern", "get-seals-sealid-path-sealid-uuid", "get-notes-noteid-never-given"},
		"only the beginning of a key is dropped": {"delete-boxes-boxid-path-boxid-integer", "delete-labels-labelid-path-labelid-pattern", "delete-seals-sealid-path-sealid-uuid"},
		"other letters":                          {"get-labels-labelid-path-labelid-pattern"},
		"32 bits":                                {"get-boxes-boxid-never-given"},
		"half a key":                             {"get-seals-sealid-never-given"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "boxes.yaml", services.Boxes(wrong), "*/like-given/*")
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}

func TestAKeyLikeThatOfTheThingIsReplayedFromItsReport(t *testing.T) {
	t.Parallel()
	out := replayed(t, "boxes.yaml", services.Boxes("only the beginning of a key is read"), "", "get-boxes-boxid/*/like-given/*")
	assert.Len(t, out.Steps, 3)
	assert.Equal(t, "get-boxes-boxid-path-boxid-integer", out.Failures[0].Requirement)
}

// The suite chooses the name of every drawer that it puts, so no case needs a drawer that
// another one deletes, also if the server lets a field override the method, as Javalin does.
func TestAServerWhoseClientNamesTheDrawersIsConformant(t *testing.T) {
	t.Parallel()
	drawers := services.Drawers("")
	r := small(t, "drawers.yaml", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if method := r.Header.Get("X-HTTP-Method-Override"); method != "" {
			r.Method = method
		}
		drawers.ServeHTTP(w, r)
	}))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
}

func TestWhatAPutOfADrawerSaysIsJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"makes without saying so":           {"put-drawers-name-put-creates"},
		"replaces what was only to be made": {"put-drawers-name-create-only"},
		"asterisk":                          {"put-drawers-name-header-if-none-match-enum"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "drawers.yaml", services.Drawers(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}

// locked judges Lockers, with the key of another principal unless it is empty.
func locked(t *testing.T, wrong, other string, only ...string) *report.Report {
	t.Helper()
	sample.OneIn(t, oneIn)
	spec, err := os.ReadFile("testdata/lockers.yaml")
	require.NoError(t, err)
	server := httptest.NewServer(services.Lockers(wrong))
	defer server.Close()
	one, two := services.Tenants()
	var trace, out strings.Builder
	c := conformance.Config{Target: server.URL, Token: one, Spec: spec, SpecName: "lockers.yaml", Effort: "gate", Only: only, Cache: shared, Trace: &trace}
	if other != "" {
		c.AuthOther = map[string]string{"key": other}
	}
	r, err := conformance.Run(context.Background(), c)
	require.NoError(t, err)
	require.NoError(t, formats.JSON(&out, r, formats.Options{}))
	for _, secret := range []string{one, two} {
		assert.NotContains(t, trace.String()+out.String()+shown(t, r), secret)
	}
	if other == two {
		assert.Contains(t, trace.String(), "X-Locker-Key: $CONFORMANCE_AUTH_OTHER_KEY")
	}
	return r
}

func TestAServerThatKeepsLockersFromOthersIsConformant(t *testing.T) {
	t.Parallel()
	_, other := services.Tenants()
	for _, odd := range []string{"", "forbidden", "numbers for each"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, 5)
			r := locked(t, odd, other)
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			assert.Empty(t, r.Header.LeftOut)
			for _, x := range r.Results {
				if strings.HasSuffix(x.Requirement, "-others-kept") && odd != "numbers for each" {
					assert.Equal(t, report.Pass, x.Verdict, x.Requirement)
				}
			}
		})
	}
}

func TestALockerThatOthersGetAtIsFound(t *testing.T) {
	t.Parallel()
	_, other := services.Tenants()
	for wrong, want := range map[string][]string{
		"all read":   {"get-lockers-lockerid-others-kept"},
		"all change": {"put-lockers-lockerid-others-kept"},
		"all delete": {"delete-lockers-lockerid-others-kept"},
		"all look":   {"get-lockers-lockerid-opener-others-kept"},
		"all open":   {"post-lockers-lockerid-opening-others-kept"},
		"shared":     {"get-lockers-lockerid-others-kept", "put-lockers-lockerid-others-kept", "delete-lockers-lockerid-others-kept"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, tripped(locked(t, wrong, other, "*/others/*")))
		})
	}
}

func TestWithoutASecondCredentialASharedStoreIsConformant(t *testing.T) {
	t.Parallel()
	r := locked(t, "shared", "")
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Equal(t, []string{"7 requirements about what belongs to one principal: no second credential: give --auth-other NAME=VALUE"}, r.Header.LeftOut)
	for _, x := range r.Results {
		if strings.HasSuffix(x.Requirement, "-others-kept") {
			assert.Equal(t, report.Inapplicable, x.Verdict)
			assert.Equal(t, "no second credential: give --auth-other NAME=VALUE", x.Reason)
		}
	}
}

func TestASecondCredentialThatIsNotAcceptedProvesNothing(t *testing.T) {
	t.Parallel()
	r := locked(t, "", "locker-key-of-nobody", "*/others/*")
	assert.Equal(t, report.Incomplete, r.Summary.Verdict, shown(t, r))
	assert.Equal(t, []string{"the other credential is not accepted: listLockers returns 401 for it: give one with --auth-other that the target accepts"}, r.Summary.Reasons)
	for _, x := range r.Results {
		if strings.HasSuffix(x.Requirement, "-others-kept") {
			assert.Equal(t, report.Inconclusive, x.Verdict, x.Requirement)
		}
	}
}

// What a report has and the plan does not is sent as it is, with the credential of each
// principal where it was.
func TestAChangedRequestOfAnotherPrincipalIsReplayedWithItsCredential(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("testdata/lockers.yaml")
	require.NoError(t, err)
	server := httptest.NewServer(services.Lockers("all read"))
	defer server.Close()
	one, two := services.Tenants()
	c := conformance.Config{Target: server.URL, Token: one, AuthOther: map[string]string{"key": two}, Spec: spec, SpecName: "lockers.yaml", Only: []string{"*/others/*"}}
	r, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	for i := range r.Results {
		for _, f := range r.Results[i].Failures {
			for k := range f.Steps {
				data := strings.Replace(string(f.Steps[k].Request.Data), "\r\nAccept:", "\r\nX-More: 1\r\nAccept:", 1)
				f.Steps[k].Request.Data = []byte(data)
			}
		}
	}
	out, err := conformance.ReplayFailure(t.Context(), c, r, 1, true)
	require.NoError(t, err)
	require.Len(t, out.Steps, 3, out.Reason)
	for i, shown := range []string{"$CONFORMANCE_TOKEN", "$CONFORMANCE_TOKEN", "$CONFORMANCE_AUTH_OTHER_KEY"} {
		assert.Contains(t, string(out.Steps[i].Request.Data), "X-Locker-Key: "+shown)
		assert.NotContains(t, string(out.Steps[i].Response.Data), " 401 ", "step %d", i+1)
	}
}

func TestWhatHappensBelowAnEnumAndToAPartIsCompared(t *testing.T) {
	t.Parallel()
	r := small(t, "shelves.yaml", services.Shelves(false))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
	r = small(t, "shelves.yaml", services.Shelves(true))
	want := []string{"get-rooms-room-shelves-name-stored-replaced", "get-rooms-room-shelves-name-gone", "head-rooms-room-shelves-name-label-head-like-get"}
	assert.ElementsMatch(t, want, tripped(r), shown(t, r))
}
