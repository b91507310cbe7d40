package diagnose_test

import (
	"testing"

	"plantstore/internal/sample"
)

func TestMain(m *testing.M) { sample.Main(m) }
