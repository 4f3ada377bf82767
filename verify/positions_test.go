package verify_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/internal/property"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The position derivation is good enough when filters that use it keep the laws of
// ideal positions. The sampling unit is the filter (or, for the laws of positions, a
// pair of items), each with hashes of its own, so samples are independent and their
// variance is known exactly. The whole examination of a subject has a false-alarm
// probability of at most falseAlarm: Bonferroni over all cells, laws and looks.
const falseAlarm = 1e-3

// fewest is the size of the first look.
const fewest = 16

var probesFlag = flag.Uint64("probes", 6e7, "probes, over all cells, that the examination of the position derivation spends on rates (a thirtieth with -short)")

// subject is a filter whose positions are examined.
type subject struct {
	hashings  []bloomproof.Hashing
	open      func(bloomproof.Geometry) (mutant.Filter, error)
	positions mutant.Positions
}

func kernelSubject() subject {
	return subject{
		hashings: []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned},
		open: func(g bloomproof.Geometry) (mutant.Filter, error) {
			return kernel.New(g, kernel.Options{})
		},
		positions: func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			dst, err := kernel.AppendPositions(dst, g, h)
			if err != nil {
				panic(err)
			}
			return dst
		},
	}
}

func mutantSubject(m mutant.Mutant) subject {
	return subject{hashings: []bloomproof.Hashing{bloomproof.Standard}, open: m.New, positions: m.Positions}
}

// source gives the hashes of the items that one more filter meets.
type source struct {
	name string
	open func(r *rand.ChaCha8) func() kernel.Hash
}

// ready are ready-made hashes: ideal ones, from a strong generator.
var ready = source{"ready-made", func(r *rand.ChaCha8) func() kernel.Hash {
	return func() kernel.Hash { return kernel.Hash{H0: r.Uint64(), H1: r.Uint64()} }
}}

// counters are ready-made hashes that look far from uniform: H0 counts up by one from
// item to item and H1 stays.
var counters = source{"counting hash", func(r *rand.ChaCha8) func() kernel.Hash {
	h := kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
	return func() kernel.Hash {
		h.H0++
		return h
	}
}}

// keySource hashes key(0), key(1), ... with the default scheme under a seed for each
// filter.
func keySource(name string, key func(dst []byte, i uint64) []byte) source {
	return source{name, func(r *rand.ChaCha8) func() kernel.Hash {
		f, err := kernel.New(bloomproof.Geometry{M: 64, K: 1}, kernel.Options{Seed: r.Uint64()})
		if err != nil {
			panic(err)
		}
		var i uint64
		var buf []byte
		return func() kernel.Hash {
			buf = key(buf[:0], i)
			i++
			return f.Hasher().Bytes(buf)
		}
	}}
}

var (
	prefix   = strings.Repeat("https://example.org/a/long/common/prefix/", 6)
	integers = keySource("sequential integers", binary.LittleEndian.AppendUint64)
	prefixed = keySource("long common prefix", func(dst []byte, i uint64) []byte { return strconv.AppendUint(append(dst, prefix...), i, 10) })
)

// cell is one setting of the examination.
type cell struct {
	g      bloomproof.Geometry
	n      uint64 // items in a filter
	source source
}

func (c cell) String() string { return fmt.Sprintf("%v n=%d, keys: %s", c.g, c.n, c.source.name) }

// loadFor returns the n, at least 2, whose rate is nearest to target by the usual
// approximation: it only chooses where to measure.
func loadFor(g bloomproof.Geometry, target float64) uint64 {
	fill := math.Pow(target, 1/float64(g.K))
	n := math.Log1p(-fill) / math.Log1p(-float64(g.K)/float64(g.M))
	if g.Hashing == bloomproof.Standard {
		n = math.Log1p(-fill) / math.Log1p(-1/float64(g.M)) / float64(g.K)
	}
	return max(2, uint64(math.Round(n)))
}

