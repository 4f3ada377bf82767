package recycling

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fluid"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A k is excluded if and only if the bounds in the comment of the method "excluded" are above the target rate. The
// bounds are computed a second time. The target rate is just below or just above the largest of them, so each bound and
// each of its terms decides in some cases.
func TestExcludedFormula(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	random := rand.New(rand.NewPCG(3, 8))
	between := func(low, high float64) float64 { return low * math.Exp(random.Float64()*math.Log(high/low)) }
	decides := map[string]int{}
	for range longtest.More(1500, 6000) {
		k := 1 + random.IntN(20)
		m := float64(k) + math.Floor(between(1, 1e6))
		if random.IntN(3) == 0 {
			m = float64(k) + float64(random.IntN(40))
		}
		h := []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic}[random.IntN(2)]
		if random.IntN(8) == 0 { // so many bits that a share of them does not round to a number of bits
			m, h = math.Floor(between(0x1p44, 0x1p52)), bloomproof.Classic
		}
		r := bloomproof.Recycling{TwoPhase: random.IntN(2) == 0, NoCopyOver: random.IntN(4) == 0}
		kf := float64(k)
		arrivals := between(1, 2*m/kf+2) // C, or (1-p) C without copy-over
		switch random.IntN(8) {
		case 0:
			arrivals *= 10
		case 1: // nearly all bits are set
			arrivals = m / kf * between(6.3, 12)
		}
		// U(b) = m/k (-ln(1-(b+1)/m)) + (k-1)/k, and its inverse plus 1.
		bits := func(c float64) float64 { return -m * math.Expm1(-(kf*c-kf+1)/m) }
		if h == bloomproof.Classic && m < 200 && random.IntN(2) == 0 {
			// U(b) is just above the share of the capacity: without the slack of the roundings, b would be larger by one.
			set := kf + math.Floor(random.Float64()*(m-kf))
			set *= 1 + 0.75*0x1p-40
			arrivals = (kf - 1 - m*math.Log1p(-set/m)) / kf / []float64{0.5, 0.8, 0.95}[random.IntN(3)]
		}
		all := (m*(math.Log(m)+1) + kf - 1) / kf
		if math.Abs(arrivals/all-1) < 1e-11 {
			continue
		}
		taken := 1.0
		if h == bloomproof.Classic {
			taken = kf
		}
		fill := (bits(arrivals) - taken) / m
		if fill > 0 && fill < 0.01 {
			continue // the difference has too few digits
		}
		rate, by, slack := 0.0, "", 0x1p-40
		raise := func(x float64, name string) {
			if x > rate {
				rate, by = x, name
			}
		}
		if fill > 0 {
			s := min(fill, 1-0x1p-50)
			tail := 0.0
			if s < 0.9 {
				for j := kf + 1; j < kf+800; j++ {
					tail += math.Pow(s, j) / j
				}
			} else {
				tail = fluid.LogTail(k, s, 0x1p-50)
			}
			raise(tail*m/(kf*arrivals), "tail")
		}
		if h == bloomproof.Classic {
			g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
			for _, share := range []float64{0.5, 0.8, 0.95} {
				if b := bits(share*arrivals)*(1-0x1p-40) - 2; b > 0 {
					raise((1-share)*message.HitAt(g, uint64(b)).Float64(), "classic")
				}
			}
		}
		if frozen := (bits(arrivals) - 2*kf) / m; frozen > 0 && r.TwoPhase {
			raise(math.Pow(frozen, kf), "frozen")
		}
		if fill > 1-0x1p-9 {
			slack = 4 * 0x1p-23
			by += " nearly full"
		}
		above := func(p float64) bool {
			s := &cycleSearch{h: h, m: uint64(m), r: r, p: p}
			c := arrivals
			if r.NoCopyOver {
				c /= 1 - p
			}
			return s.excluded(k, c)
		}
		near := 3e-13 // above the errors of both computations, and a part of the slack
		if fill > 1-0x1p-9 {
			near = 1e-9 // 1-fill is 1e-6 or more, its error is a few times 2^-53, and the tail grows with 1/(1-fill)
		}
		low, high := rate/(1+slack)*(1-near), rate/(1+slack)*(1+near)
		if arrivals*(1-0x1p-40) > all {
			by, low, high = "harmonic", 0.999, 0
		}
		if !(low < 0.9999) || low < 1e-200 && by != "harmonic" {
			continue
		}
		decides[by]++
		if !above(low) {
			t.Errorf("%v, m = %v, k = %d, %v arrivals, %+v: the target %.17g is not excluded, the bound is %.17g (%s)", h, m, k, arrivals, r, low, rate, by)
		}
		if high > 0 && high < 1 && above(high) {
			t.Errorf("%v, m = %v, k = %d, %v arrivals, %+v: the target %.17g is excluded, the bound is %.17g (%s)", h, m, k, arrivals, r, high, rate, by)
		}
	}
	for _, by := range []string{"tail", "classic", "frozen", "harmonic", "tail nearly full"} {
		if decides[by] < 5 {
			t.Errorf("the bounds decided so often: %v", decides)
			break
		}
	}
	// With more than the largest capacity, a k is excluded for every target rate.
	for range 200 {
		k := 1 + random.IntN(60)
		m := float64(k) + math.Floor(between(1, 1e6))
		all := (m*(math.Log(m)+1) + float64(k) - 1) / float64(k)
		s := &cycleSearch{m: uint64(m), p: math.Nextafter(1, 0)}
		if limit := all / (1 - 0x1p-40); s.excluded(k, limit*(1-1e-14)) || !s.excluded(k, limit*(1+1e-14)) {
			t.Errorf("m = %v, k = %d: %.17g arrivals are not the limit", m, k, limit)
		}
	}
	// Where the tail is not computed, nothing excludes a k.
	s := &cycleSearch{m: 1000, p: 0x1p-1000}
	if s.excluded(3, 1) {
		t.Error("one arrival is too many")
	}
}
