package store

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	benchSlice = 75 * time.Millisecond
	benchToken = "benchmark-token"
)

// crowd is clients with a connection each.
type crowd struct {
	conns []net.Conn
	took  []time.Duration
	rates []float64
}

func connect(b *testing.B, addr string, clients int) *crowd {
	b.Helper()
	c := &crowd{}
	for range clients {
		conn, err := net.Dial("tcp", addr)
		require.NoError(b, err)
		c.conns = append(c.conns, conn)
	}
	return c
}

// slice sends plants on every connection for a while, each as soon as the one
// before was answered. It does no more than it must, because the server has the
// same cores.
func (c *crowd) slice(b *testing.B) {
	b.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	began, answered := time.Now(), 0
	for n, conn := range c.conns {
		group.Go(func() {
			body := fmt.Sprintf(`{"id":%d,"name":"benchmark plant","tag":"t"}`, n+1)
			request := fmt.Appendf(nil, "POST /plants HTTP/1.1\r\nHost: plants\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", benchToken, len(body), body)
			answer, mine := make([]byte, 4096), []time.Duration(nil)
			for sent := time.Now(); sent.Sub(began) < benchSlice; {
				// Answers are short and come in one segment.
				_, err := conn.Write(request)
				got := 0
				if err == nil {
					got, err = conn.Read(answer)
				}
				if err != nil || !bytes.HasPrefix(answer[:got], []byte("HTTP/1.1 200 OK")) {
					b.Errorf("%v: %s", err, answer[:got])
					return
				}
				now := time.Now()
				mine, sent = append(mine, now.Sub(sent)), now
			}
			mu.Lock()
			defer mu.Unlock()
			c.took, answered = append(c.took, mine...), answered+len(mine)
		})
	}
	group.Wait()
	c.rates = append(c.rates, float64(answered)/time.Since(began).Seconds())
}

// close ends the connections and gives what they saw: requests a second, and
// the time that 99 in 100 were answered in, in milliseconds.
func (c *crowd) close() (rate, p99 float64) {
	for _, conn := range c.conns {
		conn.Close()
	}
	slices.Sort(c.took)
	return median(slices.Clone(c.rates)), c.took[len(c.took)*99/100].Seconds() * 1000
}

// diskSyncs is how often a second the disk takes a write and its sync now,
// which is all that one client can have.
func diskSyncs(b *testing.B) float64 {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "syncs"))
	require.NoError(b, err)
	defer f.Close()
	began, page, n := time.Now(), make([]byte, 4096), 0
	for ; time.Since(began) < 300*time.Millisecond; n++ {
		_, err := f.Write(page)
		require.NoError(b, err)
		require.NoError(b, f.Sync())
	}
	return float64(n) / time.Since(began).Seconds()
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
