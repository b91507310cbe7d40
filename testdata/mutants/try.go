package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// tryAll tries the mutants one after the other, says of each whether it died, and
// returns how many survived. The error names those that could not be tried.
func tryAll(ctx context.Context, list []placed, timeout time.Duration, stdout io.Writer) (survive int, err error) {
	root, err := moduleRoot()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	l := lab{root: root, dir: dir, timeout: timeout}
	// The tests have to pass without a mutant, or each would seem to die.
	var tests []string
	for _, m := range list {
		tests = append(tests, m.tests()...)
	}
	slices.Sort(tests)
	out, err := l.goTool(ctx, "test", append([]string{"-tags", "slow"}, slices.Compact(tests)...)...)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return 0, fmt.Errorf("the tests fail without a mutant: %w\n%s", err, out)
	}
	var failed []error
	die := 0
	for _, m := range list {
		began := time.Now()
		by, err := l.try(ctx, m)
		took := time.Since(began).Round(100 * time.Millisecond)
		switch {
		case ctx.Err() != nil:
			return survive, errors.Join(append(failed, ctx.Err())...)
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", m.Name, err))
			fmt.Fprintf(stdout, "%-9s %-34s %6s\n", "fails", m.Name, took)
		case by == "":
			survive++
			fmt.Fprintf(stdout, "%-9s %-34s %6s  %s\n", "survives", m.Name, took, m.Why)
		default:
			die++
			fmt.Fprintf(stdout, "%-9s %-34s %6s  %s\n", "dies", m.Name, took, by)
		}
	}
	fmt.Fprintf(stdout, "%d of %d die\n", die, len(list))
	return survive, errors.Join(failed...)
}

// lab is where mutants are made and tried.
type lab struct {
	root, dir string
	timeout   time.Duration
}

// tests are the packages whose tests may notice a mutant.
func (m placed) tests() []string {
	out := []string{"./" + m.dir}
	for _, also := range m.Also {
		out = append(out, "./"+also)
	}
	return out
}

// path is the file that a mutant changes, below the root of the module.
func (m placed) path() string { return filepath.Join(filepath.FromSlash(m.dir), m.File) }

// mutate returns the file with the mutant in it. The error says that the list
// does not match the code any more.
func mutate(root string, m placed) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, m.path()))
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(text, []byte(m.Old)); n != 1 {
		return nil, fmt.Errorf("the old text occurs %d times in %s, not once: adapt the mutant to the code\n%s", n, m.path(), m.Old)
	}
	return bytes.Replace(text, []byte(m.Old), []byte(m.New), 1), nil
}

// try runs the tests against one mutant and returns what noticed it, empty where
// nothing did.
func (l *lab) try(ctx context.Context, m placed) (by string, err error) {
	text, err := mutate(l.root, m)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(l.dir, "mutant.go")
	overlay := filepath.Join(l.dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(l.root, m.path()): changed}})
	if err == nil {
		err = errors.Join(os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, replace, 0o600))
	}
	if err != nil {
		return "", err
	}
	if out, err := l.goTool(ctx, "build", "-overlay", overlay, "./"+m.dir); err != nil {
		return "", fmt.Errorf("the mutant does not compile: %w\n%s", err, out)
	}
	args := []string{"-tags", "slow", "-overlay", overlay, "-vet=off", "-failfast", "-timeout", l.timeout.String()}
	out, err := l.goTool(ctx, "test", append(args, m.tests()...)...)
	switch {
	case err == nil:
		return "", nil
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		return "", fmt.Errorf("the tests do not compile: %w\n%s", err, out)
	}
	return noticed(out), nil
}

// noticed names the first test that failed, or says how the tests ended.
func noticed(out string) string {
	if m := regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`).FindStringSubmatch(out); m != nil {
		return m[1]
	}
	if m := regexp.MustCompile(`(?m)^panic: .*`).FindString(out); m != "" {
		return m
	}
	return "the tests fail"
}

// goTool runs the go command in the root of the module.
func (l *lab) goTool(ctx context.Context, verb string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{verb}, args...)...)
	cmd.Dir = l.root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// moduleRoot is the directory of go.mod, at or above the working directory.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod here or above: run it in the repository")
		}
		dir = filepath.Dir(dir)
	}
}
