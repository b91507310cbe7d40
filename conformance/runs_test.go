package conformance

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/sample"
)

func TestAfterTheTimeLimitThereIsTimeToDeleteWhatWasMadeUnlessTheUserInterrupts(t *testing.T) {
	t.Parallel()
	outer, interrupt := context.WithCancel(t.Context())
	run, cancel := context.WithDeadline(outer, time.Now().Add(-time.Second))
	defer cancel()
	after, done := afterwards(run, outer, time.Hour)
	defer done()
	assert.NoError(t, after.Err())
	interrupt()
	assert.ErrorIs(t, after.Err(), context.Canceled)
	late, done := afterwards(run, outer, time.Hour)
	defer done()
	assert.Error(t, late.Err())
	running, done := afterwards(t.Context(), t.Context(), time.Hour)
	defer done()
	assert.NoError(t, running.Err())
}

func TestRunsThatShareACacheMakeTheirPlanOnce(t *testing.T) {
	t.Parallel()
	cache := new(Cache)
	first, err := setUp(Config{Cache: cache, Draws: 1, Token: "a-token-of-this-test"})
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s, err := setUp(Config{Cache: cache, Draws: 1, Token: "another-token-of-it"})
			assert.NoError(t, err)
			assert.Same(t, first.plan, s.plan)
			assert.Equal(t, "another-token-of-it", s.endpoint.Token, "what is a run's own is not shared")
		})
	}
	group.Wait()
	assert.Equal(t, "a-token-of-this-test", first.endpoint.Token)
	require.NoError(t, first.fill(t.Context()))
	assert.NotEmpty(t, first.cases)
	alone, err := setUp(Config{Draws: 1, Token: "a-token-of-this-test"})
	require.NoError(t, err)
	require.NoError(t, alone.fill(t.Context()))
	require.Len(t, first.cases, len(alone.cases))
	for i, c := range alone.cases {
		assert.Equal(t, c.ID, first.cases[i].ID)
		assert.Equal(t, c.Seed, first.cases[i].Seed)
	}
}

func TestACacheTellsApartWhateverAPlanDependsOn(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	cache := new(Cache)
	plans := map[any]string{}
	for name, c := range map[string]Config{
		"as it is":           {},
		"another seed":       {Seed: 2},
		"other draws":        {Draws: 2},
		"a value":            {Values: []string{"/tag=Baum"}},
		"another selection":  {Only: []string{"no-such-thing"}},
		"other credentials":  {Auth: map[string]string{"bearer": "its-own-credential"}},
		"other requirements": {Requirements: []byte("requirements: []\n")},
	} {
		c.Cache, c.Token = cache, "a-token-of-this-test"
		if c.Draws == 0 {
			c.Draws = 1
		}
		s, err := setUp(c)
		if !assert.NoError(t, err, name) {
			continue
		}
		if name != "another selection" {
			assert.Empty(t, plans[s.plan], "%s has the plan of another", name)
			plans[s.plan] = name
		}
	}
	_, err := setUp(Config{Cache: cache, Spec: []byte("openapi: 3.1.0")})
	assert.Error(t, err, "a document that cannot be read is none the second time either")
	_, err = setUp(Config{Cache: cache, Spec: []byte("openapi: 3.1.0")})
	assert.Error(t, err)
}

func TestACacheForgetsTheOldestPlan(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	cache := new(Cache)
	made := func(seed uint64) any {
		s, err := setUp(Config{Cache: cache, Seed: seed, Draws: -1, Token: "a-token-of-this-test"})
		require.NoError(t, err)
		return s.plan
	}
	first := made(1)
	for seed := range uint64(cachedPlans) {
		made(seed + 2)
	}
	assert.Len(t, cache.made, cachedPlans)
	assert.NotSame(t, first, made(1))
}

