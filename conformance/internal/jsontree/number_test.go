package jsontree

import (
	"cmp"
	"math/big"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
)

func TestWholeNumbersAreWholeHoweverSpelled(t *testing.T) {
	whole := []string{"0", "-0", "0.0", "-0e-99999999999999999999", "1", "1.0", "1e2", "10e-1", "0.1e1", "1e1000000000",
		"-1e99999999999999999999999", "12345.6e1", "1200e-2", strings.Repeat("9", 400), "9007199254740993"}
	for _, s := range whole {
		assert.True(t, IsInteger(s), s)
	}
	for _, s := range []string{"1.5", "1e-1", "1200e-3", "0.1e0", "1e-1000000000", "1e-99999999999999999999",
		"1.0000000000000000000000001", "9007199254740992.5", "", "x", "+1", "01", "1.", "NaN", " 1", "1 "} {
		assert.False(t, IsInteger(s), s)
	}
}

func TestInt64IsExactAtItsBorders(t *testing.T) {
	for s, want := range map[string]int64{
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "9223372036854775807.0": 1<<63 - 1,
		"9007199254740993": 1<<53 + 1, "1e2": 100, "-0": 0, "0e999999999999999999999": 0, "100e-2": 1, "0.1e1": 1,
		"922337203685477580.7e1": 1<<63 - 1, "1.0": 1, "1e18": 1e18,
	} {
		n, ok := Int64(s)
		assert.True(t, ok, s)
		assert.Equal(t, want, n, s)
	}
	for _, s := range []string{"9223372036854775808", "-9223372036854775809", "1e19", "1e1000000000", "0.5", "1e-1",
		"1e-1000000000", "", "x", "9223372036854775807.5", "1e99999999999999999999"} {
		_, ok := Int64(s)
		assert.False(t, ok, s)
	}
	lo, hi := big.NewInt(-1<<63), big.NewInt(1<<63-1)
	assert.True(t, InRange("9223372036854775807", lo, hi))
	assert.True(t, InRange("9223372036854775806.5", lo, hi))
	assert.False(t, InRange("9223372036854775807.00000000000000000001", lo, hi))
	assert.False(t, InRange("9223372036854775808", lo, hi))
	assert.False(t, InRange("-1e1000000000", lo, nil))
	assert.True(t, InRange("-1e1000000000", nil, hi))
	assert.True(t, InRange("1e-1000000000", lo, hi))
	assert.False(t, InRange("1x", nil, nil))
}

func TestCompareIsExactWithoutMaterialisingExponents(t *testing.T) {
	sorted := []string{"x", "-1e100000000000000000000", "-1e99999999999999999999", "-1e1000000000", "-1e400", "-2", "-1.5", "-1",
		"-1e-400", "-1e-99999999999999999999", "0", "1e-100000000000000000000", "1e-99999999999999999999", "1e-1000000000",
		"0.1", "0.10000000000000000000000001", "1", "9007199254740992", "9007199254740993", "9223372036854775808",
		"1e400", "1e1000000000", "1e1000000001", "1e999999999999999999", "11e999999999999999999", "1e99999999999999999999",
		"1.5e99999999999999999999", "1e100000000000000000000"}
	for i, a := range sorted {
		for j, b := range sorted {
			assert.Equal(t, cmp.Compare(i, j), Compare(a, b), "%s and %s", a, b)
		}
	}
	for _, same := range [][]string{
		{"1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "1.000e-0", "0.001e3"},
		{"0", "-0", "0.0", "-0e5", "0e99999999999999999999"},
		{"1e100000000000000000", "10e99999999999999999", "0.1e100000000000000001"},
		{"1e1000000000000000000", "10e999999999999999999", "0.001e1000000000000000003", "1e0001000000000000000000"},
		{"1e-1000000000000000000", "10e-1000000000000000001", "0.1e-999999999999999999"},
		{"-12e10000000000000000000000", "-1.2e10000000000000000000001", "-120e9999999999999999999999"},
	} {
		for _, a := range same {
			for _, b := range same {
				assert.Zero(t, Compare(a, b), "%s and %s", a, b)
			}
		}
	}
}

func TestCompareAgreesWithRationals(t *testing.T) {
	number := func(p *gopter.GenParameters) *gopter.GenResult {
		var b strings.Builder
		if p.NextBool() {
			b.WriteByte('-')
		}
		b.WriteString([]string{"0", "1", "10", "12", "100", "9", "99", "5"}[p.Rng.Intn(8)])
		b.WriteString([]string{"", ".0", ".5", ".05", ".50", ".99", ".001"}[p.Rng.Intn(7)])
		b.WriteString([]string{"", "e0", "e1", "E+1", "e-1", "e-2", "e02", "e3"}[p.Rng.Intn(8)])
		return gopter.NewGenResult(b.String(), gopter.NoShrinker)
	}
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = 5000
	p := gopter.NewProperties(params)
	p.Property("same order", prop.ForAll(func(a, b string) bool {
		x, okX := Rat(a)
		y, okY := Rat(b)
		z, _ := new(big.Rat).SetString(a)
		return okX && okY && x.Cmp(z) == 0 && x.Cmp(y) == Compare(a, b) && x.IsInt() == IsInteger(a)
	}, number, number))
	p.TestingRun(t)
}

func TestRatRefusesWhatWouldBlowUp(t *testing.T) {
	for _, s := range []string{"1e1001", "1e-1001", "1e1000000000", "1e99999999999999999999", "x", strings.Repeat("9", 1001)} {
		_, ok := Rat(s)
		assert.False(t, ok, s)
	}
	for _, s := range []string{"0", "-0", "1e999", "1e-999", strings.Repeat("9", 400), "0e1000000000", "1" + strings.Repeat("0", 900) + "e-900"} {
		_, ok := Rat(s)
		assert.True(t, ok, s)
	}
}

func TestFractionLostTellsWhatADoubleTakesForAnInteger(t *testing.T) {
	for s, want := range map[string]bool{
		"1.0000000000000000001": true, "9007199254740992.5": true, "1e-400": true, "4503599627370495.5": true, "1125899906842623.5": false, "1e-300": false, "0.1": false, "1.5": false, "1.0": false,
		"1": false, "1e400": false, "1e-1000000000": true, "x": false,
	} {
		assert.Equal(t, want, FractionLost(s), s)
		if want {
			assert.True(t, IsInteger(Rounded(s)), s)
		}
	}
}
