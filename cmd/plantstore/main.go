// Command plantstore runs the reference server of the plant store, as it
// should be, or with one fault or variant of the catalogues.
package main

import "os"

func main() { os.Exit(int(run(os.Args[1:], os.Stdout, os.Stderr))) }
