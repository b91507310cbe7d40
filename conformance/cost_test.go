package conformance_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a cold build of the first command costs hangs on what it links: each of
// these is seconds, together they were more than half of it.
func TestTheFirstCommandBuildsNoMoreThanItNeeds(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../cmd/conformance").Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "plantstore/conformance/internal/secondopinion")
	for _, p := range []string{"github.com/pb33f/libopenapi", "github.com/pb33f/libopenapi/what-changed", "github.com/pb33f/libopenapi/datamodel/high/arazzo",
		"github.com/pb33f/libopenapi/datamodel/high/v2", "github.com/pb33f/libopenapi-validator", "github.com/pb33f/libopenapi-validator/requests",
		"github.com/pb33f/libopenapi-validator/responses", "github.com/pb33f/libopenapi-validator/schema_validation", "modernc.org/sqlite",
		"github.com/prometheus/client_golang/prometheus"} {
		assert.False(t, slices.Contains(deps, p), "cmd/conformance links %s: find a smaller part of it", p)
	}
	n := 0
	for _, p := range deps {
		if strings.HasPrefix(p, "github.com/pb33f/") {
			n++
		}
	}
	assert.LessOrEqual(t, n, 23, "packages of pb33f")
}
