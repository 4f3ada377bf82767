package main

import (
	"encoding/json"
	"io"
	"math/big"
	"strconv"

	"github.com/bloomproof/bloomproof/exact"
)

// writeJSON writes v as one JSON object.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return &ioError{"", err}
	}
	return nil
}

// Reports use the type "count" for whole numbers that are not negative. In JSON a count up to 2^53 is an integer,
// because every reader can represent it exactly. A count above 2^53 is written as a decimal string.
type count uint64

func (n count) MarshalJSON() ([]byte, error) {
	text := strconv.FormatUint(uint64(n), 10)
	if n > 1<<53 {
		text = `"` + text + `"`
	}
	return []byte(text), nil
}

// wideCount is a count that can exceed 2^64-1.
type wideCount struct{ *big.Int }

// MarshalJSON writes the number in the form of the type "count": an integer up to 2^53, and a decimal string above
// 2^53.
func (n wideCount) MarshalJSON() ([]byte, error) {
	if n.IsUint64() {
		return count(n.Uint64()).MarshalJSON()
	}
	return []byte(`"` + n.String() + `"`), nil
}

// The type "decimal" represents a float64, written as the shortest decimal string that is read as the same float64.
type decimal float64

func (x decimal) String() string { return strconv.FormatFloat(float64(x), 'g', -1, 64) }

func (x decimal) MarshalJSON() ([]byte, error) { return []byte(`"` + x.String() + `"`), nil }

// The type "enclosure" represents an exact.Enclosure in decimal.
type enclosure struct {
	Lo       string `json:"lo"`
	Hi       string `json:"hi"`
	Mid      string `json:"mid"`
	Rational string `json:"rational,omitempty"`
}

// maxRational is the largest length, in characters, of a rational number in the output. A longer rational number is
// omitted.
const maxRational = 10000

// The function "enclose" returns the enclosure e in decimal, with the given number of digits. The caller must have
// computed e with the precision exact.PrecFor(digits).
func enclose(e exact.Enclosure, digits int) (enclosure, error) {
	lo, mid, hi, err := e.Decimal(digits)
	if err != nil {
		return enclosure{}, err
	}
	d := enclosure{Lo: lo, Hi: hi, Mid: mid}
	if r, ok := e.Rat(); ok {
		if s := r.String(); len(s) <= maxRational {
			d.Rational = s
		}
	}
	return d, nil
}
