package proof_test

import (
	"testing"

	"plantstore/conformance"
	"plantstore/internal/sample"
)

// shared has the plans of all tests here: they judge one document.
var shared = new(conformance.Cache)

func TestMain(m *testing.M) { sample.Main(m) }
