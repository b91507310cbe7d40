package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tool is a program that judges a server.
type tool struct {
	name string
	args func(target string) []string
	// failed finds what failed in the output, each with a count.
	failed *regexp.Regexp
}

func tools(o options) []tool {
	return []tool{
		{"conformance", func(target string) []string {
			return []string{o.suite, "run", "--target", target, "--spec", o.spec, "--seed", strconv.FormatUint(o.seed, 10), "--max-time", o.limit.String(), "--no-color"}
		}, regexp.MustCompile(`(?m)^FAIL (\S+)`)},
		{"schemathesis", func(target string) []string {
			args := []string{o.schemathesis, "run", o.spec, "--url", target, "--phases", "examples,coverage,fuzzing,stateful", "--checks", "all",
				"--seed", strconv.FormatUint(o.seed, 10), "--generation-database", "none", "--no-color"}
			if o.token != "" {
				args = append(args, "--header", "Authorization: Bearer "+o.token)
			}
			return args
		}, regexp.MustCompile(`(?m)^  ❌ (ST\d+ .+: \d+)`)},
	}
}

// result is what a tool made of a server.
type result struct {
	verdict, failed string
	requests        int64
	cpu, took       time.Duration
}

// judge runs one tool against the server.
func judge(ctx context.Context, o options, t tool) (result, error) {
	var r result
	target, err := url.Parse(o.target)
	if err != nil {
		return r, err
	}
	if o.start != "" {
		end, err := start(ctx, o.start)
		if err != nil {
			return r, err
		}
		defer end()
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
	ctx, stop := context.WithTimeout(ctx, o.limit+time.Minute)
	defer stop()
	args := t.args(target.String())
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Env = append(os.Environ(), "CONFORMANCE_TOKEN="+o.token)
	began := time.Now()
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		return r, err
	}
	if o.output != "" {
		if err := os.WriteFile(filepath.Join(o.output, cmp.Or(o.name, "server")+"-"+t.name+".txt"), out, 0o644); err != nil {
			return r, err
		}
	}
	r.verdict = fmt.Sprintf("exit %d", c.ProcessState.ExitCode())
	if ctx.Err() != nil {
		r.verdict = "ended after " + o.limit.String()
	}
	var failed []string
	for _, m := range t.failed.FindAllStringSubmatch(string(out), -1) {
		failed = append(failed, m[1])
	}
	slices.Sort(failed)
	r.failed = cmp.Or(strings.Join(slices.Compact(failed), ", "), "-")
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
