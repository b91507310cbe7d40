package requirement_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
)

func TestEveryCandidateCanBeAcceptedAloneAndWithAllOthers(t *testing.T) {
	load := func() (*openapi.Contract, *requirement.Set) {
		c, err := openapi.Load("d.yaml", []byte(loans))
		require.NoError(t, err)
		resource.FindPaging(c)
		return c, requirement.Derive(c)
	}
	c, set := load()
	list := requirement.Candidates(c, set)
	lines := map[string][]string{}
	var keys []string
	for _, one := range list {
		line := fmt.Sprintf("    %s: %s\n", one.Key, one.Value)
		lines[one.Op.Slug] = append(lines[one.Op.Slug], line)
		keys = append(keys, one.Op.Name()+" "+one.Key)
		again, before := load()
		_, err := requirement.Overlay(before, again, "r.yaml", []byte("operations:\n  "+one.Op.Slug+":\n"+line), nil)
		assert.NoError(t, err, line)
		assert.NotEmpty(t, one.Rows, line)
		assert.NotEmpty(t, one.Says, line)
	}
	for _, want := range []string{"loans newestFirst", "loans paging", "loans total", "loans order", "lend listed", "lend keepsWriteOnly", "replace replacesAll", "change keepsRest", "forget unlisted"} {
		assert.Contains(t, keys, want)
	}
	var all strings.Builder
	all.WriteString("operations:\n")
	for _, op := range c.Operations {
		all.WriteString("  " + op.Slug + ":\n" + strings.Join(lines[op.Slug], ""))
		assert.Equal(t, openapi.Accepted{}, op.Accepted, "a guess is no promise")
	}
	again, before := load()
	_, err := requirement.Overlay(before, again, "r.yaml", []byte(all.String()), nil)
	assert.NoError(t, err, all.String())
}
