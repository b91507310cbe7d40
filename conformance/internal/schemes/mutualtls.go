package schemes

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
)

// mutualTLS has nothing to try: every connection has the client certificate.
var mutualTLS = request.Scheme{
	Name:     "mutual-tls",
	Doc:      "A client certificate, which belongs to the connection (RFC 8446, 4.4.2).",
	Serves:   func(s *contract.Scheme) bool { return s.Type == "mutualTLS" },
	Valid:    func(*contract.Scheme) []request.Presented { return nil },
	Attempts: func(*contract.Scheme) []request.Attempt { return nil },
	Classify: func(*contract.Scheme, request.Carried, string) (request.Credential, bool) {
		return request.CredentialValid, false
	},
}
