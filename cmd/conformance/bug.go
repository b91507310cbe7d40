package main

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// bugError is a fault of the suite itself and the place of it.
type bugError struct{ what, where string }

func (e *bugError) Error() string {
	return fmt.Sprintf("a bug in this suite, not in your server or document: %s at %s: please report this line with the version, "+
		"the command and the document (see Report a bug in README.md)", e.what, e.where)
}

// guarded calls a command and turns a panic of it into a *bugError. Those of
// other goroutines arrive here too: who waits for one hands its panic on.
func guarded(command func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = bugOf(value, debug.Stack())
		}
	}()
	return command()
}

// bugOf words a panic. Only the text of a run-time error is shown: any other
// value may hold something of a document or a token.
func bugOf(value any, stack []byte) *bugError {
	if known, ok := value.(*bugError); ok {
		return known // handed on from another goroutine
	}
	if p, ok := value.(interface {
		Origin() (value any, stack []byte)
	}); ok {
		value, stack = p.Origin()
	}
	what := fmt.Sprintf("panic with a %T", value)
	if e, ok := value.(runtime.Error); ok {
		what = e.Error()
	}
	return &bugError{what: what, where: placeIn(stack)}
}

// placeIn finds in a stack the first function of ours behind the panic.
func placeIn(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	from := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") {
			from = i
		}
	}
	for i := from; i+1 < len(lines); i++ {
		if strings.HasPrefix(lines[i], "plantstore/") || strings.HasPrefix(lines[i], "main.") {
			file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
			return path.Base(path.Dir(file)) + "/" + path.Base(file)
		}
	}
	return "an unknown place"
}
