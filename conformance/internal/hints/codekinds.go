package hints

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"
)

// numbered are numbers with a check digit, most of them unique to a thing.
func numbered() []kind {
	of := func(name string, names []string, prose, form string, draw func(n int64) string, valid func(string) bool) kind {
		return kind{name: name, names: names, sure: true, identifies: true, prose: regexp.MustCompile(prose), form: regexp.MustCompile(form),
			draw: func(n int64, _ []string) string { return draw(n) }, valid: valid}
	}
	retail := func(digits int) kind {
		return of(fmt.Sprintf("GTIN of %d digits", digits), []string{"ean", "gtin", "upc", fmt.Sprintf("ean%d", digits), fmt.Sprintf("gtin%d", digits)}, `\bEAN\b|\bGTIN\b|\bEAN-?\d+\b|\bGTIN-?\d+\b|\bUPC\b`,
			fmt.Sprintf(`^\d{%d}$`, digits), func(n int64) string {
				head := fmt.Sprintf("140%010d", n)
				return withRetailDigit(head[len(head)-digits+1:])
			}, retailDigit)
	}
	return []kind{
		of("IBAN", []string{"iban"}, `\bIBAN\b`, `^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`, germanIBAN, isIBAN),
		of("ISBN of 13 digits", []string{"isbn", "isbn13"}, `\bISBN`, `^97[89]\d{10}$`,
			func(n int64) string { return withRetailDigit("978" + fmt.Sprintf("%09d", n%1_000_000_000)) }, retailDigit),
		retail(13), retail(12), retail(14), retail(8),
		of("vehicle identification number", []string{"vin"}, `(?i)\bVIN\b|vehicle identification number`, `^[A-HJ-NPR-Z0-9]{17}$`,
			func(n int64) string { return withVehicleDigit(fmt.Sprintf("1HGCM82603A%06d", n%1_000_000)) }, vehicleDigit),
		of("card number", []string{"cardnumber", "creditcardnumber", "creditcard", "pan"}, `(?i)\bLuhn\b|card number`, `^\d{16}$`,
			func(n int64) string { return withLuhnDigit("424242" + fmt.Sprintf("%09d", n%1_000_000_000)) }, luhnDigit),
		of("IMEI", []string{"imei"}, `\bIMEI\b`, `^\d{15}$`,
			func(n int64) string { return withLuhnDigit("35209900" + fmt.Sprintf("%06d", n%1_000_000)) }, luhnDigit),
	}
}

// germanIBAN returns an IBAN of a German bank (ISO 13616).
func germanIBAN(n int64) string {
	account := "37040044" + fmt.Sprintf("%010d", n)
	return fmt.Sprintf("DE%02d%s", 98-rest97(account+"DE00"), account)
}

// isIBAN reports whether the check digits of a German IBAN are right: other countries have
// checks of their own.
func isIBAN(text string) bool {
	return len(text) > 4 && (text[:2] != "DE" || len(text) == 22) && rest97(text[4:]+text[:4]) == 1
}

// rest97 reads letters as numbers from 10 on and returns the rest of a division by 97
// (ISO 7064).
func rest97(text string) int64 {
	var digits strings.Builder
	for _, c := range text {
		if c >= 'A' {
			fmt.Fprint(&digits, c-'A'+10)
			continue
		}
		digits.WriteRune(c)
	}
	n, ok := new(big.Int).SetString(digits.String(), 10)
	if !ok {
		return 0
	}
	return n.Mod(n, big.NewInt(97)).Int64()
}

// withRetailDigit adds the check digit of GS1, and retailDigit checks it.
func withRetailDigit(text string) string {
	sum := 0
	for i := range text {
		weight := 1
		if (len(text)-i)%2 == 1 {
			weight = 3
		}
		sum += weight * int(text[i]-'0')
	}
	return text + fmt.Sprint((10-sum%10)%10)
}

func retailDigit(text string) bool {
	return len(text) > 1 && withRetailDigit(text[:len(text)-1]) == text
}

