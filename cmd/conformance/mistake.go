package main

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"plantstore/cmd/internal/settings"
	"plantstore/internal/nearest"
)

// mistake says an error of the parser in our form: what failed, then a hint.
// What was typed behind a command is not repeated: it may be part of a secret
// whose quotes were forgotten.
func mistake(err error) error {
	var own *usageError
	msg := err.Error()
	if errors.As(err, &own) {
		// The parser put the name of the flag in front, or that of the argument.
		what := strings.TrimSuffix(msg, ": "+own.hint)
		if strings.HasPrefix(what, "<") {
			_, what, _ = strings.Cut(what, ": ")
		}
		return &usageError{what: what, hint: own.hint}
	}
	var set *settings.Mistake
	if errors.As(err, &set) {
		return &usageError{what: set.What, hint: set.Hint}
	}
	command := commandOf(err)
	help := "see conformance " + command + "--help"
	if flag, missing := needsValue(msg); missing {
		return usagef("write "+flag+" VALUE, or "+flag+"=VALUE if it starts with a dash", "%s has no value", flag)
	}
	if flag, word, words, is := notInList(msg); is {
		return usagef(cmp.Or(nearest.Hint(word, words), "write "+oneOfThese(words)), "%s: unknown %s %q", flag, strings.TrimLeft(flag, "-"), word)
	}
	if format := formatFlag(err, msg); format != "" {
		return usagef("write --format "+format, "unknown flag --%s", format)
	}
	// A hint with many candidates does not help.
	what, hint, close := strings.Cut(msg, ", did you mean ")
	hint = strings.ReplaceAll(hint, `"`, "") // as in all other hints
	if word, isWord := strings.CutPrefix(what, "unexpected argument "); isWord && command == "" {
		return unknownCommand(err, word)
	}
	if has := commandsWith(err, what); len(has) > 0 {
		return usagef("conformance "+oneOfThese(has)+" has it, "+help, "%s", what)
	}
	switch {
	case singleDash(what):
		return usagef("flags start with two dashes, "+help, "%s", what)
	case close && strings.Count(hint, ",") < 4:
		return usagef("did you mean "+hint, "%s", what)
	case strings.HasPrefix(msg, "unexpected argument http"):
		return usagef("write the address after --target", "too many arguments for %s", strings.TrimSpace(command))
	case strings.HasPrefix(msg, "unexpected argument ") && command == "known-failures write ":
		if first := reportOf(err); nearest.Hint(first, []string{"write"}) != "" && first != "write" {
			return noKnownCommand(first)
		}
		return usagef("write conformance known-failures write REPORT.json > FILE", "too many arguments for known-failures write")
	case strings.HasPrefix(msg, "unexpected argument ") && command != "":
		return usagef("quote values that contain spaces, or "+help, "too many arguments for %s", strings.TrimSpace(command))
	case strings.HasPrefix(msg, "expected one of "):
		return usagef("write conformance run, or see conformance --help for all commands", "no command given")
	case strings.HasPrefix(msg, `expected "<`):
		name, _, _ := strings.Cut(strings.TrimPrefix(msg, `expected "<`), ">")
		return usagef(cmp.Or(forms(command)[name], help), "no %s given", name)
	default:
		return usagef(help, "%s", what)
	}
}

// unknownCommand offers the nearest command, whatever its case.
func unknownCommand(err error, word string) error {
	var names []string
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		for _, c := range parse.Context.Model.Children {
			names = append(names, c.Name)
		}
	}
	hint := nearest.Hint(strings.ToLower(word), names)
	if word == "help" {
		hint = "write conformance --help, or conformance run --help for one command"
	}
	return usagef(cmp.Or(hint, "see conformance --help"), "unknown command %s", word)
}

// forms say what the arguments of a command are, where a word is enough.
func forms(command string) map[string]string {
	if command == "schema " {
		return map[string]string{"name": "say which schema: " + strings.Join(schemas(), " or ")}
	}
	return nil
}

// formatFlag finds an unknown flag that is a format of the command.
func formatFlag(err error, msg string) string {
	what, _, _ := strings.Cut(msg, ",")
	name, unknown := strings.CutPrefix(what, "unknown flag --")
	var parse *kong.ParseError
	if !unknown || !errors.As(err, &parse) || parse.Context == nil || parse.Context.Selected() == nil {
		return ""
	}
	for _, f := range parse.Context.Selected().Flags {
		if f.Name == "format" && slices.Contains(strings.Split(f.Enum, ","), name) {
			return name
		}
	}
	return ""
}

// commandsWith names the commands that have a flag which the typed command lacks.
func commandsWith(err error, what string) (out []string) {
	name, unknown := strings.CutPrefix(what, "unknown flag --")
	var parse *kong.ParseError
	if !unknown || !errors.As(err, &parse) || parse.Context == nil {
		return nil
	}
	for _, c := range parse.Context.Model.Children {
		if len(out) < maxCommands && !c.Hidden && slices.ContainsFunc(c.Flags, func(f *kong.Flag) bool { return f.Name == name && !f.Hidden }) {
			out = append(out, c.Name)
		}
	}
	return out
}

// maxCommands is how many commands a hint names.
const maxCommands = 3

// commandOf is the command that the error is about, such as "known-failures write", with a
// blank behind it.
func commandOf(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			_, words, _ := strings.Cut(node.FullPath(), " ")
			return words + " "
		}
	}
	return ""
}

// reportOf is what the parser took for the report of known-failures.
func reportOf(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		for _, p := range parse.Context.Path {
			if p.Positional != nil {
				text, _ := parse.Context.Value(p).Interface().(string)
				return text
			}
		}
	}
	return ""
}

// notInList finds the word that is none of those of a flag.
func notInList(msg string) (flag, word string, words []string, is bool) {
	m := regexp.MustCompile(`^(--[a-z-]+) must be one of (".*") but got "(.*)"$`).FindStringSubmatch(msg)
	if m == nil {
		return "", "", nil, false
	}
	return m[1], m[3], strings.Split(strings.Trim(m[2], `"`), `","`), true
}

// oneOfThese lists words to choose from.
func oneOfThese(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// needsValue finds the flag whose value the parser missed. Its own message
// repeats what stands there instead, which may be a token.
func needsValue(msg string) (flag string, missing bool) {
	m := regexp.MustCompile(`^(--[a-z-]+): expected .*value but got `).FindStringSubmatch(msg)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// singleDash tells an unknown flag with one dash: there is only -h.
func singleDash(what string) bool {
	name, unknown := strings.CutPrefix(what, "unknown flag -")
	return unknown && !strings.HasPrefix(name, "-")
}
