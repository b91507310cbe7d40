package main

import (
	"fmt"
	"io"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance/formats"
	"plantstore/internal/fetch"
)

// hiddenValue stands for a credential.
const hiddenValue = "(redacted)"

// printSettings prints a line for each flag of the command that settings can have: its
// name, the value that takes effect, and where it comes from.
func printSettings(w io.Writer, ctx *kong.Context, s *settings.Settings) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	known := settings.Flags(ctx.Model)
	for _, f := range ctx.Flags() {
		if known[f.Name] == nil {
			continue
		}
		origin := s.Origin(f.Name)
		list := shownValues(f)
		switch {
		case origin == "default":
			list = []string{defaultOf(f)}
		case len(list) == 0 && f.Name == "token":
			list = []string{hiddenValue}
		}
		for i, v := range list {
			name := f.Name
			if i > 0 {
				name = ""
			}
			// Flush returns the errors of writing.
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", name, formats.Escape(v), formats.Escape(origin))
		}
	}
	return table.Flush()
}

// defaultOf is the default of a flag, as its help gives it.
func defaultOf(f *kong.Flag) string {
	if m := regexp.MustCompile(`\(default:? ([^;)]*)`).FindStringSubmatch(f.Help); m != nil {
		return m[1]
	}
	if f.IsBool() {
		return "false"
	}
	return "-"
}

// shownValues are the texts of a flag's value, without credentials.
func shownValues(f *kong.Flag) []string {
	v := f.Target
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Slice {
		return []string{shownValue(f.Name, v.Interface())}
	}
	var out []string
	for i := range v.Len() {
		out = append(out, shownValue(f.Name, v.Index(i).Interface()))
	}
	if out == nil {
		out = []string{"-"}
	}
	return out
}

// shownValue is the text of one value.
func shownValue(flag string, value any) string {
	switch v := value.(type) {
	case duration:
		return time.Duration(v).String()
	case draws:
		return strconv.Itoa(max(int(v), 0))
	case output:
		return v.format.Name + "=" + v.path
	case variable:
		return v.name + "=" + v.value
	case named:
		return v.name + "=" + hiddenValue
	case header:
		if name, _, _ := strings.Cut(string(v), ":"); credential(flag, string(v)) {
			return name + ": " + hiddenValue
		}
		return string(v)
	case string:
		if flag == "token" {
			return hiddenValue
		}
		if u, err := url.Parse(v); err == nil && fetch.IsAddress(v) {
			return fetch.Shown(u)
		}
		return v
	}
	return fmt.Sprint(value)
}
