package main

import (
	"fmt"
	"io"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

var efficiencyCommand = command{
	name:    "efficiency",
	summary: "how well a filter uses its bits, and the number of items that uses them best",
	about: `
Prints n/m log2(1/f), f the exact rate: 1 would be as good as any filter can be. With
-peak, the number of items n, an integer, at which it is highest for -k, or for the best
k up to 4096 where -k is not given; searched says of which n and k it is certainly the
peak, and proof what is assumed of the others.`,
	example: `
  $ bloomproof efficiency -m 100 -peak
  hashing     standard, m=100 k=1 n=69
  efficiency  0.68967559257023098
  searched    k = 1 to 4096, every n
  proof       proven`,
	flags: []flagSpec{
		mFlag,
		{"k", "K", "positions per item, 1 to 4096 (with -peak, default: the best)"},
		{"n", "ITEMS", "items inserted, 1 to 2^64-1"},
		{"peak", "", "find the number of items of highest efficiency"},
		ratesFlag,
		digitsFlag,
	},
	run: efficiency,
}

type efficiencyReport struct {
	Hashing    bloomproof.Hashing `json:"hashing"`
	M          count              `json:"m"`
	K          int                `json:"k"`
	N          count              `json:"n"`
	Efficiency enclosure          `json:"efficiency"`
	Searched   *searchedReport    `json:"searched,omitempty"`
	Proof      string             `json:"proof,omitempty"`
}

// searchedReport is the range of k and n that was searched. The peak is proven to be the best in this range.
type searchedReport struct {
	KMin int   `json:"k_min"`
	KMax int   `json:"k_max"`
	NMin count `json:"n_min"`
	NMax count `json:"n_max"`
	// LargerK reports whether some k above the largest permitted k is more efficient.
	LargerK bool `json:"larger_k_better"`
}

// String returns the ranges as text for people.
func (s *searchedReport) String() string {
	text := fmt.Sprintf("k = %d to %d", s.KMin, s.KMax)
	if s.KMin == s.KMax {
		text = fmt.Sprintf("k = %d", s.KMin)
	}
	if s.NMin == 1 && s.NMax == 1<<64-1 {
		text += ", every n"
	} else {
		text += fmt.Sprintf(", n = %d to %d", s.NMin, s.NMax)
	}
	if s.LargerK {
		text += "; larger k are more efficient, k = m/2 with n = 1 the most"
	}
	return text
}

func efficiency(c *call) (report, error) {
	peak := c.boolean("peak", false)
	c.need("m")
	if !peak {
		c.need("k", "n")
	} else if c.has("n") {
		c.fail(&usageError{"n", "must be left out with -peak, which finds it"})
	}
	m := c.number("m", 1, 1<<64-1, 1)
	k := int(c.number("k", 1, bloomproof.MaxK, 0))
	n := c.number("n", 1, 1<<64-1, 1)
	digits := int(c.number("digits", 1, maxDigits, defaultDigits))
	var h bloomproof.Hashing
	c.enum("hashing", &h)
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	prec := exact.PrecFor(digits)
	r := efficiencyReport{Hashing: h, M: count(m), K: k, N: count(n)}
	var e exact.Enclosure
	var err error
	if peak {
		var p exact.Peak
		p, err = exact.PeakEfficiency(bloomproof.Geometry{M: m, K: k, Hashing: h}, prec)
		e, r.N, r.K, r.Proof = p.Efficiency, count(p.N), p.K, proof(p.Assumes)
		r.Searched = &searchedReport{max(k, 1), p.MostK, count(p.LeastN), count(p.MostN), p.LargerK}
	} else {
		e, err = exact.Efficiency(bloomproof.Geometry{M: m, K: k, Hashing: h}, n, prec)
	}
	if err != nil {
		return nil, outOfRange("m", err)
	}
	r.Efficiency, err = enclose(e, digits)
	return r, err
}

func (r efficiencyReport) print(w io.Writer) {
	fmt.Fprintf(w, "hashing\t%v, m=%d k=%d n=%d\nefficiency\t%s\n", r.Hashing, r.M, r.K, r.N, r.Efficiency.Mid)
	if r.Searched != nil {
		fmt.Fprintf(w, "searched\t%v\nproof\t%s\n", r.Searched, r.Proof)
	}
}
