package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// witness takes every request as if it were right, and remembers it.
type witness struct {
	mu   sync.Mutex
	seen []string
}

func (w *witness) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization")+" "+r.Header.Get("X-Evil")+" "+string(body))
	out.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(out, `{"id": 1, "name": "n"}`)
}

func (w *witness) taken() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen
	w.seen = nil
	return seen
}

func serveWitness(t *testing.T) (*witness, string) {
	w := &witness{}
	s := httptest.NewServer(w)
	t.Cleanup(s.Close)
	return w, s.URL
}

// tampered gives a report whose first failure holds another request.
func tampered(r *report.Report, change func(string) string) *report.Report {
	out := *r
	out.Results = nil
	for _, x := range r.Results {
		x.Failures = append([]report.Failure(nil), x.Failures...)
		for i := range x.Failures {
			x.Failures[i].Steps = append([]report.Step(nil), x.Failures[i].Steps...)
			for k, st := range x.Failures[i].Steps {
				x.Failures[i].Steps[k].Request.Data = []byte(change(string(st.Request.Data)))
			}
		}
		out.Results = append(out.Results, x)
	}
	return &out
}

func replace(old, new string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, new, 1) }
}

func TestAForgedReportSendsNothingThatThePlanDoesNotSend(t *testing.T) {
	t.Parallel()
	w, url := serveWitness(t)
	c := conformance.Config{Target: url, Token: "a-token-of-this-test", Draws: 1, Only: []string{"*/invalid/*/id/string/*"}, Cache: plantPlans}
	r, err := conformance.Run(context.Background(), c)
	require.NoError(t, err)
	require.NotEmpty(t, w.taken())
	f, ok := r.Failure(1)
	require.True(t, ok)
	require.Len(t, f.Steps, 1)
	out, err := conformance.ReplayFailure(context.Background(), c, r, 1, false)
	require.NoError(t, err)
	assert.NotEmpty(t, out.Failures)
	assert.Len(t, w.taken(), 2, "a baseline request first")

	for name, x := range map[string]struct {
		change func(string) string
		says   string
	}{
		"method":       {replace("POST ", "DELETE "), "method DELETE, not POST"},
		"path":         {replace(" /plants ", " /admin "), "path /admin, not /plants"},
		"query":        {replace(" /plants ", " /plants?drop=table "), "query drop=table, which the plan does not send"},
		"a field more": {replace("\r\nAccept:", "\r\nX-Evil: 1\r\nAccept:"), "field X-Evil: 1, which the plan does not send"},
		"a field less": {replace("\r\nAccept: application/json", ""), "no field Accept: application/json"},
		"another order": {func(s string) string {
			return replace("\r\nHost:", "\r\nAccept: application/json\r\nHost:")(replace("\r\nAccept: application/json", "")(s))
		}, "its headers are in another order"},
		"credential":      {replace("Bearer $CONFORMANCE_TOKEN", "Basic $CONFORMANCE_TOKEN"), "field Authorization: Basic $CONFORMANCE_TOKEN, which"},
		"media type":      {replace("application/json\r\nAuth", "text/html\r\nAuth"), "field Content-Type: text/html, which the plan does not send"},
		"a second head":   {func(s string) string { return s + "GET /admin HTTP/1.1\r\n\r\n" }, "its body has "},
		"words":           {replace(`"name":"`, `"name":"robert'); drop table `), "its body has "},
		"another kind":    {func(s string) string { return length(s, `{"name":"bcd2fg","id":5`) }, "its body is not JSON, and the plan has "},
		"protocol":        {replace("HTTP/1.1", "HTTP/1.0"), "HTTP/1.0, not HTTP/1.1"},
		"no end":          {func(string) string { return "POST /plants HTTP/1.1\r\n" }, "its headers have no end"},
		"another host":    {replace("Host: ", "Host: evil.example."), "field Host: evil.example."},
		"nothing at all":  {func(string) string { return "" }, "its headers have no end"},
		"escapes of ours": {replace(" /plants ", " /\x1b[2J "), "path /<1b>[2J, not /plants"},
	} {
		if !sample.Has(name, 4) {
			continue
		}
		_, err := conformance.ReplayFailure(context.Background(), c, tampered(r, x.change), 1, false)
		var setup *conformance.SetupError
		require.ErrorAs(t, err, &setup, name)
		assert.Contains(t, err.Error(), x.says, name)
		assert.Contains(t, err.Error(), "nothing was sent; to send it anyway, without a verdict, add --as-recorded", name)
		assert.Empty(t, w.taken(), name)
	}
}

// length gives a request another body, with its length.
func length(request, body string) string {
	head, old, _ := strings.Cut(request, "\r\n\r\n")
	return strings.Replace(head, "Content-Length: "+strconv.Itoa(len(old)), "Content-Length: "+strconv.Itoa(len(body)), 1) + "\r\n\r\n" + body
}

