package kit

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Judge is told what breaks a schema: a request on its way to an answer.
type Judge interface {
	// Must notes that a value breaks a keyword at a place, unless ok. It returns ok.
	Must(ok bool, at, keyword, message string) bool
	// Has reports whether the service has a variant, for those that read otherwise.
	Has(variant string) bool
}

// Schema judges a JSON value at a place and returns the value to go on with: one of
// the right type, without unknown members.
type Schema func(j Judge, at string, v any) any

// Text has the keywords of a string. The zero value of a keyword means that it is
// absent.
type Text struct {
	Min, Max int
	Pattern  *regexp.Regexp
	Format   string
	Enum     []string
}

// Check judges a text, each keyword by itself.
func (t Text) Check(j Judge, at, v string) {
	n := utf8.RuneCountInString(v)
	j.Must(n >= t.Min, at, "minLength", fmt.Sprintf("must have at least %d characters", t.Min))
	j.Must(t.Max == 0 || n <= t.Max, at, "maxLength", fmt.Sprintf("must have at most %d characters", t.Max))
	j.Must(t.Pattern == nil || t.Pattern.MatchString(v), at, "pattern", "must have the pattern")
	j.Must(HasFormat(t.Format, v), at, "format", "must have the format "+t.Format)
	j.Must(t.Enum == nil || slices.Contains(t.Enum, v), at, "enum", "must be one of "+strings.Join(t.Enum, ", "))
}

// Is judges a string.
func (t Text) Is(j Judge, at string, v any) any {
	s, ok := v.(string)
	if !j.Must(ok, at, "type", "must be a string") {
		return fmt.Sprint(v)
	}
	t.Check(j, at, s)
	return s
}

// Boolean is the check of true or false.
func Boolean(j Judge, at string, v any) any {
	b, ok := v.(bool)
	if !j.Must(ok, at, "type", "must be true or false") {
		return true
	}
	return b
}

// Nullable allows null too.
func Nullable(other Schema) Schema {
	return func(j Judge, at string, v any) any {
		if v == nil {
			return nil
		}
		return other(j, at, v)
	}
}

// ReadOnly refuses a member that only the service may set, as a variant does.
func ReadOnly(other Schema) Schema {
	return func(j Judge, at string, v any) any {
		j.Must(!j.Has("read-only-refused"), at, "readOnly", "is the service's to give")
		return other(j, at, v)
	}
}

// List has the keywords of an array; a max of 0 is absent.
type List struct {
	Min, Max int
	Unique   bool
	Items    Schema
}

// Is judges an array.
func (l List) Is(j Judge, at string, v any) any {
	all, ok := v.([]any)
	if !j.Must(ok, at, "type", "must be an array") {
		return []any{}
	}
	l.count(j, at, len(all))
	seen := map[string]bool{}
	out := make([]any, len(all))
	for i, item := range all {
		out[i] = l.Items(j, at+"/*", item)
		key := string(Encode(item))
		j.Must(!l.Unique || !seen[key], at, "uniqueItems", "must have no item twice")
		seen[key] = true
	}
	return out
}

// count judges the number of items.
func (l List) count(j Judge, at string, n int) {
	j.Must(n >= l.Min, at, "minItems", fmt.Sprintf("must have at least %d items", l.Min))
	j.Must(l.Max == 0 || n <= l.Max, at, "maxItems", fmt.Sprintf("must have at most %d items", l.Max))
}

// Texts judges the items of a parameter.
func (l List) Texts(j Judge, at string, items []string) {
	all := make([]any, len(items))
	for i, s := range items {
		all[i] = s
	}
	l.Is(j, at, all)
}

// Object has the keywords of an object. A closed one allows no other members; an
// open one ignores them.
type Object struct {
	Required []string
	Closed   bool
	Min      int
	Members  map[string]Schema
}

