package exchange

import (
	"context"
	"crypto/tls"
	"time"
)

// http2Alone is the detail of the failures of a server that speaks HTTP/2 and
// nothing else.
const http2Alone = "the server speaks http/2 alone"

// HTTP2 reports whether the server showed that it speaks HTTP/2 alone: it refused
// http/1.1 in the TLS handshake (RFC 7301, 3.2), or answered with a frame.
func (f *Failure) HTTP2() bool { return f != nil && f.Detail == http2Alone }

// noProtocol is how crypto/tls words the alert no_application_protocol (RFC 7301,
// 3.2), whose type it does not lend.
const noProtocol = "tls: no application protocol"

// isFrame reports whether b begins with the frame that opens, or at once ends, an
// HTTP/2 connection: SETTINGS or GOAWAY on stream 0 (RFC 9113, 3.4 and 6).
func isFrame(b []byte) bool {
	return len(b) >= 9 && (b[3] == 4 || b[3] == 7) && b[4] == 0 && b[5] == 0 && b[6] == 0 && b[7] == 0 && b[8] == 0
}

// notHTTP1 says what came instead of a status line.
func notHTTP1(b []byte) *Failure {
	if isFrame(b) {
		return malformed(http2Alone)
	}
	return malformed("not an http/1.x response")
}

// HTTP2Alone reports whether the failure of a first exchange is that of a server
// which speaks HTTP/2 alone: it showed so, or it gave no answer and chooses h2
// where a connection offers it (RFC 9113, 3.2).
func (c *Client) HTTP2Alone(ctx context.Context, f *Failure) bool {
	if f == nil || f.HTTP2() || c.tls == nil {
		return f.HTTP2()
	}
	switch f.Kind {
	case Dropped, DroppedWriting, Malformed, Truncated, TLSFailed:
	default:
		return false
	}
	timed, cancel := context.WithTimeout(ctx, c.limits.Dial)
	defer cancel()
	nc, err := c.dialer.DialContext(timed, "tcp", c.target.Address)
	if err != nil {
		return false
	}
	defer nc.Close()
	defer context.AfterFunc(timed, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })()
	config := c.tls.Clone()
	config.NextProtos = []string{"h2"}
	secure := tls.Client(nc, config)
	return secure.HandshakeContext(timed) == nil && secure.ConnectionState().NegotiatedProtocol == "h2"
}
