package hints

import "regexp"

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