// Is judges an object.
func (o Object) Is(j Judge, at string, v any) any {
	m, ok := v.(map[string]any)
	if !j.Must(ok, at, "type", "must be an object") {
		return map[string]any{}
	}
	for _, name := range o.Required {
		_, there := m[name]
		j.Must(there, at+"/"+name, "required", "must be there")
	}
	j.Must(len(m) >= o.Min, at, "minProperties", fmt.Sprintf("must have at least %d members", o.Min))
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		member := m[name]
		judge, known := o.Members[name]
		switch {
		case known:
			out[name] = judge(j, at+"/"+name, member)
		case o.Closed:
			j.Must(false, at, "additionalProperties", "has an unknown member")
		case j.Has("unknown-members-refused"):
			j.Must(false, at+"/"+name, "name", "is no member here")
		}
	}
	return out
}

// The formats that are patterns.
var (
	// UUID is the form of an id (RFC 9562, 4), in letters of any case.
	UUID        = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	datePattern = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	timePattern = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`)
	// RFC 5321, 4.1.2: a mailbox is ASCII. The part in brackets is checked later.
	emailPattern = regexp.MustCompile("^([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*|" +
		`"([ !#-\[\]-~]|\\[ -~])*")@(` +
		`[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*|\[([^\[\]]+)\])$`)
	// RFC 3986, appendix A, but for the address in brackets.
	uriPattern = regexp.MustCompile(strings.NewReplacer(
		"PCHAR", `([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`,
		"NAME", `([A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})`,
		"USER", `([A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})`).Replace(
		`^[A-Za-z][A-Za-z0-9+.-]*:(//(USER*@)?(\[[^\[\]]*\]|NAME*)(:[0-9]*)?(/PCHAR*)*|/(PCHAR+(/PCHAR*)*)?|PCHAR+(/PCHAR*)*|)(\?(PCHAR|[/?])*)?(#(PCHAR|[/?])*)?$`))
	bracketPattern = regexp.MustCompile(`\[(.*)\]`)
	// RFC 1123, 2.1, and RFC 3339, appendix A.
	hostPattern     = regexp.MustCompile(`^([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)*[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`)
	durationPattern = regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$`)
	futurePattern   = regexp.MustCompile(`^[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$`)
)

// HasFormat reports whether a text has a format. Every text has the format "".
func HasFormat(format, v string) bool {
	switch format {
	case "uuid":
		return UUID.MatchString(v)
	case "date":
		_, err := time.Parse(time.DateOnly, v)
		return err == nil && datePattern.MatchString(v)
	case "date-time":
		_, ok := Moment(v)
		return ok
	case "email":
		if !emailPattern.MatchString(v) {
			return false
		}
		if at := strings.LastIndex(v, "@["); at >= 0 && strings.HasSuffix(v, "]") {
			literal := v[at+2 : len(v)-1]
			six, is6 := strings.CutPrefix(strings.ToLower(literal), "ipv6:")
			addr, err := netip.ParseAddr(six)
			return err == nil && addr.Is6() == is6 && addr.Zone() == ""
		}
		return true
	case "uri":
		if !uriPattern.MatchString(v) {
			return false
		}
		if m := bracketPattern.FindStringSubmatch(v); m != nil && !futurePattern.MatchString(m[1]) {
			return HasFormat("ipv6", m[1])
		}
		return true
	case "ipv6":
		addr, err := netip.ParseAddr(v)
		return err == nil && addr.Is6() && addr.Zone() == ""
	case "hostname":
		return hostPattern.MatchString(v)
	case "time":
		_, err := time.Parse("15:04:05Z07:00", strings.ToUpper(v))
		return err == nil
	case "duration":
		return durationPattern.MatchString(v) && !strings.HasSuffix(v, "P") && !strings.HasSuffix(v, "T")
	case "byte":
		b, err := base64.StdEncoding.Strict().DecodeString(v)
		return err == nil && base64.StdEncoding.EncodeToString(b) == v
	}
	return true
}

// Moment reads a date-time (RFC 3339, 5.6), a leap second too.
func Moment(v string) (time.Time, bool) {
	if !timePattern.MatchString(v) {
		return time.Time{}, false
	}
	v = strings.ToUpper(v)
	leap := v[17:19] == "60"
	if leap {
		v = v[:17] + "59" + v[19:]
	}
	at, err := time.Parse(time.RFC3339Nano, v)
	if utc := at.UTC(); leap && (utc.Hour() != 23 || utc.Minute() != 59) {
		return at, false
	}
	return at, err == nil
}

// Decimal reads a number as JSON writes it, exactly. A number beyond 10^400 becomes
// 10^400, and one nearer to 0 than 10^-400 becomes 10^-400: no limit of the document
// is so far out, and no exponent can cost memory.
func Decimal(text string) *big.Rat {
	const far = 400
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	digits := strings.Trim(strings.ReplaceAll(strings.TrimPrefix(mantissa, "-"), ".", ""), "0")
	if digits == "" {
		return new(big.Rat)
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign = "-"
	}
	exponent, err := strconv.ParseInt(power, 10, 64)
	if power != "" && err != nil {
		exponent = 1 << 40
		if strings.HasPrefix(power, "-") {
			exponent = -exponent
		}
	}
	// The first digit that counts has this exponent.
	whole, _, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	first := exponent + int64(len(strings.TrimLeft(whole, "0"))) - 1
	if strings.Trim(whole, "0") == "" {
		_, part, _ := strings.Cut(mantissa, ".")
		first = exponent - int64(len(part)-len(strings.TrimLeft(part, "0"))) - 1
	}
	switch {
	case first > far:
		text = sign + "1e400"
	case first < -far:
		text = sign + "1e-400"
	}
	out, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no number: " + text) // the caller asks the grammar first
	}
	return out
}

// JSONNumber is the grammar of a number (RFC 8259, 6).
var JSONNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Number has the keywords of a number. An empty one is absent.
type Number struct {
	Integer, Long                bool
	Min, Max, Above, Below, Step string
}

// Check judges a number by each keyword.
func (b Number) Check(j Judge, at string, n *big.Rat) {
	if b.Long {
		j.Must(n.Num().IsInt64() || !n.IsInt(), at, "format", "must have 64 bits")
	}
	if b.Min != "" {
		j.Must(n.Cmp(Decimal(b.Min)) >= 0, at, "minimum", "must be at least "+b.Min)
	}
	if b.Max != "" {
		j.Must(n.Cmp(Decimal(b.Max)) <= 0, at, "maximum", "must be at most "+b.Max)
	}
	if b.Above != "" {
		j.Must(n.Cmp(Decimal(b.Above)) > 0, at, "exclusiveMinimum", "must be above "+b.Above)
	}
	if b.Below != "" {
		j.Must(n.Cmp(Decimal(b.Below)) < 0, at, "exclusiveMaximum", "must be below "+b.Below)
	}
	if b.Step != "" {
		j.Must(new(big.Rat).Quo(n, Decimal(b.Step)).IsInt(), at, "multipleOf", "must be a multiple of "+b.Step)
	}
}

// Read judges a number of a parameter or a form field. It is written as in JSON;
// an integer has neither point nor exponent.
func (b Number) Read(j Judge, at, text string) {
	good := JSONNumber.MatchString(text)
	if b.Integer {
		good = good && !strings.ContainsAny(text, ".eE")
		if j.Has("leading-zeros") && !good {
			short := strings.TrimLeft(text, "0")
			good = short != "" && len(short) < len(text) && !strings.ContainsAny(short, ".eE+-") && JSONNumber.MatchString(short)
			if good {
				text = short
			}
		}
	}
	switch {
	case good || !b.Integer:
	case j.Has("other-base"):
		if n, err := strconv.ParseInt(text, 0, 64); err == nil && len(text) > 2 && strings.ContainsRune("xob", rune(text[1]|0x20)) {
			good, text = true, strconv.FormatInt(n, 10)
		}
	}
	if !j.Must(good, at, "type", "must be "+map[bool]string{true: "an integer", false: "a number"}[b.Integer]) {
		return
	}
	b.Check(j, at, Decimal(text))
}

// Is judges a number. 1.0 and 1e2 are integers.
func (b Number) Is(j Judge, at string, v any) any {
	n, ok := v.(json.Number)
	if b.Integer && ok {
		ok = Decimal(n.String()).IsInt() && !(j.Has("fractions-refused") && strings.ContainsAny(n.String(), ".eE"))
	}
	if !j.Must(ok, at, "type", "must be a number of its type") {
		return json.Number("1")
	}
	b.Check(j, at, Decimal(n.String()))
	return n
}

// Whole writes a whole number.
func Whole(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
