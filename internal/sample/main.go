package sample

import (
	"flag"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package that judges servers. The collector rests, which takes a third of the
// time otherwise.
func Main(m *testing.M) {
	Wait()
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	m.Run()
}

// Wait lets more tests run beside each other than there are cores, unless a flag says how many: most of
// them wait.
func Wait() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", "8")
	}
}
