package formats_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestAWayIsOneLine(t *testing.T) {
	for want, w := range map[string]report.Way{
		"a <- nothing needed":                   {Operation: "a", Reached: true},
		"a <- nothing needed after b":           {Operation: "a", Reached: true, After: []string{"b"}},
		"a <- b#/id, example \"x\", any value":  {Operation: "a", Reached: true, Sources: []report.Source{{From: "b#/id"}, {Kind: "example", Value: `"x"`}, {Kind: "any value"}, {Place: "/c", Optional: true}}},
		"a not reached: it failed":              {Operation: "a", Reason: "it failed", Sources: []report.Source{{From: "b#/id"}}},
		"a not reached: it failed: do this":     {Operation: "a", Reason: "it failed", Help: "do this"},
		"a not tried: needs a file from a bank": {Operation: "a", Aside: "needs a file from a bank"},
	} {
		assert.Equal(t, want, w.String())
	}
}

func TestAValuesFileHasWhatWasFoundAndAsCommentsWhatIsMissing(t *testing.T) {
	r := &report.Reach{Document: "Desk\n", Target: "http://host", Ways: []report.Way{
		{Operation: "get /a b", Reached: true, After: []string{"pay"}, Sources: []report.Source{
			{Place: "path/a~1b", From: "made#/id"}, {Place: "/x/y", Value: `"1"`}, {Place: "path/c", Kind: "given", Value: "7"}, {Place: "query/free", Kind: "any value"}}},
		{Operation: "lost", Reason: "it got 404", Sources: []report.Source{{Place: "/name"}}},
		{Operation: "night", Aside: "only at night"},
	}}
	var out bytes.Buffer
	require.NoError(t, formats.ReachValues(&out, r))
	assert.Equal(t, `# Values for Desk\n, found at http://host.
# Give this file to run, replay and list with --values.

# It comes after pay.
"get /a b":
  path:
    "a/b": {from: "made#/id"}
    c: 7
  body:
    "/x/y": "1"

# Not reached: it got 404.
# lost:
#   body:
#     name: VALUE
#   unreachable: REASON # instead of values

night:
  unreachable: "only at night"
`, out.String())
}
