package fnr

import (
	"math"

	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file computes moments of the number D_u of distinct messages among the first u arrivals. Consider the message
// that has rank i after these arrivals. Let w_u(i) be the probability that it is not among them. For i < j, consider
// the two messages that have the ranks i and j after these arrivals. Let v_u(i,j) be the probability that neither
// message is among them. An arrival repeats the message at rank i with probability R_i = p_r q_i. Here p_r is the
// probability of a repeat, and q_i is the popularity of rank i. With probability E_z the arrival is a new message that
// enters at rank z. The messages at the ranks z, z+1, ... then move down by one rank. Let N_i be the sum of E_z over z
// < i, and let D be the number of ranks. The function w satisfies a recursion that distinguishes these cases for
// arrival number u+1:
//
//	w(i) = (p_r - R_i + N_D - N_(i+1)) w(i) + N_i w(i-1).
//
// They also give a recursion for v:
//
//	v(i,j) = (p_r - R_i - R_j + N_D - N_(j+1)) v(i,j) + (N_j - N_(i+1)) v(i,j-1) + N_i v(i-1,j-1).
//
// Here v(i,i) = 0. Arrival number u+1 contributes nothing to these formulas if its message has rank i or j afterwards.
// Let I be 1 if the message at rank i did not arrive, and 0 otherwise. Let C(i) be the mean of the product I D_u. It
// satisfies a similar recursion. D_u grows if a new message arrives, and also if an old message arrives for the first
// time. So
//
//	C(i) = (p_r - R_i + N_D - N_(i+1)) C(i) + N_i C(i-1) + r_i + N_i w(i-1) + (N_D - N_(i+1)) w(i).
//
// Here r_i is the sum of R_j v(i,j) over all j other than i.
//
// Given the first u arrivals, let H_u be the probability that the next arrival is not among them. H_u is 1-p_r plus the
// sum of R_i over all ranks i whose message did not arrive. Let g_u be the mean of H_u, and let mu_u be the mean of
// D_u. The following formulas give these means:
//
//	g_u = 1-p_r + sum over i of R_i w(i),
//	mu_(u+1) = mu_u + g_u.
//
// The covariance and the variances of D_u and H_u are given by three formulas:
//
//	Cov(D_u, H_u) = [sum of R_i C(i)] - mu_u (g_u - (1-p_r)),
//	Var H_u = [sum of R_i (R_i w(i) + r_i)] - (g_u - (1-p_r))^2,
//	Var D_(u+1) = Var D_u + 2 Cov(D_u, H_u) + g_u (1-g_u).
//
// The rounding errors are bounded as follows.
//
// All numbers are float64. In each of the recursions above, the coefficients of w and v are between 0 and 1, and their
// sum is at most 1. So a step does not enlarge errors. Let e = 2^-53. In a step, each coefficient has an error of 4 e.
// A step also rounds three products and two sums of numbers that are at most 1. Together the errors of a step are less
// than 32 e. So after u steps the error of w is at most 32 u e, and the same is true of v. A number v that was set to 0
// has an additional error of at most 2^-60. This is the constant "surely". Such an error is less than e. The errors of
// r_i and g_u are at most (32 u + 2 D + 8) e. Both are sums of D terms, whose weights add up to at most 1. Each of
// these sums has D roundings. C is at most u. In each step, C gets an additional error of 32 (u+1) e, plus the errors
// of w and r. After u steps the error of C is u (100 u + 2 D + 64) e. The sum of C over the ranks has an additional
// error of u D e. The code uses larger bounds. They are at least 1.5 times the bounds derived here. Fused multiply-adds
// have smaller errors.

// The type "traffic" holds the probability of each kind of arrival. The comment at the top of this file defines the
// kinds.
type traffic struct {
	repeats []float64 // R_i, for a repeat of the message at rank i
	before  []float64 // N_i, for a new message that enters before rank i; the last entry is N_D
	enters  []float64 // E_z, for a new message that enters at rank z
	again   float64   // p_r, for any repeat
	arrives float64   // 1-p_r, for any new message
}

// The method "traffic" returns the probabilities of the kinds of arrivals, each rounded to the nearest float64.
func (c *System) traffic() *traffic {
	f := field.Intervals(2 * boundsPrec)
	d := int(c.w.Popularity.D)
	events := eventWeights(f, c.w, d, weightAt(c.w.Popularity, 2*boundsPrec))
	r := &traffic{again: c.w.Repeat}
	sum := f.Int(0)
	for _, x := range events[:d] {
		r.repeats = append(r.repeats, x.Float64())
	}
	for _, x := range events[d : 2*d] {
		r.before = append(r.before, sum.Float64())
		r.enters = append(r.enters, x.Float64())
		sum.Add(sum, x)
	}
	r.before = append(r.before, sum.Float64())
	r.arrives = r.before[d]
	return r
}

// maxPairs is the largest number of ranks that CycleBounds accepts. The probabilities for all pairs of maxPairs ranks
// take 256 MiB. The constant pairsLimit limits the number of products that are computed for the probabilities of pairs.
// Each product takes about 2 ns. The functions of bounds_tails.go also compute products for each rank and each arrival.
// Their number is the constant tailSteps. The moments of one arrival take about 300 bytes.
const (
	tailSteps   = 200
	longestPath = 1 << 19
	maxPairs    = 1 << 13
	pairsLimit  = 1 << 35
)

// A path holds the mean of D_u for each u. Here D_u is the number of distinct messages among the first u arrivals.
type path struct {
	mean []float64   // mu_u, the mean of D_u
	kept [][]float64 // w_u for u = 0, keepEvery, ..
	half int         // the u at which mu_u is the mean number of distinct messages of a cycle
}

// A path stores the probabilities w_u(i) only if the number u of arrivals is a multiple of keepEvery.
const keepEvery = 16

// The method "horizon" computes the mean of the number D_u of distinct messages among the first u arrivals. It begins
// with u = 0. It stops at a number u of arrivals after which nearly all cycles have ended.
func (r *traffic) horizon(l *levels) (*path, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	d := len(r.repeats)
	end := float64(len(l.fits))
	end += endSpread*math.Sqrt(end) + endSpread
	p := &path{}
	w := ones(d)
	mean := 0.0
	for u := 0; ; u++ {
		p.mean = append(p.mean, mean)
		if u%keepEvery == 0 {
			p.kept = append(p.kept, append([]float64{}, w...))
		}
		if mean < l.mean {
			p.half = u + 1
		}
		if mean >= end {
			return p, nil
		}
		hit := r.hit(w)
		arrivals := float64(u) + (end-mean)/hit // a lower bound, because hit falls with u
		if cost := float64(d) * (float64(d)/2 + tailSteps) * arrivals; cost > pairsLimit {
			return nil, refuse.TooCostly("the pairs of ranks through a cycle", cost, pairsLimit)
		}
		if arrivals > longestPath {
			return nil, refuse.TooCostly("the arrivals of a cycle", arrivals, longestPath)
		}
		mean += hit
		r.step(w)
	}
}

// Suppose that a value of the type "levels" covers 0 to n-1 recorded messages. Then a path ends when the mean number of
// distinct messages reaches n + endSpread*(sqrt(n) + 1).
const endSpread = 4

// The method "reaches" returns the first u at which mu_u, the mean number of distinct messages, is at least x. If there
// is no such u, it returns the last u of the path.
func (p *path) reaches(x float64) int {
	low, high := 0, len(p.mean)-1
	for low < high {
		if u := (low + high) / 2; p.mean[u] >= x {
			high = u
		} else {
			low = u + 1
		}
	}
	return low
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// The method "hit" returns the mean of H_u. Here H_u is the probability that the next arrival is not among the first u
// arrivals. The argument w lists the probabilities w_u(i), which the comment at the top of this file defines.
func (r *traffic) hit(w []float64) float64 {
	sum := r.arrives
	for i, x := range w {
		sum += float64(r.repeats[i] * x)
	}
	return sum
}

// An arrival can be the message at rank i, or it can move this message to another rank. The method "stays" returns the
// probability that neither happens.
func (r *traffic) stays(i int) float64 {
	return r.again - r.repeats[i] + (r.arrives - r.before[i+1])
}

// The method "step" turns the list of the probabilities w_u(i) into the list of the probabilities w_(u+1)(i). The
// comment at the top of this file defines these probabilities.
func (r *traffic) step(w []float64) {
	for i := len(w) - 1; i >= 0; i-- {
		above := 0.0
		if i > 0 {
			above = w[i-1]
		}
		w[i] = float64(r.stays(i)*w[i]) + float64(r.before[i]*above)
	}
}

// The constant "surely" is a limit below which a probability is replaced by 0. Let x be the probability that the
// message at a rank has not arrived. If x is less than this constant, the numbers for all pairs with that rank are set
// to 0.
const surely = 0x1p-60

// A moments value holds the moments of D_u, the number of distinct messages after u arrivals. Let H_u be the
// probability that the next arrival is not among these arrivals. A moments value also holds the moments of H_u, and
// bounds of the errors of all these moments.
type moments struct {
	mean, hit, varD, varH, cov                float64
	offMean, offHit, offVarD, offVarH, offCov float64
}

// The method "moments" returns the moments of D_u and H_u for u = 0, 1, .., n-1 arrivals.
func (r *traffic) moments(n int) []moments {
	d := len(r.repeats)
	w, c, sums := ones(d), make([]float64, d), make([]float64, d)
	pairs := make([][]float64, d) // pairs[i][j-i-1] = v(i,j)
	for i := range pairs {
		pairs[i] = ones(d - 1 - i)
	}
	stays := make([]float64, d)
	for i := range stays {
		stays[i] = r.stays(i)
	}
	all := make([]moments, n)
	mean, varD, top := 0.0, 0.0, 0
	for u := range all {
		clear(sums)
		for ; top < d && w[top] < surely; top++ { // the pairs are negligible, because v(i,j) <= w(i)
			clear(pairs[top])
		}
		for i := d - 2; i >= top; i-- {
			r.pairStep(i, pairs, stays, sums)
		}
		m := &all[u]
		hit, square, with := 0.0, 0.0, 0.0
		for i, x := range w {
			hit += float64(r.repeats[i] * x)
			square += float64(r.repeats[i] * (float64(r.repeats[i]*x) + sums[i]))
			with += float64(r.repeats[i] * c[i])
		}
		*m = moments{mean: mean, hit: r.arrives + hit, varD: varD, varH: square - float64(hit*hit), cov: with - float64(mean*hit)}
		m.bound(float64(u), float64(d))
		mean += m.hit
		varD += 2*m.cov + float64(m.hit*(1-m.hit))
		for i := d - 1; i >= 0; i-- {
			above, aboveC := 0.0, 0.0
			if i > 0 {
				above, aboveC = w[i-1], c[i-1]
			}
			c[i] = float64(stays[i]*c[i]) + float64(r.before[i]*(aboveC+above)) + sums[i] + float64((r.arrives-r.before[i+1])*w[i])
		}
		r.step(w)
	}
	return all
}

// pairStep handles the pairs of rank i with the ranks after it. The entries sums[i] and sums[j] become r_i and r_j,
// which the comment at the top of this file defines. The method adds the contributions of the pairs to these entries.
// It also updates the probabilities of these pairs for one more arrival. The method must be called for decreasing i.
// The reason is as follows. The method needs the old probabilities for rank i-1 when it is called for rank i. It
// updates them when it is called for rank i-1.
func (r *traffic) pairStep(i int, pairs [][]float64, stays, sums []float64) {
	row := pairs[i]
	n := len(row)
	before, repeats := r.before[i+1:][:n], r.repeats[i+1:][:n]
	after, own := sums[i+1:][:n], r.repeats[i]
	next := stays[i+1:][:n]
	sum := 0.0
	if i == 0 {
		for j := n - 1; j >= 0; j-- {
			x, left := row[j], 0.0
			if j > 0 {
				left = row[j-1]
			}
			sum += float64(repeats[j] * x)
			after[j] += float64(own * x)
			row[j] = float64((next[j]-own)*x) + float64((before[j]-before[0])*left)
		}
	} else {
		above, moved := pairs[i-1][:n], r.before[i]
		for j := n - 1; j > 0; j-- {
			x := row[j]
			sum += float64(repeats[j] * x)
			after[j] += float64(own * x)
			row[j] = float64((next[j]-own)*x) + float64((before[j]-before[0])*row[j-1]) + float64(moved*above[j])
		}
		x := row[0]
		sum += float64(repeats[0] * x)
		after[0] += float64(own * x)
		row[0] = float64((next[0]-own)*x) + float64(moved*above[0])
	}
	sums[i] += sum
}

// The method "bound" computes error bounds for the moments after u arrivals with d ranks.
func (m *moments) bound(u, d float64) {
	m.offHit = (64*u + 4*d + 32) * unit()
	m.offMean = u * (m.offHit + m.mean*unit())
	m.offCov = u * (300*u + 16*d + 200) * unit()
	m.offVarH = 4 * m.offHit
	m.offVarD = u * (2*m.offCov + 4*m.offHit + m.varD*unit())
}
