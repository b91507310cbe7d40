package services_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// entries is the document of a list without pages.
const entries = `openapi: 3.1.0
info: {title: Entries, version: 1.0.0}
paths:
  /entries:
    get:
      responses:
        '200': {description: d, content: {application/json: {schema: {type: array, items: {type: string}}}}}
`

// A list without pages holds all that was made, by many runs too.
func TestALongListIsReadAndOneThatIsTooLongIsNotJudged(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]report.Outcome{3 << 19: report.Conformant, 9 << 20: report.Incomplete} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			list := `["` + strings.Repeat("x", size) + `"]`
			h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, list)
			})
			r := byDocument(t, "entries.yaml", []byte(entries), h, conformance.Config{})
			assert.Equal(t, want, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			assert.Equal(t, want == report.Incomplete, strings.Contains(shown(t, r), "larger than 8 MiB"), shown(t, r))
		})
	}
}
