package explore

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
)

// renewals tells a credential that expired from one that was never right.
type renewals struct {
	mu       sync.Mutex
	accepted atomic.Bool // since the last renewal
}

// renewed reports whether a target refused a credential that it had accepted, and
// there is another one now. Of those refused at the same time, one renews it. A request
// that was sent again often enough takes the newest credential, but does not renew it.
func (t *Target) renewed(ctx context.Context, m *message.Message, e *exchange.Exchange, enough bool) bool {
	if t.Renew == nil || m.Other || e.Failure != nil || t.Endpoint.Auth(m.Op) == nil {
		return false
	}
	if e.Response.Status/100 == 2 && t.Endpoint.Classify(m, e.Request).Credential == message.CredentialValid {
		t.renewals.accepted.Store(true)
	}
	if e.Response.Status != http.StatusUnauthorized {
		return false
	}
	odd := false // it may be refused although it has not expired
	switch t.Endpoint.Classify(m, e.Request).Credential {
	case message.CredentialAbsent, message.CredentialScheme, message.CredentialToken:
		return false
	case message.CredentialUnclear:
		odd = true
	}
	if m.Behind {
		return true // it was sent before its turn came, with the credential of then
	}
	t.renewals.mu.Lock()
	defer t.renewals.mu.Unlock()
	if t.Endpoint.Keys.Number() != e.Request.Keys {
		return true
	}
	return !odd && !enough && t.renewals.accepted.Swap(false) && t.Renew(ctx)
}
