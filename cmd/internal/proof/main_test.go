package proof_test

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"plantstore/conformance"
)

// shared has the plans of all tests here: they judge one document.
var shared = new(conformance.Cache)

// TestMain lets the collector rest, which takes a third of the time otherwise, and runs
// more tests at once than there are cores: many of them wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(768 << 20)
	os.Exit(m.Run())
}
