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
	// large is the size of a document in bytes whose reading alone may pass it.
	large = 64 << 10
	// roomy is the aim for work whose live data passes the first one.
	roomy = 400 << 20
)

// roomier lifts the aim for work whose live data may pass it: the collector
// would else take half of the processor in vain. Without any aim a listing of a
// few megabytes of document would take more than a gigabyte.
func roomier() { debug.SetMemoryLimit(roomy) }

func main() {
	debug.SetMemoryLimit(heap)
	debug.SetGCPercent(waste)
	os.Exit(int(execute(os.Args[1:], process())))
}
