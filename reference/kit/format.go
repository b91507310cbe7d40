package kit

import (
	"encoding/base64"
	"net/netip"
	"regexp"
	"strings"
	"time"
)

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
