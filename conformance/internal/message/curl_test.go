package message_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
)

func TestACurlCommandHasTheQuery(t *testing.T) {
	doc := fake.Plants(t)
	m := doc.Plan.Preflight(doc.Op(), generate.Identity{Seed: 1}, 0).Baseline()
	m.Query = "x=1&y=[]"
	assert.Equal(t, "curl -g -i ", doc.Endpoint.Curl(m)[:11], "brackets stand for themselves")
	assert.Contains(t, doc.Endpoint.Curl(m), " 'http://target/plants?x=1&y=[]' ")
}
