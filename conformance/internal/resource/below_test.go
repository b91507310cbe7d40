package resource_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

func TestAThingIsBelowThoseOfItsPathUnlessItCanBeElsewhereToo(t *testing.T) {
	upper, comments := operations("POST /sites", "GET /sites/{s}", "POST /sites/{s}/pages", "GET /sites/{s}/pages/{p}"), operations("POST /sites/{s}/pages/{p}/comments", "GET /sites/{s}/pages/{p}/comments/{c}")
	for _, row := range []struct {
		what string
		ops  []*openapi.Operation
		want []string
	}{
		{"the nearest first", slices.Concat(upper, comments), []string{"/sites/{s}/pages/{p}", "/sites/{s}"}},
		{"the farther one is not made", slices.Concat(upper[1:], comments), []string{"/sites/{s}/pages/{p}"}},
		{"the nearest one is not made", slices.Concat(upper[:2], comments), nil},
		{"the nearest one is not read", slices.Concat(upper[:3], comments), nil},
		{"comments can be made without a page", slices.Concat(upper, comments, operations("POST /comments")), nil},
		{"comments can be put below a site", slices.Concat(upper, comments, operations("PUT /sites/{s}/comments/{c}")), nil},
		{"clients choose the key", slices.Concat(upper, comments[1:], operations("PUT /sites/{s}/pages/{p}/comments/{c}")), nil},
		{"what is below a comment is no other place", slices.Concat(upper, comments, operations("POST /sites/{s}/pages/{p}/comments/{c}/comments")), []string{"/sites/{s}/pages/{p}", "/sites/{s}"}},
	} {
		list := resource.All(row.ops)
		i := slices.IndexFunc(list, func(r *resource.Resource) bool { return r.Path == "/sites/{s}/pages/{p}/comments/{c}" })
		if !assert.GreaterOrEqual(t, i, 0, row.what) {
			continue
		}
		var got []string
		for _, above := range list[i].Above {
			got = append(got, above.Path)
		}
		assert.Equal(t, row.want, got, row.what)
	}
}

func TestAThingIsChangedByItsOwnOperationsAndByWhatIsDoneWithIt(t *testing.T) {
	r := resource.All(operations("POST /pages", "GET /pages/{p}", "DELETE /pages/{p}", "PATCH /pages/{p}", "POST /pages/{p}/publish", "POST /pages/{p}/dryRun", "POST /pages/{p}/preview", "GET /pages/{p}/size"))[0]
	var got []string
	for _, op := range r.Writes() {
		got = append(got, op.Method+" "+op.Path)
	}
	assert.Equal(t, []string{"PATCH /pages/{p}", "DELETE /pages/{p}", "POST /pages/{p}/publish"}, got)
}
