package exchange

// FailureKind says where an exchange ended when no complete answer came.
type FailureKind int

// The kinds of failure. From Unreachable to Local no request byte was sent.
const (
	Unreachable    FailureKind = iota + 1 // nobody listens, no route, no such name
	TLSFailed                             // the handshake failed, or the server ended TLS with an alert
	Local                                 // this machine is out of ports or files: a fault of ours
	Dropped                               // closed or reset before the first byte of an answer
	DroppedWriting                        // the same, while a request of more than one segment was being written
	Truncated                             // closed or reset inside the answer
	TimedOut                              // a time limit passed; Detail names the phase
	Malformed                             // not HTTP/1.x: status line, field, chunk or length (RFC 9112)
	TooLarge                              // more than a limit allows; Detail names what
	Canceled                              // the context ended
)

// largeBody is the detail of a failure of kind TooLarge if the body is above its limit.
const largeBody = "body"

// String returns the kind in words, such as "timed out".
func (k FailureKind) String() string {
	switch k {
	case Unreachable:
		return "unreachable"
	case TLSFailed:
		return "tls failed"
	case Local:
		return "not sent"
	case Dropped:
		return "dropped"
	case DroppedWriting:
		return "dropped while writing"
	case Truncated:
		return "truncated"
	case TimedOut:
		return "timed out"
	case Malformed:
		return "malformed"
	case TooLarge:
		return "too large"
	case Canceled:
		return "canceled"
	}
	return "no failure"
}

// Failure is why an exchange has no complete answer. It implements error.
type Failure struct {
	Kind   FailureKind
	Detail string // short, lower case, the same in every run: no addresses, no ports
	Err    error  // what lies beneath; may be nil, and may differ from run to run
}

// Error returns kind and detail in one line.
func (f *Failure) Error() string {
	if f.Detail == "" {
		return f.Kind.String()
	}
	return f.Kind.String() + ": " + f.Detail
}

// Unwrap returns what lies beneath, for errors.Is and errors.As.
func (f *Failure) Unwrap() error { return f.Err }

func malformed(detail string) *Failure { return &Failure{Kind: Malformed, Detail: detail} }

func tooLarge(detail string) *Failure { return &Failure{Kind: TooLarge, Detail: detail} }

// Unreached reports whether nothing of a request could be sent, because no
// connection came about.
func (f *Failure) Unreached() bool {
	switch f.Kind {
	case Unreachable, TLSFailed, Local:
		return true
	case TimedOut:
		return f.Detail == noConnection || f.Detail == inHandshake
	}
	return false
}
