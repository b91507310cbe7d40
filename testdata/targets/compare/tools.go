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
	"syscall"
	"time"
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
