package faults

import (
	"fmt"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

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
