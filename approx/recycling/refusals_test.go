package recycling

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestRefusals gives each exported function arguments at the limits of its domain, and arguments just outside of them. It
// compares the texts of the errors.
func TestRefusals(t *testing.T) {
	check := func(call string, err error, want string) {
		t.Helper()
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want the error %q", call, err, want)
		}
	}
	const (
		bits    = "bloomproof: messages must be 0 (the bit-bounded rule), got 9"
		hashing = "bloomproof: hashing must be standard or classic for recycling filters, got partitioned"
		blocks  = "bloomproof: block must be 0 for recycling filters, got 64"
		rule    = "bloomproof: recycling must be bit-bounded with sigma left out, got "
		k       = "bloomproof: k must be between 1 and 4096, or 0 for the best, got %d"
		p       = "bloomproof: p must be between 0 and 1, exclusive, got %v"
		filled  = "approx: undefined here: the frozen array can hold all bits, and then nothing more is recorded: the long-run rate is 1"
		full    = "approx: undefined here: an array can hold all bits before its cycle ends: the long-run rate is 1"
		naive   = "bloomproof: naive must be worst, oracle or average, got none"
		alone   = "bloomproof: block must be 0: the formulas are for filters without blocks, got 64"
		classic = "bloomproof: hashing must be that of the formulas, standard, got classic"
		k0      = "bloomproof: k must be between 1 and 4096, got %d"
		m       = "bloomproof: m must be between 1 and 2^64-1, got 0"
	)
	plain := bloomproof.Geometry{M: 64, K: 3}
	bare := func(sigma uint64) bloomproof.Recycling {
		return bloomproof.Recycling{Sigma: sigma, TwoPhase: true, FreshPositions: true, NoCopyOver: true}
	}
	for _, x := range []struct {
		g    bloomproof.Geometry
		r    bloomproof.Recycling
		want string
	}{
		{bloomproof.Geometry{M: 64, K: 4, Hashing: bloomproof.Partitioned}, bloomproof.Recycling{Sigma: 9}, hashing},
		{bloomproof.Geometry{M: 128, K: 3, Block: 64}, bloomproof.Recycling{Sigma: 9}, blocks},
		{plain, bloomproof.Recycling{Sigma: 9, TwoPhase: true, NoCopyOver: true}, "bloomproof: copy must be true with fixed positions, got false"},
		{plain, bare(60), ""}, {plain, bare(61), filled},
		{plain, bloomproof.Recycling{Messages: 9, TwoPhase: true, Retain: true},
			"bloomproof: retain must be false for message-bounded filters of two phases and fixed positions, got true"},
		{plain, bloomproof.Recycling{Messages: 22}, ""}, {plain, bloomproof.Recycling{Messages: 23}, full},
	} {
		c, err := New(x.g, x.r)
		check(fmt.Sprint("New ", x.g, x.r), err, x.want)
		if (c == nil) != (err != nil) {
			t.Errorf("%v, %v: %v, %v", x.g, x.r, c, err)
		}
	}
	made := func(r bloomproof.Recycling) *Cycle {
		c, err := New(plain, r)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	byBits, byMessages := made(bloomproof.Recycling{Sigma: 30}), made(bloomproof.Recycling{Messages: 9})
	for b, want := range map[uint64][3]string{
		30: {}, 31: {"bloomproof: b must be at most sigma = 30, got 31", "", ""},
		64: {"bloomproof: b must be at most sigma = 30, got 64", "", ""},
		65: {"bloomproof: b must be at most sigma = 30, got 65", "bloomproof: b must be at most m = 64, got 65", "bloomproof: i must be at most m, got 65"},
	} {
		_, err := byBits.State(b)
		check(fmt.Sprint("State ", b), err, want[0])
		n, err := byBits.MessagesFrom(b)
		check(fmt.Sprint("MessagesFrom ", b), err, want[1])
		if b > 30 && n != 0 {
			t.Errorf("from %d bits on: %v messages", b, n)
		}
		_, err = byBits.Frozen(b, false)
		check(fmt.Sprint("Frozen ", b), err, want[2])
	}
	for b, want := range map[uint64]bool{0: true, 24: true, 25: false, 1 << 40: false} {
		if x, err := byMessages.State(b); err != nil || x > 0 != want {
			t.Errorf("State %d of a message-bounded filter: %v, %v", b, x, err)
		}
	}
	_, err := byMessages.MessagesFrom(1)
	check("MessagesFrom", err, bits)
	_, err = byMessages.Frozen(1, false)
	check("Frozen", err, bits)
	for _, x := range []struct {
		r         bloomproof.Recycling
		corrected bool
		want      string
	}{
		{bloomproof.Recycling{Messages: 9}, false, "approx: undefined here"}, {bloomproof.Recycling{Sigma: 0}, false, "approx: undefined here"},
		{bloomproof.Recycling{Sigma: 1}, true, ""}, {bloomproof.Recycling{Sigma: 9, TwoPhase: true}, true, "approx: undefined here"},
		{bloomproof.Recycling{Sigma: 9, TwoPhase: true}, false, ""},
	} {
		_, _, err := made(x.r).Fluid(x.corrected)
		check(fmt.Sprint("Fluid ", x.r), err, x.want)
	}
	_, err = made(bloomproof.Recycling{Sigma: 0}).LogFPR()
	check("LogFPR of one message", err, "approx: undefined here")
	_, err = made(bloomproof.Recycling{Sigma: 3}).LogFPR()
	check("LogFPR", err, "")

	// Searches for sizes.
	usual := bloomproof.Recycling{}
	for _, x := range []struct {
		g    bloomproof.Geometry
		r    bloomproof.Recycling
		p    float64
		want string
	}{
		{plain, usual, 0.1, ""}, {bloomproof.Geometry{M: 0, K: 3}, usual, 0.1, m},
		{bloomproof.Geometry{M: 64, K: -1}, usual, 0.1, fmt.Sprintf(k, -1)}, {bloomproof.Geometry{M: 64, K: 4097}, usual, 0.1, fmt.Sprintf(k, 4097)},
		{bloomproof.Geometry{M: 64, K: 4, Hashing: bloomproof.Partitioned}, usual, 0.1, hashing},
		{bloomproof.Geometry{M: 128, K: 3, Block: 64}, usual, 0.1, blocks},
		{plain, bloomproof.Recycling{Sigma: 1}, 0.1, rule + fmt.Sprint(bloomproof.Recycling{Sigma: 1})[:64] + "..."},
		{plain, bloomproof.Recycling{Messages: 1}, 0.1, rule + fmt.Sprint(bloomproof.Recycling{Messages: 1})[:64] + "..."},
		{bloomproof.Geometry{M: 4, K: 3}, bloomproof.Recycling{Retain: true}, 0.9, ""},
		{bloomproof.Geometry{M: 3, K: 3}, bloomproof.Recycling{Retain: true}, 0.9, "bloomproof: m must be above k when retaining, got 3"},
		{plain, usual, 0, fmt.Sprintf(p, 0)}, {plain, usual, 1, fmt.Sprintf(p, 1)}, {plain, usual, math.NaN(), fmt.Sprintf(p, math.NaN())},
		{plain, usual, math.Nextafter(0, 1), ""}, {plain, usual, math.Nextafter(1, 0), ""},
		{plain, bloomproof.Recycling{Retain: true}, 1e-9, "every sigma has a larger rate: approx: undefined here"},
	} {
		_, err := MostMessages(x.g, x.r, x.p)
		check(fmt.Sprint("MostMessages of ", x.g, x.r, x.p), err, x.want)
	}
	for _, x := range []struct {
		g    bloomproof.Geometry
		n    uint64
		want string
	}{
		{bloomproof.Geometry{K: 3}, 1, ""}, {bloomproof.Geometry{K: 3}, 0, "bloomproof: n must be at least 1, got 0"},
		{plain, 5, "bloomproof: m must be 0, which is looked for, got 64"}, {bloomproof.Geometry{K: 4097}, 5, fmt.Sprintf(k, 4097)},
		{bloomproof.Geometry{K: 3}, 1 << 62, "m is about 2^61 or more: approx: beyond the range of its type"},
	} {
		_, err := LeastBits(x.g, x.n, usual, 0.1)
		check(fmt.Sprint("LeastBits of ", x.g, x.n), err, x.want)
	}
	for _, x := range []struct {
		g         bloomproof.Geometry
		v         Naive
		n         uint64
		p         float64
		of, sized string // what NaiveRate and NaiveMessages say
	}{
		{plain, naiveWorst, 1, 0.1, "", ""}, {plain, naiveOracle, 0, 0.1, "bloomproof: n must be at least 1, got 0", ""},
		{plain, "none", 1, 0.1, naive, naive},
		{bloomproof.Geometry{M: 128, K: 3, Block: 64}, naiveWorst, 1, 0.1, alone, alone},
		{bloomproof.Geometry{M: 64, K: 3, Hashing: bloomproof.Classic}, naiveWorst, 1, 0.1, classic, classic},
		{plain, naiveAverage, 1, 1, "", fmt.Sprintf(p, 1)},
		{bloomproof.Geometry{M: 64, K: 0}, naiveWorst, 1, 0.1, fmt.Sprintf(k0, 0), ""},
		{bloomproof.Geometry{M: 64, K: -1}, naiveWorst, 1, 0.1, fmt.Sprintf(k0, -1), fmt.Sprintf(k0, -1)},
		{bloomproof.Geometry{M: 0, K: 3}, naiveWorst, 1, 0.1, m, m},
	} {
		_, err := NaiveRate(x.g, x.n, x.v)
		check(fmt.Sprint("NaiveRate of ", x.g, x.v, x.n), err, x.of)
		_, err = NaiveMessages(x.g, x.v, false, x.p)
		check(fmt.Sprint("NaiveMessages of ", x.g, x.v, x.p), err, x.sized)
	}
}
