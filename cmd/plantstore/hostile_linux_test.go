package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxMemory is what a server may take whatever is done to it.
const maxMemory = 256 << 20

const (
	opening  = "POST /plants HTTP/1.1\r\nHost: plants\r\nAuthorization: Bearer " + secret + "\r\n"
	complete = opening + "Content-Length: 21\r\n\r\n" + `{"id":1,"name":"one"}`
)

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// memory is the most that the process ever had in memory.
func (p *process) memory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	require.NoError(t, err)
	kilobytes, err := strconv.Atoi(peak.FindStringSubmatch(string(text))[1])
	require.NoError(t, err)
	return kilobytes << 10
}

// crowd opens connections to a server and does one thing with all of them, at
// most 200 at a time, and closes them when the test ends.
func crowd(t *testing.T, p *process, size int, each func(n int, c net.Conn)) {
	t.Helper()
	places := make(chan bool, 200)
	var group sync.WaitGroup
	for n := range size {
		places <- true
		group.Go(func() {
			defer func() { <-places }()
			c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
			if assert.NoError(t, err) {
				t.Cleanup(func() { c.Close() })
				each(n, c)
			}
		})
	}
	group.Wait()
}

// survives says that others are answered meanwhile and that memory is in bounds.
func survives(t *testing.T, p *process) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}, Timeout: 5 * time.Second}
	defer client.CloseIdleConnections()
	var slowest time.Duration
	for n := range 50 {
		began := time.Now()
		status, answer, err := p.post(client, fmt.Sprintf(`{"id":%d,"name":"other"}`, n))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status, answer)
		slowest = max(slowest, time.Since(began))
	}
	took := p.memory(t)
	t.Logf("%d MiB at most; the slowest of 50 others was answered in %v", took>>20, slowest.Round(time.Millisecond))
	assert.Less(t, took, maxMemory)
}

func durable(t *testing.T) *process {
	t.Helper()
	p := begin(t, nil, "--data", filepath.Join(t.TempDir(), "plants.db"))
	t.Cleanup(func() { assert.NoError(t, p.end(t, syscall.SIGTERM), p.log) })
	return p
}

func write(c net.Conn, text string) { _, _ = io.WriteString(c, text) }

func TestFiveHundredClientsThatSendAByteASecondDelayNobody(t *testing.T) {
	p := durable(t)
	conns := make([]net.Conn, 500)
	crowd(t, p, len(conns), func(n int, c net.Conn) {
		write(c, opening)
		if n%2 == 0 {
			write(c, "Content-Length: 1000000\r\n\r\n")
		}
		conns[n] = c
	})
	for range 3 {
		for _, c := range conns {
			write(c, "x")
		}
		survives(t, p)
		<-time.After(time.Second)
	}
}

func TestTenThousandIdleConnectionsDelayNobody(t *testing.T) {
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	size := min(10_000, int(limit.Max)-500)
	p := durable(t)
	// Every second one was used before, and waits for longer than the others.
	crowd(t, p, size, func(n int, c net.Conn) {
		if n%2 == 0 {
			write(c, "GET / HTTP/1.1\r\nHost: plants\r\n\r\n")
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if assert.NoError(t, err) {
				assert.Equal(t, http.StatusNotFound, resp.StatusCode)
			}
		}
	})
	t.Logf("%d idle connections", size)
	survives(t, p)
}

func TestBodiesOfAGibibyteAreRefusedWithoutBeingKept(t *testing.T) {
	p := durable(t)
	block := strings.Repeat(" ", 64<<10)
	var answered atomic.Int64
	crowd(t, p, 64, func(n int, c net.Conn) {
		if n%2 == 0 {
			write(c, opening+"Content-Length: 1073741824\r\n\r\n")
		} else {
			write(c, opening+"Transfer-Encoding: chunked\r\n\r\n40000000\r\n")
		}
		go func() {
			for range 1 << 30 / len(block) {
				if _, err := io.WriteString(c, block); err != nil {
					return
				}
			}
		}()
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		// A client that sends on for long behind its answer may get a reset.
		if err == nil {
			body, err := io.ReadAll(resp.Body)
			assert.NoError(t, err)
			assert.Equal(t, http.StatusBadRequest, resp.StatusCode)
			assert.Regexp(t, `"error":(413|503)`, string(body))
			answered.Add(1)
		}
		c.Close()
	})
	assert.Positive(t, answered.Load())
	survives(t, p)
}

func TestManyLargePlantsAtOnceAreStoredOrRefusedAsTooMany(t *testing.T) {
	p := durable(t)
	body := `{"id":1,"name":"` + strings.Repeat("n", 1000_000) + `"}`
	var stored, busy int
	var mu sync.Mutex
	crowd(t, p, 200, func(_ int, c net.Conn) {
		go write(c, opening+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))+body)
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if !assert.NoError(t, err) {
			return
		}
		text, err := io.ReadAll(resp.Body)
		assert.NoError(t, err)
		mu.Lock()
		defer mu.Unlock()
		if resp.StatusCode == http.StatusOK {
			stored++
		} else if assert.Contains(t, string(text), `"error":503`) {
			busy++
		}
	})
	t.Logf("%d stored, %d refused", stored, busy)
	assert.Positive(t, stored)
	survives(t, p)
}

func TestFloodsOfHeadersAreRefused(t *testing.T) {
	p := durable(t)
	var many strings.Builder
	for n := range 1 << 14 {
		fmt.Fprintf(&many, "%x:\r\n", n)
	}
	flood := many.String()
	crowd(t, p, 500, func(n int, c net.Conn) {
		switch n % 3 {
		case 0: // and then silence
			write(c, opening+flood[:15<<10])
			return
		case 1:
			go write(c, opening+strings.Repeat(flood, 16))
		case 2:
			go write(c, opening+"X: "+strings.Repeat("x", 4<<20))
		}
		// A client that goes on sending for long may get a reset instead.
		if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
			assert.Equal(t, http.StatusRequestHeaderFieldsTooLarge, resp.StatusCode)
		}
	})
	survives(t, p)
}

func TestGarbageIsNoRequestAndDelaysNobody(t *testing.T) {
	p := durable(t)
	draw := rand.New(rand.NewPCG(1, 2))
	noise := make([]string, 500)
	for n := range noise {
		bytes := make([]byte, 1+draw.IntN(64<<10))
		for i := range bytes {
			bytes[i] = byte(draw.Uint32())
		}
		noise[n] = string(bytes)
		if n%2 == 0 { // garbage behind something that makes sense
			noise[n] = complete[:1+draw.IntN(len(complete))] + noise[n]
		}
	}
	crowd(t, p, len(noise), func(n int, c net.Conn) {
		go write(c, noise[n])
		_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		_, _ = io.Copy(io.Discard, c)
		c.Close()
	})
	survives(t, p)
}
