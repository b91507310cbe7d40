package serialize_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// drawn is a list of parameters, and values for them.
type drawn struct {
	template string
	list     []*openapi.Parameter
	values   *jsontree.Value
}

func (d drawn) String() string {
	var b strings.Builder
	for _, p := range d.list {
		fmt.Fprintf(&b, "%s %s %s explode=%v reserved=%v media=%q %v; ", p.In, p.Name, p.Style, p.Explode, p.AllowReserved, p.Media, p.Schema.Types)
	}
	return d.template + " " + b.String() + d.values.String()
}

// drawer draws values. If it is wild, texts hold anything; otherwise what no server
// should stumble over.
type drawer struct {
	*rand.Rand
	wild bool
}

func (d drawer) text(in string, item bool) string {
	if d.wild && d.Intn(2) == 0 {
		b := make([]byte, d.Intn(6))
		for i := range b {
			if b[i] = "ab0"[d.Intn(3)]; d.Intn(4) == 0 {
				b[i] = ",.;=&|%+[]/ \\\"a0\x00\xff\xc3\xbc"[d.Intn(20)]
			}
		}
		return string(b)
	}
	alphabet := []rune("abXYZ019-_~!*'():@$ é植😀&=?#;|<{}^")
	switch {
	case in == "path":
		alphabet = []rune("abXYZ019-_~!*'():@$ é植😀&=?#|<{}^")
	case in == "header":
		alphabet = []rune("abXYZ019-_~!*'():@$&?#;|<{}^/\"")
	case in == "cookie":
		alphabet = []rune("abXYZ019-_~!*'():@$?#|<{}^/")
	case in == "query":
		alphabet = append(alphabet, []rune("/\\.+%[]")...)
	}
	out := make([]rune, 1+d.Intn(6))
	for i := range out {
		out[i] = alphabet[d.Intn(len(alphabet))]
	}
	if strings.Trim(string(out), " ") != string(out) || item && strings.ContainsAny(string(out), " |;=") || strings.Contains(string(out), "..") {
		return "x" + string('a'+rune(d.Intn(26)))
	}
	return string(out)
}

// scalar draws a schema and a value of it.
func (d drawer) scalar(in string, item bool) (*openapi.Schema, *jsontree.Value) {
	number := fmt.Sprint(d.Int63n(1<<40) - 1<<39)
	switch d.Intn(6) {
	case 0:
		return schema("integer"), jsontree.NewNumber(number)
	case 1:
		if in == "path" { // a dot is a separator of the style label
			return schema("number"), jsontree.NewNumber(number)
		}
		return schema("number"), jsontree.NewNumber(number + ".5")
	case 2:
		return schema("boolean"), jsontree.NewBool(d.Intn(2) == 0)
	case 3:
		return &openapi.Schema{AnyOf: []*openapi.Schema{schema("integer"), schema("boolean")}}, jsontree.NewNumber(number)
	}
	return schema("string"), jsontree.NewString(d.text(in, item))
}

