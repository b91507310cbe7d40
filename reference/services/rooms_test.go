package services_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services"
)

// passed judges Gates with these credentials.
func passed(t *testing.T, wrong string, auth map[string]string, only ...string) *report.Report {
	t.Helper()
	sample.OneIn(t, oneIn)
	spec, err := os.ReadFile("../../testdata/openapi/gates.yaml")
	require.NoError(t, err)
	server := httptest.NewServer(services.Gates(wrong))
	defer server.Close()
	var trace strings.Builder
	r, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Auth: auth, Spec: spec, SpecName: "gates.yaml",
		Draws: -1, Effort: "full", Cache: shared, Trace: &trace, Only: only})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, formats.JSON(&out, r, formats.Options{}))
	for name, secret := range services.Credentials() {
		assert.NotContains(t, trace.String(), secret, name)
		assert.NotContains(t, out.String()+shown(t, r), secret, name)
	}
	return r
}

func TestARightServerWithEveryKindOfSecurityLacksTheCertificateAlone(t *testing.T) {
	t.Parallel()
	r := passed(t, "", services.Credentials())
	assert.Empty(t, tripped(r), shown(t, r))
	assert.Equal(t, report.Incomplete, r.Summary.Verdict, "the user can give the certificate")
	assert.Equal(t, []string{"8 of 9 operations tried; 1 needs a credential for machine: give --cert FILE --key FILE"}, r.Summary.Reasons)
	assert.Equal(t, []string{
		"GET /either: one security alternative is never sent: security scheme digest (http digest) is not supported",
		"GET /query: query parameter app_key is sent as a credential alone (/paths/~1query/get/parameters/0)",
		"GET /machine: security scheme machine needs a client certificate: give --cert and --key",
	}, r.Header.LeftOut)
}

func TestAWrongCheckOfACredentialIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"both staff":             "staff-required",
		"both app":               "app-required",
		"either session refused": "get-either-accepts-session",
		"either token any":       "token-token",
		"either session any":     "session-token",
		"either login unchecked": "login-required",
		"query":                  "get-query-app-required",
		"query in header":        "get-query-app-required",
		"cookie":                 "get-cookie-session-required",
		"cookie prefix":          "get-cookie-session-token",
		"basic password":         "get-basic-login-token",
		"basic password empty":   "get-basic-login-token",
		"grant":                  "grant-required",
		"open closed":            "get-open-accepts-none",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := passed(t, wrong, services.Credentials(), "*/credential/*")
			assert.Equal(t, report.NotConformant, r.Summary.Verdict, shown(t, r))
			assert.Contains(t, tripped(r), want)
		})
	}
}

func TestAnOperationWithoutItsCredentialIsLeftOutByName(t *testing.T) {
	t.Parallel()
	auth := services.Credentials()
	delete(auth, "app")
	delete(auth, "session")
	r := passed(t, "", auth)
	assert.Empty(t, tripped(r), shown(t, r))
	const app = "security scheme app needs a token: give --auth app=VALUE or CONFORMANCE_AUTH_APP, or for every scheme --token, --token-file or CONFORMANCE_TOKEN"
	assert.Contains(t, r.Header.LeftOut, "GET /both: "+app)
	assert.Contains(t, r.Header.LeftOut, "GET /query: "+app)
	assert.Contains(t, strings.Join(r.Header.LeftOut, "\n"), "GET /either: one security alternative is never sent: security scheme session needs a token")
	for _, x := range r.Results {
		assert.NotContains(t, x.Requirement, "get-query")
	}
}

func TestOneTokenIsTheCredentialOfEveryScheme(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("../../testdata/openapi/gates.yaml")
	require.NoError(t, err)
	l, err := conformance.List(context.Background(), conformance.Config{Spec: spec, SpecName: "gates.yaml", Draws: -1, Effort: "full"})
	require.NoError(t, err)
	var ids []string
	for _, x := range l.Requirements {
		ids = append(ids, x.Requirement)
		assert.NotZero(t, x.Cases, x.Requirement)
	}
	assert.NotContains(t, ids, "get-either-accepts-login-and-staff", "the token may not be meant for the other alternative")
}

