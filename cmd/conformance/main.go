// Command conformance judges whether a server keeps the contract that an
// OpenAPI document states. See conformance --help.
package main

import (
	"os"
	"runtime/debug"
)

// heap is the memory that the collector aims to stay below: a run lives beside
// the server it judges. The few megabytes of live data would else be collected
// a hundred times in a second, so a run may waste up to the aim.
const (
	heap  = 36 << 20
	waste = 400
)

func main() {
	debug.SetMemoryLimit(heap)
	debug.SetGCPercent(waste)
	os.Exit(int(execute(os.Args[1:], process())))
}
