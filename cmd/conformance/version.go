package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"plantstore/conformance/report"
)

// versionOptions are the flags of version: none.
type versionOptions struct{}

// newVersion makes the function of the command version.
func newVersion(sys system) func(versionOptions) error {
	return func(versionOptions) error {
		v := "(devel)"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
			v = info.Main.Version
		}
		_, err := fmt.Fprintf(sys.stdout, "conformance %s, report version %d, %s\n", v, report.Version, runtime.Version())
		return err
	}
}
