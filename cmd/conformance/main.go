// Command conformance judges whether a server keeps the contract that an
// OpenAPI document states. See conformance --help.
package main

import (
	"os"
)

func main() {
	frugal()
	os.Exit(int(execute(os.Args[1:], process())))
}
