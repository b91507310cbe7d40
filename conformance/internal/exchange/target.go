package exchange

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Target is where requests go.
type Target struct {
	Scheme    string // http or https
	Address   string // host:port to dial
	Authority string // value of the Host field (RFC 9110, 7.2)
	Prefix    string // path before every operation's, without a trailing slash
}

// String returns the target as a URL.
func (t Target) String() string { return t.Origin() + t.Prefix }

// Origin returns the target without a path (RFC 9110, 4.3.1).
func (t Target) Origin() string { return t.Scheme + "://" + t.Authority }

// bare is a host with a port, which only lacks its scheme: nothing that could be secret.
var bare = regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]{1,5}/?$`)

// ParseTarget reads a base URL such as http://127.0.0.1:8080/api. The error is
// one line with a hint what to write instead, and never holds a password.
func ParseTarget(raw string) (Target, error) {
	const example = "write it like http://127.0.0.1:8080"
	switch scheme, _, found := strings.Cut(raw, "://"); {
	case strings.TrimSpace(raw) == "":
		return Target{}, errors.New("target is empty: " + example)
	case !found && bare.MatchString(raw):
		return Target{}, errors.New("target has no scheme: write http://" + raw)
	case !found || scheme == "":
		return Target{}, errors.New("target has no scheme: " + example)
	case !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return Target{}, errors.New("target's scheme is not supported: use http:// or https://")
	case strings.Contains(raw, "#"):
		return Target{}, errors.New("target has a fragment: leave out # and what follows")
	case strings.Contains(raw, "?"):
		return Target{}, errors.New("target has a query: leave out ? and what follows")
	case strings.Contains(authority(raw), "@"):
		return Target{}, errors.New("target has user info: leave it out and give the credential by itself")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return Target{}, fmt.Errorf("target is not a url (%s): %s", parseProblem(err), example)
	}
	port, err := portOf(u)
	if err != nil {
		return Target{}, err
	}
	host := u.Hostname()
	name := host
	if strings.Contains(host, ":") {
		name, _, _ = strings.Cut(host, "%") // a zone is of this machine only (RFC 6874, 1)
		name = "[" + name + "]"
	} else if !plainHost(host) {
		return Target{}, errors.New("target has no host that can be looked up: use letters, digits, - and ., other names in punycode")
	}
	if u.Port() != "" && !(u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443") {
		name += ":" + port
	}
	return Target{
		Scheme:    u.Scheme,
		Address:   net.JoinHostPort(host, port),
		Authority: name,
		Prefix:    strings.TrimRight(u.EscapedPath(), "/"),
	}, nil
}

// authority returns what stands between the scheme and the path.
func authority(raw string) string {
	_, rest, _ := strings.Cut(raw, "://")
	if i := strings.IndexAny(rest, "/\\"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// parseProblem is err without the URL, which may hold what must not be shown.
func parseProblem(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	text := strings.TrimPrefix(err.Error(), "net/url: ")
	if i := strings.IndexAny(text, "\":"); i >= 0 { // what follows is quoted from the input
		text = text[:i]
	}
	return strings.ToLower(strings.TrimSpace(text))
}

func portOf(u *url.URL) (string, error) {
	const hint = "write a number from 1 to 65535, as in http://127.0.0.1:8080"
	text := u.Port()
	switch {
	case text == "" && strings.HasSuffix(u.Host, ":"):
		return "", errors.New("target has an empty port: " + hint)
	case text == "" && u.Scheme == "https":
		return "443", nil
	case text == "":
		return "80", nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return "", errors.New("target has a bad port: " + hint)
	}
	return strconv.FormatUint(n, 10), nil
}

// plainHost reports whether host is a name in ASCII or an IPv4 address.
func plainHost(host string) bool {
	for i := range len(host) {
		if c := host[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return host != "" && host != "."
}
