package explore

import (
	"context"
	"fmt"
	"strings"

	"plantstore/conformance/internal/exchange"
)

// otherScheme returns a sentence if the target answers under the other scheme, http
// or https, than that of its URL. It is empty if that cannot be why the exchange
// failed.
func (t *Target) otherScheme(ctx context.Context, e *exchange.Exchange) string {
	u := t.Endpoint.Target
	other := ""
	switch f := e.Failure; {
	case f != nil && f.PlainHTTP():
		other = "http"
	case f != nil && (f.Untold() || f.Kind == exchange.Malformed), f == nil && u.Scheme == "http" && !ofTheService(e.Response):
		other = t.Client.OtherScheme(ctx)
	}
	u.Scheme = other
	switch other {
	case "https":
		return fmt.Sprintf("the target speaks TLS: use --target %s", u)
	case "http":
		return fmt.Sprintf("the target does not speak TLS: use --target %s", u)
	}
	return ""
}

// ofTheService reports whether an answer comes from the service itself, and not
// from a TLS server that got plain HTTP: such a server refuses, asks to upgrade or
// redirects, without JSON.
func ofTheService(r *exchange.Response) bool {
	switch r.Status {
	case 301, 302, 307, 308, 400, 403, 426:
		return strings.Contains(strings.ToLower(r.Get("Content-Type")), "json")
	}
	return true
}
