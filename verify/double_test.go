package verify_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// The rate of double hashing is that of drawn starts and steps, in filters too large to be
// enumerated, where the standard rate is not.
//
// Claims: none of a paper's.
func TestDoubleIsSimulated(t *testing.T) {
	const confidence = 0.9999
	for _, g := range []bloomproof.Geometry{
		{M: 251, K: 7, Hashing: bloomproof.Double}, {M: 252, K: 7, Hashing: bloomproof.Double},
		{M: 251, K: 7, Hashing: bloomproof.DoubleZero}, {M: 240, K: 6, Hashing: bloomproof.DoubleZero},
		{M: 256, K: 7, Hashing: bloomproof.DoubleZero}, {M: 256, K: 7, Hashing: bloomproof.DoubleOdd},
		{M: 84, K: 7, Hashing: bloomproof.DoublePartitioned}, {M: 64, K: 7, Hashing: bloomproof.EnhancedDouble},
		{M: 31, K: 6, Hashing: bloomproof.Triple}, {M: 32, K: 6, Hashing: bloomproof.Triple},
	} {
		n := halfFill(g)
		runs, err := sim.Fill(context.Background(), g, n, sim.Plan{Runs: 30, Arrivals: longtest.More[uint64](3e5, 1e7), Seed: 1, Ideal: true})
		if err != nil {
			t.Fatal(err)
		}
		got, err := sim.Rate(runs, (*sim.Tally).PerNew, confidence)
		if err != nil {
			t.Fatal(err)
		}
		if f := doubleRate(t, g, n); f < got.Low || f > got.High {
			t.Errorf("%v n=%d: the rate is %.5g, simulated %.5g to %.5g", g, n, f, got.Low, got.High)
		}
		g.Hashing = bloomproof.Standard
		if f := doubleRate(t, g, n); f >= got.Low {
			t.Errorf("%v n=%d: the rate %.5g is not told from the simulated one, %.5g to %.5g", g, n, f, got.Low, got.High)
		}
	}
}

// halfFill returns the items that set about half of the bits.
func halfFill(g bloomproof.Geometry) uint64 {
	return uint64(math.Round(float64(g.M) * math.Ln2 / float64(g.K)))
}

func doubleRate(t *testing.T, g bloomproof.Geometry, n uint64) float64 {
	t.Helper()
	f, _, err := exact.FPR(g, n, 64, exact.Auto)
	if err != nil {
		t.Fatal(err)
	}
	return f.Float64()
}

// doubleExcess returns the rate at half fill over that of the standard filter, less 1.
func doubleExcess(t *testing.T, g bloomproof.Geometry) float64 {
	t.Helper()
	n := halfFill(g)
	f := doubleRate(t, g, n)
	g.Hashing = bloomproof.Standard
	return f/doubleRate(t, g, n) - 1
}

// The table of enhanced double hashing in docs/sizing.md is what package exact computes.
//
// Claims: none of a paper's.
func TestEnhancedDoubleTable(t *testing.T) {
	page, err := os.ReadFile("../docs/sizing.md")
	if err != nil {
		t.Fatal(err)
	}
	for k := 3; k <= longtest.More(5, 12); k++ {
		row := fmt.Sprintf("| %d |", k)
		for _, h := range []bloomproof.Hashing{bloomproof.EnhancedDouble, bloomproof.DoubleZero} {
			row += fmt.Sprintf(" %.2f %% |", 100*doubleExcess(t, bloomproof.Geometry{M: 1024, K: k, Hashing: h}))
		}
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/sizing.md lacks the row %s", row)
		}
	}
}

// The table of docs/sizing.md that says from which m on enhanced double and triple hashing are certainly within 1 % of the standard
// filter is what package exact encloses.
//
// Claims: none of a paper's.
func TestEnclosedTable(t *testing.T) {
	const at, within = 24, 0.01
	page, err := os.ReadFile("../docs/sizing.md")
	if err != nil {
		t.Fatal(err)
	}
	certain := func(g bloomproof.Geometry) bool {
		n := halfFill(g)
		route := exact.Route("pairs")
		if g.Hashing == bloomproof.Triple && g.M <= 1<<6 || g.Hashing != bloomproof.Triple && g.M <= 1<<9 {
			route = exact.Auto
		}
		e, _, err := exact.FPR(g, n, 64, route)
		if errors.Is(err, bloomproof.ErrUndefined) || errors.Is(err, bloomproof.ErrTooCostly) {
			return false
		} else if err != nil {
			t.Fatal(err)
		}
		g.Hashing = bloomproof.Standard
		f := doubleRate(t, g, n)
		lo, _ := e.Lo().Float64()
		hi, _ := e.Hi().Float64()
		return lo >= (1-within)*f && hi <= (1+within)*f
	}
	for k := 3; k <= longtest.More(4, 16); k++ {
		row := fmt.Sprintf("| %d |", k)
		for _, c := range []struct {
			h     bloomproof.Hashing
			prime bool
		}{{bloomproof.EnhancedDouble, false}, {bloomproof.Triple, true}, {bloomproof.Triple, false}} {
			from := at + 1
			for ; from > 4; from-- {
				g := bloomproof.Geometry{M: 1 << (from - 1), K: k, Hashing: c.h}
				if c.prime {
					g.M = primeUpTo(g.M)
				}
				if !certain(g) {
					break
				}
			}
			row += fmt.Sprintf(" 2^%d |", from)
		}
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/sizing.md lacks the row %s", row)
		}
	}
}

func primeUpTo(m uint64) uint64 {
	for !new(big.Int).SetUint64(m).ProbablyPrime(0) {
		m--
	}
	return m
}

// The table of docs/sizing.md is what package exact computes.
//
// Claims: none of a paper's.
func TestDoubleTable(t *testing.T) {
	const at, within = 20, 0.01
	page, err := os.ReadFile("../docs/sizing.md")
	if err != nil {
		t.Fatal(err)
	}
	for k := 3; k <= longtest.More(5, 16); k++ {
		row := fmt.Sprintf("| %d |", k)
		for _, h := range []bloomproof.Hashing{bloomproof.Double, bloomproof.DoubleZero, bloomproof.DoubleOdd, bloomproof.DoublePartitioned} {
			sized := func(bits int) bloomproof.Geometry {
				g := bloomproof.Geometry{M: 1 << bits, K: k, Hashing: h}
				switch h {
				case bloomproof.Double:
					g.M = primeUpTo(g.M)
				case bloomproof.DoublePartitioned:
					g.M = uint64(k) * primeUpTo(g.M/uint64(k))
				}
				return g
			}
			g := sized(at)
			from := at
			for ; math.Abs(doubleExcess(t, sized(from))) > within; from++ {
			}
			for ; math.Abs(doubleExcess(t, sized(from-1))) <= within; from-- {
			}
			x := doubleExcess(t, g) * float64(g.M)
			digits := max(0, 1-int(math.Floor(math.Log10(math.Abs(x)))))
			row += fmt.Sprintf(" %.*f | 2^%d |", digits, x, from)
		}
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/sizing.md lacks the row %s", row)
		}
	}
}
