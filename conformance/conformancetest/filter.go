package conformancetest

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"plantstore/conformance"
)

// narrow tries only the requirements whose subtests go test -run and -skip leave. It
// does not change a selection that the test makes itself: go test then only leaves
// subtests out. The error says that nothing is left.
func narrow(ctx context.Context, c *conformance.Config, parent string) error {
	if !testing.Testing() || len(c.Only) > 0 {
		return nil
	}
	run, skip := given("test.run"), given("test.skip")
	depth := strings.Count(parent, "/") + 1
	if !run.deeper(depth) && !skip.deeper(depth) {
		return nil
	}
	list, err := conformance.List(ctx, *c)
	if err != nil {
		return nil // the run says what is wrong
	}
	var left, out []string
	for _, r := range list.Requirements {
		switch name := parent + "/" + r.Requirement; {
		case !run.matches(name):
		case skip.deeper(depth) && skip.matches(name):
			out = append(out, r.Requirement)
		default:
			left = append(left, r.Requirement)
		}
	}
	if len(left) == 0 {
		return fmt.Errorf("-run %q and -skip %q leave no requirement: the subtests have the ids that conformance list prints", flagText("test.run"), flagText("test.skip"))
	}
	if run.deeper(depth) {
		c.Only = left
	} else {
		c.Skip = append(append([]string(nil), c.Skip...), out...)
	}
	return nil
}

// filter is -run or -skip: alternatives, each an expression for each part of a name.
type filter [][]*regexp.Regexp

// given is the filter of a flag of go test; it has no alternative if the flag is not set.
func given(name string) filter {
	text := flagText(name)
	if text == "" {
		return nil
	}
	var out filter
	for _, parts := range alternatives(text) {
		var list []*regexp.Regexp
		for _, p := range parts {
			e, err := regexp.Compile(strings.ReplaceAll(p, " ", "_"))
			if err != nil {
				return nil // go test refused it already
			}
			list = append(list, e)
		}
		out = append(out, list)
	}
	return out
}

func flagText(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// deeper reports whether the filter is about subtests of a test at that depth.
func (f filter) deeper(depth int) bool {
	for _, parts := range f {
		if len(parts) > depth {
			return true
		}
	}
	return false
}

// matches reports whether an alternative matches a name, or the filter has none. Parts of
// the name behind those of the alternative match.
func (f filter) matches(name string) bool {
	words := strings.Split(name, "/")
	for _, parts := range f {
		all := len(parts) <= len(words)
		for i := range min(len(parts), len(words)) {
			all = all && parts[i].MatchString(words[i])
		}
		if all {
			return true
		}
	}
	return len(f) == 0
}

// alternatives splits an expression as package testing does: at | and / that are in no
// brackets.
func alternatives(text string) (out [][]string) {
	var parts []string
	square, round, start := 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(square-1, 0)
		case c == '(' && square == 0:
			round++
		case c == ')' && square == 0:
			round--
		case (c == '/' || c == '|') && square == 0 && round == 0:
			parts = append(parts, text[start:i])
			start = i + 1
			if c == '|' {
				out = append(out, parts)
				parts = nil
			}
		}
	}
	return append(out, append(parts, text[start:]))
}
