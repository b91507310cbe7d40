package conformance_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/unicode/norm"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// crates is a document whose things have an optional member of each type.
const crates = `
openapi: 3.0.3
info: {title: Parcels, version: "1"}
paths:
  /parcels:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Parcel"}}}}, "400": {description: refused}}
  "/parcels/{id}":
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Parcel"}}}}, "400": {description: wrong}, "404": {description: none}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Parcel"}}}}, "400": {description: wrong}, "404": {description: none}}
components:
  schemas:
    New:
      type: object
      required: [label]
      additionalProperties: false
      properties: &members
        label: {type: string}
        note: {type: string}
        fragile: {type: boolean}
        pieces: {type: integer}
        weight: {type: number}
        serial: {type: integer, format: int64}
        tags: {type: array, items: {type: string}}
        size: {type: object, properties: {width: {type: integer}, unit: {type: string}}}
        limits: {type: object, additionalProperties: {type: integer}}
    Parcel:
      type: object
      required: [id, label]
      properties: {id: {type: integer}, <<: *members}
`

// parcelKinds are the kinds of the members of a parcel.
var parcelKinds = map[string]jsontree.Kind{"label": jsontree.String, "note": jsontree.String, "fragile": jsontree.Bool, "pieces": jsontree.Number, "weight": jsontree.Number,
	"serial": jsontree.Number, "tags": jsontree.Array, "size": jsontree.Object, "limits": jsontree.Object}

// validParcel reports whether a server has to take a body.
func validParcel(body *jsontree.Value) bool {
	whole := func(v *jsontree.Value) bool { return v.Kind == jsontree.Number && jsontree.IsInteger(v.Text) }
	if body == nil || body.Get("label") == nil {
		return false
	}
	for _, m := range body.Members {
		kind, known := parcelKinds[m.Name]
		switch v := m.Value; {
		case !known || v.Kind != kind, (m.Name == "pieces" || m.Name == "serial") && !whole(v):
			return false
		case m.Name == "serial" && !jsontree.InRange(v.Text, big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)):
			return false
		case m.Name == "tags" && slices.ContainsFunc(v.Items, func(v *jsontree.Value) bool { return v.Kind != jsontree.String }):
			return false
		case m.Name == "limits" && slices.ContainsFunc(v.Members, func(m jsontree.Member) bool { return !whole(m.Value) }):
			return false
		case m.Name == "size" && (v.Get("width") != nil && !whole(v.Get("width")) || v.Get("unit") != nil && v.Get("unit").Kind != jsontree.String):
			return false
		}
	}
	return true
}

