package schemes

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
)

// onConnection has nothing to try: every connection has the client certificate, or every
// request the header of the user.
var onConnection = request.Scheme{
	Name:     "mutual-tls",
	Doc:      "A client certificate, which belongs to the connection (RFC 8446, 4.4.2), or a credential in a header that the user gives.",
	Serves:   (*contract.Scheme).OnConnection,
	Valid:    func(*contract.Scheme) []request.Presented { return nil },
	Attempts: func(*contract.Scheme) []request.Attempt { return nil },
	Classify: func(*contract.Scheme, request.Carried, string) (request.Credential, bool) {
		return request.CredentialValid, false
	},
}