// cells are the settings of the examination for these hashings: ready-made hashes
// everywhere, and keys that an honest user could have in some of them; m up to maxM.
func cells(hashings []bloomproof.Hashing, maxM uint64) []cell {
	var out []cell
	for _, h := range hashings {
		// 96 is where reduction by remainder shows most: 3/4 of a power of two.
		for _, m := range []uint64{64, 96, 257, 1024, 65536} {
			if m > maxM {
				continue
			}
			for _, k := range []int{1, 2, 3, 4, 7, 13, 24, 40} {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if h == bloomproof.Partitioned {
					g.M -= m % uint64(k)
				}
				if h != bloomproof.Standard && k == 1 {
					continue // the three hashings are one
				}
				if h == bloomproof.Partitioned && g.M < 2*uint64(k) {
					continue // every position is certain
				}
				for _, target := range []float64{0.03, 0.4} {
					n := loadFor(g, target)
					out = append(out, cell{g, n, ready})
					if (k == 3 || k == 13) && target == 0.4 {
						out = append(out, cell{g, n, integers}, cell{g, n, prefixed}, cell{g, n, counters})
					}
				}
			}
		}
	}
	return out
}

// setBits returns the mean and the variance of the share of the m bits that n items
// set: of a bit, P[clear] = q1^n; of two, P[both clear] = q2^n.
func setBits(g bloomproof.Geometry, n uint64) sequential.Law {
	m, items, slices := g.M, n, uint64(1)
	k := uint64(g.K)
	q1, q2 := big.NewRat(int64(m-1), int64(m)), big.NewRat(int64(m-2), int64(m))
	switch g.Hashing {
	case bloomproof.Standard:
		items = n * k
	case bloomproof.Classic:
		q1 = big.NewRat(int64(m-k), int64(m))
		q2 = big.NewRat(int64((m-k)*(m-k-1)), int64(m*(m-1)))
	case bloomproof.Partitioned: // k independent slices with one ball an item
		slices, m = k, m/k
		q1, q2 = big.NewRat(int64(m-1), int64(m)), big.NewRat(int64(m-2), int64(m))
	}
	const prec = 400 // 1e-120, and the variance cancels some ten digits
	power := func(q *big.Rat) *big.Float {
		x, p := new(big.Float).SetPrec(prec).SetRat(q), new(big.Float).SetPrec(prec).SetInt64(1)
		for e := items; e > 0; e >>= 1 {
			if e&1 == 1 {
				p.Mul(p, x)
			}
			x.Mul(x, x)
		}
		return p
	}
	number := func(x uint64) *big.Float { return new(big.Float).SetPrec(prec).SetUint64(x) }
	one, two := power(q1), power(q2)
	// Var/m^2 = (one + (m-1) two)/m - one^2 in a slice; the slices' shares are averaged.
	v := new(big.Float).Mul(number(m-1), two)
	v.Add(v, one).Quo(v, number(m)).Sub(v, new(big.Float).Mul(one, one)).Quo(v, number(slices))
	mean, _ := new(big.Float).Sub(number(1), one).Float64()
	variance, _ := v.Float64()
	return sequential.Law{Mean: mean, Variance: variance}
}

// rateLaw returns the law of the hit fraction of q probes of a filter after n items:
// given its state, q independent probes of probability rate; E rate = f, E rate^2 = s.
// It chooses the q that gives the sharpest result for its cost, n additions and q
// probes: the square root of n (f-s)/(s-f^2), but at most most.
func rateLaw(t *testing.T, c cell, most uint64) (law sequential.Law, q uint64) {
	t.Helper()
	first, _, err := exact.FPR(c.g, c.n, 64, exact.Auto)
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	second, err := exact.SecondMoment(c.g, c.n, 120)
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	f, s := first.Float64(), second.Float64()
	if f < 0.01 || f > 0.8 {
		t.Fatalf("%v: the rate %v is no good place to measure", c, f)
	}
	within, between := f-s, s-f*f
	q = min(most, max(1, uint64(math.Sqrt(float64(c.n)*within/between))))
	return sequential.Law{Mean: f, Variance: within/float64(q) + between}, q
}

// finding is a law that a subject breaks.
type finding struct {
	cell cell
	law  mutant.Law
	test *sequential.MeanTest
}

func (f finding) String() string { return fmt.Sprintf("%v: %s: %v", f.cell, f.law, f.test) }

// positionLaw is a law of the k positions of one item, or of two.
type positionLaw struct {
	name   mutant.Law
	law    sequential.Law
	sample func(a, b []uint64) float64
}

