package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

// withServers loads a document with these members at its top.
func withServers(t *testing.T, top string) *openapi.Contract {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte("{"+top+`, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err, top)
	return c
}

func TestVariablesOfAServerHaveTheirDefaultsOrAllowedValues(t *testing.T) {
	list := withServers(t, `openapi: 3.1.0, servers: [{url: 'https://{env}.example.com:{port}/{base}', variables: {env: {default: dev, enum: [dev, live]}, port: {default: 8443}, base: {default: ''}}}, {url: 'https://{region}'}, {}]`).Servers()
	require.Len(t, list, 3)
	assert.Equal(t, []string{"env", "port", "base"}, list[0].Variables())
	for _, row := range []struct {
		server     int
		values     map[string]string
		want, fail string
	}{
		{0, nil, "https://dev.example.com:8443/", ""},
		{0, map[string]string{"env": "live", "port": "1", "base": "v2"}, "https://live.example.com:1/v2", ""},
		{0, map[string]string{"env": "test"}, "", "--server-variable env: the document does not allow this value: use one of dev, live"},
		{1, map[string]string{"region": "eu"}, "https://eu", ""},
		{1, nil, "", "the variable region of the server https://{region} has no default: add --server-variable region=VALUE"},
		{2, nil, "", ""},
	} {
		got, err := list[row.server].Address(row.values)
		if row.fail != "" {
			assert.EqualError(t, err, row.fail)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, row.want, got)
	}
}

func TestThePrefixIsWhatThePathsOfAllServersBeginWith(t *testing.T) {
	for top, want := range map[string]string{
		`openapi: 3.1.0`:                      "",
		`openapi: 3.1.0, servers: [{url: /}]`: "",
		`openapi: 3.1.0, servers: [{url: 'https://h/api/v2/'}, {url: /api/v2}]`:                 "/api/v2",
		`openapi: 3.1.0, servers: [{url: 'https://h/api/v1'}, {url: 'https://h/api/v2'}]`:       "/api",
		`openapi: 3.1.0, servers: [{url: 'https://h/api'}, {url: 'https://h/apis'}]`:            "",
		`openapi: 3.1.0, servers: [{url: 'https://h/api'}, {url: 'https://h'}]`:                 "",
		`openapi: 3.1.0, servers: [{url: v1}, {url: v1}]`:                                       "",
		`openapi: 3.1.0, servers: [{url: 'https://h/{b}'}]`:                                     "",
		`openapi: 3.1.0, servers: [{url: 'https://h/{b}', variables: {b: {default: 'a%20b'}}}]`: "/a%20b",
		`openapi: 3.1.0, servers: [{url: 'https://h:x/v1'}]`:                                    "",
		`swagger: '2.0', host: h, basePath: /api, schemes: [http, https]`:                       "/api",
		`swagger: '2.0', basePath: /api`:                                                        "/api",
	} {
		assert.Equal(t, want, withServers(t, top).Prefix(), top)
	}
}

func TestAnOperationOfAnotherServerIsLeftOut(t *testing.T) {
	const op = `get: {responses: {"200": {description: d}}`
	load := func(top string) *openapi.Contract {
		c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, `+top+`}`))
		require.NoError(t, err, top)
		return c
	}
	paths := func(c *openapi.Contract) []string {
		var out []string
		for _, op := range c.Operations {
			out = append(out, op.Path)
		}
		return out
	}
	c := load(`servers: [{url: 'https://a.example/v1/'}], paths: {/usual: {` + op + `}}, /same: {` + op + `, servers: [{url: 'https://b.example'}, {url: 'https://a.example/v1'}]}},
  /files: {servers: [{url: 'https://files.example'}], ` + op + `}}, /back: {servers: [{url: 'https://files.example'}], ` + op + `, servers: [{url: 'https://a.example/v1'}]}}}`)
	assert.Equal(t, []string{"/usual", "/same", "/back"}, paths(c))
	assert.Equal(t, []string{`GET /files: it has a server of its own, https://files.example: to try it, give a document with that server for all`}, c.LeftOut)
	c = load(`servers: [{url: '//a.example'}], paths: {/one: {` + op + `, servers: [{url: 'https://a.example'}]}}, /two: {` + op + `, servers: [{url: 'https://b.example'}]}}}`)
	assert.Equal(t, []string{"/one"}, paths(c), "a URL without a scheme may have any")
	c = load(`paths: {/one: {` + op + `, servers: [{url: 'https://a.example'}]}}, /two: {` + op + `, servers: [{url: 'https://b.example'}]}}, /three: {` + op + `}}}`)
	assert.Equal(t, []string{"/one", "/three"}, paths(c), "without servers of the document those that are named first are the usual ones")
}
