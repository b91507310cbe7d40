package faults

import (
	"net/http"

	"plantstore/reference/internal/alter"
)

// orders reads the header fields one by one and decides before all are there.
func orders() []Fault {
	const authorization, contentType, length = "authorization", "content-type", "content-length"
	refused := alter.Give(&alter.Instead{Status: http.StatusBadRequest, Type: "application/json", Body: []byte(`{"error":1,"message":"header fields"}`)})
	return []Fault{
		{Name: "token-any-before-content-type", Breaks: bearerToken, Rare: true,
			Doc: "takes any bearer token where Authorization stands before Content-Type, because the check is chosen by the content type",
			alter: alter.All(alter.KeepOrder, letIn(func(r *http.Request) bool {
				return hasToken(r) && alter.Before(r, authorization, contentType)
			}, each))},
		{Name: "name-unchecked-credential-last", Breaks: nameString, Rare: true,
			Doc: "checks nothing about the name where Authorization stands behind Content-Length, because the body is read before the credential then",
			alter: alter.All(alter.KeepOrder, where(func(r *http.Request) bool { return alter.Before(r, length, authorization) }, func(b []byte) []byte {
				return named(b, func([]alter.Pair, string) string { return `"x"` })
			}))},
		{Name: "length-before-credential-refused", Breaks: validAccepted, Rare: true,
			Doc: "refuses Content-Length before Authorization, as a parser that goes through the head once does",
			alter: alter.All(alter.KeepOrder, alter.When(func(r *http.Request, _ []byte) bool {
				return alter.Before(r, length, authorization)
			}, refused))},
		{Name: "credential-before-length-refused", Breaks: validAccepted,
			Doc: "refuses Authorization before Content-Length, the order in which many clients send them",
			alter: alter.All(alter.KeepOrder, alter.When(func(r *http.Request, _ []byte) bool {
				return alter.Before(r, authorization, length)
			}, refused))},
	}
}
