package auth

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

var openIDConnect = message.Scheme{
	Name:     "open-id-connect",
	Doc:      "A token of OpenID Connect, sent as a bearer token (RFC 6750, 2.1).",
	Serves:   func(s *openapi.Scheme) bool { return s.Type == "openIdConnect" },
	Valid:    bearer.Valid,
	Attempts: bearer.Attempts,
	Classify: bearer.Classify,
}
