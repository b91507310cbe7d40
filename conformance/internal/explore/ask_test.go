package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/resource"
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
		v := a.value(resource.Way{Pointer: pointer})
		if want == "" {
			assert.Nil(t, v, pointer)
			continue
		}
		require.NotNil(t, v, pointer)
		assert.Equal(t, want, v.Text, pointer)
	}
	assert.Nil(t, (&asked{e: a.e}).value(resource.Way{Pointer: "/id"}), "an answer that is no JSON")
}

func TestARefusalSaysWhatMayHelp(t *testing.T) {
	for status, want := range map[int]string{401: "credential", 403: "credential", 404: "--target", 405: "--target", 500: "log", 503: "log", 400: "--values", 422: "--values"} {
		o := &OpFacts{}
		o.refusal(&exchange.Exchange{Response: &exchange.Response{Status: status}})
		assert.Equal(t, answeredWith(status), o.Refused)
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
