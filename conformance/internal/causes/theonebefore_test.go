package causes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
)

// What is left of a body that nobody reads is taken for the next request.
func TestWhatFailsBehindAnUnreadBodyNamesTheRequestBeforeIt(t *testing.T) {
	f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		unread := map[int]bool{}
		return func(c fake.Call) *exchange.Exchange {
			was := unread[c.Connection]
			unread[c.Connection] = len(c.Body) == 2
			if was {
				return fake.Answer(501, "text/html", "unsupported method")
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "wrong-types", "missing-members")
	assert.Regexp(t, "^fails only behind a request such as that of post-plants/invalid/[-/a-z0-9]+ on the same connection$", sentence(f))
	require.Len(t, f.Failure.Steps, 2)
	assert.Len(t, f.Failure.Steps[0].Exchange.Request.Body, 2)
}
