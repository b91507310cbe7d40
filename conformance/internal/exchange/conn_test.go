package exchange

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConnectionIsUsedByHandWithoutRetry(t *testing.T) {
	c := clientFor(t, scripted(t, func(_ int, p *peer) {
		p.request()
		p.say(ok("first"))
		p.request()
	}), Options{})
	conn, f := c.dial(t.Context(), time.Now().Add(c.limits.Dial))
	require.Nil(t, f)
	assert.True(t, conn.usable)
	e := conn.Do(t.Context(), post(c, "{}"), 0)
	require.Nil(t, e.Failure)
	assert.True(t, conn.usable)
	e = conn.Do(t.Context(), post(c, "{}"), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Dropped, e.Failure.Kind)
	assert.False(t, conn.usable)
	conn.Close()
	e = conn.Do(t.Context(), post(c, "{}"), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Dropped, e.Failure.Kind)
	assert.Zero(t, e.Written)
}

func TestDialFailuresHaveNamesThatDoNotVary(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	open := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{Port: 4711}, Err: os.NewSyscallError("connect", err)}
	}
	for want, err := range map[string]error{
		"timed out: no connection":                                       open(os.ErrDeadlineExceeded),
		"unreachable: no such host":                                      &net.DNSError{IsNotFound: true},
		"unreachable: host name cannot be looked up":                     &net.DNSError{Server: "10.0.0.1"},
		"unreachable: connection refused":                                open(syscall.ECONNREFUSED),
		"unreachable: no route to the host":                              open(syscall.EHOSTUNREACH),
		"unreachable: cannot connect":                                    open(syscall.EACCES),
		"not sent: no free port for another connection":                  open(syscall.EADDRNOTAVAIL),
		"not sent: too many open files":                                  open(syscall.EMFILE),
		"dropped: connection closed before the first byte of the answer": open(syscall.ECONNRESET),
	} {
		f := dialFailure(t.Context(), err)
		assert.Equal(t, want, f.Error())
		require.ErrorIs(t, f, err)
	}
	assert.Equal(t, "canceled: the run was stopped", dialFailure(over, errors.New("any")).Error())
}

func TestKindsAndFramingsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := Unreachable; k <= Canceled; k++ {
		seen[k.String()] = true
	}
	assert.Len(t, seen, int(Canceled))
	assert.Equal(t, "no failure", FailureKind(0).String())
	assert.Equal(t, "too large", (&Failure{Kind: TooLarge}).Error())
	for want, f := range map[string]Framing{"none": None, "length": Length, "chunked": Chunked, "until close": UntilClose} {
		assert.Equal(t, want, f.String())
	}
}
