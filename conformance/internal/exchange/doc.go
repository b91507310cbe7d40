// Package exchange sends one HTTP/1.x request and reads its response, both to
// the byte, within limits that hold whatever the server does.
//
// A [Client] knows a [Target] and its TLS; a [Session] owns at most one
// connection, keeps it where the server allows, and turns a [Request] into an
// [Exchange]. Nothing is added to a request, no redirect is followed, nothing
// is decompressed without saying so: [Response.Body] is what the wire carried,
// [Response.Content] what it means.
//
// The server is hostile until shown otherwise. Every wait and every size has
// its row in [Limits]; what exceeds one ends in a [Failure] that names it.
// The package does not use net/http: that client hides bytes, repairs heads
// and costs more than the work to be done.
package exchange