// expiring lets a token in for some requests, and then only the next one.
type expiring struct {
	mu      sync.Mutex
	n, left int
	given   []int // the tokens that were asked for
	gates   http.Handler
}

func (x *expiring) current() string { return fmt.Sprintf("%08x-of-this-hour", uint32(x.n)*0x9e3779b1) }

func (x *expiring) token(context.Context) (string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.given = append(x.given, x.n)
	return x.current(), nil
}

func (x *expiring) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x.mu.Lock()
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.Trim(token, " ") == x.current() {
		r.Header.Set("Authorization", scheme+" "+services.Credentials()["grant"])
		if x.left--; x.left < 0 {
			x.n, x.left = x.n+1, 50
		}
	}
	x.mu.Unlock()
	x.gates.ServeHTTP(w, r)
}

func TestATokenThatExpiresIsRenewedOnce(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("../../testdata/openapi/gates.yaml")
	require.NoError(t, err)
	x := &expiring{n: 1, left: 50, gates: services.Gates("")}
	server := httptest.NewServer(x)
	defer server.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Spec: spec, SpecName: "gates.yaml", Draws: -1, Effort: "full", Only: []string{"get-grant/*"},
		Renew: map[string]func(context.Context) (string, error){"grant": x.token}})
	require.NoError(t, err)
	assert.Empty(t, tripped(r), shown(t, r))
	assert.NotContains(t, shown(t, r), "-of-this-hour")
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	want := []int{}
	for n := 1; n < x.n; n++ {
		want = append(want, n)
	}
	if x.given[len(x.given)-1] == x.n { // unless it expired with the last request
		want = append(want, x.n)
	}
	assert.Equal(t, want, x.given, "at the start, and once each time it expired")
}

func TestARightServerWithIdentifiersInItsParametersIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "requests once"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "rooms.yaml", services.Rooms(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			assert.Equal(t, []string{"listRooms <- any value", "addRoom <- any value", "getRoom <- any value, addRoom#/id", "dropRoom <- any value, addRoom#/id",
				"addGuest <- nothing needed", "listStays <- addGuest#/id"}, r.Reach.Ways)
			for _, x := range r.Results {
				switch x.Requirement {
				case "post-rooms-valid-accepted", "get-rooms-valid-accepted", "get-rooms-query-order-accepted", "get-stays-query-most-accepted":
					assert.Equal(t, report.Pass, x.Verdict, x.Requirement)
				}
			}
		})
	}
}

func TestARefusedTenantThatMayHaveToExistIsNoFailure(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"known tenants", "tenants once"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "rooms.yaml", services.Rooms(odd))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestAFaultBesideARequiredIdentifierIsFound(t *testing.T) {
	t.Parallel()
	for wrong, requirement := range map[string]string{
		"short labels":    "newroom-label-accepted",
		"no way down":     "get-rooms-query-order-accepted",
		"most below nine": "get-stays-query-most-accepted",
		"request":         "get-rooms-header-x-request-id-uuid",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "rooms.yaml", services.Rooms(wrong))
			assert.Equal(t, report.NotConformant, r.Summary.Verdict, shown(t, r))
			assert.Contains(t, tripped(r), requirement, shown(t, r))
		})
	}
}

func TestAServerWhoseFewValuesAreAllTakenIsNotBlamed(t *testing.T) {
	t.Parallel()
	for status, verdict := range map[int]report.Outcome{http.StatusConflict: report.Conformant, http.StatusBadRequest: report.Incomplete} {
		r := small(t, "seats.yaml", services.Seats(status, ""))
		assert.Empty(t, tripped(r), shown(t, r))
		assert.Equal(t, verdict, r.Summary.Verdict, shown(t, r))
		assert.Equal(t, verdict == report.Incomplete, strings.Contains(fmt.Sprintf("%+v", r.Results), "the target answers that they are taken"), shown(t, r))
	}
}

func TestARefusalThatIsNoRepeatIsBlamedAlthoughTheValuesAreFew(t *testing.T) {
	t.Parallel()
	r := small(t, "seats.yaml", services.Seats(http.StatusConflict, "C"))
	assert.Equal(t, report.NotConformant, r.Summary.Verdict, shown(t, r))
}
