// Package reference is the plant store done right: the one server that keeps
// the contract of spec/openapi.yaml to the byte.
//
// A POST /plants passes through the stages of [Stages], in this order:
//
//	Authenticate -> Media -> Read -> Decode -> Append -> Answer -> Send
//	        any refusal on the way: Refuse -> Send
//
// The contract documents 200 and 400 only, so every refusal of that operation
// is HTTP 400 with an Error; its number says why ([Kind.Code]). The catalogues
// beside this package, faults and variants, replace single stages and leave
// the others as they are.
package reference

import (
	"context"
	"errors"
	"mime"
	"net"
	"net/http"
)

// Stages are the steps that a POST /plants takes, each replaceable through
// [Config.Alter]. A stage may be called by many requests at once.
type Stages struct {
	// Tokens are the accepted bearer tokens, for stages that compare them anew.
	Tokens []string
	// Authenticate, Media, Read, Decode and Append refuse with an error.
	Authenticate func(*http.Request) error
	Media        func(*http.Request) error
	Read         func(http.ResponseWriter, *http.Request) ([]byte, error)
	Decode       func([]byte) (Plant, error)
	Append       func(context.Context, Plant) error
	// Answer and Refuse build the response, and Send writes it.
	Answer func(Plant) Response
	Refuse func(error) Response
	Send   func(http.ResponseWriter, *http.Request, Response)
	// Wrap goes around the whole handler, Listen around the listener, and Tune
	// may change the HTTP server before it starts.
	Wrap   func(http.Handler) http.Handler
	Listen func(net.Listener) net.Listener
	Tune   func(*http.Server)
}

func newStages(tokens []string, store Store) *Stages {
	return &Stages{
		Tokens:       tokens,
		Authenticate: Authenticator(tokens),
		Media:        CheckMedia,
		Read:         Read,
		Decode:       Decode,
		Append:       store.Append,
		Answer:       Answer,
		Refuse:       Refuse,
		Send:         Send,
		Wrap:         func(h http.Handler) http.Handler { return h },
		Listen:       func(ln net.Listener) net.Listener { return ln },
		Tune:         func(*http.Server) {},
	}
}

// CheckMedia takes application/json with any parameters, and a request without
// a Content-Type for JSON, as RFC 9110, section 8.3, lets a recipient assume.
func CheckMedia(r *http.Request) error {
	given := r.Header.Get("Content-Type")
	if given == "" || given == JSON {
		return nil
	}
	media, _, err := mime.ParseMediaType(given)
	if media != JSON || err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return &Refusal{Kind: Media, Reason: "the media type must be " + JSON}
	}
	return nil
}
