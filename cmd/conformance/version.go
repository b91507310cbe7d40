package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// versionOptions are the flags of version: none.
type versionOptions struct{}

// newVersion makes the function of the command version.
func newVersion(sys system) func(versionOptions) error {
	return func(versionOptions) error {
		info, _ := debug.ReadBuildInfo()
		_, err := fmt.Fprintln(sys.stdout, versionLine(info))
		return err
	}
}

// versionLine is the line that version prints. Go puts the version into the program: the
// tag of the commit that it was built from, or a version made of the commit. Without
// version control, as in an archive of the source, it is the release of the source with
// -devel behind it.
func versionLine(info *debug.BuildInfo) string {
	v := ""
	if info != nil {
		v = info.Main.Version
	}
	if v == "" || v == "(devel)" {
		v = "v" + conformance.Release + "-devel"
	}
	return fmt.Sprintf("conformance %s, report version %d, %s", v, report.Version, runtime.Version())
}
