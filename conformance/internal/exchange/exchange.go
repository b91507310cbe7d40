package exchange

import "time"

// Exchange is one request and what came of it. Failure is nil exactly where
// Response is complete.
type Exchange struct {
	Request  *Request
	Interim  []Response // the 1xx responses, in order
	Response *Response  // nil where no complete final head came
	Failure  *Failure   // nil where the answer is complete

	Fresh   bool // the connection was dialled for this request
	Retried bool // sent first on a kept connection that turned out dead; only the second counts

	// Unasked are bytes that lay on the kept connection before this request
	// was sent, other than a 408: the answer before was too long. That
	// connection was given up and this request sent on a fresh one.
	Unasked []byte

	// Received is the beginning of what came where Response is nil.
	Received []byte

	Written int           // request bytes handed to the kernel
	Began   time.Time     // when Do was called
	Took    time.Duration // until the answer was complete or given up
}

// Success reports whether there is a complete answer with a status of 2xx. A nil
// exchange is none.
func (e *Exchange) Success() bool {
	return e != nil && e.Failure == nil && e.Response.Status/100 == 2
}
