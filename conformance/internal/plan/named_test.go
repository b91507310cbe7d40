package plan_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

func TestNamedValuesStandInEveryBaselineRequestAndOthersMayBeRefusedThere(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/openapi/orders.yaml")
	require.NoError(t, err)
	c, err := openapi.Load("orders.yaml", text)
	require.NoError(t, err)
	set := requirement.Derive(c)
	op := c.Operations[0]
	require.NotNil(t, op.Body)
	require.NoError(t, requirement.NameValues(set, c, []string{"/lines/0/sku=KNO-0001", op.Slug + ":/lines/*/quantity=7", "/customer={\"name\":\"Ada=1\"}", "/labels/0=on sale"}))
	p, err := plan.New(c, auth.List(), 1, 0)
	require.NoError(t, err)
	g := p.Preflight(op, generate.Identity{Seed: 1}, 0)
	body := string(g.Baseline().Body())
	assert.Contains(t, body, `"sku":"KNO-0001","quantity":7`)
	assert.Contains(t, body, `"customer":{"name":"Ada=1"}`)
	labels := op.Body.Shape.Schema.Property("labels")
	assert.Equal(t, `["on sale"]`, g.BaselineAt("/labels", labels.Schema).String())
	read := op.Body.Shape.Read([]byte(body))
	assert.Equal(t, openapi.MustAccept.String(), read.Kind.String(), "%v", read.Reasons)
	assert.Empty(t, read.Unusual)
	other := op.Body.Shape.Read([]byte(strings.Replace(body, "KNO-0001", "ABC-1234", 1)))
	assert.Equal(t, openapi.MayRefuse.String(), other.Kind.String())
	assert.Equal(t, openapi.Invalid.String(), op.Body.Shape.Read([]byte(strings.Replace(body, "KNO-0001", "nothing", 1))).Kind.String())

	for value, want := range map[string]string{
		"/lines/0/sku=x":        "it violates the schema in the document at /lines/*/sku",
		"/lines/0/quantity=1.5": "it violates the schema in the document at /lines/*/quantity",
		"/lines/0/size=1":       "is not a place in the request",
		"sku=1":                 "use PLACE=VALUE",
		":/labels/0=ab":         "no operation before the colon",
	} {
		assert.ErrorContains(t, requirement.NameValues(set, c, []string{value}), want, value)
	}
}
