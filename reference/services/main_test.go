package services_test

import (
	"testing"

	"plantstore/conformance"
	"plantstore/internal/sample"
)

// shared has the plans of the documents, each of which many servers are judged by.
var shared = new(conformance.Cache)

// oneIn is how many servers of other documents there are for each that go test judges:
// every one takes a whole run.
const oneIn = 96

func TestMain(m *testing.M) { sample.Main(m) }
