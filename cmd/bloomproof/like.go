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

var likeFlag = flagSpec{"like", "NAME", "in place of -hashing and -block: the filter of another library or format\n(bloomproof like lists them)"}

var likeCommand = command{
	name:    "like",
	summary: "the filters of other libraries and formats, for -like of fpr, size and estimate",
	about: `
Lists the filters that -like knows. law says what the rate of such a filter rests on:

  exact      a proven enclosure, as narrow as -digits asks for
  enclosed   two proven numbers with the rate between them
  simulated  the 99 % interval of a simulation of the library's derivation, of the
             same seed in each run

The rate of the filter that size -like parquet -n 1e6 -fpr 0.01 finds stands below.
-json has all that was read at the source: version, file, hash, positions, the library's
rule for m and k, what the law takes for granted (an ideal hash function always), what a
user should know, and why nothing is proven where the law is simulated.`,
	example: `
  $ bloomproof fpr -like parquet -m 10529280 -n 1e6
  like         parquet, m=10529280 k=8 n=1000000
  law          enclosed
  lo           0.0099997208470372873
  mid          0.0099997241603307958
  hi           0.0099997274736243043
  independent  0.0099997218110069773`,
	run: func(*call) (report, error) {
		var r likeReport
		for _, f := range like.All() {
			r.Filters = append(r.Filters, likeRow{
				Name: f.Name, Version: f.Version, Source: f.Source, Hash: f.Hash, Positions: f.Positions,
				Sizing: f.Sizing, Assumes: f.Assumes, Finding: f.Finding, Law: f.Law, Unproven: f.Unproven,
			})
		}
		return r, nil
	},
}

// likeReport is the result of the command "like".
type likeReport struct {
	Filters []likeRow `json:"filters"`
}

type likeRow struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Source    string   `json:"source"`
	Hash      string   `json:"hash"`
	Positions string   `json:"positions"`
	Sizing    string   `json:"sizing"`
	Assumes   string   `json:"assumes"`
	Finding   string   `json:"finding"`
	Law       like.Law `json:"law"`
	Unproven  string   `json:"unproven,omitempty"` // why the rate is simulated
}

func (r likeReport) print(w io.Writer) {
	fmt.Fprintln(w, "name\tversion\tlaw\thash")
	for _, f := range r.Filters {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, f.Version, f.Law, f.Hash)
	}
}

// The flag -like names a filter, and the method "like" returns it. If the flag was not given, it returns nil.
func (in *inputs) like(forbidden ...string) *like.Filter {
	if !in.has(likeFlag.name) {
		return nil
	}
	for _, name := range append([]string{hashingFlag.name, blockFlag.name}, forbidden...) {
		if in.has(name) {
			in.fail(&usageError{name, "must be left out where -like is given"})
		}
	}
	f, err := like.Find(in.text(likeFlag.name))
	if err != nil {
		in.fail(err)
	}
	return f
}

// likeGeometry returns the geometry of the filter for the flags -m and -k. The flag -k may be absent if the filter
// permits only one k.
func (in *inputs) likeGeometry(f *like.Filter) bloomproof.Geometry {
	in.need("m")
	m, k := in.number("m", 1, 1<<64-1, 1), int(in.number("k", 1, bloomproof.MaxK, 0))
	if in.err != nil {
		return bloomproof.Geometry{}
	}
	g, err := f.Geometry(m, k)
	if err != nil {
		in.fail(err)
	}
	return g
}

// If the flag -like is given, a report has more fields. The type "liked" has these fields.
type liked struct {
	Like string   `json:"like"`
	Law  like.Law `json:"law"`
	// The field Independent has the rate for independent positions, in a filter of the same geometry.
	Independent *enclosure `json:"independent,omitempty"`
	Assumes     string     `json:"assumes"`
}

func (l *liked) print(w io.Writer, m count, k int, n count) {
	fmt.Fprintf(w, "like\t%s, m=%d k=%d n=%d\nlaw\t%s\n", l.Like, m, k, n, l.Law)
}

// likelyFPR answers the command "fpr" with the flag -like.
func likelyFPR(c *call) (report, error) {
	f := c.like("route", "bounds")
	c.need("n")
	var g bloomproof.Geometry
	if f != nil {
		g = c.likeGeometry(f)
	}
	n := c.number("n", 0, 1<<64-1, 0)
	digits := c.digits()
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	prec := exact.PrecFor(digits)
	e, err := f.Rate(g.M, g.K, n, prec)
	if err != nil {
		return nil, outOfRange("n", err)
	}
	r := fprReport{Hashing: g.Hashing, Block: count(g.Block), M: count(g.M), K: g.K, N: count(n)}
	r.Law = e.Law
	r.liked = &liked{Like: f.Name, Law: e.Law, Assumes: f.Assumes}
	if r.FPR, err = between(e, digits); err != nil {
		return nil, err
	}
	independent, taken, err := exact.FPR(g, n, prec, exact.Auto)
	if err != nil {
		return nil, costly(c, err)
	}
	r.Route = taken
	i, err := enclose(independent, digits)
	r.Independent = &i
	return r, err
}

// simulatedDigits is the number of digits of the ends of a simulated interval.
const simulatedDigits = 6

