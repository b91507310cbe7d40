package explore

import (
	"plantstore/conformance/internal/exchange"
)

// ClosedOnHead reports whether the target closed the connection without an answer,
// on a head so large that servers may stop reading it.
func ClosedOnHead(e *exchange.Exchange) bool {
	return closed(e) && len(e.Request.Head) > exchange.LargeHead
}

// closed reports whether the connection ended before any byte of an answer.
func closed(e *exchange.Exchange) bool {
	return e.Failure != nil && !e.Excused() && (e.Failure.Kind == exchange.Dropped || e.Failure.Kind == exchange.DroppedWriting)
}
