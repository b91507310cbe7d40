package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
)

// tool is a program that judges a server.
type tool struct {
	name string
	// args is the command line for a target. A tool may write what failed to the file.
	args func(target, file string) []string
	// failed reads what failed from the output or from that file.
	failed func(out []byte, file string) ([]string, error)
}

func tools(o options) []tool { return []tool{conformanceTool(o), schemathesisTool(o)} }

// conformanceTool is this suite. A failure is a requirement, a SHOULD too if o is strict.
func conformanceTool(o options) tool {
	name, fail := "conformance", regexp.MustCompile(`(?m)^FAIL (\S+)`)
	if o.effort != "" {
		name += " --effort " + o.effort
	}
	if o.strict {
		fail = regexp.MustCompile(`(?m)^(?:FAIL|WARN) (\S+)`)
	}
	return tool{
		name: name,
		args: func(target, _ string) []string {
			args := []string{o.suite, "run", "--target", target, "--spec", o.spec, "--seed", strconv.FormatUint(o.seed, 10), "--max-time", o.limit.String(), "--no-color"}
			if o.effort != "" {
				args = append(args, "--effort", o.effort)
			}
			if o.requirements != "" {
				args = append(args, "--requirements", o.requirements)
			}
			for _, a := range o.auth {
				args = append(args, "--auth", a)
			}
			return args
		},
		failed: func(out []byte, _ string) ([]string, error) {
			var failed []string
			for _, m := range fail.FindAllSubmatch(out, -1) {
				failed = append(failed, string(m[1]))
			}
			return failed, nil
		},
	}
}

// result is what a tool made of a server.
type result struct {
	verdict   string
	failed    []string
	requests  int64
	cpu, took time.Duration
}

// judge starts the server, if there is a command for it, and runs one tool.
func judge(ctx context.Context, o options, t tool) (result, error) {
	if o.start != "" {
		end, err := start(ctx, o.start)
		if err != nil {
			return result{}, err
		}
		defer end()
	}
	return t.run(ctx, o, o.name, o.target)
}

// run runs the tool against a server, through a relay.
func (t tool) run(ctx context.Context, o options, name, server string) (result, error) {
	var r result
	target, err := url.Parse(server)
	if err != nil {
		return r, err
	}
	if err := await(ctx, target.Host); err != nil {
		return r, err
	}
	p, err := listen(target.Host)
	if err != nil {
		return r, err
	}
	defer p.Close()
	target.Host = p.Addr().String()
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	limited, stop := context.WithTimeout(ctx, o.limit+time.Minute)
	defer stop()
	file := filepath.Join(dir, "failed")
	args := t.args(target.String(), file)
	program, err := exec.LookPath(args[0])
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return r, err
	}
	c := exec.CommandContext(limited, program, args[1:]...)
	c.Dir = dir // Schemathesis leaves files where it runs
	c.Env = append(os.Environ(), "CONFORMANCE_TOKEN="+o.token)
	began := time.Now()
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		return r, err
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	if o.output != "" {
		if err := os.WriteFile(filepath.Join(o.output, cmp.Or(name, "server")+"-"+t.name+".txt"), out, 0o644); err != nil {
			return r, err
		}
	}
	r.verdict = fmt.Sprintf("exit %d", c.ProcessState.ExitCode())
	if limited.Err() != nil {
		r.verdict = "ended after " + o.limit.String()
	}
	if r.failed, err = t.failed(out, file); err != nil {
		return r, err
	}
	slices.Sort(r.failed)
	r.failed = slices.Compact(r.failed)
	r.requests, r.took = p.answers.Load(), time.Since(began)
	r.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return r, nil
}

// start runs the command of a server and returns how to end it, with all that it
// started.
func start(ctx context.Context, command string) (end func(), err error) {
	c := exec.CommandContext(ctx, "sh", "-c", "exec "+command)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		return nil, err
	}
	return func() {
		syscall.Kill(-c.Process.Pid, syscall.SIGTERM)
		c.Wait()
	}, nil
}

