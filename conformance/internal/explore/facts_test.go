package explore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/spec"
)

func TestALocationGivesTheLastValueOfAPath(t *testing.T) {
	for _, c := range []struct{ field, template, want string }{
		{"/users/7", "/users/{id}", "7"},
		{"/users/7/", "/users/{id}", "7"},
		{"https://host/api/users/a%20b?x=1#y", "/users/{id}", "a b"},
		{"users/7", "/users/{id}", "7"},
		{"/users/u7.json", "/users/u{id}.json", "7"},
		{"/users/7", "/users/u{id}", ""},
		{"/users/", "/users/{id}", "users"}, // there is no telling
		{"%zz", "/users/{id}", ""},
		{"/users/7", "/users", ""},
		{"", "/users/{id}", ""},
		{"tag-9", "", "tag-9"}, // the field as it is
	} {
		got := fromHeader([]string{c.field}, c.template)
		if c.want == "" {
			assert.Nil(t, got, c.field)
			continue
		}
		require.NotNil(t, got, c.field)
		assert.Equal(t, jsontree.String, got.Kind)
		assert.Equal(t, c.want, got.Text, c.field)
	}
	assert.Nil(t, fromHeader(nil, "/users/{id}"))
	assert.Nil(t, fromHeader([]string{"/users/1", "/users/2"}, "/users/{id}"), "there is no telling which")
}

func TestOnlyATextOrANumberIsAValue(t *testing.T) {
	doc, err := jsontree.Parse([]byte(`{"id":7,"key":"k","none":null,"empty":"","on":true,"list":[{"id":1},{"id":2}],"no":[],"of":{"id":9}}`))
	require.NoError(t, err)
	a := &asked{answer: doc.Root, e: &exchange.Exchange{Response: &exchange.Response{}}}
	for pointer, want := range map[string]string{"/id": "7", "/key": "k", "/list/-/id": "1", "/of/id": "9",
		"/none": "", "/empty": "", "/on": "", "/list": "", "/no/-/id": "", "/of": "", "/other": "", "/id/-": ""} {
		v := a.value(resource.Dependency{Pointer: pointer})
		if want == "" {
			assert.Nil(t, v, pointer)
			continue
		}
		require.NotNil(t, v, pointer)
		assert.Equal(t, want, v.Text, pointer)
	}
	assert.Nil(t, (&asked{e: a.e}).value(resource.Dependency{Pointer: "/id"}), "an answer that is no JSON")
}

func TestARefusalSaysWhatMayHelp(t *testing.T) {
	for status, want := range map[int]string{401: "credential", 403: "credential", 404: "--target", 405: "--target", 500: "log", 503: "log", 400: "--values", 422: "--values"} {
		o := &OpFacts{}
		o.refusal(&exchange.Exchange{Response: &exchange.Response{Status: status}})
		assert.Equal(t, answeredWith(status, ""), o.Refused)
		assert.Contains(t, o.Help, want, status)
	}
	o := &OpFacts{}
	o.refusal(&exchange.Exchange{Failure: &exchange.Failure{Kind: exchange.Dropped, Detail: "reset"}})
	assert.Contains(t, o.Refused, "it got no answer: ")
	assert.NotEmpty(t, o.Help)
	o = &OpFacts{}
	o.refusal(nil)
	assert.Equal(t, "it got no answer in time", o.Refused)
}

func TestTheNameOfAResourceEndsWithItsKey(t *testing.T) {
	for text, want := range map[string]string{"shelves/s1": "s1", "//library.example/v1/shelves/s1": "s1", "shelves/s1/books/b1": "", "s1": "", "Old maps": "", "ourshelves/s1": "", "": ""} {
		got := ""
		if v := fromName(text, "/v1/shelves/{shelf}"); v != nil {
			got = v.Text
		}
		assert.Equal(t, want, got, text)
	}
}

