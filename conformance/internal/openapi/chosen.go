package openapi

import (
	"slices"
	"strings"
)

// ownNames are header fields whose value each client makes up for one request, although
// their names end like keys: a request identifier, and those of Zipkin (B3 propagation),
// FAPI and usual gateways. None names a thing that has to exist.
var ownNames = map[string]bool{
	"requestid": true, "clientrequestid": true, "msclientrequestid": true, "msrequestid": true, "amznrequestid": true,
	"correlationid": true, "requestcorrelationid": true, "mscorrelationid": true, "mscorrelationrequestid": true,
	"traceid": true, "spanid": true, "parentspanid": true, "b3traceid": true, "b3spanid": true, "b3parentspanid": true,
	"fapiinteractionid": true, "interactionid": true, "opaqueid": true, "idempotencyid": true,
}

// onceNames are further header fields whose value a server may take only once, as that of
// Idempotency-Key.
var onceNames = map[string]bool{"idempotencykey": true, "nonce": true, "messageid": true, "transactionid": true, "deduplicationid": true}

// Once reports whether a server may refuse a value of a header field that it saw before.
func Once(field string) bool {
	name := Flat(trimX(field))
	return ownNames[name] || onceNames[name]
}

// RefersAt is Refers for a parameter of a section, or for a member of the body where the
// section is empty. It is also empty if the client makes the value up.
func RefersAt(section, name string) string {
	if section == "header" {
		name = trimX(name)
		if ownNames[Flat(name)] {
			return ""
		}
	}
	return Refers(name)
}

// trimX removes the mark of fields that no standard describes (RFC 6648).
func trimX(name string) string {
	if len(name) > 2 && strings.EqualFold(name[:2], "x-") {
		return name[2:]
	}
	return name
}

// Scope reports whether a place is a parameter outside of the path whose value may name
// what the whole request is about: a tenant, a session. If-Match names a state instead.
func Scope(place string) bool {
	return !strings.HasPrefix(place, "/") && !strings.HasPrefix(place, "path/") && !IfMatch(place)
}

// IfMatch reports whether a place is the header field that names the state of a thing which
// the client knows (RFC 9110, 13.1.1).
func IfMatch(place string) bool { return strings.EqualFold(place, "header/If-Match") }

// versions are the names of members and parameters that say which state of a thing the client
// knows.
var versions = []string{"version", "revision", "rev", "etag", "rowversion", "lockversion", "versionnumber", "resourceversion"}

// IsVersion reports whether a member or parameter of that name may say which state of a thing the
// client knows, as If-Match does.
func IsVersion(name string) bool { return slices.Contains(versions, Flat(name)) }
