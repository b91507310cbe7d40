package hints

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
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