// withLuhnDigit adds the check digit of ISO/IEC 7812, and luhnDigit checks it.
func withLuhnDigit(text string) string {
	sum := 0
	for i := range text {
		d := int(text[i] - '0')
		if (len(text)-i)%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return text + fmt.Sprint((10-sum%10)%10)
}

func luhnDigit(text string) bool { return len(text) > 1 && withLuhnDigit(text[:len(text)-1]) == text }

// withVehicleDigit sets the ninth character to the check digit of ISO 3779 as North America
// uses it, and vehicleDigit checks it.
func withVehicleDigit(text string) string {
	const letters, values = "ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789"
	weights := [...]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}
	sum := 0
	for i := range text {
		value := text[i]
		if at := strings.IndexByte(letters, value); at >= 0 {
			value = values[at]
		}
		sum += weights[i] * int(value-'0')
	}
	digit := fmt.Sprint(sum % 11)
	if digit == "10" {
		digit = "X"
	}
	return text[:8] + digit + text[9:]
}

func vehicleDigit(text string) bool { return len(text) == 17 && withVehicleDigit(text) == text }

// registered are kinds whose texts stand in a register. Those listed here have been in it for a
// long time.
func registered() []kind {
	var (
		currency    = kind{name: "currency code (ISO 4217)", names: []string{"currency", "currencycode", "ccy"}, prose: regexp.MustCompile(`(?i)ISO[ -]?4217|\bcurrency code\b`)}
		subdivision = kind{name: "subdivision code (ISO 3166-2)", prose: regexp.MustCompile(`(?i)ISO[ -]?3166-2`)}
		country     = kind{name: "country code (ISO 3166-1)", names: []string{"country", "countrycode", "countryiso", "nationality"}, fixed: true, prose: regexp.MustCompile(`(?i)ISO[ -]?3166|\bcountry code\b`)}
		language    = kind{name: "language tag (BCP 47)", names: []string{"language", "lang", "languagecode", "languagetag", "locale", "culture"}, prose: regexp.MustCompile(`(?i)BCP[ -]?47|ISO[ -]?639|RFC[ -]?5646|\blanguage (tag|code)\b`)}
		zone        = kind{name: "time zone name (IANA)", names: []string{"timezone", "timezoneid", "timezonename", "tz", "tzid", "zoneid"}, prose: regexp.MustCompile(`(?i)\bIANA\b.*\bzone|\btime ?zone (name|identifier|id|database)|\btz ?(database|data|name)\b|\bOlson\b`)}
		bank        = kind{name: "bank code (BIC)", names: []string{"bic", "biccode", "swift", "swiftcode"}, sure: true, prose: regexp.MustCompile(`\bBIC\b|\bSWIFT\b`)}
		// The countries above have postal codes of five digits.
		postal   = kind{name: "postal code", names: []string{"postalcode", "postcode", "zip", "zipcode", "plz"}, sure: true, fixed: true}
		tax      = kind{name: "tax number", names: []string{"vat", "vatnumber", "vatid", "taxid", "taxnumber"}, sure: true, fixed: true, prose: regexp.MustCompile(`\bVAT (identification )?(number|ID)\b`)}
		schedule = kind{name: "cron expression", names: []string{"cron", "cronexpression", "cronschedule", "crontab"}, sure: true, prose: regexp.MustCompile(`(?i)\bcron\b`)}
	)
	return []kind{
		currency.with(`^[A-Z]{3}$`, "EUR", "USD", "GBP", "CHF", "SEK"),
		currency.with(`^[a-z]{3}$`, "eur", "usd", "gbp", "chf", "sek"),
		subdivision.with(`^[A-Z]{2}-[A-Z0-9]{1,3}$`, "US-CA", "DE-BY", "FR-IDF", "GB-SCT"),
		country.with(`^[A-Z]{2}$`, "DE", "FR", "ES", "IT", "FI"),
		country.with(`^[A-Z]{3}$`, "DEU", "FRA", "ESP", "ITA", "FIN"),
		country.with(`^[a-z]{2}$`, "de", "fr", "es", "it", "fi"),
		language.with(`^[a-z]{2}$`, "en", "de", "fr", "es", "it"),
		language.with(`^[a-z]{2}-[A-Z]{2}$`, "en-US", "de-DE", "fr-FR", "es-ES"),
		language.with(`^[a-z]{2}_[A-Z]{2}$`, "en_US", "de_DE", "fr_FR", "es_ES"),
		language.with(`^[a-z]{3}$`, "eng", "spa", "ita", "por"),
		zone.with(`^[A-Z][A-Za-z]+(/[A-Z][A-Za-z_-]+){1,2}$|^UTC$`, "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Europe/London").tells(),
		bank.with(`^[A-Z]{6}[A-Z0-9]{2}$`, "DEUTDEFF", "COBADEFF", "BNPAFRPP"),
		bank.with(`^[A-Z]{6}[A-Z0-9]{5}$`, "DEUTDEFFXXX", "COBADEFFXXX", "BNPAFRPPXXX"),
		postal.with(`^\d{5}$`, "10115", "28013", "33100", "75001"),
		postal.with(`.`),
		tax.with(`^DE\d{9}$`, "DE136695976"),
		tax.with(`.`),
		schedule.with(`^[0-9*/,-]+( [0-9*/,?A-Z-]+){4}$`, "0 6 * * *", "30 4 * * 1", "*/15 * * * *", "0 0 1 * *"),
	}
}

