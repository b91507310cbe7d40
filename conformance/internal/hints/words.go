package hints

import (
	"slices"
	"strings"
	"unicode"
)

// Meaning is what the name of a member or a parameter may mean.
type Meaning int

// The meanings of names.
const (
	Password  Meaning = iota // what a user signs in with
	Hidden                   // what servers hide or hash, besides passwords
	User                     // who signs in
	Limit                    // how many items a page has
	Offset                   // how many items are skipped
	Page                     // the number of a page
	Cursor                   // what only an answer can give, to continue a list
	Continues                // where a list continues; outside of lists it may mean anything
	Next                     // what an answer says of the next page
	Total                    // how many items all pages have
	Sort                     // in which order a list is
	Key                      // what tells one thing from the others
)

// vocabulary has the names of each meaning, in small letters and without punctuation, the usual
// ones first.
var vocabulary = map[Meaning][]string{
	Password:  {"password", "passwd", "pass", "pwd", "passphrase", "passcode", "pin", "otp", "secret", "clientsecret", "refreshtoken"},
	Hidden:    {"token", "hash", "card", "cvv", "cvc", "iban", "ssn", "key", "apikey", "accesskey", "secretkey", "privatekey", "accesstoken"},
	User:      {"username", "user", "login", "email"},
	Limit:     {"limit", "pagesize", "perpage", "pagelimit", "size", "count", "top", "maxresults", "maxitems", "first", "take"},
	Offset:    {"offset", "skip", "startat", "pageoffset"},
	Page:      {"page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage"},
	Cursor:    {"cursor", "pagecursor", "nextcursor", "startcursor", "endcursor", "aftercursor", "beforecursor", "pagetoken", "nexttoken", "nextpagetoken", "continuationtoken", "continuetoken", "skiptoken", "synctoken", "exclusivestartkey"},
	Continues: {"after", "startingafter", "startafter", "pageafter", "before", "endingbefore", "endbefore", "pagebefore", "searchafter", "marker", "bookmark", "next", "continue", "continuation", "previous", "prev", "pagestate"},
	Next:      {"next", "nextcursor", "nextpagetoken", "nexttoken", "nextpage", "continuationtoken", "nextmarker", "endcursor", "cursor", "after", "continue"},
	Total:     {"total", "totalcount", "totalitems", "totalresults", "totalelements", "totalrecords", "totalhits", "totalsize"},
	Sort:      {"sort", "sortby", "orderby", "ordering", "order"},
	Key:       {"uuid", "guid", "id"},
}

// Names lists the usual names of a meaning, the most usual one first.
func Names(m Meaning) []string { return vocabulary[m] }

// Called reports whether a name as a whole is one of a meaning.
func Called(name string, m Meaning) bool { return slices.Contains(vocabulary[m], Flat(name)) }

// Means reports whether a word of a name has a meaning: cardNumber has that of card, and shipping
// none of pin.
func Means(name string, m Meaning) bool { return among(Words(name), vocabulary[m]) != "" }

// Flat writes a name without case and punctuation: userId, user_id and User-ID are the same.
func Flat(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
}
