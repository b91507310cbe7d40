package explore_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

// The kinds of a thing, by the alternatives of its schema.
const (
	car     = `{type: object, required: [plate], properties: {plate: {type: string, maxLength: 20}}}`
	trailer = `{type: object, required: [axles], properties: {axles: {type: integer, minimum: 1, maximum: 9}}}`
)

// kinds is a document of things of two kinds. What replaces one lists them the other way
// round.
var kinds = document(path("/things", "", operation("post", "addThing", "{$ref: '#/components/schemas/Thing'}", "201", identified)),
	path("/things/{thingId}", "integer", operation("put", "replaceThing", "{oneOf: [{$ref: '#/components/schemas/Trailer'}, {$ref: '#/components/schemas/Car'}]}", "200", identified))) +
	"components:\n  schemas:\n    Thing: {oneOf: [{$ref: '#/components/schemas/Car'}, {$ref: '#/components/schemas/Trailer'}]}\n    Car: " + car + "\n    Trailer: " + trailer + "\n"

// things is a server of kinds that makes some kinds and changes none, or any, into another.
func things(makes func(kind string) bool, change bool) http.Handler {
	var list []string
	kind := func(r *http.Request) string {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"axles"`) {
			return "trailer"
		}
		return "car"
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, r *http.Request) {
		k := kind(r)
		if !makes(k) {
			respond(w, 400, `{}`)
			return
		}
		list = append(list, k)
		respond(w, 201, `{"id":%d}`, len(list))
	})
	mux.HandleFunc("PUT /things/{id}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("id"))
		if k := kind(r); err != nil || n > len(list) || list[n-1] != k && !change {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 200, `{"id":%d}`, n)
	})
	return mux
}

// row is the copy of an operation for an alternative, or the operation itself.
func (w world) row(name, alternative string) *openapi.Operation {
	w.t.Helper()
	for _, op := range w.op(name).Rows() {
		if op.Alternative == alternative {
			return op
		}
	}
	require.Fail(w.t, "no such alternative", alternative)
	return nil
}

// made is what makes the thing that an operation is about.
func (w world) made(op *openapi.Operation) string {
	w.t.Helper()
	r := w.Facts.Of(op).Reached
	require.NotNil(w.t, r, "%v", w.Reasons)
	return r.Ways["path/thingId"].From.Name()
}

func TestWhatReplacesAThingGetsOneOfItsOwnKind(t *testing.T) {
	w := learned(t, kinds, things(func(string) bool { return true }, false))
	assert.Empty(t, w.Reasons)
	assert.Equal(t, "addThing (Trailer)", w.made(w.row("replaceThing", "")))
	assert.Equal(t, "addThing", w.made(w.row("replaceThing", "Car")))
	assert.Equal(t, "replaceThing <- addThing#/id", w.way("replaceThing"), "as a values file can say it")
}

func TestWhatReplacesAThingGetsOneOfAnotherKindIfItsOwnIsNotMade(t *testing.T) {
	w := learned(t, kinds, things(func(kind string) bool { return kind == "car" }, true))
	assert.Equal(t, "addThing", w.made(w.row("replaceThing", "")))
	assert.Equal(t, "addThing", w.made(w.row("replaceThing", "Car")))
}

func TestTheKindsOfAThingAreMadeAlsoIfThatIsNotTried(t *testing.T) {
	w := over(t, kinds, things(func(string) bool { return true }, false))
	w.Aside = map[*openapi.Operation]bool{w.op("addThing"): true}
	require.True(t, w.Learn(t.Context()), "%v", w.Reasons)
	assert.Equal(t, "addThing (Trailer)", w.made(w.row("replaceThing", "")))
	for _, o := range w.Openings {
		assert.Equal(t, "replaceThing", o.Op.First().Name())
	}
}
