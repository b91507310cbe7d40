package faults_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plantstore/internal/sample"
	"plantstore/reference"
	"plantstore/reference/faults"
)

func TestMain(m *testing.M) {
	sample.Wait()
	debug.SetGCPercent(400)
	// The HTTP client logs the bytes that some faults send too many.
	log.SetOutput(io.Discard)
	goleak.VerifyTestMain(m,
		// net/http lingers for half a second on connections with unread bytes.
		goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

func TestTheCatalogueIsCompleteAndEveryEntryIsSound(t *testing.T) {
	list := faults.List()
	require.NoError(t, faults.Validate(list))
	rare := 0
	for _, f := range list {
		if f.Rare {
			rare++
		}
	}
	assert.GreaterOrEqual(t, len(list), 160)
	assert.GreaterOrEqual(t, rare, 35)
	t.Logf("%d faults, %d of them rare", len(list), rare)
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	good := faults.List()[0]
	unnamed, undocumented, unbound := good, good, good
	unnamed.Name, undocumented.Doc, unbound.Breaks = "Not A Slug", "", ""
	undocumented.Name, unbound.Name = "a", "b"
	unbound.Doc = "other"
	for _, bad := range []faults.Fault{unnamed, undocumented, unbound, good, {Name: "c", Doc: "c", Breaks: "c"}} {
		assert.Error(t, faults.Validate([]faults.Fault{good, bad}), bad.Name)
	}
}

// client sends probes one after the other over one connection where it can.
func client() *http.Client {
	return &http.Client{
		Timeout:       400 * time.Millisecond,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{MaxConnsPerHost: 1, DisableCompression: true},
	}
}

// send gives one line that says what came back.
func send(t *testing.T, c *http.Client, url string, p probe) string {
	var body io.Reader = strings.NewReader(p.body)
	if p.chunked {
		body = struct{ io.Reader }{body}
	}
	if p.address != "" {
		url += p.address
	} else if p.query != "" {
		url += "/plants?" + p.query
	} else {
		url += "/plants"
	}
	req, err := http.NewRequest(http.MethodPost, url, body)
	require.NoError(t, err)
	req.Close = p.last
	req.Header["Content-Type"] = []string{"application/json"}
	for name, values := range p.header {
		req.Header[name] = values
		if values[0] == "" {
			delete(req.Header, name)
		}
	}
	if p.auth != nil {
		req.Header["Authorization"] = p.auth
	}
	resp, err := c.Do(req)
	if err != nil {
		// The text holds addresses, which differ from server to server.
		var late net.Error
		return fmt.Sprint("no answer, late: ", errors.As(err, &late) && late.Timeout())
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %v %v %q %v", resp.StatusCode, resp.Header["Content-Type"], resp.TransferEncoding, got, err)
}

// answers sends every probe to a fresh server.
func answers(t *testing.T, s *reference.Server, list []probe) []string {
	local, err := s.Start()
	require.NoError(t, err)
	defer local.Close()
	c := client()
	defer c.CloseIdleConnections()
	var out []string
	for _, p := range list {
		out = append(out, send(t, c, local.URL, p))
	}
	for _, order := range [][]string{{"Authorization", "Content-Type", "Content-Length"}, {"Content-Type", "Content-Length", "Authorization"}} {
		for _, token := range []string{secret, "wrong"} {
			out = append(out, ordered(t, local.URL, order, token))
		}
	}
	for _, raw := range append(rawProbes(), splitChunks()) {
		out = append(out, exchanged(t, local.URL, raw))
	}
	return append(out, burst(t, local.URL))
}

// ordered sends a plant with its header fields in an order, which no client of
// net/http can choose.
func ordered(t *testing.T, url string, order []string, token string) string {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	body := `{"id":7000,"name":"ordered"}`
	values := map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json", "Content-Length": strconv.Itoa(len(body))}
	head := "POST /plants HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
	for _, name := range order {
		head += name + ": " + values[name] + "\r\n"
	}
	_, err = io.WriteString(conn, head+"\r\n"+body)
	require.NoError(t, err)
	answer, _ := io.ReadAll(conn) // a fault may break the connection off
	status, _, _ := strings.Cut(string(answer), "\r\n")
	return status
}

// burst sends plants over several connections at once and says what is wrong
// with the answers, without telling which.
func burst(t *testing.T, url string) string {
	c := client()
	c.Transport.(*http.Transport).MaxConnsPerHost = 8
	defer c.CloseIdleConnections()
	var mu sync.Mutex
	seen := map[string]bool{}
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 5 {
				name := fmt.Sprintf("burst%d-%d", worker, i)
				got := send(t, c, url, plain(fmt.Sprintf(`{"id":%d,"name":%q}`, 9000+worker*10+i, name)))
				kind := got[:min(3, len(got))]
				if strings.Contains(got, "burst") && !strings.Contains(got, `\"`+name+`\"`) {
					kind = "another name"
				}
				tag := fmt.Sprintf("tag%d-%d", worker, i)
				if got := send(t, c, url, plain(fmt.Sprintf(`{"id":%d,"name":"same","tag":%q}`, 9500+worker*10+i, tag))); strings.Contains(got, "tag") && !strings.Contains(got, tag) {
					kind = "another tag"
				}
				mu.Lock()
				seen[kind] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return fmt.Sprint(seen)
}

func config() reference.Config { return reference.Config{Tokens: []string{secret}} }

func TestEveryFaultShowsAndNoneIsACopyOfAnother(t *testing.T) {
	list := probes()
	right := answers(t, reference.New(config()), list)
	require.Equal(t, right, answers(t, reference.New(config()), list), "the reference answers the same every time")
	rightBeside := beside(t, reference.New(config()))
	var mu sync.Mutex
	known := map[[sha256.Size]byte]string{}
	limit := make(chan struct{}, 8)
	for _, f := range faults.List() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, 8)
			limit <- struct{}{}
			defer func() { <-limit }()
			got := answers(t, f.New(config()), list)
			if slices.Equal(right, got) {
				require.NotEqual(t, rightBeside, beside(t, f.New(config())), "shows nowhere")
				return
			}
			if got[len(got)-1] != right[len(right)-1] {
				return // What happens to requests at once differs from time to time.
			}
			sum := sha256.Sum256([]byte(strings.Join(got, "\n")))
			mu.Lock()
			defer mu.Unlock()
			assert.Empty(t, known[sum], "%s answers like it", f.Name)
			known[sum] = f.Name
		})
	}
}
