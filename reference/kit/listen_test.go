package kit

import (
	"errors"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNoMoreThanTheLimitOfConnectionsAreServedAtOnce(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ln := LimitConnections(inner, 2)
	accepted := make(chan net.Conn)
	ended := make(chan error)
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- c
		}
	}()
	var clients []net.Conn
	for range 3 {
		c, err := net.Dial("tcp", ln.Addr().String())
		require.NoError(t, err)
		clients = append(clients, c)
	}
	first, second := <-accepted, <-accepted
	assert.Len(t, ln.(*limitedListener).free, 2)
	require.NoError(t, first.Close())
	assert.Error(t, first.Close(), "the second time gives nothing back")
	third := <-accepted
	assert.Len(t, ln.(*limitedListener).free, 2)
	require.NoError(t, third.(interface{ CloseWrite() error }).CloseWrite())
	for _, c := range append(clients, second, third) {
		c.Close()
	}
	require.NoError(t, ln.Close())
	assert.ErrorIs(t, <-ended, net.ErrClosed)
	_, err = ln.Accept()
	assert.ErrorIs(t, err, net.ErrClosed)
}

func TestClosingAListenerThatIsFullEndsItsAccept(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ln := LimitConnections(inner, 0)
	ended := make(chan error)
	go func() { _, err := ln.Accept(); ended <- err }()
	require.NoError(t, ln.Close())
	assert.ErrorIs(t, <-ended, net.ErrClosed)
	half := &limitedConn{Conn: struct{ net.Conn }{}}
	assert.ErrorIs(t, half.CloseWrite(), errors.ErrUnsupported)
}
