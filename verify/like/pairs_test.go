package like

import (
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// rates returns the rates after 1 to most keys of m bits, each with one of so many positions, all of them equally
// likely: by the sets of bits and the number of ways to each.
func rates(m, most int, keys [][]uint64) (all []*big.Rat) {
	weight := map[int]int64{}
	for _, key := range keys {
		mask := 0
		for _, p := range key {
			mask |= 1 << p
		}
		weight[mask]++
	}
	if bits.Len(uint(len(keys)))*(most+1) < 64 {
		return fewRates(m, most, len(keys), weight)
	}
	ways := make([]*big.Int, 1<<m)
	for i := range ways {
		ways[i] = new(big.Int)
	}
	ways[0].SetInt64(1)
	total := big.NewInt(int64(len(keys)))
	for range most {
		next := make([]*big.Int, len(ways))
		for i := range next {
			next[i] = new(big.Int)
		}
		for set, w := range ways {
			if w.Sign() == 0 {
				continue
			}
			for mask, x := range weight {
				y := big.NewInt(x)
				next[set|mask].Add(next[set|mask], y.Mul(y, w))
			}
		}
		ways = next
		hits := new(big.Int)
		for set, w := range ways {
			for mask, x := range weight {
				if mask&^set == 0 && w.Sign() > 0 {
					y := big.NewInt(x)
					hits.Add(hits, y.Mul(y, w))
				}
			}
		}
		all = append(all, new(big.Rat).SetFrac(hits, new(big.Int).Set(total)))
		total.Mul(total, big.NewInt(int64(len(keys))))
	}
	for i := range all { // by all keys looked up
		all[i].Quo(all[i], big.NewRat(int64(len(keys)), 1))
	}
	return all
}

// fewRates is rates for numbers of ways that fit into 64 bits.
func fewRates(m, most, keys int, weight map[int]int64) (all []*big.Rat) {
	type kind struct {
		mask int
		keys int64
	}
	var kinds []kind
	for mask, x := range weight {
		kinds = append(kinds, kind{mask, x})
	}
	ways, next := make([]int64, 1<<m), make([]int64, 1<<m)
	ways[0] = 1
	total := int64(keys)
	for range most {
		clear(next)
		for set, w := range ways {
			if w > 0 {
				for _, k := range kinds {
					next[set|k.mask] += w * k.keys
				}
			}
		}
		ways, next = next, ways
		total *= int64(keys)
		hits := int64(0)
		for set, w := range ways {
			if w > 0 {
				for _, k := range kinds {
					if k.mask&^set == 0 {
						hits += w * k.keys
					}
				}
			}
		}
		all = append(all, big.NewRat(hits, total))
	}
	return all
}

// smallLaws are the derivations with words of h bits.
var smallLaws = []struct {
	name  string
	words int // of a key
	law   func(h uint, m uint64) pairs
	at    func(h uint, m uint64, k int, key []uint64) []uint64
}{
	{"wrapped", 2, func(h uint, m uint64) pairs { return stepped(word{bits: h}, m) }, func(h uint, m uint64, k int, key []uint64) (pos []uint64) {
		for i := range uint64(k) {
			pos = append(pos, (key[0]+i*key[1])%(1<<h)%m)
		}
		return pos
	}},
	{"signed", 2, func(h uint, m uint64) pairs { return stepped(word{bits: h, signed: true}, m) }, func(h uint, m uint64, k int, key []uint64) (pos []uint64) {
		for i := range uint64(k) {
			x := (key[0] + i*key[1]) % (1 << h)
			if x >= 1<<(h-1) {
				x = 1<<h - x
			}
			pos = append(pos, x%m)
		}
		return pos
	}},
	{"complemented", 2, func(h uint, m uint64) pairs { return stepped(word{bits: h, signed: true}, m) }, func(h uint, m uint64, k int, key []uint64) (pos []uint64) {
		for i := range uint64(k) {
			x := (key[0] + (i+1)*key[1]) % (1 << h)
			if x >= 1<<(h-1) {
				x = 1<<h - 1 - x
			}
			pos = append(pos, x%m)
		}
		return pos
	}},
	{"residues", 2, func(h uint, m uint64) pairs { return residues(m, h, 1) }, func(h uint, m uint64, k int, key []uint64) (pos []uint64) {
		for i := range uint64(k) {
			pos = append(pos, (key[0]+i*key[1]+(i*i*i-i)/6)%m)
		}
		return pos
	}},
	{"four words", 4, func(h uint, m uint64) pairs { return wrapped(word{bits: h}, m, fourWords) }, func(h uint, m uint64, k int, key []uint64) (pos []uint64) {
		for i := range uint64(k) {
			pos = append(pos, (key[i%2]+i*key[2+(i+i%2)%4/2])%(1<<h)%m)
		}
		return pos
	}},
	{"prime", 2, func(h uint, m uint64) pairs { return wrapped(word{bits: h, beyond: int64(h) - 1}, m, secondIsStep) }, func(h uint, m uint64, k int, key []uint64) (pos []uint64) {
		for i := range uint64(k) {
			x := (key[0] + i*key[1]) % (1 << h) % (1<<h + 1 - uint64(h))
			switch i {
			case 0:
				x = key[0]
			case 1:
				x = key[1]
			}
			pos = append(pos, x%m)
		}
		return pos
	}},
}

// all returns all sequences of so many words of h bits.
func allWords(h uint, words int) (all [][]uint64) {
	all = [][]uint64{nil}
	for range words {
		var longer [][]uint64
		for _, key := range all {
			for x := range uint64(1) << h {
				longer = append(longer, append(key[:len(key):len(key)], x))
			}
		}
		all = longer
	}
	return all
}

// The bounds hold for all keys, and so do the probabilities that they rest on.
func TestPairsAreEnumerated(t *testing.T) {
	cases, useful := 0, 0
	for _, l := range smallLaws {
		for h := uint(2); h <= uint(longtest.More(3, 5)); h++ {
			if int(h)*l.words > longtest.More(10, 16) {
				continue
			}
			words := allWords(h, l.words)
			for m := 1; m <= longtest.More(6, 10); m++ {
				for k := 1; k <= longtest.More(4, 6); k++ {
					keys := make([][]uint64, len(words))
					for i, key := range words {
						keys[i] = l.at(h, uint64(m), k, key)
					}
					law := l.law(h, uint64(m))
					checkPairs(t, l.name, law, uint64(m), k, keys)
					for i, want := range rates(m, 4, keys) {
						n := uint64(i + 1)
						e, err := law.enclose(bloomproof.Geometry{M: uint64(m), K: k}, n)
						if err != nil || !contains(e, want) {
							t.Fatalf("%s of %d bits, m=%d k=%d n=%d: %v, %v; enumeration gives %v", l.name, h, m, k, n, e, err, want.FloatString(9))
						}
						cases++
						if e.Lo().Sign() > 0 && e.Hi().Cmp(big.NewFloat(1)) < 0 {
							useful++
						}
					}
				}
			}
		}
	}
	t.Logf("%d cases, %d with two bounds", cases, useful)
}

// checkPairs compares the probabilities of one position and of two with those of all keys.
func checkPairs(t *testing.T, name string, law pairs, m uint64, k int, keys [][]uint64) {
	t.Helper()
	all := int64(len(keys))
	for i := range k {
		for j := range i {
			counts := make([]int64, m*m)
			for _, key := range keys {
				counts[key[i]*m+key[j]]++
			}
			count := slices.Max(counts)
			if p, bound := big.NewRat(count, all), law.joint(law.level(i, j)); p.Cmp(bound) > 0 {
				at := uint64(slices.Index(counts, count))
				t.Fatalf("%s, m=%d: %d and %d have probability %v at %d, %d, the bound is %v", name, m, at/m, at%m, p, i, j, bound)
			}
		}
	}
	counts := make([]int64, m)
	for _, key := range keys {
		for _, p := range key {
			counts[p]++
		}
	}
	for x, count := range counts {
		if p := big.NewRat(count, all*int64(k)); p.Cmp(law.lo) < 0 || p.Cmp(law.hi) > 0 {
			t.Fatalf("%s, m=%d k=%d: %d has probability %v, not from %v to %v", name, m, k, x, p, law.lo, law.hi)
		}
	}
}

// The probabilities of two and three matches are those of all pairs of keys.
func TestPlaneIsEnumerated(t *testing.T) {
	h := uint(longtest.More(2, 3))
	for _, l := range smallLaws {
		words := allWords(h, l.words)
		for m := uint64(2); m <= uint64(longtest.More(4, 8)); m++ {
			law := l.law(h, m)
			if law.plane == nil {
				continue
			}
			const k = 4
			var keys [][]uint64
			for _, key := range words {
				keys = append(keys, l.at(h, m, k, key))
			}
			pairs, triples := map[[4]int]int64{}, map[[6]int]int64{}
			for _, x := range keys {
				for _, y := range keys {
					var matches [][2]int
					for i := range k {
						for j := range k {
							if x[i] == y[j] {
								matches = append(matches, [2]int{i, j})
							}
						}
					}
					for _, p := range matches {
						for _, q := range matches {
							if q[0] <= p[0] || q[1] == p[1] {
								continue
							}
							pairs[[4]int{p[0], p[1], q[0], q[1]}]++
							for _, r := range matches {
								if r[0] > q[0] && r[1] != q[1] && r[1] != p[1] {
									triples[[6]int{p[0], p[1], q[0], q[1], r[0], r[1]}]++
								}
							}
						}
					}
				}
			}
			all := int64(len(keys) * len(keys))
			for at, count := range pairs {
				steps := gcd(uint64(at[2]-at[0]), apart(at[3], at[1]))
				if p := big.NewRat(count, all); p.Cmp(law.plane.pair(steps)) > 0 {
					t.Fatalf("%s of %d bits, m=%d: the matches %v have probability %v, the bound is %v", l.name, h, m, at, p, law.plane.pair(steps))
				}
			}
			for at, count := range triples {
				d1, e1, d2, e2 := int64(at[2]-at[0]), int64(at[3]-at[1]), int64(at[4]-at[0]), int64(at[5]-at[1])
				if d1*e2 == d2*e1 {
					continue
				}
				bound := new(big.Rat).SetInt(integer(law.plane.triple(d1, e1, d2, e2)))
				if p := big.NewRat(count, all); p.Cmp(bound.Mul(bound, law.plane.match)) > 0 {
					t.Fatalf("%s of %d bits, m=%d: the matches %v have probability %v, the bound is %v", l.name, h, m, at, p, bound)
				}
			}
		}
	}
}

// Where m is a power of two the words do not matter, and package exact has the rate: it is between the bounds, which are
// near each other in large filters.
func TestPairsAgreeWithExact(t *testing.T) {
	for _, c := range []struct {
		m     uint64
		k     int
		n     uint64
		law   pairs
		of    bloomproof.Hashing
		width float64 // the most that hi is above lo
	}{
		{1 << 20, 7, 100_000, stepped(word{bits: 64}, 1<<20), bloomproof.DoubleZero, 0.002},
		{1 << 24, 10, 1_000_000, stepped(word{bits: 63}, 1<<24), bloomproof.DoubleZero, 0.001},
		{1 << 14, 4, 3000, stepped(word{bits: 64}, 1<<14), bloomproof.DoubleZero, 0.02},
		{999_983, 7, 100_000, residues(999_983, 64, 1), bloomproof.DoubleZero, 0.001},
		{720_720, 8, 60_000, residues(720_720, 64, 1), bloomproof.DoubleZero, 0.03},
		{1 << 10, 3, 250, residues(1<<10, 64, 1), bloomproof.EnhancedDouble, 0.1},
		{1000, 5, 140, residues(1000, 64, 1), bloomproof.EnhancedDouble, 1},
	} {
		g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: c.of}
		want, _, err := exact.FPR(g, c.n, 60, exact.Auto)
		if err != nil {
			t.Fatal(err)
		}
		e, err := c.law.enclose(g, c.n)
		if err != nil || e.Lo().Cmp(want.Lo()) > 0 || e.Hi().Cmp(want.Hi()) < 0 {
			t.Errorf("%v, n=%d: %v, %v; package exact has %v", g, c.n, e, err, want)
		}
		lo, _ := e.Lo().Float64()
		hi, _ := e.Hi().Float64()
		t.Logf("%v n=%d: %.4f to %.4f of the exact rate", g, c.n, lo/want.Float64(), hi/want.Float64())
		if hi/lo-1 > c.width {
			t.Errorf("%v, n=%d: %v, wider than %g", g, c.n, e, c.width)
		}
	}
}
