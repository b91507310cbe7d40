package exchange

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"
)

// OtherScheme reports whether the target answers under the other scheme than the
// one of its URL: "https" where it answers the opening of a TLS handshake,
// "http" where it answers plain HTTP, "" where it does neither within
// Limits.Dial. It sends no credential: one of https must not go in plain text.
func (c *Client) OtherScheme(ctx context.Context) string {
	timed, cancel := context.WithTimeout(ctx, c.limits.Dial)
	defer cancel()
	nc, err := c.dialer.DialContext(timed, "tcp", c.target.Address)
	if err != nil {
		return ""
	}
	defer nc.Close()
	defer context.AfterFunc(timed, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })()
	first := &opening{Conn: nc}
	if c.target.Scheme == "https" {
		_, _ = io.WriteString(nc, "OPTIONS * HTTP/1.1\r\nHost: "+c.target.Authority+"\r\nConnection: close\r\n\r\n")
		_, _ = io.ReadFull(first, make([]byte, firstBytes))
		// A TLS server may answer plain HTTP with a 400 in plain text.
		if len(first.bytes) == firstBytes && bytes.HasPrefix(first.bytes, []byte(statusLine)) && string(first.bytes[len(statusLine)+1:]) != " 400" {
			return "http"
		}
		return ""
	}
	host, _, _ := net.SplitHostPort(c.target.Address)
	// Whom it belongs to does not matter: nothing is sent over it.
	_ = tls.Client(first, &tls.Config{InsecureSkipVerify: true, ServerName: host, MinVersion: tls.VersionTLS10}).HandshakeContext(timed)
	if isRecord(first.bytes) {
		return "https"
	}
	return ""
}

// statusLine is how an answer of HTTP/1 begins (RFC 9112, 4).
const statusLine = "HTTP/1."

// firstBytes is as much as version and status take.
const firstBytes = len(statusLine) + len("1 400")

// isRecord reports whether bytes begin a TLS record with an alert or a message of
// the handshake (RFC 8446, 5.1).
func isRecord(b []byte) bool {
	return len(b) >= 2 && (b[0] == 21 || b[0] == 22) && b[1] == 3
}

// opening keeps the first bytes that a connection receives.
type opening struct {
	net.Conn
	bytes []byte
}

// Read implements io.Reader.
func (o *opening) Read(b []byte) (int, error) {
	n, err := o.Conn.Read(b)
	if room := firstBytes - len(o.bytes); room > 0 {
		o.bytes = append(o.bytes, b[:min(n, room)]...)
	}
	return n, err
}

// PlainHTTP reports whether the handshake failed because the server answered it
// in plain HTTP.
func (f *Failure) PlainHTTP() bool {
	var record tls.RecordHeaderError
	return f.Kind == TLSFailed && errors.As(f.Err, &record) && string(record.RecordHeader[:]) == statusLine[:len(record.RecordHeader)]
}

// Untold reports whether the server ended the connection without a word that
// could say which protocol it speaks.
func (f *Failure) Untold() bool {
	return f.Kind == Dropped || f.Kind == DroppedWriting || f.Kind == TLSFailed && isEnd(f.Err)
}
