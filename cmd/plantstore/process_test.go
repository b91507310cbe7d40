package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// binaryDir is the environment variable that names a folder for the binary.
const binaryDir = "PLANTSTORE_TEST_BINARY_DIR"

// suite gives the tests a folder that lives as long as all of them.
type suite struct{ *testing.M }

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "plantstore-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv(binaryDir, dir)
	if code := s.M.Run(); code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"plantstore": main})
}

// binary builds the command as users have it, so without the race detector.
var binary = sync.OnceValues(func() (string, error) {
	file := filepath.Join(os.Getenv(binaryDir), "built")
	out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// process is a server of its own.
type process struct {
	cmd        *exec.Cmd
	url, admin string
	// pid is that of the server, also where another program starts it.
	pid   int
	log   *strings.Builder
	ended chan error
}

const secret = "process-test-token"

var (
	listening = regexp.MustCompile(`msg=listening url=(\S+)`)
	adminURL  = regexp.MustCompile(`admin=(\S+)`)
)

// begin starts the binary, behind a wrapper where one is given, and waits until
// it listens.
func begin(t *testing.T, wrapper []string, args ...string) *process {
	t.Helper()
	file, err := binary()
	require.NoError(t, err)
	line := append(append(append([]string{}, wrapper...), file, "serve", "--addr", "127.0.0.1:0", "--token", secret), args...)
	p := &process{cmd: exec.Command(line[0], line[1:]...), log: &strings.Builder{}, ended: make(chan error, 1)}
	stderr, err := p.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	p.pid = p.cmd.Process.Pid
	ready := make(chan bool)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			p.log.WriteString(lines.Text() + "\n")
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				p.url = m[1]
				if a := adminURL.FindStringSubmatch(lines.Text()); a != nil {
					p.admin = a[1]
				}
				close(ready)
			}
		}
		p.ended <- p.cmd.Wait()
	}()
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	select {
	case <-ready:
	case err := <-p.ended:
		t.Fatalf("the server did not start: %v: %s", err, p.log)
	case <-time.After(30 * time.Second):
		t.Fatal("the server did not listen in time")
	}
	return p
}

// end sends a signal and waits for the process.
func (p *process) end(t *testing.T, signal syscall.Signal) error {
	t.Helper()
	require.NoError(t, syscall.Kill(p.pid, signal))
	select {
	case err := <-p.ended:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the server did not end")
		return nil
	}
}

// post sends one plant.
func (p *process) post(client *http.Client, body string) (status int, answer string, err error) {
	req, err := http.NewRequest(http.MethodPost, p.url+"/plants", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// ask gets a page of the admin listener.
func (p *process) ask(t *testing.T, path string) (status int, text string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(p.admin + path)
	require.NoError(t, err)
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(page)
}

// export gives the lines of a data file.
func export(t *testing.T, data string) []string {
	t.Helper()
	file, err := binary()
	require.NoError(t, err)
	out, err := exec.Command(file, "export", "--data", data).Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}
