package exchange

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Target is where requests go.
type Target struct {
	Scheme    string // http or https
	Address   string // host:port to dial
	Authority string // value of the Host field (RFC 9110, 7.2)
	Prefix    string // path before every operation's, without a trailing slash
}

// String returns the target as a URL.
func (t Target) String() string { return t.Origin() + t.Prefix }

// Origin returns the target without a path (RFC 9110, 4.3.1).
func (t Target) Origin() string { return t.Scheme + "://" + t.Authority }

// bare is a host with a port, which only lacks its scheme: nothing that could be secret.
var bare = regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]{1,5}/?$`)

// ParseTarget reads a base URL such as http://127.0.0.1:8080/api. The error is
// one line with a hint what to write instead, and never holds a password.
func ParseTarget(raw string) (Target, error) {
	const example = "write it like http://127.0.0.1:8080"
	switch scheme, _, found := strings.Cut(raw, "://"); {
	case strings.TrimSpace(raw) == "":
		return Target{}, errors.New("target is empty: " + example)
	case !found && bare.MatchString(raw):
		return Target{}, errors.New("target has no scheme: write http://" + raw)
	case !found || scheme == "":
		return Target{}, errors.New("target has no scheme: " + example)
	case !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return Target{}, errors.New("target's scheme is not supported: use http:// or https://")
	case strings.Contains(raw, "#"):
		return Target{}, errors.New("target has a fragment: leave out # and what follows")
	case strings.Contains(raw, "?"):
		return Target{}, errors.New("target has a query: leave out ? and what follows")
	case strings.Contains(authority(raw), "@"):
		return Target{}, errors.New("target has user info: leave it out and give the credential by itself")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return Target{}, fmt.Errorf("target is not a url (%s): %s", parseProblem(err), example)
	}
	port, err := portOf(u)
	if err != nil {
		return Target{}, err
	}
	host := u.Hostname()
	name := host
	if strings.Contains(host, ":") {
		name, _, _ = strings.Cut(host, "%") // a zone is of this machine only (RFC 6874, 1)
		name = "[" + name + "]"
	} else if !plainHost(host) {
		return Target{}, errors.New("target has no host that can be looked up: use letters, digits, - and ., other names in punycode")
	}
	if u.Port() != "" && !(u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443") {
		name += ":" + port
	}
	return Target{
		Scheme:    u.Scheme,
		Address:   net.JoinHostPort(host, port),
		Authority: name,
		Prefix:    strings.TrimRight(u.EscapedPath(), "/"),
	}, nil
}

// authority returns what stands between the scheme and the path.
func authority(raw string) string {
	_, rest, _ := strings.Cut(raw, "://")
	if i := strings.IndexAny(rest, "/\\"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// parseProblem is err without the URL, which may hold what must not be shown.
func parseProblem(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	text := strings.TrimPrefix(err.Error(), "net/url: ")
	if i := strings.IndexAny(text, "\":"); i >= 0 { // what follows is quoted from the input
		text = text[:i]
	}
	return strings.ToLower(strings.TrimSpace(text))
}

func portOf(u *url.URL) (string, error) {
	const hint = "write a number from 1 to 65535, as in http://127.0.0.1:8080"
	text := u.Port()
	switch {
	case text == "" && strings.HasSuffix(u.Host, ":"):
		return "", errors.New("target has an empty port: " + hint)
	case text == "" && u.Scheme == "https":
		return "443", nil
	case text == "":
		return "80", nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return "", errors.New("target has a bad port: " + hint)
	}
	return strconv.FormatUint(n, 10), nil
}

// plainHost reports whether host is a name in ASCII or an IPv4 address.
func plainHost(host string) bool {
	for i := range len(host) {
		if c := host[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return host != "" && host != "."
}

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

// How a time-out before the first byte of a request is told.
const (
	noConnection = "no connection"
	inHandshake  = "inside the tls handshake"
)

// dialFailure names what kept a connection from being opened.
func dialFailure(ctx context.Context, err error) *Failure {
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil:
		return canceled(ctx)
	case isTimeout(err), errors.Is(err, context.DeadlineExceeded):
		return &Failure{TimedOut, noConnection, err}
	case errors.As(err, &dns) && dns.IsNotFound:
		return &Failure{Unreachable, "no such host", err}
	case errors.As(err, &dns):
		return &Failure{Unreachable, "host name cannot be looked up", err}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Failure{Unreachable, "connection refused", err}
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.ENOTCONN), errors.Is(err, syscall.EPIPE):
		return dropped(err) // it was opened: a refusal has a name of its own
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return &Failure{Unreachable, "no route to the host", err}
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.EADDRINUSE):
		return &Failure{Local, "no free port for another connection", err}
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return &Failure{Local, "too many open files", err}
	}
	return &Failure{Unreachable, "cannot connect", err}
}

// handshakeFailure names what went wrong between connection and TLS.
func handshakeFailure(ctx context.Context, err error) *Failure {
	switch {
	case ctx.Err() != nil:
		return canceled(ctx)
	case isTimeout(err), errors.Is(err, context.DeadlineExceeded):
		return &Failure{TimedOut, inHandshake, err}
	}
	return &Failure{TLSFailed, tlsDetail(err), err}
}

// tlsDetail puts an error of crypto/tls in words that do not vary.
func tlsDetail(err error) string {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		op        *net.OpError
	)
	switch {
	case errors.As(err, &authority):
		return "certificate signed by an unknown authority"
	case errors.As(err, &name):
		return "certificate is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "certificate has expired or is not yet valid"
	case errors.As(err, &invalid):
		return "certificate is not valid"
	case errors.As(err, &record):
		return "the server does not talk tls"
	case isEnd(err):
		return "connection closed inside the handshake"
	case errors.As(err, &op) && op.Op == "remote error" && op.Err.Error() == noProtocol:
		return http2Alone
	case errors.As(err, &op) && op.Op == "remote error":
		return "the server refused: " + op.Err.Error()
	}
	return "handshake failed"
}

// isEnd reports whether an error is the end of a connection.
func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// Gate holds back the last piece of a request that is cut, so that requests on other
// connections come between its pieces.
type Gate struct {
	held, open chan struct{}
	hold, lift sync.Once
}

// NewGate returns a closed gate.
func NewGate() *Gate { return &Gate{held: make(chan struct{}), open: make(chan struct{})} }

// Held is closed once all but the last piece were written.
func (g *Gate) Held() <-chan struct{} { return g.held }

// Open lets the last piece pass.
func (g *Gate) Open() { g.lift.Do(func() { close(g.open) }) }

// Wait is called after the last piece but one. It returns when the gate is open, or after
// the longest wait.
func (g *Gate) Wait(longest time.Duration) {
	g.hold.Do(func() { close(g.held) })
	end := time.NewTimer(longest)
	defer end.Stop()
	select {
	case <-g.open:
	case <-end.C:
	}
}
