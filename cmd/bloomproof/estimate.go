package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/like"
)

var estimateCommand = command{
	name:    "estimate",
	summary: "how many items a filter holds, from its set bits; or urns, from those occupied",
	about: `
With -m: the number of items from the number of set bits. mid (between lo and hi, which
are rounded outward) is the moment estimate, Burns (46): the n whose mean number of set
bits was found. likeliest is the whole n under which exactly so many set bits are most
probable. low to high are the n that the set bits do not refute: whatever the true n is,
it is among them in 95 % of all cases at least (exact tails, no normal theory). Where all
bits are set, every larger n is likelier: unbounded, and only low exists. With -block
the distribution of the set bits is not known: there is no likeliest n, and a moment of
the set bits bounds the tails, so that low to high is about 1.5 times as wide as by the
tails themselves.

With -n instead: the number of urns from the number of occupied ones after n batches of k
balls, each batch in distinct urns. It is the minimum-variance unbiased estimate, Burns
(47), (48); it is unbiased while there are at most n*k urns, and too small in the mean
beyond: biased says that the estimate itself lies there.`,
	example: `
  $ bloomproof estimate -m 8Mi -k 7 -bits 4Mi
  estimate   standard, m=8388608 k=7, 4194304 bits set
  lo         830648.51963557207
  mid        830648.51963557208
  hi         830648.51963557208
  likeliest  830648
  low        830200
  high       831098`,
	flags: []flagSpec{
		{"m", "BITS", "bits of the filter, 1 to 2^64-1"},
		{"n", "N", "instead of -m: batches of balls, 1 to 2^64-1"},
		{"k", "K", "positions per item, or balls per batch (default 1 with -n), 1 to 4096"},
		{"bits", "B", "set bits, or occupied urns"},
		hashingFlag, blockFlag, likeFlag,
		digitsFlag,
	},
	run: estimate,
}

type itemsReport struct {
	Hashing    bloomproof.Hashing `json:"hashing"`
	Block      count              `json:"block"` // 0 if the filter has no blocks; n_ml is nil for a filter with blocks
	M          count              `json:"m"`
	K          int                `json:"k"`
	Bits       count              `json:"bits"`
	N          *enclosure         `json:"n"`
	Likeliest  *count             `json:"n_ml"`
	Tie        bool               `json:"n_ml_tie,omitempty"` // true if n_ml+1 has the same likelihood
	Low        *count             `json:"n_low"`
	High       *count             `json:"n_high"`
	Unbounded  bool               `json:"unbounded,omitempty"`
	Improbable bool               `json:"improbable,omitempty"` // true if the interval is empty
	*liked
}

type urnsReport struct {
	N          count     `json:"n"`
	K          int       `json:"k"`
	Bits       count     `json:"bits"`
	M          enclosure `json:"m"`
	Biased     bool      `json:"biased"`
	UnbiasedTo wideCount `json:"unbiased_up_to"`
}

func estimate(c *call) (report, error) {
	c.need("bits")
	if c.has("n") {
		return estimateUrns(c)
	}
	var g bloomproof.Geometry
	other := c.like()
	if other != nil {
		g = c.likeGeometry(other)
		if !other.Estimates() {
			c.fail(&usageError{likeFlag.name, "must be a filter with independent positions: those of " + other.Name + " are not"})
		}
	} else {
		g = c.geometry(1<<64 - 1)
	}
	set := c.number("bits", 0, 1<<64-1, 0)
	digits := c.digits()
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	r := itemsReport{Hashing: g.Hashing, Block: count(g.Block), M: count(g.M), K: g.K, Bits: count(set)}
	if other != nil {
		r.liked = &liked{Like: other.Name, Law: other.Law, Assumes: other.Assumes + assumesItems(other)}
	}
	switch e, err := exact.EstimateItems(g, set, exact.PrecFor(digits)); {
	case errors.Is(err, bloomproof.ErrUndefined): // all bits are set
		r.Unbounded = true
	case err != nil:
		return nil, err
	default:
		n, err := enclose(e, digits)
		if err != nil {
			return nil, err
		}
		r.N = &n
		if g.Block == 0 {
			likeliest, tie, err := exact.LikelyItems(g, set)
			if err != nil {
				return nil, outOfRange("bits", err)
			}
			r.Likeliest, r.Tie = (*count)(&likeliest), tie
		}
	}
	low, high, unbounded, err := exact.ItemsInterval(g, set, big.NewRat(1, 20))
	if err != nil {
		return nil, outOfRange("bits", err)
	}
	r.Low = (*count)(&low)
	if !unbounded {
		r.High, r.Improbable = (*count)(&high), low > high
	}
	return r, nil
}

