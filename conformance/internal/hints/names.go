package hints

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// Meaning is what the name of a member or a parameter may mean.
type Meaning int

// The meanings of names.
const (
	Password   Meaning = iota // what a user signs in with
	Hidden                    // what servers hide or hash, besides passwords
	User                      // who signs in
	Limit                     // how many items a page has
	Offset                    // how many items are skipped
	Page                      // the number of a page
	Cursor                    // what only an answer can give, to continue a list
	Continues                 // where a list continues; outside of lists it may mean anything
	Next                      // what an answer says of the next page
	Total                     // how many items all pages have
	Sort                      // in which order a list is
	Key                       // what tells one thing from the others
	Identifier                // what tells things of one kind apart, keys among them
	Common                    // keys that things of every kind have, besides Key
	Party                     // what something has to do with a thing, and not what that thing is
	Onward                    // where a list continues forward
	Behind                    // those of them that take the key of an item
	Direction                 // whether a list ascends
	Search                    // the beginnings of words of paths that search
	Expression                // what chooses or orders things in a language of its own: userName eq "ann" (RFC 7644, 3.4.2.2)
	Corners                   // the coordinates of two corners, the lower ones first (RFC 7946, 5)
	Version                   // which state of a thing the client knows, as If-Match does
	OfRequest                 // what each client makes up for one request; none names a thing that has to exist
	Once                      // what a server may take only once, besides OfRequest
	ResultCode                // a number that tells a refusal unless it is 0
	Succeeded                 // a flag that tells a refusal if it is false
	Failed                    // a flag that tells a refusal if it is true
	Outcome                   // a word that tells a refusal
	Failing                   // such words
	Disruptive                // operations that may stop a service, throw its data away, or take the credential of the caller
	Leaving                   // those of them that count for a GET too, as the end of its path: browsers made such links common
	Oneself                   // the ends of paths that stand for the caller, or for the account of the caller
	Before                    // what words of names of dates in the past say
	Passing                   // values of states that a server may leave by itself, besides those in -ing
	Asking                    // last words of the paths of dry runs, which change nothing
	State                     // words in the names of members that hold a state
	Wrapper                   // members that hold the data or the key of a thing
	Mask                      // parameters that say which members a PATCH changes (AIP-134)
	Account                   // what names an account, besides Identifier
)