func (d drawer) parameter(name, in string) (*openapi.Parameter, *jsontree.Value) {
	styles := map[string][]string{"path": {"simple", "label", "matrix"}, "query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"}, "header": {"simple"}, "cookie": {"form", "cookie"}}[in]
	p := &openapi.Parameter{Name: name, In: in, Style: styles[d.Intn(len(styles))], Explode: d.Intn(2) == 0, AllowReserved: in == "query" && d.Intn(3) == 0}
	shape := d.Intn(3)
	if p.Style == "deepObject" {
		shape = 2
	}
	most := 4
	// Of these, specifications and servers know no one way to write several.
	if !d.wild && (in == "cookie" && p.Explode && p.Style == "form" || p.Style == "label" && !p.Explode || p.Explode && strings.HasSuffix(p.Style, "Delimited")) {
		most = 1
		shape = min(shape, 1)
	}
	var v *jsontree.Value
	switch shape {
	case 0:
		p.Schema, v = d.scalar(in, in == "path" && p.Style != "simple")
	case 1:
		v = jsontree.NewArray()
		for range 1 + d.Intn(most) {
			s, item := d.scalar(in, true)
			p.Schema, v.Items = listOf(s), append(v.Items, item)
			for v.Items[0].Kind != item.Kind {
				v.Items = v.Items[1:]
			}
		}
		if first := v.Items[0]; first.Kind == jsontree.Number {
			p.Schema.Items = schema("number")
		}
	default:
		v, p.Schema = jsontree.NewObject(), objectOf()
		for i := range 1 + d.Intn(most) {
			s, member := d.scalar(in, true)
			member0 := fmt.Sprintf("%s%d", name, i)
			p.Schema.Properties = append(p.Schema.Properties, property(member0, s))
			v.Members = append(v.Members, jsontree.M(member0, member))
		}
		p.Schema.Closed = d.Intn(2) == 0
	}
	if (d.wild || in == "query") && d.Intn(8) == 0 {
		p.Media = "application/json"
	}
	return p, v
}

func draw(wild bool) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		d := drawer{params.Rng, wild}
		out := drawn{template: []string{"/a/{p}", "/a/{p}.json", "/x({p})/y", "/{p}/b c"}[d.Intn(4)], values: jsontree.NewObject()}
		for _, section := range []struct{ in, names string }{{"path", "p"}, {"query", "qrs"}, {"header", "hi"}, {"cookie", "cd"}} {
			object := jsontree.NewObject()
			for _, name := range section.names {
				p, v := d.parameter(string(name), section.in)
				out.list, object.Members = append(out.list, p), append(object.Members, jsontree.M(p.Name, v))
			}
			out.values.Set(section.in, object)
		}
		return gopter.NewGenResult(out, gopter.NoShrinker)
	}
}

func check(t *testing.T, cases int, wild bool, condition func(drawn) string) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = cases
	properties := gopter.NewProperties(params)
	properties.Property(t.Name(), prop.ForAll(condition, draw(wild)))
	properties.TestingRun(t)
}

func TestWhatIsWrittenIsReadBackWithoutReasons(t *testing.T) {
	check(t, 2000, false, func(d drawn) string {
		got, err := serialize.WriteParameters(d.template, d.list, d.values)
		if err != nil {
			return err.Error()
		}
		read := serialize.ReadParameters(d.template, d.list, got)
		if read.Mismatch || read.Ambiguous || len(read.Reasons)+len(read.Unknown) > 0 || !jsontree.Equal(read.Values, d.values) {
			return fmt.Sprintf("%+v became %s %+v", got, read.Values, read)
		}
		return ""
	})
}

// A value that comes back as another one without a reason would be judged by what was
// not sent.
func TestWhateverIsWrittenIsReadBackOrHasAReason(t *testing.T) {
	written, same := 0, 0
	check(t, 2000, true, func(d drawn) string {
		// One at a time: else most lists have a part without a text.
		for _, section := range d.values.Members {
			for _, m := range section.Value.Members {
				values := jsontree.NewObject(jsontree.M(section.Name, jsontree.NewObject(m)))
				template := d.template
				if section.Name != "path" {
					template = "/"
				}
				got, err := serialize.WriteParameters(template, d.list, values)
				if err != nil {
					continue
				}
				read := serialize.ReadParameters(template, d.list, got)
				equal := jsontree.Equal(read.Values.At("/"+section.Name), values.Get(section.Name))
				if !equal && len(read.Reasons) == 0 || read.Mismatch || len(read.Unknown) > 0 {
					return fmt.Sprintf("%s: %+v became %s %+v", values, got, read.Values, read)
				}
				written++
				if equal {
					same++
				}
			}
		}
		return ""
	})
	assert.Greater(t, written, 10_000)
	assert.Greater(t, same, written*8/10)
}
