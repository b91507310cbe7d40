package mutate_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the collector rest, which takes a third of the time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	os.Exit(m.Run())
}
