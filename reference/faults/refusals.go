package faults

import (
	"fmt"
	"net/http"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const (
	badStatus    = "post-plants-400-status"
	badMediaType = "post-plants-400-media-type"
	badJSON      = "post-plants-400-json"
)

// schemaKinds are the refusals of JSON that is no NewPlant.
func schemaKinds() []reference.Kind {
	return []reference.Kind{reference.Missing, reference.Type, reference.Range}
}

// bodyKinds are the refusals that depend on the body.
func bodyKinds() []reference.Kind { return append(schemaKinds(), reference.Syntax) }

// errorUnder gives an Error body under another status.
func errorUnder(code int) func(*reference.Refusal) error {
	return func(why *reference.Refusal) error {
		resp := reference.RefuseWith(code, why)
		return (*alter.Instead)(&resp)
	}
}

// emptyBody answers an empty body in another way.
func emptyBody(with func() error) alter.Change {
	return alter.Looked(func(b []byte) error {
		if len(b) == 0 {
			return with()
		}
		return nil
	})
}

// at changes the answer to what is refused at one JSON pointer.
func at(pointer string, with func(*reference.Refusal) error, kinds ...reference.Kind) alter.Change {
	return alter.Refused(func(why *reference.Refusal) error {
		if why.At != pointer {
			return why
		}
		return with(why)
	}, kinds...)
}

// typed gives the usual Error with another media type.
func typed(name string) func(*reference.Refusal) error {
	return func(why *reference.Refusal) error {
		resp := reference.Refuse(why)
		resp.Type = name
		return (*alter.Instead)(&resp)
	}
}

func page(code int) func(*reference.Refusal) error {
	return func(*reference.Refusal) error { return alter.Page(code) }
}

func refusalType(name string) alter.Change {
	return alter.Refusal(func(_ *reference.Refusal, resp *reference.Response) { resp.Type = name })
}

// refuses replaces the body of every refusal.
func refuses(f func(why *reference.Refusal, body string) string) alter.Change {
	return alter.RefusalBody(f)
}

// refusals answers invalid requests with another status, type or syntax.
func refusals() []Fault {
	return []Fault{
		{Name: "invalid-422", Breaks: badStatus, Doc: "answers 422 to every invalid body, as Rails does",
			alter: alter.Refused(errorUnder(http.StatusUnprocessableEntity), bodyKinds()...)},
		{Name: "schema-422", Breaks: badStatus, Doc: "answers 422 to JSON that is no plant and 400 to what is not JSON, as FastAPI and axum do",
			alter: alter.Refused(errorUnder(http.StatusUnprocessableEntity), schemaKinds()...)},
		{Name: "missing-422", Breaks: badStatus, Rare: true, Doc: "answers 422 only where a required member is missing",
			alter: alter.Refused(errorUnder(http.StatusUnprocessableEntity), reference.Missing)},
		{Name: "range-422", Breaks: badStatus, Rare: true, Doc: "answers 422 only to an id outside int64",
			alter: alter.Refused(errorUnder(http.StatusUnprocessableEntity), reference.Range)},
		{Name: "range-413", Breaks: badStatus, Rare: true, Doc: "answers 413 to an id that is too large",
			alter: alter.Refused(errorUnder(http.StatusRequestEntityTooLarge), reference.Range)},
		{Name: "syntax-415", Breaks: badStatus, Doc: "answers 415 to what is not JSON, as axum and .NET do in places",
			alter: alter.Refused(errorUnder(http.StatusUnsupportedMediaType), reference.Syntax)},
		{Name: "tag-409", Breaks: badStatus, Rare: true, Doc: "answers 409 to a tag of another type",
			alter: at("/tag", errorUnder(http.StatusConflict), reference.Type)},
		{Name: "empty-body-403", Breaks: badStatus, Rare: true, Doc: "answers 403 to an empty body, as web application firewalls do",
			alter: emptyBody(func() error {
				return errorUnder(http.StatusForbidden)(&reference.Refusal{Kind: reference.Missing, Reason: "no body"})
			})},
		{Name: "not-object-404", Breaks: badStatus, Rare: true, Doc: "answers 404 to JSON that is no object, because no handler takes it",
			alter: at("", errorUnder(http.StatusNotFound), reference.Type)},
		{Name: "invalid-redirect", Breaks: badStatus, Doc: "redirects back to the form on every invalid body, as Laravel does", alter: alter.Refused(
			func(*reference.Refusal) error {
				back := alter.Page(http.StatusFound)
				back.Header = http.Header{"Location": {"/plants"}}
				return back
			}, bodyKinds()...)},
		{Name: "invalid-401", Breaks: badStatus, Rare: true, Doc: "answers 401 to a body that is not JSON, as errors of one kind for all middleware",
			alter: alter.Refused(errorUnder(http.StatusUnauthorized), reference.Syntax)},
		{Name: "repeat-409", Breaks: badStatus, Rare: true, Doc: "answers 409 to an id used before, as REST guides advise", alter: unique(errorUnder(http.StatusConflict))},
		{Name: "syntax-error-as-success", Breaks: bodyJSON, Rare: true, Doc: "answers 200 with an Error to what is not JSON, as GraphQL servers do",
			alter: alter.Refused(errorUnder(http.StatusOK), reference.Syntax)},
		{Name: "range-error-as-success", Breaks: idInt64, Rare: true, Doc: "answers 200 with an Error to an id outside int64",
			alter: alter.Refused(errorUnder(http.StatusOK), reference.Range)},

		{Name: "refusal-text", Breaks: badMediaType, Doc: "refuses as text/plain, as http.Error does", alter: refusalType("text/plain; charset=utf-8")},
		{Name: "refusal-html-type", Breaks: badMediaType, Doc: "refuses as text/html", alter: refusalType("text/html")},
		{Name: "refusal-problem", Breaks: badMediaType, Doc: "refuses as application/problem+json, as RFC 9457 has it", alter: refusalType("application/problem+json")},
		{Name: "refusal-without-type", Breaks: badMediaType, Doc: "refuses without a Content-Type", alter: refusalType("")},
		{Name: "syntax-error-page", Breaks: badMediaType, Doc: "refuses what is not JSON with the framework's page in HTML, as Express does",
			alter: alter.Refused(page(http.StatusBadRequest), reference.Syntax)},
		{Name: "empty-body-page", Breaks: badMediaType, Rare: true, Doc: "refuses an empty body with a page in HTML",
			alter: emptyBody(func() error { return alter.Page(http.StatusBadRequest) })},
		{Name: "not-object-text", Breaks: badMediaType, Rare: true, Doc: "refuses JSON that is no object in plain text, before validation starts",
			alter: at("", typed("text/plain"), reference.Type)},
		{Name: "range-text", Breaks: badMediaType, Rare: true, Doc: "refuses an id outside int64 in plain text, from the number parser",
			alter: alter.Refused(typed("text/plain"), reference.Range)},
		{Name: "credential-400-text", Breaks: badMediaType, Rare: true, Doc: "refuses a credential with 400 in plain text, from the middleware",
			alter: alter.Authenticate(func(_ *reference.Stages, _ *http.Request, why error) error {
				if why == nil {
					return nil
				}
				return typed("text/plain")(reference.AsRefusal(why))
			})},

		{Name: "refusal-empty", Breaks: badJSON, Doc: "refuses without a body", alter: refuses(func(*reference.Refusal, string) string { return "" })},
		{Name: "refusal-words", Breaks: badJSON, Doc: "refuses with bare words as JSON",
			alter: refuses(func(why *reference.Refusal, _ string) string { return why.Error() })},
		{Name: "refusal-repr", Breaks: badJSON, Doc: "refuses in single quotes, as str() of a dict does",
			alter: refuses(func(_ *reference.Refusal, b string) string { return strings.ReplaceAll(b, `"`, "'") })},
		{Name: "refusal-twice", Breaks: badJSON, Doc: "writes the Error twice, as a handler without return behind its error branch",
			alter: refuses(func(_ *reference.Refusal, b string) string { return b + "\n" + b })},
		{Name: "refusal-byte-order-mark", Breaks: badJSON, Doc: "writes a byte order mark before the Error",
			alter: refuses(func(_ *reference.Refusal, b string) string { return "\ufeff" + b })},
		{Name: "refusal-then-plant", Breaks: badJSON, Rare: true, Doc: "writes the Error of a wrong tag and goes on to write the plant",
			alter: refuses(func(why *reference.Refusal, b string) string {
				if why.At == "/tag" {
					return b + `{"name":""}`
				}
				return b
			})},
		{Name: "refusal-cut", Breaks: badJSON, Rare: true, Doc: "cuts the Error of what is not JSON off, as a fixed buffer does",
			alter: refuses(func(why *reference.Refusal, b string) string {
				if why.Kind == reference.Syntax {
					return b[:len(b)-1]
				}
				return b
			})},
		{Name: "refusal-quotes-input", Breaks: badJSON, Rare: true, Doc: "quotes the offending member in the Error without escaping it",
			alter: refuses(func(why *reference.Refusal, b string) string {
				if why.Kind == reference.Type && why.At != "" {
					return fmt.Sprintf(`{"error":400,"message":"member "%s" %s"}`, why.At[1:], why.Reason)
				}
				return b
			})},
	}
}

const (
	errorObject     = "error-object"
	errorRequired   = "error-error-required"
	errorInteger    = "error-error-integer"
	errorInt32      = "error-error-int32"
	messageRequired = "error-message-required"
	messageString   = "error-message-string"
)

// errorNumber writes every Error with another number.
func errorNumber(text string) alter.Change {
	return refuses(func(why *reference.Refusal, _ string) string {
		return `{"error":` + text + `,"message":` + alter.Message(why) + "}"
	})
}

// message writes every Error with another message.
func message(f func(why *reference.Refusal) string) alter.Change {
	return refuses(func(why *reference.Refusal, _ string) string {
		return fmt.Sprintf(`{"error":%d,"message":%s}`, why.Kind.Code(), f(why))
	})
}

// only writes the Error of some kinds of refusals in another way.
func only(body string, kinds ...reference.Kind) alter.Change {
	return refuses(func(why *reference.Refusal, usual string) string {
		for _, k := range kinds {
			if why.Kind == k {
				return strings.ReplaceAll(body, "MESSAGE", alter.Message(why))
			}
		}
		return usual
	})
}

func always(body string) alter.Change {
	return refuses(func(why *reference.Refusal, _ string) string {
		return strings.ReplaceAll(body, "MESSAGE", alter.Message(why))
	})
}

// errorBodies refuses with 400 and JSON that is no Error.
func errorBodies() []Fault {
	return []Fault{
		{Name: "error-array", Breaks: errorObject, Doc: "refuses with an array of Errors", alter: always(`[{"error":400,"message":MESSAGE}]`)},
		{Name: "error-bare-string", Breaks: errorObject, Doc: "refuses with the message as a JSON string", alter: always(`MESSAGE`)},
		{Name: "error-bare-null", Breaks: errorObject, Doc: "refuses with null", alter: always(`null`)},
		{Name: "error-list-for-missing", Breaks: errorObject, Rare: true, Doc: "refuses missing members with an array of messages, as validators give them",
			alter: only(`[MESSAGE]`, reference.Missing)},

		{Name: "error-without-number", Breaks: errorRequired, Doc: "refuses with nothing but a message, as Express and Laravel do", alter: always(`{"message":MESSAGE}`)},
		{Name: "error-code", Breaks: errorRequired, Doc: "refuses with code for error", alter: always(`{"code":400,"message":MESSAGE}`)},
		{Name: "error-zero-omitted", Breaks: errorRequired, Rare: true, Doc: "leaves the number of what is not JSON out, because it is zero and marked omitempty",
			alter: only(`{"message":MESSAGE}`, reference.Syntax)},
		{Name: "error-missing-for-type", Breaks: errorRequired, Rare: true, Doc: "leaves the number out where a member has another type, by the validator's own error",
			alter: only(`{"message":MESSAGE,"path":"body"}`, reference.Type)},

		{Name: "error-numeric-string", Breaks: errorInteger, Doc: "refuses with the number as a string", alter: errorNumber(`"400"`)},
		{Name: "error-reason", Breaks: errorInteger, Doc: "refuses with error Bad Request, as NestJS, Fastify and Spring do",
			alter: always(`{"statusCode":400,"error":"Bad Request","message":MESSAGE}`)},
		{Name: "error-null", Breaks: errorInteger, Doc: "refuses with error null", alter: errorNumber("null")},
		{Name: "error-true", Breaks: errorInteger, Doc: "refuses with error true", alter: errorNumber("true")},
		{Name: "error-nested", Breaks: errorInteger, Doc: "refuses with an object for error, as Google's style has it",
			alter: always(`{"error":{"code":400,"message":MESSAGE},"message":MESSAGE}`)},
		{Name: "error-sub-code", Breaks: errorInteger, Doc: "refuses with error 400.3, as IIS numbers them", alter: errorNumber("400.3")},
		{Name: "error-name-for-range", Breaks: errorInteger, Rare: true, Doc: "refuses an id outside int64 with the name of an exception for error",
			alter: only(`{"error":"OverflowError","message":MESSAGE}`, reference.Range)},
		{Name: "error-name-for-credential", Breaks: errorInteger, Rare: true, Doc: "refuses a credential with error invalid_token, as OAuth has it, under 400",
			alter: only(`{"error":"invalid_token","message":MESSAGE}`, reference.Credential)},

		{Name: "error-timestamp", Breaks: errorInt32, Doc: "refuses with the time in milliseconds for error", alter: errorNumber("1750000000000")},
		{Name: "error-unsigned", Breaks: errorInt32, Doc: "refuses with an unsigned Windows code for error", alter: errorNumber("2147942487")},
		{Name: "error-one-too-large", Breaks: errorInt32, Rare: true, Doc: "refuses what is not JSON with 2^31 for error",
			alter: only(`{"error":2147483648,"message":MESSAGE}`, reference.Syntax)},
		{Name: "error-below-int32", Breaks: errorInt32, Rare: true, Doc: "refuses an id outside int64 with a negative hash for error",
			alter: only(`{"error":-2147483649,"message":MESSAGE}`, reference.Range)},

		{Name: "error-without-message", Breaks: messageRequired, Doc: "refuses with nothing but a number", alter: always(`{"error":400}`)},
		{Name: "error-detail", Breaks: messageRequired, Doc: "refuses with detail for message, as FastAPI does", alter: always(`{"error":400,"detail":MESSAGE}`)},
		{Name: "error-message-in-capitals", Breaks: messageRequired, Rare: true, Doc: "refuses missing members with Message for message",
			alter: only(`{"error":400,"Message":MESSAGE}`, reference.Missing)},
		{Name: "error-message-omitted", Breaks: messageRequired, Rare: true, Doc: "leaves the message out where there is no body, because it is empty",
			alter: refuses(func(why *reference.Refusal, b string) string {
				if why.Kind == reference.Missing && why.At == "" {
					return `{"error":400}`
				}
				return b
			})},

		{Name: "message-null", Breaks: messageString, Doc: "refuses with message null, as Spring does for exceptions without one", alter: message(func(*reference.Refusal) string { return "null" })},
		{Name: "message-list", Breaks: messageString, Doc: "refuses with a list of messages, as NestJS does",
			alter: message(func(why *reference.Refusal) string { return "[" + alter.Message(why) + "]" })},
		{Name: "message-by-member", Breaks: messageString, Doc: "refuses with an object of messages by member",
			alter: message(func(why *reference.Refusal) string { return `{"body":` + alter.Message(why) + "}" })},
		{Name: "message-number", Breaks: messageString, Doc: "refuses with a number for message", alter: message(func(*reference.Refusal) string { return "17" })},
		{Name: "message-list-for-type", Breaks: messageString, Rare: true, Doc: "refuses members of another type with a list of messages",
			alter: only(`{"error":400,"message":[MESSAGE]}`, reference.Type)},
		{Name: "message-offset", Breaks: messageString, Rare: true, Doc: "refuses what is not JSON with the offset of the error for message",
			alter: only(`{"error":400,"message":0}`, reference.Syntax)},
	}
}
