package services

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference/kit"
)

// table is one resource of the service that a framework serves.
type table struct {
	path    string
	members []column
}

// column is a member with its type in a schema.
type column struct{ name, kind string }

// tables lists the resources. Each has five operations, and no two have equal members.
func tables() []table {
	return []table{
		{"authors", []column{{"pen_name", "string"}, {"born", "integer"}, {"living", "boolean"}}},
		{"shelves", []column{{"label", "string"}, {"height", "integer"}, {"marks", "array"}}},
		{"parcels", []column{{"contents", "string"}, {"grams", "integer"}, {"fragile", "boolean"}, {"stops", "array"}}},
		{"trains", []column{{"line", "string"}, {"wagons", "integer"}, {"electric", "boolean"}}},
		{"recipes", []column{{"dish", "string"}, {"minutes", "integer"}, {"steps", "array"}}},
		{"engines", []column{{"model", "string"}, {"cylinders", "integer"}, {"running", "boolean"}}},
		{"paintings", []column{{"motif", "string"}, {"width", "integer"}, {"colours", "array"}}},
		{"ferries", []column{{"harbour", "string"}, {"decks", "integer"}, {"moored", "boolean"}}},
	}
}

// Habits lists what Framework can do as frameworks do. One program, one place in it, and many
// operations that deviate from their document.
func Habits() []string {
	return []string{"null is absent", "texts become numbers", "fractions in queries", "no version", "no login", "no body", "text behind a body", "other members"}
}

// Mistakes lists what Framework can do wrong at one place each, beside habits: a crash, a
// loss, two answers and a leniency.
func Mistakes() []string {
	return []string{"list of shelves crashes", "deleted train stays", "id of a parcel is a text", "minutes without a maximum", "new ferry with 200"}
}

// FrameworkDocument is the document of Framework: forty operations, with all that they share
// written out at each.
func FrameworkDocument() []byte {
	var b bytes.Buffer
	b.WriteString(`openapi: 3.1.0
info: {title: Tables, version: "1"}
security: [{bearer: []}]
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
paths:
`)
	const version = `{name: X-Api-Version, in: header, required: true, schema: {type: string, enum: ["2026-01"]}}`
	refused := func(statuses ...string) (out string) {
		for _, s := range statuses {
			out += fmt.Sprintf(`, "%s": {description: d, content: {application/json: {schema: {type: object, required: [why], properties: {why: {type: string}}}}}}`, s)
		}
		return out
	}
	for _, t := range tables() {
		var members []string
		for _, m := range t.members {
			members = append(members, m.name+": "+map[string]string{"string": "{type: string}", "integer": "{type: integer, minimum: 0, maximum: 90000}", "boolean": "{type: boolean}",
				"array": "{type: array, items: {type: string}}"}[m.kind])
		}
		given := "{type: object, additionalProperties: false, properties: {" + strings.Join(members, ", ") + "}}"
		shown := "{type: object, required: [id], properties: {id: {type: integer}, " + strings.Join(members, ", ") + "}}"
		one := "application/json: {schema: " + shown + "}"
		body := "requestBody: {required: true, content: {application/json: {schema: " + given + "}}}"
		fmt.Fprintf(&b, `  /%[1]s:
    post: {operationId: add_%[1]s, parameters: [%[2]s], %[3]s, responses: {"201": {description: d, content: {%[4]s}}%[5]s}}
    get: {operationId: list_%[1]s, parameters: [%[2]s, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}, {name: offset, in: query, schema: {type: integer, minimum: 0, maximum: 90000}}], responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: %[6]s}}}}%[5]s}}
  /%[1]s/{id}:
    get: {operationId: get_%[1]s, parameters: [%[2]s, {name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: d, content: {%[4]s}}%[7]s}}
    put: {operationId: put_%[1]s, parameters: [%[2]s, {name: id, in: path, required: true, schema: {type: integer}}], %[3]s, responses: {"200": {description: d, content: {%[4]s}}%[7]s}}
    delete: {operationId: drop_%[1]s, parameters: [%[2]s, {name: id, in: path, required: true, schema: {type: integer}}], responses: {"204": {description: d}%[7]s}}
`, t.path, version, body, one, refused("400", "401"), shown, refused("400", "401", "404"))
	}
	return b.Bytes()
}

// framework is the program that serves all tables.
type framework struct{ habits []string }

