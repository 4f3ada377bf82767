package approx

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

var everyHashing = []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned}

// bruteBest returns the least rate over all k up to most, and the first k that has it
// but for 1e-12.
func bruteBest(h bloomproof.Hashing, m, n uint64, most int) (k int, least float64) {
	least = 2
	for at := 1; at <= most; at++ {
		f, err := FPR(bloomproof.Geometry{M: m, K: at, Hashing: h}, n)
		if err == nil && f < least*(1-1e-12) {
			k, least = at, f
		}
	}
	return k, least
}

// OptimalK finds the least rate of all k, and says so only where it is certain.
func TestOptimalKBruteForce(t *testing.T) {
	most := uint64(40)
	if !longtest.Enabled() {
		most = 14
	}
	rivals, uncertain := 0, 0
	for _, h := range everyHashing {
		for m := uint64(1); m <= most; m++ {
			for n := range uint64(16) {
				o, err := OptimalK(bloomproof.Geometry{M: m, Hashing: h}, n)
				if err != nil {
					t.Fatal(err)
				}
				k, least := bruteBest(h, m, n, 70)
				if math.Abs(o.Rate-least) > 1e-12*least || o.Geometry.K != k && o.Rival != k {
					t.Errorf("OptimalK(%v, %d, %d) = %+v, want k = %d, rate %v", h, m, n, o, k, least)
				}
				if o.Rival != 0 {
					rivals++
					f, err := FPR(bloomproof.Geometry{M: m, K: o.Rival, Hashing: h}, n)
					if err != nil || math.Abs(f-o.Rate) > 1e-12*f {
						t.Errorf("OptimalK(%v, %d, %d) = %+v: the rival has %v, %v", h, m, n, o, f, err)
					}
				}
				if !o.Certain {
					uncertain++
				}
			}
		}
	}
	t.Logf("%d rivals, %d uncertain", rivals, uncertain)
	if o, _ := OptimalK(bloomproof.Geometry{M: 3}, 1); o.Geometry.K+o.Rival != 3 { // the exact tie f_S(3,1,1) = f_S(3,1,2)
		t.Errorf("OptimalK(3, 1) = %+v, want 1 and 2", o)
	}
}

// MostItems and LeastBits are where the rate, or the least over k, passes p.
func TestSizing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	cases := 60
	if !longtest.Enabled() {
		cases = 15
	}
	least := func(h bloomproof.Hashing, m, n uint64, k int) float64 {
		if k == 0 {
			o, _ := OptimalK(bloomproof.Geometry{M: m, Hashing: h}, n)
			return o.Rate
		}
		f, err := FPR(bloomproof.Geometry{M: m, K: k, Hashing: h}, n)
		if err != nil {
			return 1 // there is no such filter
		}
		return f
	}
	// passes reports that the rate passes p from near to far; where the errors hide it,
	// but for them.
	passes := func(o Optimum, p, within, beyond float64) bool {
		slack := 1e-12
		if o.Certain {
			slack = 0
		}
		return within <= p*(1+slack) && beyond >= p*(1-slack) && (beyond > p || !o.Certain)
	}
	certain := 0
	for i := range cases {
		for _, h := range everyHashing {
			k := i % 14
			m := max(2*uint64(k+1), r.Uint64()>>(4+r.IntN(58)))
			unit := uint64(1)
			if h == bloomproof.Partitioned {
				if k == 0 {
					m = max(1, m/12) * 12
				} else {
					unit = uint64(k)
					m -= m % unit
				}
			}
			p := math.Exp(-40 * r.Float64())
			o, err := MostItems(bloomproof.Geometry{M: m, K: k, Hashing: h}, p)
			if err != nil {
				t.Fatalf("MostItems(%v, %d, %d, %v): %v", h, m, k, p, err)
			}
			if at, next := least(h, m, o.N, k), least(h, m, o.N+1, k); !passes(o, p, at, next) || o.Rate != at {
				t.Errorf("MostItems(%v, %d, %d, %v) = %+v: rate %v, then %v", h, m, k, p, o, at, next)
			}
			if o.Certain {
				certain++
			}
			n := 1 + r.Uint64()>>(24+r.IntN(40))
			o, err = LeastBits(bloomproof.Geometry{K: k, Hashing: h}, n, p)
			if errors.Is(err, bloomproof.ErrRange) && k > 0 && k < 5 {
				continue
			}
			if err != nil {
				t.Fatalf("LeastBits(%v, %d, %d, %v): %v", h, n, k, p, err)
			}
			if at, below := least(h, o.Geometry.M, n, k), least(h, o.Geometry.M-unit, n, k); !passes(o, p, at, below) || o.Rate != at {
				t.Errorf("LeastBits(%v, %d, %d, %v) = %+v: rate %v, below %v", h, n, k, p, o, at, below)
			}
		}
	}
	if certain < cases {
		t.Errorf("only %d answers of %d were certain", certain, 3*cases)
	}
}