// vocabulary has the names of each meaning, in small letters and without punctuation, the usual
// ones first.
var vocabulary = map[Meaning][]string{
	Password:   {"password", "passwd", "pass", "pwd", "passphrase", "passcode", "pin", "otp", "secret", "clientsecret", "refreshtoken"},
	Hidden:     {"token", "hash", "card", "cvv", "cvc", "iban", "ssn", "key", "apikey", "accesskey", "secretkey", "privatekey", "accesstoken"},
	User:       {"username", "user", "login", "email"},
	Limit:      {"limit", "pagesize", "perpage", "pagelimit", "size", "count", "top", "maxresults", "maxitems", "first", "take"},
	Offset:     {"offset", "skip", "startat", "pageoffset"},
	Page:       {"page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage"},
	Cursor:     {"cursor", "pagecursor", "nextcursor", "startcursor", "endcursor", "aftercursor", "beforecursor", "pagetoken", "nexttoken", "nextpagetoken", "continuationtoken", "continuetoken", "skiptoken", "synctoken", "exclusivestartkey"},
	Continues:  {"after", "startingafter", "startafter", "pageafter", "before", "endingbefore", "endbefore", "pagebefore", "searchafter", "marker", "bookmark", "next", "continue", "continuation", "previous", "prev", "pagestate"},
	Next:       {"next", "nextcursor", "nextpagetoken", "nexttoken", "nextpage", "continuationtoken", "nextmarker", "endcursor", "cursor", "after", "continue"},
	Total:      {"total", "totalcount", "totalitems", "totalresults", "totalelements", "totalrecords", "totalhits", "totalsize"},
	Sort:       {"sort", "sortby", "orderby", "ordering", "order"},
	Key:        {"uuid", "guid", "id"},
	Identifier: {"id", "uuid", "guid", "key", "slug", "code", "name", "number", "handle", "username", "sku"},
	Common:     {"name", "number", "key", "slug", "code", "handle", "username", "email"},
	Party:      {"to", "from", "source", "target", "destination", "sender", "receiver", "recipient", "payer", "payee", "owner", "author", "assignee", "parent", "counterparty"},
	Onward:     {"after", "startingafter", "marker", "pageafter", "next", "continue", "startafter"},
	Behind:     {"after", "startingafter", "startafter"},
	Direction:  {"order", "sortorder", "direction", "sortdirection", "sortdir", "dir", "orderdir"},
	Search:     {"search", "find", "query", "filter", "lookup"},
	Expression: {"filter", "filters", "where", "expression", "rsql", "fiql", "sort", "sortby", "orderby", "ordering", "fields", "select", "expand", "include", "embed", "populate"},
	Corners:    {"bbox", "boundingbox", "bounds", "extent", "viewport"},
	Version:    {"version", "revision", "rev", "etag", "rowversion", "lockversion", "versionnumber", "resourceversion"},
	// Those of Zipkin (B3 propagation), FAPI and usual gateways are among them.
	OfRequest: {"requestid", "clientrequestid", "msclientrequestid", "msrequestid", "amznrequestid",
		"correlationid", "requestcorrelationid", "mscorrelationid", "mscorrelationrequestid",
		"traceid", "spanid", "parentspanid", "b3traceid", "b3spanid", "b3parentspanid",
		"fapiinteractionid", "interactionid", "opaqueid", "idempotencyid"},
	Once:       {"idempotencykey", "nonce", "messageid", "transactionid", "deduplicationid"},
	ResultCode: {"rc", "retcode", "returncode", "resultcode", "errorcode", "errcode", "errno"},
	Succeeded:  {"success", "succeeded", "ok", "issuccess"},
	Failed:     {"error", "failed", "haserror"},
	Outcome:    {"status", "result", "outcome"},
	Failing:    {"error", "fail", "failed", "failure", "nok", "ko", "denied", "refused", "rejected"},
	Disruptive: {"shutdown", "poweroff", "powercycle", "halt", "restart", "reboot", "terminate", "kill", "suspend", "deactivate", "decommission",
		"reset", "purge", "wipe", "truncate", "maintenance", "logout", "logoff", "signout", "signoff", "revoke", "password", "passwd", "passphrase"},
	Leaving: {"shutdown", "poweroff", "restart", "reboot", "logout", "logoff", "signout", "signoff"},
	Oneself: {"me", "myself", "self", "account", "user", "profile"},
	Before: {"born", "birth", "occurred", "happened", "recorded", "measured", "observed", "purchased", "purchase", "bought", "paid", "hired", "joined",
		"founded", "built", "manufactured", "received", "taken", "performed", "completed", "registered", "last", "since", "incident", "reported", "admitted"},
	Passing: {"queued", "pending", "scheduled", "submitted"},
	Asking: {"preview", "simulate", "simulation", "simulator", "dryrun", "validate", "validation", "validator", "valid", "check", "precheck", "quote", "estimate", "estimation", "estimator", "calculate", "calculation", "calculator",
		"calc", "test", "diff", "render", "rendering", "search", "query", "plan"},
	State:   {"status", "state", "phase", "stage"},
	Wrapper: {"metadata", "data", "meta"},
	Mask:    {"updatemask", "fieldmask", "mask"},
	Account: {"login"},
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

// Words splits a name into words in lower case: billingCountryCode and billing_country_code
// are billing, country and code.
func Words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out, word = append(out, string(word)), nil
		}
	}
	list := []rune(name)
	for i, c := range list {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			end()
			continue
		case unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(list[i-1]) || i+1 < len(list) && unicode.IsLower(list[i+1])):
			end()
		}
		word = append(word, unicode.ToLower(c))
	}
	end()
	return out
}

// Passes reports whether a state may be one that a server leaves by itself at any time: pending,
// running.
func Passes(state string) bool {
	word := strings.ToLower(state)
	return slices.Contains(vocabulary[Passing], word) || len(Words(word)) == 1 && strings.HasSuffix(word, "ing") && len(word) > len("ing")
}

// Past reports whether the name of a date tells that it lies in the past.
func Past(name string) bool {
	return slices.ContainsFunc(Words(name), func(word string) bool { return slices.Contains(vocabulary[Before], word) })
}

