package conformance_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// boxes is a document of boxes, and of the balls in each.
const boxes = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
	"/boxes": {"post": {"operationId": "addBox", "responses": {"201": {"description": "made", "content": {"application/json": {"schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}}}},
	"/boxes/{boxId}/balls": {"parameters": [{"name": "boxId", "in": "path", "required": true, "schema": {"type": "integer"}}],
		POST
		"get": {"operationId": "balls", "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array", "items": {"type": "object", "required": ["colour"]}}}}}, "404": {"description": "no"}}}}}}`

const addsBall = `"post": {"operationId": "addBall", "responses": {"204": {"description": "ok"}, "404": {"description": "no"}}},`

// judgeBoxes runs the suite against a server of boxes whose balls have no colour.
func judgeBoxes(t *testing.T, doc string) map[string]report.Result {
	t.Helper()
	var mu sync.Mutex
	balls := map[string]int{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /boxes", func(w http.ResponseWriter, _ *http.Request) {
		id := fmt.Sprint(len(balls) + 1)
		balls[id] = 0
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id": %s}`, id)
	})
	mux.HandleFunc("/boxes/{box}/balls", func(w http.ResponseWriter, r *http.Request) {
		box := r.PathValue("box")
		n, found := balls[box]
		switch {
		case !found:
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodPost:
			balls[box]++
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("[" + strings.TrimSuffix(strings.Repeat("{},", n), ",") + "]"))
		}
	})
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		mux.ServeHTTP(w, r)
	})
	out := map[string]report.Result{}
	for _, x := range judgeServer(t, server, conformance.Config{Spec: []byte(doc), Draws: -1}).Results {
		out[x.Requirement] = x
	}
	return out
}

func TestAListIsFilledBeforeItIsReadSoThatItsItemsAreJudged(t *testing.T) {
	t.Parallel()
	got := judgeBoxes(t, strings.Replace(boxes, "POST", addsBall, 1))
	assert.Equal(t, report.Fail, got["get-boxes-boxid-balls-200-body-items-colour-required"].Verdict)
}

func TestWhatIsSaidOfItemsDoesNotPassOnAListWithoutAny(t *testing.T) {
	t.Parallel()
	got := judgeBoxes(t, strings.Replace(boxes, "POST", "", 1))
	items := got["get-boxes-boxid-balls-200-body-items-colour-required"]
	assert.Equal(t, report.Inapplicable, items.Verdict)
	assert.Equal(t, "no exchange tested it", items.Reason)
	assert.Equal(t, report.Pass, got["get-boxes-boxid-balls-200-body-array"].Verdict)
}

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
	sample.OneIn(t, 6)
	t.Parallel()
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
			sample.OneIn(t, 6)
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
	sample.OneIn(t, 6)
	t.Parallel()
	got := judgeDoors(t, "my-bearer-token-123", []string{"a", "b", "c"}, nil)
	text := strings.Join(got.Summary.Reasons, "\n")
	assert.Contains(t, text, "suppressed by bearer-token")
	assert.NotContains(t, text, "$CONFORMANCE_TOKEN")
}

// heldFiles opens no file: the first reader ends the context, and each waits for the end of the test.
type heldFiles struct {
	end  context.CancelFunc
	free chan struct{}
}

func (f heldFiles) Open(string) (fs.File, error) {
	f.end()
	<-f.free
	return nil, fs.ErrNotExist
}

// An interrupt while a document is read must not wait for the plan, and is no
// mistake of the user.
func TestAnEndedContextEndsTheReadingOfTheDocumentAndThePlan(t *testing.T) {
	t.Parallel()
	files := heldFiles{free: make(chan struct{})}
	defer close(files.free)
	calls := map[string]func(context.Context, conformance.Config) error{
		"list": func(ctx context.Context, c conformance.Config) error { _, err := conformance.List(ctx, c); return err },
		"explain": func(ctx context.Context, c conformance.Config) error {
			_, err := conformance.Explain(ctx, c, "x")
			return err
		},
		"run": func(ctx context.Context, c conformance.Config) error { _, err := conformance.Run(ctx, c); return err },
		"replay": func(ctx context.Context, c conformance.Config) error {
			_, err := conformance.Replay(ctx, c, "x")
			return err
		},
	}
	for name, call := range calls {
		ctx, cancel := context.WithCancel(t.Context())
		files.end = cancel
		err := call(ctx, conformance.Config{Spec: []byte(placed), SpecName: "things.yaml", Files: files, Target: "http://127.0.0.1:1", Token: "Token-0123456789"})
		assert.EqualError(t, err, "the run was interrupted before anything was sent", name)
		var setup *conformance.SetupError
		assert.NotErrorAs(t, err, &setup, name)
	}
}

func TestTheTimeForARunCoversTheMakingOfItsPlan(t *testing.T) {
	t.Parallel()
	_, err := conformance.Run(t.Context(), conformance.Config{MaxTime: time.Nanosecond, Target: "http://127.0.0.1:1", Token: "Token-0123456789"})
	assert.EqualError(t, err, "the run reached its time limit (see --max-time) before anything was sent")
}

// What a cold build of the first command costs hangs on what it links: each of
// these is seconds, together they were more than half of it.
func TestTheFirstCommandBuildsNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "../cmd/conformance").Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "plantstore/conformance/internal/secondopinion")
	for _, p := range []string{"github.com/pb33f/libopenapi", "github.com/pb33f/libopenapi/what-changed", "github.com/pb33f/libopenapi/datamodel/high/arazzo",
		"github.com/pb33f/libopenapi/datamodel/high/v2", "github.com/pb33f/libopenapi-validator", "github.com/pb33f/libopenapi-validator/requests",
		"github.com/pb33f/libopenapi-validator/responses", "github.com/pb33f/libopenapi-validator/schema_validation", "modernc.org/sqlite",
		"github.com/prometheus/client_golang/prometheus"} {
		assert.False(t, slices.Contains(deps, p), "cmd/conformance links %s: find a smaller part of it", p)
	}
	n := 0
	for _, p := range deps {
		if strings.HasPrefix(p, "github.com/pb33f/") {
			n++
		}
	}
	assert.LessOrEqual(t, n, 23, "packages of pb33f")
}

func TestAnAnswerThatMatchesNoAlternativeIsToldByTheMemberThatIsWrongInTheNearest(t *testing.T) {
	t.Parallel()
	const pets = `{openapi: 3.1.0, info: {title: Pets, version: "1"}, paths: {/pet: {get: {responses: {"200": {description: one, content: {application/json: {schema: {type: object, properties: {pet: {oneOf: [
	  {type: object, required: [kind], properties: {kind: {const: dog}, barks: {type: boolean}}},
	  {type: object, required: [kind, lives], properties: {kind: {const: cat}, lives: {type: integer}}}]}}}}}}}}}}}`
	got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"pet": {"kind": "cat", "lives": "nine"}}`)
	}), conformance.Config{Spec: []byte(pets), Effort: "smoke"})
	assert.Equal(t, []string{"get-pet-200-body-pet-one-of"}, failedMusts(got))
	findings := report.Findings(got.Results)
	if assert.Len(t, findings, 1) {
		assert.Equal(t, `/pet/lives is "nine", which breaks type of the alternative that fits best, in 200 OK, application/json`, findings[0].Members[0].Got)
	}
}
