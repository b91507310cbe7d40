package contract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
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
		assert.Equal(t, one.want, contract.RefersAt(one.section, one.name), one.name)
	}
	assert.True(t, contract.Once("Idempotency-Key"))
	assert.True(t, contract.Once("X-Request-ID"))
	assert.False(t, contract.Once("X-Tenant-Id"))
}
