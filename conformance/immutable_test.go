package conformance

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// priced has a member whose name suggests a kind of text.
const priced = `
openapi: 3.1.0
info: {title: Prices, version: '1'}
paths:
  /prices:
    post:
      operationId: addPrice
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [currency], properties: {currency: {type: string, maxLength: 12}}}
      responses:
        '201': {description: made}
        '400': {description: refused}
`

// prices serves that document, and takes only some valid texts.
func prices(t *testing.T, takes func(text string) bool) string {
	t.Helper()
	c, err := openapi.Load("prices.yaml", []byte(priced))
	require.NoError(t, err)
	s := http.NewServeMux()
	s.HandleFunc("POST /prices", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if read := c.Operations[0].Body.Shape.Read(sent); err != nil || read.Kind >= schema.Invalid || !takes(read.Root().Get("currency").Text) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusCreated)
	})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

// One server takes no currencies: its member means something else. What a run finds out there must
// not reach the run against the other server, although both have one contract and one plan.
func TestRunsThatShareAContractFindOutNothingForEachOther(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	servers := map[string]string{
		"misread": prices(t, func(text string) bool { return len(text) > 3 }),
		"right":   prices(t, func(text string) bool { return len(text) == 3 && strings.ToUpper(text) == text }),
	}
	cache, verdicts := new(Cache), func(name string, cache *Cache) map[string]report.Verdict {
		r, err := Run(t.Context(), Config{Target: servers[name], Spec: []byte(priced), SpecName: "prices.yaml", Draws: -1, Effort: "smoke", Cache: cache})
		out := map[string]report.Verdict{}
		if assert.NoError(t, err) {
			for _, x := range r.Results {
				out[x.Requirement] = x.Verdict
			}
		}
		return out
	}
	s, err := setUp(withDefaults(Config{Spec: []byte(priced), SpecName: "prices.yaml", Draws: -1, Effort: "smoke", Cache: cache}))
	require.NoError(t, err)
	before := fingerprint(s.contract)
	alone := map[string]map[string]report.Verdict{}
	for name := range servers {
		alone[name] = verdicts(name, nil)
	}
	assert.Equal(t, alone["misread"], verdicts("misread", cache))
	var group sync.WaitGroup
	for name := range servers {
		group.Go(func() { assert.Equal(t, alone[name], verdicts(name, cache), name) })
	}
	group.Wait()
	assert.Equal(t, before, fingerprint(s.contract), "a run writes into the contract")
}

// Requirements, plans and proposals are made side by side from one loaded contract, each with files of
// its own.
func TestALoadedContractStaysAsItIs(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../reference/services/crud/openapi.yaml")
	require.NoError(t, err)
	promises, err := os.ReadFile("../reference/services/crud/requirements.yaml")
	require.NoError(t, err)
	c := withDefaults(Config{Spec: document, SpecName: "openapi.yaml", Effort: "smoke", Draws: -1, Token: "a-token-of-this-test"})
	loaded, err := openapi.Load(c.SpecName, c.Spec)
	require.NoError(t, err)
	before := fingerprint(loaded)
	plain, promised, named, other := c, c, c, c
	promised.Requirements = promises
	named.Values = []string{"listUsers:query/limit=5"}
	named.ValuesFile = []byte("getUser: {path: {userId: {from: 'createUser#/id'}}}\ncompleteTask: {unreachable: it takes a day}\n")
	other.AuthOther, other.Headers = map[string]string{loaded.SchemeNames[0]: "another"}, []string{"Authorization: Bearer mine"}
	var group sync.WaitGroup
	digests := make([]string, 5)
	for i := range digests {
		group.Go(func() {
			one := &setup{config: []Config{plain, promised, named, other}[i%4], rules: checks.Rules()}
			s, err := one.from(loaded)
			if !assert.NoError(t, err) {
				return
			}
			own := fingerprint(s.contract)
			assert.NotEqual(t, before, own, "it has ways to values at least")
			requirement.Candidates(s.contract, s.set)
			assert.NoError(t, s.plan.Fill(t.Context(), mutate.Sequences()))
			for _, k := range s.plan.Cases {
				s.plan.Build(k, plan.Identity{Seed: s.config.Seed})
			}
			assert.Equal(t, own, fingerprint(s.contract))
			digests[i] = own
		})
	}
	group.Wait()
	assert.Equal(t, before, fingerprint(loaded))
	assert.Equal(t, digests[0], digests[4], "the same files, the same contract")
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(digests))), 4)
}

// fingerprint is a digest of everything that a value leads to, but for what is only remembered: the
// same would be found again.
func fingerprint(of any) string {
	w := printer{sum: sha256.New(), seen: map[uintptr]int{}}
	w.value(reflect.ValueOf(of))
	return fmt.Sprintf("%x", w.sum.Sum(nil))
}

type printer struct {
	sum  hash.Hash
	seen map[uintptr]int // pointers, by when they were met
}

// remembered are the fields that hold what was found before, and the locks of them.
func remembered() []string {
	return []string{"Shape.before", "Shape.found", "Shape.document", "Shape.exact"}
}

func (w *printer) value(v reflect.Value) {
	if !v.IsValid() {
		return
	}
	fmt.Fprintf(w.sum, "%s:", v.Type())
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		n, known := w.seen[v.Pointer()]
		if !known {
			n = len(w.seen)
			w.seen[v.Pointer()] = n
		}
		if fmt.Fprintf(w.sum, "#%d", n); !known {
			w.value(v.Elem())
		}
	case reflect.Interface:
		w.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; !slices.Contains(remembered(), v.Type().Name()+"."+name) {
				fmt.Fprintf(w.sum, "%s=", name)
				w.value(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, key := range keys {
			fmt.Fprintf(w.sum, "%v=", key)
			w.value(v.MapIndex(key))
		}
	case reflect.Func, reflect.Chan:
	default:
		fmt.Fprintf(w.sum, "%v", v)
	}
}

func TestAFingerprintShowsEveryChange(t *testing.T) {
	t.Parallel()
	load := func() *openapi.Contract {
		c, err := openapi.Load("prices.yaml", []byte(priced))
		require.NoError(t, err)
		return c
	}
	same := fingerprint(load())
	assert.Equal(t, same, fingerprint(load()))
	for name, change := range map[string]func(op *openapi.Operation){
		"a text":    func(op *openapi.Operation) { op.ID = "x" },
		"a list":    func(op *openapi.Operation) { op.Bind = append(op.Bind, "/currency") },
		"a pointer": func(op *openapi.Operation) { op.Listing = &openapi.Listing{} },
		"deep in a shape": func(op *openapi.Operation) {
			op.Body.Shape.Domains["/currency"] = schema.Domain{Value: jsontree.NewString("a")}
		},
		"in a schema": func(op *openapi.Operation) { op.Body.Shape.Schema.Properties[0].Required = false },
	} {
		c := load()
		change(c.Operations[0])
		assert.NotEqual(t, same, fingerprint(c), name)
	}
}