// depot serves parcels. Keep changes what is stored, with the method that stores it, and show what a
// read shows.
func depot(keep func(method string, v *jsontree.Value), show func(v *jsontree.Value)) http.HandlerFunc {
	var mu sync.Mutex
	var all []*jsontree.Value
	return func(w http.ResponseWriter, r *http.Request) {
		body := members(r)
		mu.Lock()
		defer mu.Unlock()
		id, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/parcels/"))
		write := func(status int) {
			v := all[id-1].Clone()
			v.Set("id", jsontree.NewInt(int64(id)))
			if r.Method == http.MethodGet {
				show(v)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write(v.Emit())
		}
		switch one := r.URL.Path != "/parcels"; {
		case one && err != nil, r.Method != http.MethodGet && !validParcel(body):
			w.WriteHeader(http.StatusBadRequest)
		case one && (id < 1 || id > len(all)):
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet:
			write(http.StatusOK)
		case one:
			keep(r.Method, body)
			all[id-1] = body
			write(http.StatusOK)
		default:
			keep(r.Method, body)
			all, id = append(all, body), len(all)+1
			write(http.StatusCreated)
		}
	}
}

// each changes every value of an object, at any depth, and removes one for nil.
func each(v *jsontree.Value, change func(name string, v *jsontree.Value) *jsontree.Value) {
	v.Members = slices.DeleteFunc(v.Members, func(m jsontree.Member) bool { return change(m.Name, m.Value) == nil })
	for i, m := range v.Members {
		v.Members[i].Value = change(m.Name, m.Value)
		each(m.Value, change)
	}
}

func falsy(v *jsontree.Value) bool {
	return v.Kind == jsontree.Bool && !v.Bool || v.Kind == jsontree.Number && v.Text == "0" || v.Kind == jsontree.String && v.Text == "" || v.Kind == jsontree.Array && len(v.Items) == 0 || v.Kind == jsontree.Object && len(v.Members) == 0
}

// texts changes every text that is stored.
func texts(change func(text string) string) func(string, *jsontree.Value) *jsontree.Value {
	return func(_ string, v *jsontree.Value) *jsontree.Value {
		switch v.Kind {
		case jsontree.String:
			return jsontree.NewString(change(v.Text))
		case jsontree.Array:
			out := jsontree.NewArray()
			for _, item := range v.Items {
				out.Items = append(out.Items, jsontree.NewString(change(item.Text)))
			}
			return out
		}
		return v
	}
}

func leftOut(kind jsontree.Kind) func(string, *jsontree.Value) *jsontree.Value {
	return func(_ string, v *jsontree.Value) *jsontree.Value {
		if v.Kind == kind && falsy(v) {
			return nil
		}
		return v
	}
}

func insteadOf(kind jsontree.Kind, other *jsontree.Value) func(string, *jsontree.Value) *jsontree.Value {
	return func(_ string, v *jsontree.Value) *jsontree.Value {
		if v.Kind == kind && falsy(v) {
			return other
		}
		return v
	}
}

func TestAValueThatIsStoredAsAnotherOneIsSuspected(t *testing.T) {
	t.Parallel()
	changes := map[string]func(string, *jsontree.Value) *jsontree.Value{
		"as it is":          func(_ string, v *jsontree.Value) *jsontree.Value { return v },
		"no false":          leftOut(jsontree.Bool),
		"no zero":           leftOut(jsontree.Number),
		"no empty text":     leftOut(jsontree.String),
		"no empty list":     leftOut(jsontree.Array),
		"no empty object":   leftOut(jsontree.Object),
		"true for false":    insteadOf(jsontree.Bool, jsontree.NewBool(true)),
		"one for zero":      insteadOf(jsontree.Number, jsontree.NewInt(1)),
		"a text for none":   insteadOf(jsontree.String, jsontree.NewString("none")),
		"an item for none":  insteadOf(jsontree.Array, jsontree.NewArray(jsontree.NewString("none"))),
		"a member for none": insteadOf(jsontree.Object, jsontree.NewObject(jsontree.M("width", jsontree.NewInt(1)))),
		"trimmed":           texts(strings.TrimSpace),
		"lower case":        texts(strings.ToLower),
		"composed":          texts(norm.NFC.String),
		"names in lower case": func(name string, v *jsontree.Value) *jsontree.Value {
			if name != "limits" {
				return v
			}
			out := jsontree.NewObject()
			for _, m := range v.Members {
				out.Set(strings.ToLower(m.Name), m.Value)
			}
			return out
		},
	}
	for _, method := range []string{http.MethodPost, http.MethodPut} {
		for name, change := range changes {
			if right := name == "as it is"; right && method == http.MethodPut || !right && !sample.Has(t.Name()+name+method, 8) {
				continue
			}
			got := judgeServer(t, depot(func(by string, v *jsontree.Value) {
				if by == method {
					each(v, change)
				}
			}, func(*jsontree.Value) {}), sequences)
			assert.Empty(t, failedMusts(got), "%s %s", method, name)
			assert.Equal(t, name == "as it is", len(failing(got)) == 0, "%s %s", method, name)
		}
	}
}

func TestAValueThatIsNotStoredIsSuspectedThoughTheServerRefusesAllOptionalMembersTogether(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"", "note", "tags", "weight"} {
		serve := depot(func(_ string, v *jsontree.Value) { v.Remove(lost) }, func(*jsontree.Value) {})
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			doc, _ := jsontree.Parse(body)
			if err == nil && doc != nil && doc.Root.Get("note") != nil && (doc.Root.Get("tags") != nil || doc.Root.Get("weight") != nil) {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			serve(w, r)
		}), sequences)
		assert.Empty(t, failedMusts(got), lost)
		assert.Equal(t, lost != "", slices.ContainsFunc(failing(got), func(id string) bool { return strings.HasSuffix(id, "-stored-as-sent") }), lost)
	}
}

// A store whose answers show what was sent knows false and 0.
func TestAFalseThatAnAnswerShowsAndNoReadIsLost(t *testing.T) {
	t.Parallel()
	for kind, lost := range map[jsontree.Kind]bool{jsontree.Bool: true, jsontree.Number: true, jsontree.String: false} {
		got := judgeServer(t, depot(func(string, *jsontree.Value) {}, func(v *jsontree.Value) { each(v, leftOut(kind)) }), sequences)
		assert.Equal(t, lost, slices.Contains(failing(got), "get-parcels-id-stored-created"), kind)
		assert.Empty(t, failedMusts(got), kind)
	}
}