func TestARecordedRequestIsNeverPassedAndCarriesTheTokenToItsOwnTargetAlone(t *testing.T) {
	t.Parallel()
	w, url := serveWitness(t)
	c := conformance.Config{Target: url, Token: "a-token-of-this-test", Draws: 1, Only: []string{"*/invalid/*/id/string/*"}, Cache: plantPlans}
	r, err := conformance.Run(context.Background(), c)
	require.NoError(t, err)
	w.taken()
	evil := tampered(r, func(s string) string {
		return replace("POST /plants", "DELETE /admin")(replace("\r\nAccept:", "\r\nX-Evil: 1\r\nAccept:")(s))
	})

	out, err := conformance.ReplayFailure(context.Background(), c, evil, 1, true)
	require.NoError(t, err)
	assert.Empty(t, out.Failures)
	assert.Contains(t, out.Reason, "the bytes in the report differ from the plan")
	seen := w.taken()
	require.Len(t, seen, 1)
	assert.True(t, strings.HasPrefix(seen[0], "DELETE /admin Bearer a-token-of-this-test 1 "), "the report is about this target: %s", seen[0])
	var text bytes.Buffer
	require.NoError(t, formats.TranscriptText(&text, out, formats.Options{}))
	assert.Contains(t, text.String(), "not judged: the bytes in the report")
	assert.NotContains(t, text.String(), "passed")
	assert.NotContains(t, text.String(), c.Token)

	// The report of another target: its bytes may come here, the token stays out.
	other := *evil
	other.Header.Target = "http://" + strings.Replace(strings.TrimPrefix(url, "http://"), "127.0.0.1", "localhost", 1)
	other.Header.Embedded = true // whoever wrote the report can write this too
	out, err = conformance.ReplayFailure(context.Background(), c, &other, 1, true)
	require.NoError(t, err)
	seen = w.taken()
	require.Len(t, seen, 1)
	assert.True(t, strings.HasPrefix(seen[0], "DELETE /admin Bearer $CONFORMANCE_TOKEN 1 "), seen[0])
	assert.Contains(t, out.Reason, "the token was not sent, because the report is about another target")

	// What the plan sends goes to the target of the configuration, whatever target
	// the report names.
	moved := tampered(r, replace(strings.TrimPrefix(url, "http://"), "127.0.0.1:9"))
	moved.Header.Target = "http://127.0.0.1:9"
	out, err = conformance.ReplayFailure(context.Background(), c, moved, 1, false)
	require.NoError(t, err)
	assert.NotEmpty(t, out.Failures)
	assert.Len(t, w.taken(), 2, "a baseline request first")
}

func TestAChangedReportIsRefusedInOneLine(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	w, url := serveWitness(t)
	c := conformance.Config{Target: url, Token: "a-token-of-this-test", Draws: 1, Only: []string{"*/invalid/*/id/string/*"}, Cache: plantPlans}
	r, err := conformance.Run(context.Background(), c)
	require.NoError(t, err)
	w.taken()
	for name, change := range map[string]func(*report.Report, *report.Failure){
		"no steps":        func(_ *report.Report, f *report.Failure) { f.Steps = nil },
		"cuts outside":    func(_ *report.Report, f *report.Failure) { f.Steps[0].Cuts = []int{-5000, 1 << 40} },
		"cut bytes":       func(_ *report.Report, f *report.Failure) { f.Steps[0].Request.Cut = 1 },
		"no target":       func(r *report.Report, _ *report.Failure) { r.Header.Target = "\x1b" },
		"another seed":    func(r *report.Report, f *report.Failure) { f.Case = "post-plants/no/such/case/0" },
		"another digest":  func(r *report.Report, _ *report.Failure) { r.Header.Digest = "0" },
		"a million draws": func(r *report.Report, f *report.Failure) { r.Header.Draws = 1 << 40 },
	} {
		bad := tampered(r, replace("POST", "PUT"))
		for i := range bad.Results {
			for k := range bad.Results[i].Failures {
				change(bad, &bad.Results[i].Failures[k])
			}
		}
		_, err := conformance.ReplayFailure(context.Background(), c, bad, 1, true)
		var setup *conformance.SetupError
		require.ErrorAs(t, err, &setup, name)
		assert.NotContains(t, err.Error(), "\n", name)
		assert.Empty(t, w.taken(), name)
	}
}

// BenchmarkDefaultRun is what a user gets who types `conformance run`: the
// program in a process of its own, judging its embedded reference server.
func BenchmarkDefaultRun(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "conformance")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/conformance").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	var seconds, memory, first, exchanges []float64
	for b.Loop() {
		path := filepath.Join(dir, "report.json")
		cmd := exec.Command(program, "run", "--report", "json="+path)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		began := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		peak := watchMemory(cmd.Process.Pid)
		if err := cmd.Wait(); err != nil {
			b.Fatalf("%v: %s", err, said.String())
		}
		seconds = append(seconds, time.Since(began).Seconds())
		memory = append(memory, <-peak)
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		r, err := formats.ReadJSON(text)
		if err != nil {
			b.Fatal(err)
		}
		exchanges = append(exchanges, float64(r.Summary.Exchanges))
		first = append(first, firstRequest(b, program).Seconds()*1000)
	}
	b.ReportMetric(median(exchanges), "exchanges")
	b.ReportMetric(median(seconds), "s/run")
	b.ReportMetric(median(first), "ms-to-first-request")
	if peak := median(memory); peak > 0 {
		b.ReportMetric(peak, "MiB-peak")
	}
}

// firstRequest is the time from the start of the process to the first byte that
// a target sees.
func firstRequest(b *testing.B, program string) time.Duration {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer target.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	cmd := exec.CommandContext(ctx, program, "run", "--target", "http://"+target.Addr().String(), "--token", "t0ken-of-a-benchmark")
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { stop(); _ = cmd.Wait() }() // it was killed: its error says so
	conn, err := target.Accept()
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	if _, err := bufio.NewReader(conn).ReadByte(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// watchMemory gives the largest resident size of a process in MiB once it ended;
// 0 where the system has no /proc. The size that wait reports would be that of
// this process where it is larger.
func watchMemory(pid int) <-chan float64 {
	out := make(chan float64, 1)
	go func() {
		peak := 0.0
		for {
			status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
			_, rest, found := strings.Cut(string(status), "VmHWM:")
			if err != nil || !found {
				out <- peak
				return
			}
			if kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64); err == nil {
				peak = max(peak, kib/1024)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return out
}
