package auth

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

var oauth2 = message.Scheme{
	Name:     "oauth2",
	Doc:      "An access token of OAuth 2.0, sent as a bearer token (RFC 6750, 2.1).",
	Serves:   func(s *openapi.Scheme) bool { return s.Type == "oauth2" },
	Valid:    bearer.Valid,
	Attempts: bearer.Attempts,
	Classify: bearer.Classify,
}
