package kit

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const id = "99999999-9999-4999-8999-dddddddddddd"

func TestFormatsAreThoseOfTheirDocuments(t *testing.T) {
	for _, c := range []struct {
		format    string
		good, bad []string
	}{
		{"uuid", []string{id, "ABCDEF01-2345-6789-abcd-ef0123456789"}, []string{"", id + "0", "{" + id + "}", "99999999999949998999dddddddddddd"}},
		{"date", []string{"2024-02-29", "0001-01-01"}, []string{"2023-02-29", "2024-2-9", "2024-02-29T", "02024-01-01", "٢٠٢٤-01-01"}},
		{"date-time", []string{"2024-02-29T23:59:59Z", "2024-01-01t00:00:00.123456789012z", "1990-12-31T15:59:60-08:00"},
			[]string{"2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T12:00:60Z", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00+24:00"}},
		{"email", []string{"a@b", `"a b"@example.com`, "a.b+c@x-y.org", "a@[127.0.0.1]", "a@[IPv6:::1]"},
			[]string{"a", "@b", "a@", "a@b.", "a@-b", ".a@b", "a..b@c", "٢@e", "a b@c", "a@[x]", "a@[::1]", "Ann <a@b>", "a@b\n"}},
		{"uri", []string{"a:", "urn:x:y", "http://x", "http://u:p@[::1]:80/a//b?c=/?#d/?", "mailto:a@b", "file:///x", "http://%41/"},
			[]string{"", "x", "//x", "http://x y", "http://[x]", "a:b#c#d", "a:[b]", "a:%4", "a:ü", "1a:b", "http://x:y/"}},
		{"ipv6", []string{"::1", "2001:db8::1"}, []string{"", "127.0.0.1", "fe80::1%eth0", "[::1]"}},
		{"hostname", []string{"a", "a-b.example", "x.T"}, []string{"", "-a", "a-", "a..b", "a_b"}},
		{"time", []string{"23:59:59Z", "10:00:00+02:00", "10:00:00.5z"}, []string{"", "24:00:00Z", "10:00:00", "10:00Z"}},
		{"duration", []string{"P1D", "PT1S", "P2W", "P1Y2M3DT4H"}, []string{"", "P", "PT", "P1DT", "1D", "P1S"}},
		{"byte", []string{"", "aGVsbG8=", "+/+/"}, []string{"a", "aGVsbG8", "aGVsbG9=\n", "-_-_", "aGVsbG9="}},
	} {
		for _, v := range c.good {
			assert.True(t, HasFormat(c.format, v), "%s %q", c.format, v)
		}
		for _, v := range c.bad {
			assert.False(t, HasFormat(c.format, v), "%s %q", c.format, v)
		}
	}
}