// An estimate of the number of items may need an additional assumption. assumesItems returns this assumption as text.
// The assumptions about the rate are stated elsewhere.
func assumesItems(f *like.Filter) string {
	if f.Independent() {
		return ""
	}
	return "; the estimate takes all positions as independent"
}

func estimateUrns(c *call) (report, error) {
	n := c.number("n", 1, 1<<64-1, 1)
	for _, name := range []string{"m", "hashing", "block", "like"} {
		if c.has(name) {
			c.fail(&usageError{name, "must not be given with -n, which asks for the number of urns"})
		}
	}
	k := int(c.number("k", 1, bloomproof.MaxK, 1))
	set := c.number("bits", 1, 1<<64-1, 1)
	const most = 1000 // the most digits of an integral
	digits := int(c.number("digits", 1, most, defaultDigits))
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	e, unbiased, err := exact.EstimateUrns(n, k, set, exact.PrecFor(digits))
	if err != nil {
		return nil, outOfRange("bits", err)
	}
	r := urnsReport{N: count(n), K: k, Bits: count(set), UnbiasedTo: wideCount{unbiased}}
	if r.M, err = enclose(e, digits); err != nil {
		return nil, err
	}
	r.Biased = e.Hi().Cmp(new(big.Float).SetInt(unbiased)) > 0
	return r, nil
}

func (r itemsReport) print(w io.Writer) {
	kind := fmt.Sprint(r.Hashing)
	if r.liked != nil {
		kind = r.Like
	}
	fmt.Fprintf(w, "estimate\t%s, m=%d k=%d%s, %d bits set\n", kind, r.M, r.K, ofBlock(r.Block), r.Bits)
	if r.Unbounded {
		name := "likeliest"
		if r.Block != 0 {
			name = "mid"
		}
		fmt.Fprintf(w, "%s\tunbounded: all bits are set\nlow\t%d\nhigh\tunbounded\n", name, *r.Low)
		return
	}
	fmt.Fprintf(w, "lo\t%s\nmid\t%s\nhi\t%s\n", r.N.Lo, r.N.Mid, r.N.Hi)
	if r.Likeliest != nil {
		fmt.Fprintf(w, "likeliest\t%d", *r.Likeliest)
		if r.Tie {
			fmt.Fprintf(w, ", and %d equally", *r.Likeliest+1)
		}
		fmt.Fprintln(w)
	}
	if r.Improbable {
		fmt.Fprintln(w, "interval\tempty: so many set bits are improbable for every number of items")
		return
	}
	fmt.Fprintf(w, "low\t%d\nhigh\t%d\n", *r.Low, *r.High)
}

func (r urnsReport) print(w io.Writer) {
	fmt.Fprintf(w, "estimate\t%d urns occupied after n=%d batches of k=%d\n", r.Bits, r.N, r.K)
	fmt.Fprintf(w, "lo\t%s\nmid\t%s\nhi\t%s\n", r.M.Lo, r.M.Mid, r.M.Hi)
	bias := "unbiased"
	if r.Biased {
		bias = "biased if there are more"
	}
	fmt.Fprintf(w, "bias\tnone up to %s urns: %s\n", r.UnbiasedTo, bias)
}
