package schemes

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
)

var openIDConnect = request.Scheme{
	Name:     "open-id-connect",
	Doc:      "A token of OpenID Connect, sent as a bearer token (RFC 6750, 2.1).",
	Serves:   func(s *contract.Scheme) bool { return s.Type == "openIdConnect" },
	Valid:    bearer.Valid,
	Attempts: bearer.Attempts,
	Classify: bearer.Classify,
}
