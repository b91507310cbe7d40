// Package conformancetest runs the suite in the go test of a server, with one subtest
// for each requirement of the document.
//
//	func TestPlantStore(t *testing.T) {
//		conformancetest.Run(t, conformancetest.Handler(newServer()), conformancetest.Token("open-sesame-42"))
//	}
//
// A failed MUST fails its subtest. The message is that of conformance run: the clause,
// what was sent, what was expected and what came back, a curl command, and the command to
// repeat the case.
// A failed SHOULD is logged. A requirement that could not be tested fails as well, and
// the message says why. Each subtest has the name of its requirement, so
//
//	go test -run TestPlantStore/newplant-id-integer
//
// sends only the cases for that requirement, and fails if there is none of that name.
// `conformance explain newplant-id-integer` tells how to fix a server that fails it.
//
// A run sends thousands of requests in a few seconds, and the server may store
// data for each of them: use a test server. go test -short sends about 30 requests for each
// operation (the effort smoke), unless With sets Config.Effort.
package conformancetest
