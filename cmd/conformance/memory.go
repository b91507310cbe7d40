package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// A run lives beside the server that it judges, so the collector is told to
// keep below a limit. Just above the live data a limit would cost half of the
// processor, so it follows them up to what the work may take.
const (
	heap    = 64 << 20 // bytes, for a run of a few megabytes of live data
	waste   = 400      // percent of the live data, below the limit
	room    = 40 << 20 // bytes beyond twice the live data
	roomy   = 200 << 20
	maximum = 430 << 20 // for the largest document that is read
	// perByte is what each byte of a document takes beyond that: the largest document
	// known, of 12.4 MiB, has 190 MiB of live data when it is listed.
	perByte = 5
	// perCase is what each case beyond the first manyCases takes beyond that, and
	// maxCases bounds what a run of any number of cases may take: the largest document
	// stays within 512 MiB.
	perCase   = 2 << 10
	manyCases = 50_000
	maxCases  = 450 << 20
	// generousHeap and generousWaste are for the self-test.
	generousHeap  = 2 << 30
	generousWaste = 400
)

// ceiling is what the limit may rise to.
var ceiling = new(atomic.Int64)

// frugal makes the collector follow the live data.
func frugal() {
	ceiling.Store(roomy)
	debug.SetMemoryLimit(heap)
	debug.SetGCPercent(waste)
	follow()
}

// roomier raises the ceiling for a document of this size, in bytes.
func roomier(document int) {
	ceiling.Store(min(maximum, roomy+perByte*int64(document)))
}

// busier raises the ceiling for a run of about so many cases, each of which leaves a
// record.
func busier(cases int) {
	if now := ceiling.Load(); cases > manyCases && now != generousHeap {
		ceiling.Store(max(now, min(maxCases, roomy+perCase*int64(cases-manyCases))))
	}
}

// follow sets the limit after each collection. It uses an object without references,
// whose finalizer runs once per collection.
func follow() {
	type mark struct{ _ [16]byte }
	runtime.SetFinalizer(new(mark), func(*mark) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		if live[0].Value.Kind() == metrics.KindUint64 {
			debug.SetMemoryLimit(limitFor(int64(live[0].Value.Uint64()), ceiling.Load()))
		}
		follow()
	})
}

// generous lets the collector rest: for a command that judges hundreds of servers,
// time is dearer than memory.
func generous() {
	ceiling.Store(generousHeap)
	debug.SetMemoryLimit(generousHeap)
	debug.SetGCPercent(generousWaste)
}

// limitFor is the limit for so much live data. Where these need more than the ceiling, the
// collector still has an eighth of them to work with.
func limitFor(live, ceiling int64) int64 {
	if ceiling == generousHeap {
		return ceiling
	}
	return max(heap, min(2*live+room, max(ceiling, live+live/8)))
}
