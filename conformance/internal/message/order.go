package message

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

// Order is an order of the header fields. It has no meaning (RFC 9110, 5.3). Host
// is always first, which is good practice (RFC 9110, 7.2).
type Order uint8

// The orders.
const (
	UsualOrder      Order = iota // Content-Type, credential, Content-Length
	CredentialFirst              // the credential right after Host
	CredentialLast
	ContentTypeLast
	ReverseOrder
)

// String is the name of the order in case ids.
func (o Order) String() string {
	return [...]string{"usual", "credential-first", "credential-last", "content-type-last", "reversed"}[o]
}

// Orders returns the orders that change something for an operation, without the
// usual one.
func Orders(op *openapi.Operation) []Order {
	return slices.DeleteFunc([]Order{CredentialFirst, CredentialLast, ContentTypeLast, ReverseOrder}, func(o Order) bool {
		switch o {
		case CredentialFirst, CredentialLast:
			return !op.Carries("header", "") && !op.Carries("cookie", "")
		case ContentTypeLast:
			return op.Body == nil
		}
		return false
	})
}

// sort sorts the fields of a head, Host first. The names of the credential fields
// are given.
func (o Order) sort(list []exchange.Field, credential []string) {
	if len(list) == 0 {
		return
	}
	move := func(list []exchange.Field, names []string, weight int) {
		weigh := func(f exchange.Field) int {
			if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, f.Name) }) {
				return weight
			}
			return 0
		}
		slices.SortStableFunc(list, func(a, b exchange.Field) int { return weigh(a) - weigh(b) })
	}
	switch rest := list[1:]; o {
	case CredentialFirst:
		move(rest, credential, -1)
	case CredentialLast:
		move(rest, credential, 1)
	case ContentTypeLast:
		move(rest, []string{"Content-Type"}, 1)
	case ReverseOrder:
		slices.Reverse(rest)
	}
}