func positionLaws(g bloomproof.Geometry) []positionLaw {
	m, k := float64(g.M), float64(g.K)
	offset := func(int, uint64) uint64 { panic("no geometry") }
	width := m // positions are compared within this many
	switch g.Hashing {
	case bloomproof.Partitioned:
		slice := g.M / uint64(g.K)
		width = float64(slice)
		offset = func(j int, p uint64) uint64 { return p - uint64(j)*slice }
	default:
		offset = func(_ int, p uint64) uint64 { return p }
	}
	// Place: uniform on 0..w-1, divided by w-1; the mean of k of them, without
	// replacement for classic.
	place := sequential.Law{Mean: 0.5, Variance: (width + 1) / (12 * (width - 1) * k)}
	if g.Hashing == bloomproof.Classic {
		place.Variance *= (m - k) / (m - 1)
	}
	laws := []positionLaw{{mutant.Place, place, func(a, _ []uint64) float64 {
		sum := 0.0
		for j, p := range a {
			sum += float64(offset(j, p))
		}
		return sum / ((width - 1) * k)
	}}}
	// Coincidences of independent uniform positions are pairwise independent, also of
	// pairs that share a position, so their number has the variance of a binomial.
	p := 1 / width
	coincide := func(pairs float64) sequential.Law { return sequential.Law{Mean: p, Variance: p * (1 - p) / pairs} }
	if g.Hashing != bloomproof.Classic && g.K > 1 {
		pairs := k * (k - 1) / 2
		laws = append(laws, positionLaw{mutant.Repeats, coincide(pairs), func(a, _ []uint64) float64 {
			hits := 0
			for i, x := range a {
				for j := range i {
					if offset(i, x) == offset(j, a[j]) {
						hits++
					}
				}
			}
			return float64(hits) / pairs
		}})
	}
	met := coincide(k * k)
	if g.Hashing == bloomproof.Classic { // the common elements of two k-subsets: hypergeometric
		met = sequential.Law{Mean: p, Variance: (k / m) * (1 - k/m) * (m - k) / (m - 1) / (k * k * k)}
	}
	return append(laws, positionLaw{mutant.Meetings, met, func(a, b []uint64) float64 {
		hits := 0
		for i, x := range a {
			for j, y := range b {
				if offset(i, x) == offset(j, y) {
					hits++
				}
			}
		}
		return float64(hits) / (k * k)
	}})
}

