package conformance_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// threeDoors is a document of three operations that share a credential and the
// schema of their answers.
const threeDoors = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "security": [{"bearer": []}],
	"components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
		"schemas": {"Door": {"type": "object", "required": ["open"], "properties": {"open": {"type": "boolean"}}}}},
	"paths": {
		"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Door"}}}}, "401": {"description": "no"}}}},
		"/b": {"get": {"operationId": "b", "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Door"}}}}, "401": {"description": "no"}}}},
		"/c": {"delete": {"operationId": "c", "responses": {"202": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Door"}}}}, "401": {"description": "no"}}}}}}`

// judgeDoors runs the suite against a server of threeDoors with some open doors, and
// some that answer without their member.
func judgeDoors(t *testing.T, token string, open, bare []string) *report.Report {
	t.Helper()
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		door := strings.TrimPrefix(r.URL.Path, "/")
		if got := r.Header.Get("Authorization"); got != "Bearer "+token && !(strings.HasPrefix(got, "Bearer ") && slices.Contains(open, door)) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusAccepted)
		}
		body := `{"open": true}`
		if slices.Contains(bare, door) {
			body = `{}`
		}
		_, _ = w.Write([]byte(body))
	})
	return judgeServer(t, server, conformance.Config{Spec: []byte(threeDoors), Token: token, Draws: -1})
}

func TestAFaultThatEveryOperationOfAClauseShowsIsReportedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		open, bare, failed []string
		common             string
	}{
		"all doors open":      {open: []string{"a", "b", "c"}, failed: []string{"bearer-token"}, common: "every operation with this clause that was tried fails in the same way: a, b, c"},
		"two of three open":   {open: []string{"a", "b"}, failed: []string{"bearer-token", "get-b-bearer-token"}},
		"all answers bare":    {bare: []string{"a", "b", "c"}, failed: []string{"door-open-required"}, common: "every operation with this clause that was tried fails in the same way: a, b, c"},
		"one answer is bare":  {bare: []string{"b"}, failed: []string{"get-b-door-open-required"}},
		"one open, one bare":  {open: []string{"c"}, bare: []string{"a"}, failed: []string{"door-open-required", "delete-c-bearer-token"}},
		"a server that works": {},
	} {
		t.Run(name, func(t *testing.T) {
			sample.OneIn(t, 3)
			got := judgeDoors(t, "my-token-123", c.open, c.bare)
			assert.ElementsMatch(t, c.failed, failedMusts(got))
			for _, x := range got.Results {
				if x.Verdict == report.Fail && c.common != "" {
					assert.Equal(t, c.common, x.Failures[0].Common)
				}
				if x.Reason == "suppressed by "+strings.Join(c.failed, "") {
					assert.Equal(t, report.Inconclusive, x.Verdict, "what is suppressed is not green")
				}
			}
			if c.failed == nil {
				assert.Equal(t, report.Conformant, got.Summary.Verdict, got.Summary.Reasons)
			}
		})
	}
}

func TestIdsOfRequirementsStayReadableWhereTheTokenContainsThem(t *testing.T) {
	got := judgeDoors(t, "my-bearer-token-123", []string{"a", "b", "c"}, nil)
	text := strings.Join(got.Summary.Reasons, "\n")
	assert.Contains(t, text, "suppressed by bearer-token")
	assert.NotContains(t, text, "$CONFORMANCE_TOKEN")
}
