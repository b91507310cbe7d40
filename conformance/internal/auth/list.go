// Package schemes is the catalogue of security schemes: how each is sent, got
// wrong, and recognised in the bytes of a request. Each has a file named
// after it, which list.go lists.
package auth

import "plantstore/conformance/internal/message"

// List gives every scheme. The first one serves all that every request has.
func List() []message.Scheme {
	return []message.Scheme{onConnection, bearer, basic, apiKey, oauth2, openIDConnect, queryKey, cookieKey}
}
