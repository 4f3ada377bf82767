package main

import (
	"math/big"
	"regexp"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	const max = 1<<64 - 1
	for s, want := range map[string]uint64{
		"0": 0, "1": 1, "007": 7, "18446744073709551615": max,
		"2^40": 1 << 40, "2^0": 1, "0^0": 1, "0^7": 0, "1^18446744073709551615": 1, "10^19": 1e19, "2^63": 1 << 63,
		"2^64-1": max, "4^32-1": max, "65536^4-1": max, "2^3-1": 7, "2^0-1": 0,
		"1e9": 1e9, "0e99": 0, "12e0": 12, "1e19": 1e19, "18446744073709551615e0": max,
		"64Ki": 64 << 10, "8Mi": 8 << 20, "1Gi": 1 << 30, "3Ti": 3 << 40, "1Pi": 1 << 50, "15Ei": 15 << 60, "0Ki": 0,
		"1,000": 1000, "12,345,678": 12345678, "1_000_000": 1e6, "000,001": 1, "64K": 64 << 10, "15E": 15 << 60, "1,024K": 1 << 20, "18,446,744,073,709,551,615": max,
	} {
		if got, err := parseNumber(s); err != nil || got != want {
			t.Errorf("parseNumber(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", " ", " 1", "1 ", "-1", "+1", "-0", "1.5", "1.0", ".", "0x10", "abc", "NaN", "Inf",
		"18446744073709551616", "99999999999999999999999", "2^64", "2^65-1", "3^64-1", "8^22-1", "0^1-1", "2^", "^2", "2^^2", "2^-1", "2^64-2", "2^64-1-1", "2^1e1",
		"100000000000000000000^0", "0e100000000000000000000",
		"1e", "e9", "1e20", "2e19", "1e-3", "1e+3", "1.5e3", "1E9", "1e9e9", "1e99999999999999999999999",
		"1,00", "1,0000", "1000,000", ",000", "1,", "1,000,", "1,,000", "1_000,000", "1,000_000", "_", ",", "1,000^2", "1,000e3", "18,446,744,073,709,551,616",
		"K", "1k", "16E", "1KK", "1Kii", "1B", "1KiB", "1iK",
		"Ki", "1ki", "1Kib", "1 Ki", "16Ei", "1i", "i", "1Zi", "2^2Ki", "1e3Ki", "\x00", "1\n", "１",
	} {
		if got, err := parseNumber(s); err == nil {
			t.Errorf("parseNumber(%q) = %d, want an error", s, got)
		}
	}
}

func TestParseBits(t *testing.T) {
	for s, want := range map[string]uint64{"7": 7, "7B": 56, "16MiB": 1 << 27, "1MB": 1 << 23, "2^60B": 1 << 63, "1e3B": 8000, "1,000B": 8000, "2^61-1B": 1<<64 - 8} {
		if got, err := parseBits(s); err != nil || got != want {
			t.Errorf("parseBits(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "B", "1b", "1BB", "1Kb", "2^61B", "2EB", "1 B", "MiB"} {
		if got, err := parseBits(s); err == nil {
			t.Errorf("parseBits(%q) = %d, want an error", s, got)
		}
	}
}

func TestParseDecimal(t *testing.T) {
	for s, want := range map[string]string{
		"0": "0", "1": "1", "0.1": "1/10", "0.25": "1/4", "1e-3": "1/1000", "2.5e+1": "25", "00.50": "1/2", "3e0": "3",
		".5": "1/2", ".25e1": "5/2", "1%": "1/100", ".5%": "1/200", "12.5e1%": "5/4", "0%": "0", "010": "10", "08%": "2/25",
	} {
		if got, ok := parseDecimal(s); !ok || got.RatString() != want {
			t.Errorf("parseDecimal(%q) = %v, %t, want %s", s, got, ok, want)
		}
	}
	for _, s := range []string{"", ".", "5.", "%", ".%", "5.%", "1%%", "%1", "1 %", ".e1", "-0.5", "+0.5", "1/2", "0x1p-2", "1e", "e5", "1e-", "1e+-5", "1e--5", "1e99999", "1e-123456789", "NaN", "inf", "1_0", "0.1.2", "0.1 "} {
		if got, ok := parseDecimal(s); ok {
			t.Errorf("parseDecimal(%q) = %v, want a refusal", s, got)
		}
	}
}

var (
	numberForms = regexp.MustCompile(`^(?:([0-9]+)(?:e([0-9]+)|([KMGTPE])i?)?|([0-9]+)\^([0-9]+)(-1)?)$`)
	threes      = regexp.MustCompile(`^[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:_[0-9]{3})+)(?:[KMGTPE]i?)?$`)
)

// numberOracle is parseNumber by regular expression and big integers; small is false
// where the number is too large to write out.
func numberOracle(s string) (n *big.Int, small bool) {
	if threes.MatchString(s) {
		s = strings.NewReplacer(",", "", "_", "").Replace(s)
	}
	p := numberForms.FindStringSubmatch(s)
	if p == nil {
		return nil, true
	}
	num := func(s string) *big.Int { n, _ := new(big.Int).SetString("0"+s, 10); return n }
	n, base, exponent := num(p[1]), big.NewInt(10), num(p[2])
	switch {
	case p[3] != "":
		base, exponent = big.NewInt(1024), big.NewInt(int64(1+strings.Index("KMGTPE", p[3])))
	case p[5] != "":
		n, base, exponent = big.NewInt(1), num(p[4]), num(p[5])
	}
	switch {
	case n.BitLen() > 64 || base.BitLen() > 64 || exponent.BitLen() > 64:
		return nil, true
	case exponent.BitLen() > 7:
		return nil, false
	}
	n.Mul(n, new(big.Int).Exp(base, exponent, nil))
	if p[6] != "" {
		n.Sub(n, big.NewInt(1))
	}
	if n.Sign() < 0 || n.BitLen() > 64 {
		return nil, true
	}
	return n, true
}

// FuzzNumber: parseNumber gives the exact value of every valid form, and an error for every other
// text.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1000000", "2^40", "2^64-1", "2^64", "1e9", "1e20", "64Ki", "64K", "16Ei", "1,000,000Mi", "1_000", "-1", "", "4^32-1", "0^0-1", "0e30"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, small := numberOracle(s)
		got, err := parseNumber(s)
		switch {
		case !small: // only that it returns
		case want == nil && err == nil:
			t.Errorf("parseNumber(%q) = %d, want an error", s, got)
		case want != nil && (err != nil || got != want.Uint64()):
			t.Errorf("parseNumber(%q) = %d, %v, want %d", s, got, err, want)
		}
		if r, ok := parseDecimal(s); ok && err == nil && !strings.ContainsAny(s, "^iKMGTPE,_") {
			if !r.IsInt() || !r.Num().IsUint64() || r.Num().Uint64() != got {
				t.Errorf("%q is %v as a decimal and %d as a number", s, r, got)
			}
		}
	})
}
