// Package conformancetest judges a server in an implementer's own go test: one
// subtest for each requirement of the document.
//
//	func TestPlantStore(t *testing.T) {
//		conformancetest.Run(t, conformancetest.Handler(newServer()), conformancetest.Token("open-sesame-42"))
//	}
//
// A failed MUST fails its subtest and says the clause, what was sent, what was
// expected and what came, with a curl command and the command that repeats the
// case. A failed SHOULD is logged. A requirement that could not be tried fails
// with the reason: what is not run is never green. Each subtest is named by the
// requirement, so that
//
//	go test -run TestPlantStore/newplant-id-integer
//
// shows one of them; `conformance explain newplant-id-integer` tells how to fix
// a server that fails it.
//
// A run sends some thousand requests in a second or two, and the target may keep
// what they ask it to store: judge a server that may forget it.
package conformancetest