// collections is a document of so many collections, each with five operations and
// schemas of its own.
func collections(n int) []byte {
	var paths, schemas strings.Builder
	for i := range n {
		one := strings.NewReplacer("thing", fmt.Sprintf("thing%d", i), "Thing", fmt.Sprintf("Thing%d", i))
		_, _ = one.WriteString(&paths, `
  /things:
    post: {requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}}
    get: {parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Thing'}}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '404': {description: d}}}
    put: {requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'200': {description: d}, '404': {description: d}}}
    delete: {responses: {'204': {description: d}, '404': {description: d}}}`)
		_, _ = one.WriteString(&schemas, `
    Thing: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string, minLength: 1, maxLength: 40}, kind: {enum: [a, b]}}}`)
	}
	return []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:" + paths.String() + "\ncomponents:\n  schemas:" + schemas.String() + "\n")
}

// spent is what it costs to read a document of so many collections and to make its cases
// and find out what they test. What is allocated is no matter of the machine's load.
func spent(t *testing.T, n int) (bytes, cases int) {
	t.Helper()
	document := collections(n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := setUp(Config{Spec: document, SpecName: "many.yaml", Effort: "smoke"})
	require.NoError(t, err)
	require.NoError(t, s.fill(t.Context()))
	s.judge.Cover(s.cases)
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc), len(s.cases)
}

func TestAnOperationOfALargeDocumentCostsNoMoreThanOneOfASmallOne(t *testing.T) {
	t.Parallel()
	sample.Slow(t)
	few, casesOfFew := spent(t, 5)
	many, casesOfMany := spent(t, 50)
	assert.Equal(t, 10*casesOfFew, casesOfMany)
	assert.Less(t, many, 10*few*5/4, "%d MB for 25 operations, %d MB for 250", few>>20, many>>20)
}

func TestADocumentTooLargeForLibopenapiIsNotGivenToIt(t *testing.T) {
	t.Parallel()
	s := &setup{contract: &openapi.Contract{Size: secondBytes + 1}}
	ask, err := s.second()
	assert.Nil(t, ask)
	assert.EqualError(t, err, "the document is larger than 1 MiB")
}

// A command often asks the target itself for its credential.
func TestACredentialIsAskedForOnceTheTargetIsUp(t *testing.T) {
	t.Parallel()
	var asked, starting atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("Authorization"), "there is none yet")
		if asked.Add(1) == 1 {
			starting.Store(1)
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		starting.Store(0)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer srv.Close()
	renewed := false
	_, err := prepare(t.Context(), Config{Spec: []byte(doors), SpecName: "doors.yaml", Draws: 1, Target: srv.URL, Wait: time.Minute,
		Include: []string{"get-doors"},
		Renew: map[string]func(context.Context) (string, error){"staff": func(context.Context) (string, error) {
			renewed = true
			assert.Positive(t, asked.Load())
			assert.Zero(t, starting.Load())
			return "ann:a-secret", nil
		}}}, true, false)
	require.NoError(t, err)
	assert.True(t, renewed)
}

// What is made or turned off before the run would stay so.
func TestATargetThatIsWaitedForIsOnlyRead(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		config Config
		want   string
	}{
		"another operation reads":    {Config{}, "GET /items"},
		"only one that changes runs": {Config{Include: []string{"post-maintenance"}}, "GET /maintenance"},
		"all may be sent":            {Config{AllowDisruptive: true, Exclude: []string{"get-items"}}, "GET /maintenance"},
	} {
		var mu sync.Mutex
		var got []string
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, r.Method+" "+r.URL.Path)
			body, _ := io.ReadAll(r.Body)
			assert.Empty(t, body, name)
			w.WriteHeader(http.StatusMethodNotAllowed)
		}))
		c := row.config
		c.Spec, c.SpecName, c.Draws, c.Target, c.Wait = []byte(switches), "switches.yaml", 1, srv.URL, time.Minute
		s, err := prepare(t.Context(), c, true, false)
		require.NoError(t, err, name)
		s.await(t.Context())
		srv.Close()
		assert.NotEmpty(t, got, name)
		assert.Equal(t, []string{row.want}, slices.Compact(got), name)
	}
}