// Framework serves FrameworkDocument with some habits and mistakes; without any it is right. "version
// crashes" is another way to go wrong without the version: with a server error.
func Framework(habits ...string) http.Handler {
	f := framework{habits}
	service := kit.New("")
	for _, t := range tables() {
		k := kit.Far()
		service.On("POST /"+t.path, func(c *kit.Check, r *http.Request) (int, any) {
			status, made := k.Made(c, f.given(c, r, t))
			if status == 201 && t.path == "ferries" && f.has("new ferry with 200") {
				status = 200
			}
			return status, made
		})
		service.On("GET /"+t.path, func(c *kit.Check, r *http.Request) (int, any) {
			if t.path == "shelves" && r.URL.Query().Has("offset") && f.has("list of shelves crashes") {
				return 500, nil
			}
			limit, offset := f.query(c, r, "limit", 1, 100, 100), f.query(c, r, "offset", 0, 90000, 0)
			return 200, cut(slices.DeleteFunc(slices.Clone(k.Things), func(v map[string]any) bool { return v == nil }), offset, limit)
		})
		service.On("GET /"+t.path+"/{id}", k.About("id", func(_ *kit.Check, _ *http.Request, found map[string]any) (int, any) {
			if t.path == "parcels" && f.has("id of a parcel is a text") {
				found = maps.Clone(found)
				found["id"] = fmt.Sprint(found["id"])
			}
			return 200, found
		}))
		service.On("PUT /"+t.path+"/{id}", func(c *kit.Check, r *http.Request) (int, any) {
			old := k.Find(r.PathValue("id"))
			v := f.given(c, r, t)
			switch {
			case c.Complaint != "":
				return 400, nil
			case old == nil:
				return 404, nil
			}
			v["id"] = old["id"]
			clear(old)
			maps.Copy(old, v)
			return 200, v
		})
		service.On("DELETE /"+t.path+"/{id}", k.About("id", func(_ *kit.Check, _ *http.Request, old map[string]any) (int, any) {
			if t.path != "trains" || !f.has("deleted train stays") {
				k.Drop(old)
			}
			return 204, nil
		}))
	}
	return f.guarded(service)
}

func (f *framework) has(habit string) bool { return slices.Contains(f.habits, habit) }

// guarded looks at the credential and the version before anything else.
func (f *framework) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		list := r.Header.Values("X-Api-Version")
		switch {
		case !f.has("no login") && (!strings.EqualFold(scheme, "Bearer") || strings.Trim(token, " ") != Key || len(r.Header.Values("Authorization")) != 1):
			w.Header().Set("WWW-Authenticate", "Bearer")
			kit.Answer(w, http.StatusUnauthorized, map[string]string{"why": "credential"})
		case f.has("version crashes") && len(list) == 0:
			kit.Answer(w, http.StatusInternalServerError, map[string]string{"why": "index out of range"})
		case !f.has("no version") && (len(list) != 1 || list[0] != "2026-01"):
			kit.Answer(w, http.StatusBadRequest, map[string]string{"why": "version"})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

var whole = regexp.MustCompile(`^[0-9]{1,6}$`)

// query reads an integer of the query.
func (f *framework) query(c *kit.Check, r *http.Request, name string, minimum, maximum, otherwise int) int {
	list := r.URL.Query()[name]
	if len(list) == 0 {
		return otherwise
	}
	text := list[0]
	if f.has("fractions in queries") && strings.Count(text, ".") == 1 {
		text, _, _ = strings.Cut(text, ".")
		minimum = 0
	}
	n, err := strconv.Atoi(text)
	c.Want(name, len(list) == 1 && whole.MatchString(text) && err == nil && n >= minimum && n <= maximum)
	return n
}

// given reads a body of a table.
func (f *framework) given(c *kit.Check, r *http.Request, t table) map[string]any {
	var known []string
	for _, m := range t.members {
		known = append(known, m.name)
	}
	out := map[string]any{"id": 0}
	object := c.Object("body", f.body(c, r), !f.has("other members"), known...)
	for _, m := range t.members {
		v := f.converted(object[m.name], m.kind)
		if v == nil {
			continue
		}
		switch m.kind {
		case "string":
			c.Text(m.name, v)
		case "integer":
			n, ok := c.Integer(m.name, v)
			c.Want(m.name+" range", !ok || kit.AtLeast(n, 0) && (kit.AtMost(n, 90000) || m.name == "minutes" && f.has("minutes without a maximum")))
		case "boolean":
			c.Boolean(m.name, v)
		case "array":
			var kept []value
			for _, item := range c.Array(m.name, v) {
				if item = f.converted(item, "string"); item != nil {
					c.Text(m.name+" items", item)
					kept = append(kept, item)
				}
			}
			out[m.name] = append([]value{}, kept...)
			continue
		}
		out[m.name] = v
	}
	return out
}

// body reads one JSON text, or as much of it as is one.
func (f *framework) body(c *kit.Check, r *http.Request) value {
	var b bytes.Buffer
	_, err := b.ReadFrom(http.MaxBytesReader(nil, r.Body, 1<<20))
	v := value(b.Bytes())
	switch {
	case err == nil && len(v) == 0 && f.has("no body"):
		return value("{}")
	case err == nil && f.has("text behind a body"):
		first, err := jsontext.NewDecoder(&b).ReadValue()
		c.Want("body json", err == nil)
		return first
	}
	if !c.Want("body json", err == nil && v.IsValid()) {
		return nil
	}
	return v
}

// converted is a value as the program takes it; nil is none.
func (f *framework) converted(v value, kind string) value {
	switch {
	case v.Kind() == 'n' && f.has("null is absent"):
		return nil
	case f.has("texts become numbers") && v.Kind() == '"':
		text := string(v[1 : len(v)-1])
		if kind == "integer" && whole.MatchString(text) || kind == "boolean" && (text == "true" || text == "false") {
			return value(strings.TrimLeft(text[:len(text)-1], "0") + text[len(text)-1:])
		}
	}
	return v
}