func TestARefusalLikeThatOfARepeatIsKnownWhateverItNames(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	op := c.Operations[0]
	refused := func(message string) *requirement.Answer {
		return &requirement.Answer{Status: 400, Reading: op.Response(400).Media[0].Shape.Read([]byte(`{"error":409,"message":"` + message + `"}`))}
	}
	sent := &message.Sent{Body: op.Body.Shape.Read([]byte(`{"id":18462031,"name":"b4zkqvxw2n"}`))}
	for _, row := range []struct{ first, other, unlike string }{
		{"is used by another plant", "is used by another plant", "is too long"},
		{"id 18462031 is taken", "id 5 is taken", "id 5 is wrong"},
		{"name 'b4zkqvxw2n' exists", "name 'name' exists", "name 'name' is bad"},
		{"Key (name)=(b4zkqvxw2n) already exists.", "Key (name)=(message) already exists.", "Key (tag)=(x) already exists."},
		{"b4zkqvxw2n exists already (request 7f81d4fae-7dec-11d0)", "O''Brien exists already (request 0a11)", "O'Brien is odd (request 0a11)"},
	} {
		l := FormOf(op, sent, refused(row.first))
		assert.True(t, l.Fits(refused(row.other)), row.other)
		assert.False(t, l.Fits(refused(row.unlike)), row.unlike)
	}
	numbered := func(number string) *requirement.Answer {
		return &requirement.Answer{Status: 400, Reading: op.Response(400).Media[0].Shape.Read([]byte(`{"error":` + number + `,"message":"x"}`))}
	}
	assert.True(t, FormOf(op, sent, numbered("-1861234")).Fits(numbered("90817")), "a hash may be negative")
	none := FormOf(op, sent, &requirement.Answer{Status: 409})
	assert.True(t, none.Fits(&requirement.Answer{Status: 409}), "two answers without a body are alike")
	assert.False(t, none.Fits(refused("x")))
}

func TestThingsThatShowLateAreMadeBeforeTheyAreNeeded(t *testing.T) {
	var l late
	from := &openapi.Operation{}
	first, second := new(asked), new(asked)
	got, shows := l.put(from, first, time.Hour, time.Hour)
	assert.Same(t, first, got)
	assert.Greater(t, time.Until(shows), time.Minute, "nothing was made before")
	assert.True(t, l.short(from), "the next request shall not wait")
	l.add(from, second)
	assert.False(t, l.short(from), "a run that needs few makes few")
	got, _ = l.put(from, new(asked), time.Hour, time.Hour)
	assert.Same(t, second, got, "the oldest comes first")
	for range maxStocked {
		l.put(from, new(asked), time.Hour, time.Hour)
		l.add(from, new(asked))
	}
	assert.False(t, l.short(from), "a run does not make things without end")
}

func TestAThingThatWasMadeLongAgoIsNotTakenAsNew(t *testing.T) {
	from, last := &openapi.Operation{}, new(asked)
	l := late{stock: map[*openapi.Operation][]stocked{from: {{new(asked), time.Now().Add(-time.Hour)}, {last, time.Now().Add(-time.Second)}}}, drawn: map[*openapi.Operation]int{}}
	got, shows := l.put(from, new(asked), time.Millisecond, time.Minute)
	assert.Same(t, last, got)
	assert.True(t, shows.Before(time.Now()), "it shows by now")
}

func TestFactsAreUsualWhereTheTargetTakesWhatTheDocumentDescribes(t *testing.T) {
	op := &openapi.Operation{}
	facts := func(change func(*Facts, *OpFacts)) *Facts {
		o := &OpFacts{Accepted: true}
		f := &Facts{Seed: 1, Generation: 2, EarlierRuns: 3, Connections: 4, ops: map[*openapi.Operation]*OpFacts{op: o}}
		change(f, o)
		return f.Usual()
	}
	usual := facts(func(*Facts, *OpFacts) {})
	assert.Equal(t, (&Facts{Seed: 1, Generation: 2, EarlierRuns: 3}).Identity(0), usual.Identity(0))
	assert.Equal(t, &OpFacts{}, usual.Of(op))
	for name, change := range map[string]func(*Facts, *OpFacts){
		"a member is needed":      func(_ *Facts, o *OpFacts) { o.Needs = map[string]bool{"/tag": true} },
		"a value is had":          func(_ *Facts, o *OpFacts) { o.Reached = &Reached{} },
		"a value cannot be had":   func(_ *Facts, o *OpFacts) { o.Unreached = "nothing makes one" },
		"the request was refused": func(_ *Facts, o *OpFacts) { o.RefusedWith = 409 },
		"small numbers":           func(f *Facts, _ *OpFacts) { f.small.Set(op, true) },
		"dates in the past":       func(f *Facts, _ *OpFacts) { f.past.Set(op, true) },
		"dates soon":              func(f *Facts, _ *OpFacts) { f.soon.Set(op, true) },
		"kinds of sentences":      func(f *Facts, _ *OpFacts) { f.told.Set(op, true) },
		"no guesses":              func(f *Facts, _ *OpFacts) { f.unguessed.Set(op, true) },
		"other values of enums":   func(f *Facts, _ *OpFacts) { f.choices.Set(op, 1) },
		"values of examples": func(f *Facts, _ *OpFacts) {
			f.given.Set(op, map[string]*jsontree.Value{"/tag": jsontree.NewString("rose")})
		},
	} {
		assert.Nil(t, facts(change), name)
	}
}