// switches is a document whose first operations change something.
const switches = `
openapi: 3.1.0
info: {title: Switches, version: '1'}
paths:
  /maintenance:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [on], properties: {on: {type: boolean}}}}}}
      responses: {'204': {description: d}, '400': {description: d}}
  /logout:
    get:
      responses: {'204': {description: d}}
  /items:
    get:
      responses: {'200': {description: d}}
`

// debris is what package fmt writes for a verb and an argument that do not belong together.
var debris = regexp.MustCompile(`%!([a-zA-Z]|)\(`)

func TestNoRequestOfAnyDocumentHasWhatAFormatterLeaves(t *testing.T) {
	t.Parallel()
	documents := []string{"../spec/openapi.yaml", "../reference/services/crud/openapi.yaml"}
	for _, dir := range []string{"../testdata/openapi/*.yaml", "../reference/services/testdata/*.yaml"} {
		found, err := filepath.Glob(dir)
		require.NoError(t, err)
		require.NotEmpty(t, found)
		documents = append(documents, found...)
	}
	for _, document := range sample.Of(documents, 10) {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		s, err := prepare(t.Context(), Config{Spec: text, SpecName: document, Draws: -1, Effort: "gate", Token: "ann:a-secret-0123456789"}, false, true)
		require.NoError(t, err, document)
		messages := 0
		for _, c := range s.cases {
			for _, step := range s.plan.Build(c, plan.Identity{Seed: 1}) {
				if step.Message == nil {
					continue
				}
				wire := s.endpoint.Wire(step.Message, c.ID)
				messages++
				assert.Nil(t, debris.Find(slices.Concat(wire.Head, wire.Body)), "%s: %s", document, c.ID)
			}
		}
		assert.Greater(t, messages, 100, document)
	}
}

// doors is a document with a login, a registration and an operation for users.
const doors = `
openapi: 3.1.0
info: {title: Doors, version: '1'}
components:
  securitySchemes: {staff: {type: http, scheme: basic}}
  schemas:
    Login: {type: object, required: [user_name, password], properties: {user_name: {type: string}, password: {type: string}}}
paths:
  /login:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Login'}}}}
      responses: {'204': {description: d}, '401': {description: d}}
  /mail-login:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email, password], properties: {email: {type: string}, password: {type: string}}}}}}
      responses: {'204': {description: d}, '401': {description: d}}
  /users:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Login'}}}}
      responses: {'201': {description: d}, '409': {description: d}}
  /doors:
    get:
      security: [{staff: []}]
      responses: {'200': {description: d}, '401': {description: d}}
`

func TestALoginGetsTheUserOfBasicAuthentication(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		credential string
		values     []string
		want       []string
	}{
		{"ann:a-secret", nil, []string{"post-login:/user_name=ann", "post-login:/password=a-secret"}},
		{"ann@a.example:b:c", nil, []string{"post-login:/user_name=ann@a.example", "post-login:/password=b:c",
			"post-mail-login:/email=ann@a.example", "post-mail-login:/password=b:c"}},
		{"ann:a-secret", []string{"post-login:/user_name=bob"}, nil},
		{"ann:", nil, nil},
		{"", nil, nil},
	} {
		s, err := setUp(Config{Spec: []byte(doors), SpecName: "doors.yaml", Draws: 1, Auth: map[string]string{"staff": row.credential}, Values: row.values})
		require.NoError(t, err)
		assert.Equal(t, row.want, s.logins(), row.credential)
	}
}

// BenchmarkSetUp is what passes before the first request: reading document and
// overlay, and making the plan.
func BenchmarkSetUp(b *testing.B) {
	for b.Loop() {
		if _, err := setUp(Config{Token: "a-token-of-this-test"}); err != nil {
			b.Fatal(err)
		}
	}
}