// sequences are the cases of several requests, to servers that show at once what they took.
var sequences = conformance.Config{Spec: []byte(crates), Effort: "gate", Draws: -1, Only: []string{"*/sequence/*"}, Settle: 200 * time.Millisecond}

// failing lists the requirements that fail, of every level.
func failing(r *report.Report) []string {
	var out []string
	for _, x := range r.Results {
		if x.Verdict == report.Fail {
			out = append(out, x.Requirement)
		}
	}
	return out
}

const albums = `
openapi: 3.0.3
info: {title: Albums, version: "1"}
paths:
  /albums:
    post:
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}
  "/albums/{album}":
    parameters: [{name: album, in: path, required: true, schema: {type: integer, format: int64}}]
    delete: {responses: {"204": {description: gone}, "400": {description: wrong}, "404": {description: none}}}
  "/albums/{album}/photos":
    parameters: [{name: album, in: path, required: true, schema: {type: integer, format: int64}}]
    get:
      responses: {"200": {description: some, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}, "400": {description: wrong}, "404": {description: none}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
      responses: {"201": {description: made, headers: {Location: {schema: {type: string}}}, content: {application/json: {schema: {type: object}}}}, "400": {description: wrong}, "404": {description: none}}
  "/albums/{album}/photos/{photo}":
    parameters: [{name: album, in: path, required: true, schema: {type: integer, format: int64}}, {name: photo, in: path, required: true, schema: {type: integer, format: int64}}]
    get: {responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, "400": {description: wrong}, "404": {description: none}}}
components:
  schemas: {Thing: {type: object, required: [id], properties: {id: {type: integer, format: int64}, title: {type: string}}}}
`

// album serves albums. Each of the faults does one thing wrong.
type album struct {
	mu       sync.Mutex
	last     int64
	photos   map[int64]map[int64]string
	outlives bool // photos are listed when their album is gone
	nowhere  bool // the Location of a photo has another id
}

func (a *album) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	var ids [2]int64
	for i, at := range []int{1, 3} {
		if at < len(parts) {
			n, err := strconv.ParseInt(parts[at], 10, 64)
			if err != nil || strconv.FormatInt(n, 10) != parts[at] {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			ids[i] = n
		}
	}
	within, exists := a.photos[ids[0]]
	gone := !exists || within[0] == "deleted"
	switch title := members(r).Get("title"); {
	case len(parts) == 1:
		a.last++
		a.photos[a.last] = map[int64]string{}
		answering(http.StatusCreated, fmt.Sprintf(`{"id":%d}`, a.last))(w, r)
	case !exists, gone && !(a.outlives && len(parts) == 3 && r.Method == http.MethodGet):
		w.WriteHeader(http.StatusNotFound)
	case len(parts) == 2:
		within[0] = "deleted"
		w.WriteHeader(http.StatusNoContent)
	case len(parts) == 4 && ids[1] != 0 && within[ids[1]] != "":
		answering(http.StatusOK, fmt.Sprintf(`{"id":%d,"title":%s}`, ids[1], within[ids[1]]))(w, r)
	case len(parts) == 4:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodGet:
		list := []string{}
		for id := int64(1); id <= a.last; id++ {
			if within[id] != "" {
				list = append(list, fmt.Sprintf(`{"id":%d,"title":%s}`, id, within[id]))
			}
		}
		answering(http.StatusOK, "["+strings.Join(list, ",")+"]")(w, r)
	case title == nil || title.Kind != jsontree.String:
		w.WriteHeader(http.StatusBadRequest)
	default:
		a.last++
		within[a.last] = string(title.Emit())
		at := a.last
		if a.nowhere {
			at += 1_000_000
		}
		w.Header().Set("Location", fmt.Sprintf("/albums/%d/photos/%d", ids[0], at))
		answering(http.StatusCreated, "{}")(w, r)
	}
}

func TestItemsThatOutliveWhatHeldThemAndALocationThatLeadsNowhereAreFound(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		server *album
		want   []string
	}{
		"right":    {&album{}, nil},
		"outlives": {&album{outlives: true}, []string{"get-albums-album-photos-gone"}},
		"nowhere":  {&album{nowhere: true}, []string{"get-albums-album-photos-photo-created-readable"}},
	} {
		row.server.photos = map[int64]map[int64]string{}
		r := judgeServer(t, row.server, conformance.Config{Spec: []byte(albums), Draws: -1, Effort: "gate", Only: []string{"*/sequence/*"}, Settle: 200 * time.Millisecond})
		var failed []string
		for _, x := range r.Results {
			if x.Verdict == report.Fail {
				failed = append(failed, x.Requirement)
			}
		}
		assert.Equal(t, row.want, failed, name)
	}
}
