package sample

import (
	"flag"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package that judges servers. The collector rests,
// which takes a third of the time otherwise, and more tests run beside each other than there are
// cores: most of them wait.
func Main(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", "8")
	}
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	m.Run()
}
