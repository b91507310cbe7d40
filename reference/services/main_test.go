package services_test

import (
	"os"
	"runtime/debug"
	"testing"

	"plantstore/conformance"
)

// shared has the plans of the documents, each of which many servers are judged by.
var shared = new(conformance.Cache)

// oneIn is how many servers of other documents there are for each that go test judges:
// every one takes a whole run.
const oneIn = 48

// TestMain lets the collector rest, which takes a third of the time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	os.Exit(m.Run())
}