// with returns the kind with texts of a form.
func (k kind) with(form string, texts ...string) kind {
	k.form, k.texts = regexp.MustCompile(form), texts
	return k
}

// tells lets examples of the form tell of the kind.
func (k kind) tells() kind {
	k.telling = true
	return k
}

// Words of descriptions that rule out some values: a status of a refusal, or a refusal.
var (
	rules  = regexp.MustCompile("\\b(400|422)\\b|(?i)\\b(refused|rejected)\\b")
	unique = regexp.MustCompile(`(?i)\bunique\b|\balready\b|\bduplicate|\btaken\b|\bexist|\banother\b`)
)

// singular are names of members whose values often belong to one thing alone.
func singular() []string {
	return []string{"name", "title", "slug", "code", "sku", "number", "username", "login", "email", "reference", "key", "label", "handle", "subject"}
}

// ruled returns the examples of a member whose description says that some values are refused.
// They are what the document shows to be accepted.
func ruled(h CodeHints) *Code {
	if !rules.MatchString(h.Prose) || unique.MatchString(h.Prose+" "+h.Around) || isNamed(h.Name, singular()) {
		return nil // the example may be taken
	}
	c := &Code{kind: &kind{name: "value that the document shows"}}
	for _, e := range h.Examples {
		if h.Accepts(e) {
			c.texts = append(c.texts, e)
		}
	}
	if len(c.texts) == 0 {
		return nil
	}
	c.drawn, c.examples = c.texts, c.texts
	return c
}

// notIn begins what says that a date lies on the other side.
const notIn = `(?i)\b(not|neither|never|cannot|no|n't)\b[^.;]{0,20}\bin the `

// eras are dates and date-times that lie in the past or in the future.
func eras(format string) []kind {
	layout, form := time.DateOnly, `^\d{4}-\d{2}-\d{2}$`
	if format == "date-time" {
		layout, form = "2006-01-02T15:04:05Z", `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`
	}
	of := func(name string, from, years int, names []string, prose, unless string) kind {
		return kind{name: name, names: names, sure: true, prose: regexp.MustCompile(prose), unless: regexp.MustCompile(unless), form: regexp.MustCompile(form), ordered: true,
			draw: func(n int64, _ []string) string {
				day := time.Date(from, 1, 1, 8, 0, 0, 0, time.UTC).AddDate(0, 0, int(n)%(365*years))
				return day.Add(time.Duration(n%36000) * time.Second).Format(layout)
			},
			valid: func(text string) bool {
				t, err := time.Parse(layout, text)
				return err == nil && t.Year() >= from && t.Year() <= from+years && t.Format(layout) == text
			}}
	}
	return []kind{
		of(fmt.Sprintf("%s in the past", format), 1950, 55, []string{"birth", "birthdate", "birthday", "dateofbirth", "dob", "born", "bornon"}, `(?i)\b(not|neither|never|cannot)\b.{0,20}\bin the future\b|\b(lies?|be|is) in the past\b|\bpast date\b`, notIn+`past\b`),
		of(fmt.Sprintf("%s in the future", format), 2031, 38, []string{"expires", "expiresat", "expireson", "expiry", "expirydate", "expirationdate", "validuntil", "deadline"},
			`(?i)\b(lies?|be|is|dates?) in the future\b|\bfuture date\b|\b(not|never|cannot)\b.{0,20}\bin the past\b|\b(not|never)\b.{0,12}\bbefore (today|now|tomorrow)\b|\b(after|later than) (today|now)\b`, notIn+`future\b`),
	}
}

// written are kinds of texts that are written in a certain way.
func written() []kind {
	counted := func(format string, maximum int64) func(int64, []string) string {
		return func(n int64, _ []string) string { return fmt.Sprintf(format, n%maximum) }
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
