package target

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/limits"
)

// ClosedOnHead reports whether a connection was closed without an answer on a head
// so large that servers give up reading it.
func ClosedOnHead(e *exchange.Exchange) bool {
	return closed(e) && len(e.Request.Head) > limits.ClosedHead
}

// closed reports whether no byte of an answer came before the end.
func closed(e *exchange.Exchange) bool {
	return e.Failure != nil && (e.Failure.Kind == exchange.Dropped || e.Failure.Kind == exchange.DroppedWriting)
}
