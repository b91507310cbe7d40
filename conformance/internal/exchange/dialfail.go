package exchange

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"syscall"
)

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
