package main

import (
	"errors"
	"math/big"
	"math/bits"
	"strings"
)

// A size or a count is parsed without rounding. It may have the following forms. The word "digits" stands for the
// decimal digits of a number below 2^64. Each form is shown with an example.
//
//	digits                  1000000
//	digits in threes        1,000,000 or 1_000_000
//	digits ^ digits         2^40
//	digits ^ digits - 1     2^64-1
//	digits e digits         1e9
//	digits Ki (Mi, Gi, Ti, Pi, Ei)   64Ki = 65536, and so is 64K.
//
// The digits before a unit may also be in groups of three.
var errNumber = errors.New("not a whole number up to 2^64-1")

// parseNumber parses the number in the text s. The comment of errNumber lists the permitted forms. It returns errNumber
// for any other text, and for a number above 2^64-1.
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
	digits, unit := s, uint64(0) // the unit is 1024^unit
	if last := len(s) - 1; last >= 0 && (s[last] < '0' || s[last] > '9') {
		head := strings.TrimSuffix(s, "i")
		last = len(head) - 1
		if last < 0 {
			return 0, errNumber
		}
		digits, unit = head[:last], uint64(strings.IndexByte("KMGTPE", head[last])+1)
		if unit == 0 {
			return 0, errNumber
		}
	}
	n, ok := parseThrees(digits)
	if !ok {
		return 0, errNumber
	}
	return scale(n, 1024, unit)
}

// parseBits returns the number of bits that s represents. It also accepts a number of bytes, with a B after it.
func parseBits(s string) (uint64, error) {
	number, bytes := strings.CutSuffix(s, "B")
	n, err := parseNumber(number)
	if err != nil || !bytes {
		return n, err
	}
	return scale(n, 8, 1)
}

// parseBytes parses a number of bytes, with or without a B after it.
func parseBytes(s string) (uint64, error) { return parseNumber(strings.TrimSuffix(s, "B")) }

// parsePower returns base^power, or base^power - 1 if the argument "less" is set. The result may be 2^64-1.
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

// The function "scale" returns n*base^e, or an error if the result is not below 2^64.
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

// parseThrees parses decimal digits, which may be in groups of three with commas or underscores between the groups.
func parseThrees(s string) (uint64, bool) {
	separator := ","
	if strings.Contains(s, "_") {
		separator = "_"
	}
	groups := strings.Split(s, separator)
	for i, group := range groups {
		if len(groups) > 1 && (len(group) > 3 || i > 0 && len(group) < 3 || group == "") {
			return 0, false
		}
	}
	return parseDigits(strings.Join(groups, ""))
}

// parseDigits returns the number that the decimal digits s represent, if it is below 2^64.
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

// parseDecimal returns the exact value of a decimal such as 0.25, .25, 2.5e-1 or 25%. The text s has digits, an
// optional fraction, an optional exponent of at most four digits, and an optional per cent sign. The value is at least
// 0.
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
