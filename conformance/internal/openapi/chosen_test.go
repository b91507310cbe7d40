package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

func TestTheIdentifierOfARequestRefersToNothing(t *testing.T) {
	for _, one := range []struct{ section, name, want string }{
		{"header", "X-Request-Id", ""},
		{"header", "x-correlation-ID", ""},
		{"header", "X-B3-TraceId", ""},
		{"header", "Request-Id", ""},
		{"header", "traceparent", ""},
		{"header", "Idempotency-Key", ""},
		{"header", "X-Tenant-Id", "tenant"},
		{"query", "requestId", "request"},
		{"query", "userId", "user"},
	} {
		assert.Equal(t, one.want, openapi.RefersAt(one.section, one.name), one.name)
	}
	assert.True(t, openapi.Once("Idempotency-Key"))
	assert.True(t, openapi.Once("X-Request-ID"))
	assert.False(t, openapi.Once("X-Tenant-Id"))
}
