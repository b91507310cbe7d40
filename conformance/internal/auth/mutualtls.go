package auth

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// onConnection has nothing to try: every connection has the client certificate, or every
// request the header of the user.
var onConnection = message.Scheme{
	Name:     "mutual-tls",
	Doc:      "A client certificate, which belongs to the connection (RFC 8446, 4.4.2), or a credential in a header that the user gives.",
	Serves:   (*openapi.Scheme).OnConnection,
	Valid:    func(*openapi.Scheme) []message.Presented { return nil },
	Attempts: func(*openapi.Scheme) []message.Attempt { return nil },
	Classify: func(*openapi.Scheme, message.Carried, string) (message.Credential, bool) {
		return message.CredentialValid, false
	},
}