// examine compares a subject with the laws of ideal positions in all cells, spending
// about the given number of probes on rates, and returns the laws that are broken.
// With a healthy subject it returns anything with probability at most falseAlarm.
// It logs how far off a rate must be to be found.
func examine(t *testing.T, s subject, cells []cell, probes uint64) []finding {
	t.Helper()
	tests := uint64(0)
	for _, c := range cells {
		tests += 2 + uint64(len(positionLaws(c.g)))
	}
	alpha := falseAlarm / float64(tests)
	base := property.Parameters(t).Seed()
	each := max(1, probes/uint64(len(cells)))
	newTest := func(law sequential.Law, last uint64) *sequential.MeanTest {
		m, err := sequential.NewMeanTest(law, alpha, min(fewest, last), last)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	var found []finding
	var visible []float64
	for i, c := range cells {
		f, err := s.open(c.g)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		judge := func(law mutant.Law, m *sequential.MeanTest) {
			if m.Verdict() == sequential.Above || m.Verdict() == sequential.Below {
				found = append(found, finding{c, law, m})
			}
		}
		var seed [32]byte
		binary.LittleEndian.PutUint64(seed[:], uint64(base))
		binary.LittleEndian.PutUint64(seed[8:], uint64(i))
		r := rand.NewChaCha8(seed)
		law, q := rateLaw(t, c, max(1, each/fewest))
		rate := newTest(law, max(fewest, each/q))
		bits := newTest(setBits(c.g, c.n), max(fewest, each/q))
		// Bennett's exponent is z^2/2 where many samples meet; this z is found half of the time.
		looks := 1 + int(math.Ceil(math.Log2(float64(max(fewest, each/q))/fewest)))
		z := math.Sqrt(2 * math.Log(2*float64(looks)/alpha))
		visible = append(visible, z*math.Sqrt(law.Variance/float64(max(fewest, each/q)))/law.Mean)
		for rate.Verdict() == sequential.Open {
			next := c.source.open(r)
			f.Clear()
			for range c.n {
				f.AddHash(next())
			}
			bits.Add(float64(f.Bits()) / float64(c.g.M))
			hits := 0
			for range q {
				if f.ContainsHash(next()) {
					hits++
				}
			}
			rate.Add(float64(hits) / float64(q))
		}
		judge(mutant.Rate, rate)
		judge(mutant.SetBits, bits)

		// About the time of the probes: comparing all pairs costs k^2.
		pairs := max(fewest, each/uint64(2+c.g.K/3+c.g.K*c.g.K/12))
		laws := positionLaws(c.g)
		law2 := make([]*sequential.MeanTest, len(laws))
		for j, l := range laws {
			law2[j] = newTest(l.law, pairs)
		}
		var a, b []uint64
		for range pairs {
			next := c.source.open(r)
			a = s.positions(a[:0], c.g, next())
			b = s.positions(b[:0], c.g, next())
			for j, l := range laws {
				law2[j].Add(l.sample(a, b))
			}
		}
		for j, l := range laws {
			judge(l.name, law2[j])
		}
	}
	slices.Sort(visible)
	t.Logf("%d cells, %d tests, false-alarm probability %v; a rate is found to be off half of the time when it is off by %.2g%% in the best cell, %.2g%% in the median one, %.2g%% in the worst",
		len(cells), tests, falseAlarm, 100*visible[0], 100*visible[len(visible)/2], 100*visible[len(visible)-1])
	return found
}

func probes() uint64 {
	return *probesFlag / longtest.More[uint64](40, 1)
}

// Claims: burns.eq56, burns.eq60, of the real filter.
func TestPositionsAreGoodEnough(t *testing.T) {
	s := kernelSubject()
	grid := cells(s.hashings, 65536)
	if !longtest.Enabled() { // the fewest filters of a large cell take more probes than its share
		large := 0
		grid = slices.DeleteFunc(grid, func(c cell) bool {
			if c.g.M > 60_000 {
				large++
			}
			return c.g.M > 60_000 && large%5 != 0
		})
	}
	start := time.Now()
	for _, f := range examine(t, s, grid, probes()) {
		t.Errorf("law broken: %v", f)
	}
	t.Logf("%d probes, %v", probes(), time.Since(start).Round(time.Millisecond))
}

// idealCells are the cells in which mutants are examined: with ideal hashes, so that
// nothing but the mutant is at fault, and m up to 1024, where the faults show.
func idealCells(s subject) []cell {
	return slices.DeleteFunc(cells(s.hashings, 1024), func(c cell) bool { return c.source.name != ready.name })
}

// Every mutant is caught by the same examination, at a tenth of the effort and at least
// by the law that its table row names, in the direction it names. Plain double hashing
// is one of them.
//
// Claims: none: the filters are wrong on purpose.
func TestMutantsAreCaught(t *testing.T) {
	for _, m := range mutant.All() {
		t.Run(m.Name, func(t *testing.T) {
			s := mutantSubject(m)
			found := examine(t, s, idealCells(s), probes()/10)
			count := map[string]int{}
			for _, f := range found {
				count[fmt.Sprintf("%s %v", f.law, f.test.Verdict())]++
			}
			want := fmt.Sprintf("%s %v", m.Law, m.Deviation)
			if count[want] == 0 {
				t.Errorf("not caught by %q; findings: %v", want, count)
			}
			for _, f := range found {
				if f.law == m.Law && f.test.Verdict() == m.Deviation {
					t.Logf("%v", f) // the first of them
					break
				}
			}
			t.Logf("findings by law: %v", count)
		})
	}
}

// The ideal filter of package mutant, without a fault, passes: what catches the
// mutants is their fault and not the filter around it.
//
// Claims: none: it is about the filter of package mutant.
func TestMutantFilterWithoutFaultPasses(t *testing.T) {
	healthy := mutant.Mutant{Name: "none", Positions: kernelSubject().positions}
	s := mutantSubject(healthy)
	for _, f := range examine(t, s, idealCells(s), probes()/10) {
		t.Errorf("law broken: %v", f)
	}
}
