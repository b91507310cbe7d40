package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"conformance": main})
}

// The scripts run the whole program in a process of its own, so go test runs one in so
// many of them.
const scriptsSampled = 21

func TestCommandLine(t *testing.T) { scripts(t, "usage", "help") }

// TestJudging runs the scripts that judge servers.
func TestJudging(t *testing.T) {
	scripts(t, "run", "list", "explain", "reach", "propose", "replay", "diff", "matrix", "merge", "selftest")
}

func scripts(t *testing.T, families ...string) {
	// Under nohup SIGHUP is ignored, by the commands that the scripts start too; what
	// is handled here is not.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	sample.Long(t)
	var files []string
	for _, f := range families {
		found, err := filepath.Glob("../../testdata/script/conformance_" + f + "*.txtar")
		require.NoError(t, err)
		require.NotEmpty(t, found)
		files = append(files, sample.Of(found, scriptsSampled)...)
	}
	testscript.Run(t, testscript.Params{
		Files:              files,
		RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"serve":      serve,
			"await":      await,
			"case-shown": caseShown,
			"trap":       trap,
			"edit":       edit,
			"shelf":      shelf,
			"zettel":     zettels,
			"kept":       kept,
			"valid":      valid,
			"digest":     digestIn,
		},
	})
}

// exits runs a command and wants an exit code: exits CODE PROGRAM ARGS.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG]...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// await waits for a file that another process writes: await FILE.
func await(ts *testscript.TestScript, _ bool, args []string) {
	for range 1000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s does not come", args[0])
}

// edit replaces a text wherever a file has it: edit FILE OLD NEW.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	was := ts.ReadFile(args[0])
	now := strings.ReplaceAll(was, args[1], args[2])
	if was == now {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(now), 0o600))
}

// caseShown sets CASE to the case of the first replay command on standard
// output.
func caseShown(ts *testscript.TestScript, _ bool, _ []string) {
	m := regexp.MustCompile(`conformance replay (\S+)`).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("no replay command on standard output")
	}
	ts.Setenv("CASE", m[1])
}
