package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml/ast"
)

// marker is the flag that every command with settings has.
const marker = "no-config"

// own are the flags about settings, which no file can set.
var own = []string{"config", marker, "profile", "print-config", "help"}

// Flags returns the flags that settings can set, by their names. Several commands can
// have a flag of the same name, with different types.
func Flags(app *kong.Application) map[string][]*kong.Flag {
	out := map[string][]*kong.Flag{}
	for _, command := range app.Children {
		if !Has(command.Flags) {
			continue
		}
		for _, f := range command.Flags {
			if !slices.Contains(own, f.Name) && !f.Hidden {
				out[f.Name] = append(out[f.Name], f)
			}
		}
	}
	return out
}

// Has reports whether a command with these flags takes settings.
func Has(flags []*kong.Flag) bool {
	return slices.ContainsFunc(flags, func(f *kong.Flag) bool { return f.Name == marker })
}

// check refuses what no command can use, also in profiles that are not chosen.
func check(f *file, flags map[string][]*kong.Flag, src Source) error {
	if err := f.check(f.base, flags, src); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, p := range f.profiles {
		if seen[p.name] {
			return mistakef("give each its own name", "%s: a second profile %q", place(f.name, p.line), p.name)
		}
		seen[p.name] = true
		if err := f.check(p.entries, flags, src); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) check(entries []entry, flags map[string][]*kong.Flag, src Source) error {
	known := slices.Sorted(maps.Keys(flags))
	seen := map[string]bool{}
	for _, e := range entries {
		at := place(f.name, e.line)
		variants := flags[e.key]
		switch {
		case len(variants) == 0:
			return mistakef(meant(strings.TrimLeft(e.key, "-"), append(known, profilesKey), "conformance run --help lists the flags"), "%s: unknown key %q", at, e.key)
		case seen[e.key]:
			return mistakef("remove one of them", "%s: %s is set twice", at, e.key)
		case e.list && !variants[0].IsSlice():
			return mistakef("write one text", "%s: %s takes no list", at, e.key)
		case src.File == "" && slices.Contains(src.Rules.Explicit, e.key):
			return mistakef("add --config "+f.name+" if you trust it", "%s: %s runs commands, so it is not taken from a file that nobody named", at, e.key)
		}
		seen[e.key] = true
		for _, t := range e.texts {
			if err := f.checkText(e, t, variants, src.Rules); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkText refuses a text that no variant of the flag takes, and a credential.
// What depends on the environment is tried when it is used.
func (f *file) checkText(e entry, t text, variants []*kong.Flag, r Rules) error {
	at := place(f.name, t.line) + ": " + e.key
	switch {
	case refers(t.value):
		return nil
	case r.Secret != nil && r.Secret(e.key, t.value):
		return mistakef("write ${NAME} and put it into that environment variable", "%s: a credential does not belong in a file that others may read", at)
	case variants[0].IsBool() && !t.truth:
		return mistakef("write true or false", "%s: not true or false", at)
	}
	plain, err := expand(t, f.name, func(string) string { return "" })
	if err != nil {
		return err
	}
	for _, flag := range variants {
		if err = try(flag, []string{plain}, at); err == nil {
			return nil
		}
	}
	return err
}

// given turns texts into what kong takes from a resolver.
func given(flag *kong.Flag, texts []string) any {
	if !flag.IsSlice() {
		return texts[0]
	}
	list := make([]any, len(texts))
	for i, t := range texts {
		list[i] = t
	}
	return list
}

// try returns an error if a flag does not take these texts. They are decoded one by one,
// because kong makes a text of the error of a list.
func try(flag *kong.Flag, texts []string, at string) error {
	for _, text := range texts {
		target := reflect.New(flag.Target.Type()).Elem()
		if target.Kind() == reflect.Pointer {
			target.Set(reflect.New(target.Type().Elem()))
		}
		scan := kong.Scan().PushTyped(text, kong.FlagValueToken)
		if err := flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, target); err != nil {
			return &placed{at, err}
		}
	}
	if flag.Enum == "" || slices.Contains(flag.EnumSlice(), texts[0]) {
		return nil
	}
	return mistakef("write "+strings.Join(flag.EnumSlice(), " or "), "%s: %s", at, fmt.Sprintf("unknown value %q", texts[0]))
}

// pair is one line of a mapping.
type pair struct {
	key   string
	line  int
	value ast.Node
}

func line(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

// mapping reads the pairs of a mapping.
func (f *file) mapping(n ast.Node, hint string) ([]pair, error) {
	var list []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		list = n.Values
	case *ast.MappingValueNode:
		list = []*ast.MappingValueNode{n}
	default:
		return nil, mistakef(hint, "%s: not a mapping", place(f.name, line(n)))
	}
	var out []pair
	for _, v := range list {
		key, err := f.scalar(v.Key)
		if err != nil {
			return nil, err
		}
		out = append(out, pair{key.value, key.line, v.Value})
	}
	return out, nil
}

// entry reads the texts of a key.
func (f *file) entry(p pair, origin string) (entry, error) {
	e := entry{key: p.key, line: p.line, origin: origin}
	nodes := []ast.Node{p.value}
	if s, ok := p.value.(*ast.SequenceNode); ok {
		e.list, nodes = true, s.Values
	}
	for _, n := range nodes {
		t, err := f.scalar(n)
		if err != nil {
			return e, err
		}
		e.texts = append(e.texts, t)
	}
	return e, nil
}

// scalar reads a text. Numbers keep the form in which they are written.
func (f *file) scalar(n ast.Node) (text, error) {
	t := text{line: line(n)}
	switch n := n.(type) {
	case *ast.StringNode:
		t.value = n.Value
	case *ast.LiteralNode:
		t.value = n.Value.Value
	case *ast.BoolNode:
		t.value, t.truth = n.Token.Value, true
	case *ast.IntegerNode, *ast.FloatNode:
		t.value = n.GetToken().Value
	case *ast.NullNode:
		return t, mistakef("write one, or remove the line", "%s: no value", place(f.name, t.line))
	case *ast.AliasNode, *ast.AnchorNode, *ast.MergeKeyNode:
		return t, mistakef("put a text that starts with * or & in quotes", "%s: YAML aliases and anchors are not read", place(f.name, t.line))
	default:
		return t, mistakef("write a text, or a list of texts for a flag that is repeatable", "%s: not a text", place(f.name, t.line))
	}
	return t, nil
}
