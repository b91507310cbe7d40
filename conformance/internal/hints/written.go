package hints

import (
	"fmt"
	"regexp"
	"strings"
)

// written are kinds of texts that are written in a certain way.
func written() []kind {
	counted := func(format string, most int64) func(int64, []string) string {
		return func(n int64, _ []string) string { return fmt.Sprintf(format, n%most) }
	}
	return []kind{
		{name: "email address", names: []string{"email", "emailaddress", "mail"}, sure: true, telling: true,
			form: regexp.MustCompile(`^[A-Za-z0-9]+([._+-][A-Za-z0-9]+)*@([A-Za-z0-9]+(-[A-Za-z0-9]+)*\.)+[A-Za-z]{2,}$`), prose: regexp.MustCompile(`(?i)^e-?mail( address)?\b`),
			draw: counted("user%d@example.com", 1<<31)},
		{name: "URL", names: []string{"url", "website", "homepage", "webhook"}, sure: true, telling: true,
			form: regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~/-]*)?$`), draw: counted("https://example.com/p%d", 1<<31)},
		{name: "UUID", identifies: true, telling: true, form: regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
			draw: counted("%08x-0c4d-4b8e-9f2a-6d1e5b7c3a90", 1<<32)},
		{name: "phone number (E.164)", names: []string{"phone", "phonenumber", "mobile", "mobilephone", "mobilenumber", "tel", "telephone", "telephonenumber"}, sure: true,
			prose: regexp.MustCompile(`(?i)\bE\.?164\b|\b(tele)?phone number\b`), form: regexp.MustCompile(`^\+?[0-9][0-9 ().-]{3,20}[0-9]{3}$`), draw: telephone, alike: true},
		{name: "version (Semantic Versioning)", names: []string{"version", "appversion", "minversion", "maxversion", "firmware", "firmwareversion"},
			prose: regexp.MustCompile(`(?i)\bsem(antic )?ver(sion|sioning)?\b`), form: regexp.MustCompile(`^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}$`), telling: true,
			draw: func(n int64, _ []string) string { return fmt.Sprintf("1.%d.%d", n/1000%100000, n%1000) }},
		{name: "colour as #RRGGBB", names: []string{"color", "colour"}, prose: regexp.MustCompile(`(?i)\bhex(adecimal)? colou?r\b|\bcolou?r.*\bhex\b|#RRGGBB`), telling: true,
			form: regexp.MustCompile(`^#[0-9a-fA-F]{6}$`), draw: counted("#%06x", 1<<24)},
		{name: "IPv4 address", names: []string{"ip", "ipaddress", "ipv4"}, telling: true,
			form: regexp.MustCompile(`^((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)$`),
			draw: func(n int64, _ []string) string { return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255) }},
		{name: "host name", identifies: true, names: []string{"hostname", "domain", "domainname", "fqdn"}, sure: true,
			form: regexp.MustCompile(`^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$`), draw: counted("h%d.example.com", 1<<31)},
		{name: "slug", identifies: true, names: []string{"slug"}, sure: true, prose: regexp.MustCompile(`(?i)\bslug\b|\bkebab[- ]case\b|\bURL[- ](friendly|safe)\b`),
			form: regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`), draw: counted("item-%d", 1<<31)},
		{name: "name of letters and digits", identifies: true, names: []string{"username", "login", "handle", "nickname", "code", "identifier"}, told: true,
			prose: regexp.MustCompile(`(?i)\balphanumeric\b|\bletters\b.*\b(digits|numbers|underscores?|hyphens?|dashes)\b|\bonly letters\b|\bno spaces\b`),
			form:  regexp.MustCompile(`^[a-z]+[0-9]+$`), draw: counted("name%d", 1<<31)},
		{name: "strong password", names: []string{"password", "newpassword", "passphrase"}, told: true,
			prose: regexp.MustCompile(`(?i)\b(upper|lower)[- ]?case\b|\bspecial character|\bsymbol|\bdigits?\b|\bstrong\b|\bstrength\b|\bcomplexity\b`),
			form:  regexp.MustCompile(`^[A-Za-z0-9!_-]{12,64}$`), valid: strong, draw: counted("Xq!7-Password-%d", 1<<31)},
	}
}

// telephone returns a number that differs from an example, or from one of the United States, in
// its last three digits.
func telephone(n int64, examples []string) string {
	like := "+14155552671"
	if len(examples) > 0 {
		like = examples[0]
	}
	return like[:len(like)-lastDigits] + fmt.Sprintf("%0*d", lastDigits, n%1000)
}

// strong reports whether a text has letters of both cases, a digit and a symbol.
func strong(text string) bool {
	for _, of := range []string{"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789", "!_-"} {
		if !strings.ContainsAny(text, of) {
			return false
		}
	}
	return true
}
