package recycling

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// state is what a filter of one phase knows of its cycle: set bits and, message-bounded, the
// messages that were counted.
type state struct{ bits, counted int }

// enumerated returns rate and capacity from the chain over the states, whose transitions
// count what each of all messages does where bits 0..b-1 are set.
func enumerated(g bloomproof.Geometry, r bloomproof.Recycling) (rate, capacity *big.Rat) {
	index := map[state]int{}
	var states []state
	at := func(s state) int {
		i, ok := index[s]
		if !ok {
			i = len(states)
			index[s] = i
			states = append(states, s)
		}
		return i
	}
	at(state{})
	if r.Retain {
		states, index = nil, map[state]int{}
		one := min(1, int(r.Messages))
		at(state{g.K, one})
		if g.Hashing != bloomproof.Classic {
			states, index = nil, map[state]int{}
			at(state{1, one})
		}
	}
	var p [][]int // p[i][j]: messages that lead from state i to j
	var rho, ends []int
	all := 0
	for i := 0; i < len(states); i++ {
		s := states[i]
		p = append(p, make([]int, 100))
		rho, ends = append(rho, 0), append(ends, 0)
		all = 0
		message := make([]int, g.K)
		var each func(n int)
		each = func(n int) {
			if n < g.K {
			next:
				for message[n] = 0; message[n] < int(g.M); message[n]++ {
					for _, x := range message[:n] {
						if g.Hashing == bloomproof.Classic && x == message[n] {
							continue next
						}
					}
					each(n + 1)
				}
				return
			}
			all++
			set := map[int]bool{}
			for _, x := range message {
				set[x] = true
			}
			distinct, fresh := len(set), 0
			for x := range set {
				if x >= s.bits {
					fresh++
				}
			}
			if fresh == 0 {
				rho[i]++
				p[i][i]++
				return
			}
			next := state{bits: s.bits + fresh}
			over := next.bits > int(r.Sigma)
			if r.Messages > 0 {
				next.counted = s.counted + 1
				over = next.counted == int(r.Messages)
			}
			if over {
				ends[i]++
				next = state{}
				if r.Retain {
					next = state{distinct, min(1, int(r.Messages))}
				}
			}
			p[i][at(next)]++
		}
		each(0)
	}
	n := len(states)
	matrix := make([][]*big.Rat, n)
	for i := range matrix {
		for j := range n {
			matrix[i] = append(matrix[i], big.NewRat(int64(p[i][j]), int64(all)))
		}
	}
	rate, capacity = new(big.Rat), new(big.Rat)
	for i, share := range stationaryRat(matrix) {
		rate.Add(rate, new(big.Rat).Mul(share, big.NewRat(int64(rho[i]), int64(all))))
		capacity.Add(capacity, new(big.Rat).Mul(share, big.NewRat(int64(ends[i]), int64(all))))
	}
	return rate, capacity.Inv(capacity)
}

// stationaryRat solves pi p = pi, sum pi = 1 by Gaussian elimination.
func stationaryRat(p [][]*big.Rat) []*big.Rat {
	n := len(p)
	a := make([][]*big.Rat, n) // rows: equations, last column the right side
	for i := range a {
		a[i] = make([]*big.Rat, n+1)
		for j := range n {
			a[i][j] = new(big.Rat).Set(p[j][i])
			if i == j {
				a[i][j].Sub(a[i][j], big.NewRat(1, 1))
			}
			if i == n-1 {
				a[i][j].SetInt64(1)
			}
		}
		a[i][n] = new(big.Rat)
	}
	a[n-1][n].SetInt64(1)
	for c := range n {
		at := c
		for a[at][c].Sign() == 0 {
			at++
		}
		a[c], a[at] = a[at], a[c]
		inverse := new(big.Rat).Inv(a[c][c])
		for j := c; j <= n; j++ {
			a[c][j].Mul(a[c][j], inverse)
		}
		for i := range n {
			if i == c || a[i][c].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(a[i][c])
			for j := c; j <= n; j++ {
				a[i][j].Sub(a[i][j], new(big.Rat).Mul(f, a[c][j]))
			}
		}
	}
	out := make([]*big.Rat, n)
	for i := range out {
		out[i] = a[i][n]
	}
	return out
}

// off returns the relative error of got.
func off(got float64, want *big.Rat) float64 {
	w, _ := want.Float64()
	if w == 0 {
		return math.Abs(got)
	}
	return math.Abs(got/w - 1)
}

// Every small filter there is: rates and capacities are those that come from counting
// messages. No pole is left out here but for k = 1, so all is by the chain.
func TestCycleEnumerated(t *testing.T) {
	most := uint64(6)
	if !longtest.Enabled() {
		most = 4
	}
	checked := 0
	check := func(g bloomproof.Geometry, r bloomproof.Recycling) {
		if r.Validate(g) != nil {
			return
		}
		c, err := New(g, r)
		if r.Messages > 0 && int(r.Messages-1)*g.K >= int(g.M) {
			if !errors.Is(err, bloomproof.ErrUndefined) {
				t.Errorf("%v %v: %v, but it can fill", g, r, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v %v: %v", g, r, err)
		}
		rate, capacity := enumerated(g, r)
		if e := off(c.FPR(), rate); !(e <= 1e-14 && e <= c.Bound()) {
			t.Errorf("%v %v: rate %v, want %v; off by %.2g, bound %.2g", g, r, c.FPR(), rate.FloatString(20), e, c.Bound())
		}
		if e := off(c.Capacity(), capacity); !(e <= 1e-14 && e <= c.Bound()) {
			t.Errorf("%v %v: capacity %v, want %v", g, r, c.Capacity(), capacity.FloatString(20))
		}
		checked++
	}
	for m := uint64(1); m <= most; m++ {
		for k := 1; k <= 4; k++ {
			for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				for sigma := range m {
					for _, retain := range []bool{false, true} {
						check(g, bloomproof.Recycling{Sigma: sigma, Retain: retain})
						check(g, bloomproof.Recycling{Messages: sigma, Retain: retain})
					}
				}
			}
		}
	}
	t.Logf("%d filters", checked)
}