// Disruption returns the word of a name that suggests that an operation may do harm to all others,
// or an empty text. It reads no description: which operations are tried must not depend on one.
func Disruption(method, path, id string) string {
	segments := slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" || strings.Contains(s, "{") })
	last := ""
	if !strings.HasSuffix(path, "}") && len(segments) > 0 {
		last = segments[len(segments)-1]
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, "QUERY":
		return among(Words(last), vocabulary[Leaving])
	case http.MethodDelete:
		if !strings.Contains(path, "{") && slices.Contains(vocabulary[Oneself], strings.ToLower(last)) {
			return last
		}
	}
	for _, name := range append(segments, id) {
		if word := among(Words(name), vocabulary[Disruptive]); word != "" {
			return word
		}
	}
	return ""
}

// among returns the first of some words, or of two that are written apart, that is in a list.
func among(words, list []string) string {
	for i, word := range words {
		verb, _ := strings.CutSuffix(word, "s")
		for _, w := range []string{word, verb} {
			if slices.Contains(list, w) {
				return w
			}
			if i+1 < len(words) && slices.Contains(list, w+words[i+1]) {
				return w + words[i+1]
			}
		}
	}
	return ""
}

// IsKey reports whether a member of this name identifies the resource that has it.
func IsKey(name string) bool { return Called(name, Key) }

// Refers returns the resource that a member refers to by its key: user for userId,
// owner_uuid names owner. It is empty if the name does not look like that.
func Refers(name string) string {
	for _, key := range Names(Key) {
		if stem, found := cutKey(name, key); found {
			return Flat(stem)
		}
	}
	return ""
}

// RefersAt is Refers for a parameter of a section, or for a member of the body where the
// section is empty. It is also empty if the client makes the value up.
func RefersAt(section, name string) string {
	if section == "header" {
		name = trimX(name)
		if Called(name, OfRequest) {
			return ""
		}
	}
	return Refers(name)
}

// KeyAt reports whether the name of the member at a path is that of a key, or of a list of
// keys if the path ends with an asterisk.
func KeyAt(path string) bool {
	list, isItem := strings.CutSuffix(path, "/*")
	name := list[strings.LastIndexByte(list, '/')+1:]
	if isItem {
		name = strings.TrimSuffix(name, "s")
	}
	return IsKey(name) || Refers(name) != ""
}

// cutKey cuts a key off the end of a name, where a new word begins.
func cutKey(name, key string) (string, bool) {
	if len(name) <= len(key) || !strings.EqualFold(name[len(name)-len(key):], key) {
		return "", false
	}
	stem, end := name[:len(name)-len(key)], name[len(name)-len(key):]
	last := stem[len(stem)-1]
	if last == '_' || last == '-' || last == '.' {
		return stem[:len(stem)-1], true
	}
	return stem, unicode.IsUpper(rune(end[0])) && unicode.IsLower(rune(last))
}

// trimX removes the mark of fields that no standard describes (RFC 6648).
func trimX(name string) string {
	if len(name) > 2 && strings.EqualFold(name[:2], "x-") {
		return name[2:]
	}
	return name
}

// TakenOnce reports whether a server may refuse a value of a header field that it saw before.
func TakenOnce(field string) bool {
	name := trimX(field)
	return Called(name, OfRequest) || Called(name, Once)
}

// IsVersion reports whether a member or parameter of that name may say which state of a resource the
// client knows, as If-Match does.
func IsVersion(name string) bool { return Called(name, Version) }

// One returns the name of a resource in one spelling: user for users, User and user.
func One(name string) string { return Singular(Flat(name)) }

// Singular returns the singular of an English plural, as far as its ending tells. Where that leaves
// two, a singular has the same spelling: movies are those of movy, and so is a movie.
func Singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ie") && len(word) > 3:
		return word[:len(word)-2] + "y"
	case strings.HasSuffix(word, "che"):
		return word[:len(word)-1]
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "tuses"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// Sides are words of names that differ in one pair, the longest first.
func Sides() [][2]string {
	return [][2]string{
		Stay(), {"departure", "return"}, {"minimum", "maximum"}, {"checkin", "checkout"}, {"pickup", "dropoff"}, {"pickup", "return"},
		{"starts", "ends"}, {"begins", "ends"}, {"opens", "closes"}, {"opening", "closing"},
		{"start", "end"}, {"start", "stop"}, {"start", "finish"}, {"begin", "end"}, {"from", "until"}, {"from", "till"}, {"from", "through"}, {"from", "thru"}, {"from", "to"},
		{"since", "until"}, {"after", "before"}, {"notbefore", "notafter"}, {"lower", "upper"}, {"lowest", "highest"}, {"low", "high"},
		{"open", "close"}, {"min", "max"}, {"gte", "lte"}, {"gte", "lt"}, {"gt", "lt"}, {"gt", "lte"},
	}
}

// Stay is the pair whose order its names do not tell: a trip begins with the departure, a stay with
// the arrival. The member that the document lists first comes first.
func Stay() [2]string { return [2]string{"departure", "arrival"} }
