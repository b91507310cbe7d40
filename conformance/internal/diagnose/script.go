package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// script returns commands that repeat the requests of a case about one thing in a shell
// with curl and jq. The key of the thing comes from the answer to the first one. It is
// empty where that cannot be written.
func (e *Explainer) script(f *judge.Failure) string {
	steps := f.Steps
	var out []string
	keys := map[int]string{}
	for i := range steps {
		m, thing := steps[i].Step.Message, steps[i].Step.Thing
		command, from := e.target.Endpoint.Curl(m), ""
		if i > 0 && steps[i].Step.About && keys[thing] != "" {
			command = withKey(command, m, keys[thing], variable(thing))
		}
		if steps[i].Step.Above > 0 || steps[i].Step.Refers {
			return "" // two keys of one path, or one in a body
		}
		if steps[i].Step.Alike != nil && !strings.Contains(command, "${") {
			return "" // another key, which the shell would have to make
		}
		if i == 0 || !steps[i].Step.About && thing > 0 {
			if keys[thing], from = e.named(steps, i); from == "" {
				return ""
			}
		}
		if command == "" || strings.HasPrefix(command, "printf") || m.Bound["header/If-Match"] != nil && steps[i].Step.Condition == nil {
			return ""
		}
		if c := steps[i].Step.Condition; c != nil && c.Dated() && !c.Older {
			return "" // the time of another thing
		} else if c != nil && !c.Dated() {
			tag := steps[c.Step].Exchange.Response.Get("ETag")
			before, after, has := strings.Cut(c.As.Value(tag), tag)
			if c.As == plan.AsOther && !has {
				return "" // a part of the tag
			}
			command = strings.Replace(command, "'"+c.Field+": "+before+tag+after+"'", `"`+c.Field+`: `+strings.ReplaceAll(before, `"`, `\"`)+`$etag"`, 1)
		}
		switch {
		case from != "":
			command = variable(thing) + "=$(" + silent(command, from) + from + ")"
		case tagged(steps, i):
			command = "etag=$(" + strings.Replace(command, "curl -i", "curl -s -o /dev/null -D -", 1) + ` | sed -n 's/^[Ee][Tt][Aa][Gg]: //p' | tr -d '\r')`
		}
		out = append(out, command)
	}
	return strings.Join(out, "\n")
}

// variable names the variable of a shell with the key of a thing.
func variable(thing int) string {
	if thing > 0 {
		return fmt.Sprintf("key%d", thing+1)
	}
	return "key"
}

// silent makes curl print only what a filter reads: the fields of the answer, or the body.
func silent(command, filter string) string {
	if strings.Contains(filter, "ocation") {
		return strings.Replace(command, "curl -i", "curl -s -o /dev/null -D -", 1)
	}
	return strings.Replace(command, "curl -i", "curl -s", 1)
}

// tagged reports whether a later step needs the entity tag of a step.
func tagged(steps []judge.Played, i int) bool {
	for _, st := range steps[i+1:] {
		if c := st.Step.Condition; c != nil && !c.Dated() && c.Step == i && strings.Contains(c.As.Value("tag"), "tag") {
			return true
		}
	}
	return false
}

// named returns the key of the thing that a step makes, and the filter that takes it out of
// the answer which it got. The filter is empty if the key is not in it.
func (e *Explainer) named(steps []judge.Played, at int) (key, filter string) {
	by := &steps[at]
	above := len(openapi.Expressions(by.Step.Message.Op.Path))
	names := slices.IndexFunc(steps[at+1:], func(p judge.Played) bool {
		return p.Step.Thing == by.Step.Thing && len(openapi.Expressions(p.Step.Message.Op.Path)) > above
	})
	if names < 0 || by.Exchange.Response == nil || len(by.Step.Message.Bound) > 0 {
		return "", "" // what the first request is about may be deleted by now
	}
	v := steps[at+1+names].Step.Message.Key()
	if v == nil {
		return "", ""
	}
	if strings.HasSuffix(by.Exchange.Response.Get("Location"), "/"+v.Text) {
		return v.Text, ` | sed -n 's/^[Ll]ocation: .*\///p' | tr -d '\r'`
	}
	doc, err := jsontree.Parse(by.Exchange.Response.Content)
	if err != nil {
		return "", ""
	}
	doc.Root.Walk(func(pointer string, at *jsontree.Value) {
		if filter == "" && at.Text == v.Text && (at.Kind == jsontree.String || at.Kind == jsontree.Number) {
			filter = " | jq -r '" + jqPath(pointer) + "'"
		}
	})
	return v.Text, filter
}

// jqPath writes a JSON pointer as a path of jq.
func jqPath(pointer string) string {
	var b strings.Builder
	for _, token := range strings.Split(pointer, "/")[1:] {
		plain, _ := jsontree.UnescapePointer(token)
		fmt.Fprintf(&b, "[%q]", plain)
	}
	return "." + b.String()
}

// withKey writes the variable instead of the key: in the path of the address, or else in
// the only other place of the command that has it. It returns an empty text if no such
// place is found.
func withKey(command string, m *message.Message, key, variable string) string {
	before, rest, found := strings.Cut(command, "-X "+m.Op.Method+" ")
	if !found || rest == "" {
		return ""
	}
	mark := rest[:1]
	address, behind, closed := strings.Cut(rest[1:], mark)
	i := strings.LastIndex(address, "/"+key)
	if !closed || mark != "'" && mark != `"` {
		return ""
	}
	switch {
	case i >= 0:
		end := address[i+1+len(key):]
		if end != "" && end[0] != '/' && end[0] != '?' {
			variable = "{" + variable + "}" // a key that is like the other one
		}
		return before + "-X " + m.Op.Method + ` "` + address[:i] + "/$" + variable + end + `"` + behind
	case !tied(m, key):
		return command // a list of such things
	case strings.Count(command, key) != 1:
		return ""
	case strings.Contains(address, key):
		return before + "-X " + m.Op.Method + ` "` + strings.Replace(address, key, "$"+variable, 1) + `"` + behind
	}
	return strings.Replace(command, key, `'"$`+variable+`"'`, 1) // between two quoted words
}

// tied reports whether a request names the thing with a key outside its path.
func tied(m *message.Message, key string) bool {
	for place, v := range m.Bound {
		if !strings.HasPrefix(place, "path/") && v.Text == key {
			return true
		}
	}
	return false
}
