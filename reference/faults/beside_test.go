package faults_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plantstore/reference"
)

// beside sends what shows the faults that no other probe shows. It takes a second.
func beside(t *testing.T, s *reference.Server) []string {
	local, err := s.Start()
	require.NoError(t, err)
	defer local.Close()
	c := client()
	defer c.CloseIdleConnections()
	return []string{rested(t, c, local.URL), halfSent(t, local.URL), crowd(t, local.URL)}
}

// rested sends requests on a connection that was idle.
func rested(t *testing.T, c *http.Client, url string) string {
	out := send(t, c, url, plain(`{"id":8001,"name":"rested"}`))
	time.Sleep(350 * time.Millisecond)
	out += send(t, c, url, probe{body: `{"id":8002,"name":"rested"}`})
	time.Sleep(350 * time.Millisecond)
	return out + send(t, c, url, plain(`{"id":8003,"name":"rested"}`))
}

// halfSent sends a request without a credential while one with a credential is on its way.
func halfSent(t *testing.T, url string) string {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	const inside = len(`{"name":"`) + 1 // of the first character of the name
	body := `{"name":"éhalf","id":8004}`
	_, err = fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		secret, len(body), body[:inside])
	require.NoError(t, err)
	other := client()
	defer other.CloseIdleConnections()
	time.Sleep(20 * time.Millisecond) // its head has come
	out := send(t, other, url, probe{body: `{"id":8005,"name":"other"}`})
	_, _ = io.WriteString(conn, body[inside:]) // a fault may have closed the connection
	answer, _ := io.ReadAll(conn)
	status, _, _ := strings.Cut(string(answer), "\r\n")
	return out + status
}

// crowd sends many requests at once, and says which statuses came.
func crowd(t *testing.T, url string) string {
	c := client()
	c.Transport.(*http.Transport).MaxConnsPerHost = 0
	defer c.CloseIdleConnections()
	var mu sync.Mutex
	seen := map[string]bool{}
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			got := send(t, c, url, plain(fmt.Sprintf(`{"id":%d,"name":"crowd"}`, 8100+i)))
			mu.Lock()
			defer mu.Unlock()
			seen[got[:min(3, len(got))]] = true
		})
	}
	group.Wait()
	return fmt.Sprint(seen)
}
