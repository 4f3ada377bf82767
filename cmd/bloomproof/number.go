package main

import (
	"errors"
	"math/big"
	"math/bits"
	"strings"
)

// The forms of a size or count, all exact, where digits write a number below 2^64:
//
//	digits                  1000000
//	digits ^ digits         2^40
//	digits ^ digits - 1     2^64-1
//	digits e digits         1e9
//	digits Ki (Mi, Gi, Ti, Pi, Ei)   64Ki = 65536
var errNumber = errors.New("not a whole number up to 2^64-1")

// parseNumber returns the number that s writes in one of the forms above. It returns
// errNumber for any other text and for a number of 2^64 or more (2^64-1 excepted).
func parseNumber(s string) (uint64, error) {
	if base, power, ok := strings.Cut(s, "^"); ok {
		power, less := strings.CutSuffix(power, "-1")
		return parsePower(base, power, less)
	}
	if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
		n, ok1 := parseDigits(mantissa)
		e, ok2 := parseDigits(exponent)
		if !ok1 || !ok2 {
			return 0, errNumber
		}
		return scale(n, 10, e)
	}
	if head, ok := strings.CutSuffix(s, "i"); ok && head != "" {
		unit := strings.IndexByte("KMGTPE", head[len(head)-1])
		n, ok := parseDigits(head[:len(head)-1])
		if unit < 0 || !ok {
			return 0, errNumber
		}
		return scale(n, 1024, uint64(unit)+1)
	}
	n, ok := parseDigits(s)
	if !ok {
		return 0, errNumber
	}
	return n, nil
}

// parsePower returns base^power, less 1 when asked, which may be 2^64-1.
func parsePower(base, power string, less bool) (uint64, error) {
	b, ok1 := parseDigits(base)
	e, ok2 := parseDigits(power)
	if !ok1 || !ok2 {
		return 0, errNumber
	}
	n, err := scale(1, b, e)
	switch {
	case !less:
		return n, err
	case err == nil && n > 0:
		return n - 1, nil
	case isTwoTo64(b, e):
		return 1<<64 - 1, nil
	}
	return 0, errNumber
}

// isTwoTo64 reports whether b^e = 2^64.
func isTwoTo64(b, e uint64) bool {
	log := uint64(bits.TrailingZeros64(b))
	return bits.OnesCount64(b) == 1 && log > 0 && e == 64/log && 64%log == 0
}

// scale returns n*base^e.
func scale(n, base, e uint64) (uint64, error) {
	switch {
	case e == 0:
		return n, nil
	case n == 0 || base == 0:
		return 0, nil
	case base == 1:
		return n, nil
	}
	for ; e > 0; e-- { // at most 64 rounds: base is at least 2
		hi, lo := bits.Mul64(n, base)
		if hi != 0 {
			return 0, errNumber
		}
		n = lo
	}
	return n, nil
}

// parseDigits returns the number that the decimal digits s write, if it is below 2^64.
func parseDigits(s string) (uint64, bool) {
	var n uint64
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		hi, lo := bits.Mul64(n, 10)
		sum, carry := bits.Add64(lo, uint64(c-'0'), 0)
		if hi|carry != 0 {
			return 0, false
		}
		n = sum
	}
	return n, s != ""
}

// parseDecimal returns the number of at least 0 that s writes as digits, with an optional fraction
// and an optional exponent of at most four digits, or per cent of it, exactly: 0.25, .25, 2.5e-1, 25%.
func parseDecimal(s string) (*big.Rat, bool) {
	const longest = 4096
	number, percent := strings.CutSuffix(s, "%")
	mantissa, exponent, hasExponent := strings.Cut(number, "e")
	whole, part, hasPart := strings.Cut(mantissa, ".")
	digits := strings.TrimPrefix(strings.TrimPrefix(exponent, "-"), "+")
	signs := len(exponent) - len(digits)
	switch {
	case len(s) > longest || !allDigits(whole) || !allDigits(part) || !allDigits(digits):
		return nil, false
	case whole == "" && !hasPart || hasPart && part == "" || hasExponent && digits == "":
		return nil, false
	case signs > 1 || len(digits) > 4:
		return nil, false
	}
	x, ok := new(big.Rat).SetString("0" + number)
	if ok && percent {
		x.Quo(x, big.NewRat(100, 1))
	}
	return x, ok
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