// Bad arguments are refused; answers beyond 64 bits are an error.
func TestSizingErrors(t *testing.T) {
	for _, c := range []struct {
		param string
		call  func() (Optimum, error)
	}{
		{"m", func() (Optimum, error) { return OptimalK(bloomproof.Geometry{}, 1) }},
		{"hashing", func() (Optimum, error) { return OptimalK(bloomproof.Geometry{M: 8, Hashing: 9}, 1) }},
		{"m", func() (Optimum, error) { return MostItems(bloomproof.Geometry{K: 1}, 0.5) }},
		{"k", func() (Optimum, error) { return MostItems(bloomproof.Geometry{M: 8, K: 4097}, 0.5) }},
		{"k", func() (Optimum, error) {
			return MostItems(bloomproof.Geometry{M: 8, K: 3, Hashing: bloomproof.Partitioned}, 0.5)
		}},
		{"k", func() (Optimum, error) { return LeastBits(bloomproof.Geometry{K: -1}, 8, 0.5) }},
		{"p", func() (Optimum, error) { return LeastBits(bloomproof.Geometry{K: 1}, 8, 0) }},
		{"p", func() (Optimum, error) { return LeastBits(bloomproof.Geometry{K: 1}, 8, math.NaN()) }},
		{"p", func() (Optimum, error) { return MostItems(bloomproof.Geometry{M: 8, K: 1}, 1) }},
	} {
		_, err := c.call()
		var p *bloomproof.ParamError
		if !errors.As(err, &p) || p.Param != c.param {
			t.Errorf("%v, want a ParamError of %s", err, c.param)
		}
	}
	if o, err := MostItems(bloomproof.Geometry{M: 1<<64 - 1, K: 1}, 0.9999999999); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("MostItems: %+v, %v, want bloomproof.ErrRange", o, err)
	}
	if o, err := LeastBits(bloomproof.Geometry{Hashing: bloomproof.Classic}, 1<<64-1, 1e-9); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("LeastBits: %+v, %v, want bloomproof.ErrRange", o, err)
	}
}

func BenchmarkOptimum(b *testing.B) {
	for _, h := range everyHashing {
		b.Run("find=k/hashing="+h.String(), func(b *testing.B) {
			for b.Loop() {
				OptimalK(bloomproof.Geometry{M: 1 << 40, Hashing: h}, 3e10)
			}
		})
		b.Run("find=n/hashing="+h.String(), func(b *testing.B) {
			for b.Loop() {
				MostItems(bloomproof.Geometry{M: 1 << 40, Hashing: h}, 1e-6)
			}
		})
		b.Run("find=m/hashing="+h.String(), func(b *testing.B) {
			for b.Loop() {
				LeastBits(bloomproof.Geometry{Hashing: h}, 3e10, 1e-6)
			}
		})
	}
}
