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

// versionLine is the line that version prints.
func versionLine(info *debug.BuildInfo) string {
	return fmt.Sprintf("conformance %s, report version %d, %s", build(info), report.Version, runtime.Version())
}

// build is the version of the program. Go puts it there: the tag of the commit that the
// program was built from, or a version made of the commit. Without version control, as in
// an archive of the source, it is the release of the source with -devel behind it.
func build(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "v" + conformance.Release + "-devel"
	}
	return info.Main.Version
}
