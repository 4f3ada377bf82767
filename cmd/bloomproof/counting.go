package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

var countingCommand = command{
	name:    "counting",
	summary: "the correct rate of a counting filter: how often its estimate of a frequency is right",
	about: `
Prints the probability that the smallest counter of an item, one of n distinct items
with any frequencies, tells the item's frequency (Fan 25). The true value lies between
lo and hi, which are rounded outward; mid has the digits asked for.

-increment says what an item adds: one to each of its distinct counters (distinct, the
default), or one for each hash function, so that a counter hit twice gains two
(literal, the text of the paper; such an item can be wrong by itself). The two differ
for standard hashing only. Double hashing and its kin have distinct increments, and none of
the bounds.

lower and upper are the bounds of Fan (26), rounded outward; - (in JSON null) where one
bounds nothing: the lower one for literal increments and for k > m, the upper one for
classic hashing.`,
	example: `
  $ bloomproof counting -m 1Mi -k 7 -n 100000
  counting  standard, m=1048576 k=7 n=100000, distinct increments
  lo        0.99349897906310995
  mid       0.99349897906310996
  hi        0.99349897906310996
  lower     0.99349892823810867
  upper     0.99349901977748190`,
	flags: []flagSpec{
		mFlag, kFlag,
		{"n", "ITEMS", "distinct items in the filter, 1 to 2^64-1"},
		{"increment", "distinct|literal", "once for each distinct counter (the default) or once for each hash function"},
		ratesFlag,
		digitsFlag,
	},
	run: counting,
}

type countingReport struct {
	Hashing   bloomproof.Hashing `json:"hashing"`
	M         count              `json:"m"`
	K         int                `json:"k"`
	N         count              `json:"n"`
	Increment string             `json:"increment"`
	Correct   enclosure          `json:"correct"`
	Lower     *string            `json:"lower"`
	Upper     *string            `json:"upper"`
}

func counting(c *call) (report, error) {
	c.need("m", "k", "n")
	g := c.geometry(1<<64 - 1)
	n := c.number("n", 1, 1<<64-1, 1)
	inc := c.increment()
	digits := c.digits()
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	prec := exact.PrecFor(digits)
	e, err := exact.CorrectRate(g, n, inc, prec)
	if err != nil {
		return nil, outOfRange("n", err)
	}
	lower, upper, err := exact.CorrectRateBounds(g, n, inc, prec)
	var unknown *bloomproof.ParamError
	if errors.As(err, &unknown) && unknown.Param == hashingFlag.name {
		err = nil // this hashing has no bounds, which is not an error
	}
	if err != nil {
		return nil, outOfRange("n", err)
	}
	r := countingReport{Hashing: g.Hashing, M: count(g.M), K: g.K, N: count(n), Increment: inc.String()}
	if r.Correct, err = enclose(e, digits); err != nil {
		return nil, err
	}
	for _, x := range []struct {
		to   **string
		from *exact.Enclosure
		side func(lo, mid, hi string) string
	}{{&r.Lower, lower, lowSide}, {&r.Upper, upper, highSide}} {
		if x.from == nil {
			continue
		}
		lo, mid, hi, err := x.from.Decimal(digits)
		if err != nil {
			return nil, err
		}
		s := x.side(lo, mid, hi)
		*x.to = &s
	}
	return r, nil
}

func (r countingReport) print(w io.Writer) {
	fmt.Fprintf(w, "counting\t%v, m=%d k=%d n=%d, %s increments\n", r.Hashing, r.M, r.K, r.N, r.Increment)
	fmt.Fprintf(w, "lo\t%s\nmid\t%s\nhi\t%s\n", r.Correct.Lo, r.Correct.Mid, r.Correct.Hi)
	fmt.Fprintf(w, "lower\t%s\nupper\t%s\n", orDash(r.Lower), orDash(r.Upper))
}

func orDash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}
