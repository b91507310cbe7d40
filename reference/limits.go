package reference

import "time"

// The limits of the server, all of them. What has none here is limited by the
// ones that have: a request lives on a connection, and a plant in a body.
const (
	// MaxConnections is how many connections are served at once. More wait in
	// the backlog of the operating system until one of them ends.
	MaxConnections = 16384
	// maxStreams is how many requests at once one HTTP/2 connection may have.
	maxStreams = 100
	// streamWindow is how much of a body is taken before a handler reads it,
	// for each stream and for each connection of HTTP/2.
	streamWindow = 64 << 10

	// maxHeaderBytes is the size of a request line and its headers; net/http
	// answers 431 above it, and adds 4 KiB of its own.
	maxHeaderBytes = 16 << 10
	// MaxBody is the longest body that is read as a plant.
	MaxBody = 1 << 20
	// smallBody is what every request may have in memory. Longer bodies share
	// maxBodies, from their first byte until their plant is stored.
	smallBody = 4 << 10
	maxBodies = 24 << 20
	// MaxPlants is how many plants a store in memory keeps unless told otherwise.
	MaxPlants = 1_000_000
	// maxDrain is how much more is read and thrown away after a refusal, so
	// that a client that sends first and reads afterwards gets its answer.
	maxDrain = 16 << 20

	// readHeaderTimeout is the time for a request line and its headers, and
	// readTimeout the time for the whole request: it ends a body that trickles.
	// Where they are equal, net/http sets one deadline fewer.
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 10 * time.Second
	// writeTimeout is the time from the end of the headers until the answer is
	// written, and idleTimeout how long a connection may wait for a request.
	writeTimeout = 30 * time.Second
	idleTimeout  = 2 * time.Minute
	// grace is how long requests under way may take once the server stops. The
	// whole stop takes no more than ten seconds.
	grace = 8 * time.Second
)
