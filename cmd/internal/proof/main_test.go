package proof_test

import (
	"os"
	"runtime/debug"
	"testing"

	"plantstore/conformance"
)

// shared has the plans of all tests here: they judge one document.
var shared = new(conformance.Cache)

// TestMain lets the collector rest, which takes a third of the time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	os.Exit(m.Run())
}
