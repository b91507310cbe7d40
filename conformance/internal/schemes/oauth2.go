package schemes

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
)

var oauth2 = request.Scheme{
	Name:     "oauth2",
	Doc:      "An access token of OAuth 2.0, sent as a bearer token (RFC 6750, 2.1).",
	Serves:   func(s *contract.Scheme) bool { return s.Type == "oauth2" },
	Valid:    bearer.Valid,
	Attempts: bearer.Attempts,
	Classify: bearer.Classify,
}