// await waits until the server accepts connections.
func await(ctx context.Context, address string) error {
	for range 300 {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("the server does not listen on " + address + ": start it, or give --start")
}

// schemathesisTool is Schemathesis with all its phases and checks. A failure is an
// entry of a new baseline, which is how it tells failures apart, or an error.
func schemathesisTool(o options) tool {
	name := "schemathesis"
	if o.examples > 0 {
		name += " --max-examples " + strconv.Itoa(o.examples)
	}
	if o.onward {
		name += " --continue-on-failure"
	}
	return tool{
		name: name,
		args: func(target, file string) []string {
			args := []string{o.schemathesis}
			if o.config != "" {
				args = append(args, "--config-file", o.config)
			}
			args = append(args, "run", o.spec, "--url", target, "--phases", "examples,coverage,fuzzing,stateful", "--checks", "all",
				"--seed", strconv.FormatUint(o.seed, 10), "--generation-database", "none", "--no-color", "--baseline", file, "--baseline-update")
			if o.examples > 0 {
				args = append(args, "--max-examples", strconv.Itoa(o.examples))
			}
			if o.onward {
				args = append(args, "--continue-on-failure")
			}
			if o.token != "" {
				args = append(args, "--header", "Authorization: Bearer "+o.token)
			}
			return args
		},
		failed: baselined,
	}
}

// inError finds the kinds of errors in the output of Schemathesis.
var inError = regexp.MustCompile(`(?m)^  🚫 (.+: \d+)$`)

// baselined reads what Schemathesis failed, from its baseline, and its errors.
func baselined(out []byte, file string) ([]string, error) {
	var failed []string
	for _, m := range inError.FindAllSubmatch(out, -1) {
		failed = append(failed, string(m[1]))
	}
	b, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return failed, nil // nothing failed
	}
	if err != nil {
		return nil, err
	}
	var baseline struct {
		Entries []struct {
			Operation string `json:"operation"`
			Failure   string `json:"failure"`
			Signature string `json:"signature"`
		} `json:"entries"`
	}
	if err := json.Unmarshal(b, &baseline); err != nil {
		return nil, fmt.Errorf("the baseline of Schemathesis: %w", err)
	}
	for _, e := range baseline.Entries {
		text := e.Operation + " " + e.Failure
		if e.Signature != "" {
			text += " " + e.Signature
		}
		failed = append(failed, text)
	}
	return failed, nil
}

// relay passes bytes on to a server, as they are, and counts the answers. It reads
// no request: a proxy that did would mend the malformed ones.
type relay struct {
	net.Listener
	to      string
	answers atomic.Int64
}

// listen starts a relay to the server.
func listen(to string) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &relay{Listener: l, to: to}
	go r.serve()
	return r, nil
}

func (r *relay) serve() {
	for {
		c, err := r.Accept()
		if err != nil {
			return // closed
		}
		go r.pass(c)
	}
}

func (r *relay) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	defer server.Close()
	var both sync.WaitGroup
	both.Go(func() {
		io.Copy(server, client)
		server.(*net.TCPConn).CloseWrite()
	})
	both.Go(func() {
		io.Copy(io.MultiWriter(client, &counter{n: &r.answers}), server)
		client.(*net.TCPConn).CloseWrite()
	})
	both.Wait()
}

// counter counts the status lines of answers, but for interim ones. A body that
// has a status line in it is counted too many times: no server tested here sends one.
type counter struct {
	n    *atomic.Int64
	rest []byte // of the last write, where a line may have begun
}

const line = len("HTTP/1.1 200")

func (c *counter) Write(b []byte) (int, error) {
	all := append(c.rest, b...)
	at := 0
	for {
		i := bytes.Index(all[at:], []byte("HTTP/1."))
		if i < 0 || at+i+line > len(all) {
			break
		}
		at += i
		if d := all[at+line-3]; all[at+8] == ' ' && '2' <= d && d <= '5' {
			c.n.Add(1)
		}
		at += line
	}
	c.rest = bytes.Clone(all[max(at, len(all)-line+1):])
	return len(b), nil
}