// The function "between" returns a rate as an enclosure. The enclosure consists of two ends and a midpoint. The
// ends are rounded outward to the given number of digits.
func between(r like.Rate, digits int) (enclosure, error) {
	var lo, hi *big.Float
	if r.Proven != nil {
		if d, err := enclose(*r.Proven, digits); !errors.Is(err, exact.ErrPrecision) {
			return d, err
		}
		lo, hi = r.Proven.Lo(), r.Proven.Hi()
	} else {
		digits = min(digits, simulatedDigits)
		lo, hi = big.NewFloat(r.Simulated.Low), big.NewFloat(r.Simulated.High)
	}
	end := func(x *big.Float) (lo, mid, hi string, err error) {
		p, err := exact.NewEnclosure(x, x)
		if err != nil {
			return "", "", "", err
		}
		return p.Decimal(digits)
	}
	middle := new(big.Float).SetPrec(max(lo.Prec(), hi.Prec())+2).Add(lo, hi)
	var d enclosure
	var err error
	if d.Lo, _, _, err = end(lo); err != nil {
		return d, err
	}
	if _, _, d.Hi, err = end(hi); err != nil {
		return d, err
	}
	_, d.Mid, _, err = end(middle.Quo(middle, big.NewFloat(2)))
	return d, err
}

// likeSizeReport is the report of the command "size" if the flag -like is given.
type likeSizeReport struct {
	Hashing bloomproof.Hashing `json:"hashing"` // the hashing of the filter with independent positions
	Block   count              `json:"block"`   // 0 if the filter has no blocks
	M       count              `json:"m"`
	K       int                `json:"k"`
	N       count              `json:"n"`
	FPR     enclosure          `json:"fpr"`
	Proof   string             `json:"proof"`
	Own     *ownSize           `json:"own"` // nil if the library has no rule, or if -n or -fpr was not given
	liked
}

// ownSize is the size that the library itself chooses.
type ownSize struct {
	M   count      `json:"m"`
	K   int        `json:"k"`
	FPR *enclosure `json:"fpr"` // nil if it cannot be computed
}

// likelySize answers the command "size" with the flag -like. The user has given two of the numbers m, n and target.
func likelySize(c *call, f *like.Filter, m, n uint64, k int, target *big.Rat, digits int) (report, error) {
	prec := exact.PrecFor(digits)
	var s like.Size
	var err error
	switch {
	case !c.has("m"):
		s, err = f.LeastBits(n, target, k, prec)
	case !c.has("n"):
		s, err = f.MostItems(m, target, k, prec)
	default:
		s, err = f.BestK(m, k, n, prec)
	}
	if err != nil {
		looked := "fpr"
		if !c.has(looked) {
			looked = "m"
		}
		return nil, outOfRange(looked, err)
	}
	g, err := f.Geometry(s.M, s.K)
	if err != nil {
		return nil, err
	}
	r := likeSizeReport{Hashing: g.Hashing, Block: count(g.Block), M: count(s.M), K: s.K, N: count(s.N), Proof: likeProof(s)}
	r.liked = liked{Like: f.Name, Law: s.Rate.Law, Assumes: f.Assumes}
	if r.FPR, err = between(s.Rate, digits); err != nil {
		return nil, err
	}
	if c.has("m") {
		return r, nil
	}
	rate, _ := target.Float64()
	ownM, ownK, ok := f.Own(n, rate)
	if !ok {
		return r, nil
	}
	r.Own = &ownSize{M: count(ownM), K: ownK}
	switch e, err := f.Rate(ownM, ownK, n, prec); {
	case errors.Is(err, bloomproof.ErrTooCostly):
	case err != nil:
		return nil, err
	default:
		own, err := between(e, digits)
		if err != nil {
			return nil, err
		}
		r.Own.FPR = &own
	}
	return r, nil
}

// likeProof returns a text that says how a size was proven or estimated.
func likeProof(s like.Size) string {
	if s.Tried == 0 {
		return proof(s.Assumes)
	}
	sizes := fmt.Sprint(s.Tried, " sizes")
	if s.Tried == 1 {
		sizes = "one size"
	}
	return fmt.Sprintf("none: the rate of %s was simulated, and that of this one is at most the one asked for, with 99 %% confidence in all; %s", sizes, s.Assumes)
}

func (r likeSizeReport) print(w io.Writer) {
	row := func(name, answer string, own func(o *ownSize) string) {
		fmt.Fprintf(w, "%s\t%s", name, answer)
		if r.Own != nil {
			fmt.Fprintf(w, "\t%s", own(r.Own))
		}
		fmt.Fprintln(w)
	}
	end := func(of func(e *enclosure) string) func(o *ownSize) string {
		return func(o *ownSize) string {
			if o.FPR == nil {
				return "-"
			}
			return of(o.FPR)
		}
	}
	if r.Own != nil {
		row("", "least for the rate", func(*ownSize) string { return r.Like + "'s own" })
	}
	row("m", fmt.Sprint(r.M), func(o *ownSize) string { return fmt.Sprint(o.M) })
	row("bits a key", bitsPerKey(r.M, r.N), func(o *ownSize) string { return bitsPerKey(o.M, r.N) })
	row("k", fmt.Sprint(r.K), func(o *ownSize) string { return fmt.Sprint(o.K) })
	row("n", fmt.Sprint(r.N), func(*ownSize) string { return fmt.Sprint(r.N) })
	row("rate from", r.FPR.Lo, end(func(e *enclosure) string { return e.Lo }))
	row("to", r.FPR.Hi, end(func(e *enclosure) string { return e.Hi }))
	fmt.Fprintf(w, "like\t%s\nlaw\t%s\nproof\t%s\n", r.Like, r.Law, r.Proof)
}

// bitsPerKey returns m/n as text.
func bitsPerKey(m, n count) string {
	if n == 0 {
		return "-"
	}
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(uint64(m)), new(big.Int).SetUint64(uint64(n))).FloatString(perKeyDigits)
}
