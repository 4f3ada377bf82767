package accuracy

import (
	"errors"
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
)

// StatedCycles returns two bounds for each of the rules. Cycle.Bound states the first for a filter of shape g. The field
// Bound of a forecast states the second, for a workload without repeats. Both have the same formula. StatedCycles leaves
// out the rules for which no such filter exists.
func StatedCycles(g bloomproof.Geometry, rules []bloomproof.Recycling) (all []Stated, err error) {
	arrays := map[bloomproof.Recycling]*cycleBound{}
	for _, r := range rules {
		got, err := approxrecycling.New(g, r)
		if errors.Is(err, bloomproof.ErrUndefined) || errors.Is(err, bloomproof.ErrTooCostly) {
			continue
		}
		if err != nil {
			return nil, err
		}
		one := r
		one.TwoPhase, one.NoCopyOver, one.FreezeBefore = false, false, false
		x := arrays[one]
		if x == nil {
			if x, err = newCycleBound(g, one); err != nil {
				return nil, err
			}
			arrays[one] = x
		}
		s := Stated{Of: fmt.Sprintf("recycling.Cycle.Bound of %v, %v", g, r), Bound: got.Bound()}
		own := 0.0
		s.Method, own = x.array()
		s.most = map[string]float64{byChain: mostChain, closedForm: mostClosedForm, byMessages: mostMessages}[s.Method]
		switch {
		case !r.TwoPhase:
			s.Again = own
		case r.Messages > 0: // the distribution of the frozen array has the error of the sums
			s.Again = 2 * (2 * own)
		default:
			s.Again = 2 * (own + x.frozen(r, s.Method == closedForm))
		}
		if r.TwoPhase {
			s.Method += ", two phases"
		}
		forecast := Stated{Of: fmt.Sprintf("fnr.Forecast.Bound of %v, %v, all messages new", g, r), Method: s.Method + ", all new", Again: s.Again, most: s.most}
		if forecast.Bound, err = boundOfNew(g, r); err != nil {
			return nil, err
		}
		all = append(all, s, forecast)
	}
	return all, nil
}

// The function boundOfNew returns the error bound of the exact model's forecast for a workload without repeats.
func boundOfNew(g bloomproof.Geometry, r bloomproof.Recycling) (float64, error) {
	c, err := fnr.New(g, r, bloomproof.Workload{Popularity: bloomproof.Uniform(1)})
	if err != nil {
		return 0, err
	}
	f, err := c.Predict(fnr.ModelExact)
	return f.Bound, err
}

// A cycleBound computes the error bound of one array a second time, independently of approx.
type cycleBound struct {
	g              bloomproof.Geometry
	r              bloomproof.Recycling
	m, k, sigma    float64
	arrivals, hits float64 // for a bit-bounded cycle; hits are false positives in units of rho(sigma)
	starts         float64 // the number of possible numbers of distinct positions of a retained message
}

func newCycleBound(g bloomproof.Geometry, r bloomproof.Recycling) (*cycleBound, error) {
	x := &cycleBound{g: g, r: r, m: float64(g.M), k: float64(g.K), sigma: float64(r.Sigma), starts: 1}
	if r.Messages == 0 {
		want, err := exactrecycling.New(g, r)
		if err != nil {
			return nil, err
		}
		n, err := want.Capacity(60)
		if err != nil {
			return nil, err
		}
		f, err := want.FPR(60)
		if err != nil {
			return nil, err
		}
		x.arrivals = n.Float64()
		x.hits = f.Float64() * x.arrivals / matches(g, x.sigma)
	}
	if r.Retain && hashings[g.Hashing].independent {
		// A cycle begins with a retained message. Its number of distinct positions is random. If the probability of a
		// number is below the limit "rare", this number is left out. Let P be the probability that a message finds all
		// its positions set. For bit-bounded filters with fixed positions, this limit depends on P.
		rare := 0x1p-75
		if !r.FreshPositions && r.Messages == 0 {
			rare = 0x1p-70 * (1 - matches(g, x.sigma)) / x.k
		}
		x.starts = 0
		for _, p := range positions(g) {
			if p >= rare {
				x.starts++
			}
		}
	}
	return x, nil
}

// These are the methods by which approx computes the results of a cycle.
const (
	byChain    = "chain"
	closedForm = "closed form"
	byMessages = "messages"
)

// The method "array" returns the error bound of one array. It also returns the name of a method. This is the method by
// which approx computes the results for this array.
func (x *cycleBound) array() (method string, bound float64) {
	const (
		closedEnough = 32 * u
		closedUseful = 1e-3
		mostChain    = 1 << 25
		rounding     = 30 * u // error of the closed form
	)
	if x.r.Messages > 0 {
		return byMessages, x.messages()
	}
	cut := x.truncation()
	if cut > closedEnough && (cut > closedUseful || x.sigma < mostChain) {
		return byChain, x.chain()
	}
	return closedForm, cut + rounding
}

// The function Sums of approx/internal/cycle returns two sums. For the quotient of these sums, the method "sums"
// returns an error bound. Let u = 2^-53. Each of the two sums adds (2k+70)u to the bound. All other operations add 10u
// in total.
func (x *cycleBound) sums() float64 { return (2*(2*x.k+70) + 10) * u }

// The method "messages" returns a bound of the error of the results for a message-bounded cycle. These results come
// from two sums. Let N be the number of messages in the cycle. The error of each sum is the error of N steps. A step
// has seven operations for each position. A retained message has a random number of distinct positions. There are
// x.starts possible numbers. So the error is multiplied by 2*x.starts-1.
func (x *cycleBound) messages() float64 {
	return 2*(7*x.k+10)*float64(x.r.Messages)*(2*x.starts-1)*u + x.sums()
}

// Each state has a row in the transition matrix. The method "state" returns a bound of the error of a row, in units of
// u = 2^-53. The row is computed with two sums and 6 other roundings. Each sum takes five operations for each position.
func (x *cycleBound) state() float64 { return 2*5*x.k + 6 }

// A path is the sequence of states in a cycle. The computed probability of a path has a relative error. The method
// "path" returns a bound of this error. For each state of the path, the bound has two terms. The first term is twice
// the error of the state's row in the transition matrix. The second term is the error of the scaling.
func (x *cycleBound) path() float64 { return (2*x.state() + x.k + 3) * (x.sigma + 1) * u }

// The method "chain" returns the smaller of two error bounds of the Markov chain. The first bound is derived from the
// error of a path (see the method "path"). The comment of chainError in approx/internal/cycle derives the second. In
// that derivation, each state adds an error. A later scaling of the probabilities removes this error.
func (x *cycleBound) chain() float64 {
	loss := 2 * x.path()
	if x.starts > 1 {
		loss *= 1 + 2*x.starts
	}
	poles, known := x.poles()
	if known && x.hits > 0 {
		const states = 184 // between two scalings, for k up to 12
		each, w := x.state(), states+x.k
		if x.k > 12 || x.m > 0x1p53 {
			each, w = x.k*x.k+14*x.k, 1+x.k
		}
		visited := min(w, w*x.m/(x.k*(x.m-x.sigma))+2*poles) // the number of states, among w, that a cycle visits
		arrivals := visited + 2*poles
		positives := visited*(1+2*poles/x.hits) + (4*poles+1)*x.arrivals/x.hits
		start := 0.0
		if x.starts > 1 {
			start = 4 * x.k * (1 + poles) * (1 + 1/x.hits)
		}
		loss = min(loss, each*(arrivals+positives+start)*u)
	}
	return loss + x.sums()
}

// The method "poles" returns B_0, a bound of the sum of |c_r/l_r| over all indices r > 0. The comment of
// approx/internal/cycle.Truncation has bounds of c_r and l_r.
func (x *cycleBound) poles() (b float64, known bool) {
	b = 1 + math.Log(x.k)
	if hashings[x.g.Hashing].independent {
		return b, true
	}
	return b * max(1, 2./3*x.product()), x.m >= 2*x.k*x.k
}

// The bound of the products P_r has the factor 1.2 e^(k^3/(30m)). The method "product" returns this factor. The comment
// at the top of approx/internal/cycle/closed.go defines these products.
func (x *cycleBound) product() float64 { return 1.2 * math.Exp(x.k*x.k*x.k/(30*x.m)) }

// The method "falls" returns the factor e^(-h_r (b-k)^2/(2m)). The bound of |P_r| depends on the number of set bits.
// For b set bits, the bound is this factor times the bound for k set bits. The comment at the top of
// approx/internal/cycle/closed.go defines P_r. The comment of cycle.Truncation defines h_r.
func (x *cycleBound) falls(r, b float64) float64 {
	return math.Exp(-(1 - math.Cos(2*math.Pi*r/x.k)) * (b - x.k) * (b - x.k) / (2 * x.m))
}

// The closed form leaves out all poles of a generating function except the pole with index 0. Let E[N] be the mean
// number of arrivals in a cycle. Leaving out the poles causes an error in E[N] and an error in the rate. The method
// "truncation" returns the sum of the two errors. The comment of cycle.Truncation derives them.
func (x *cycleBound) truncation() float64 {
	if x.k == 1 {
		return 0
	}
	if x.m < 2*x.k*x.k || x.sigma < 4*x.k {
		return math.Inf(1)
	}
	b, b0 := 0.0, 0.0
	for r := 1.0; r <= x.k/2; r++ {
		b += 2. / 3 * x.product() * x.falls(r, x.sigma) / r
		b0 += 2. / 3 * x.product() / r
	}
	least := (x.sigma - x.k) / x.k // a lower bound of E[N]
	positives := 4 * b * x.k * (x.k + 1) / x.sigma
	if (1-math.Cos(2*math.Pi/x.k))*x.sigma*x.sigma < 5*x.k*x.m {
		positives = 2 * b0 * x.k * (x.k + 1) / x.sigma
		b = b0
	}
	return b/least + positives + x.boundary()
}

// The comment at the top of approx/internal/cycle/closed.go defines V_r for each index r. The comment of
// cycle.Truncation writes the sum for V_r as a difference of two sums. The two sums depend on r. Let T be the first
// one, added up over all r > 0. Let S be the difference for r = 0. The method "boundary" returns a bound of the ratio
// T/S. Let C(sigma,k) be the binomial coefficient. If the hashing is classic and no message is retained, the bound is
//
//	2 (1+ln k) (k/3)^(k+1) (k+1)/((sigma+1) C(sigma,k)).
func (x *cycleBound) boundary() float64 {
	ln := (x.k+1)*math.Log(x.k/3) - lnChoose(x.sigma, x.k)
	if hashings[x.g.Hashing].independent {
		ln += x.k * math.Log(3*math.E/2)
	}
	if x.r.Retain {
		ln += math.Log(2) + 3
	}
	return 2 * (1 + math.Log(x.k)) * (x.k + 1) / (x.sigma + 1) * math.Exp(ln)
}

func lnChoose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

// Let b be the random number of set bits in the frozen array. The method "frozen" bounds the error in the mean of
// weight(b). The number b lies between the variables "first" and "last".
func (x *cycleBound) frozen(r bloomproof.Recycling, closed bool) float64 {
	first, last := max(0, x.sigma+1-x.k), x.sigma
	if !r.FreezeBefore {
		first, last = x.sigma+1, min(x.sigma+x.k, x.m)
	}
	if !hashings[x.g.Hashing].independent && x.sigma < x.k { // the first message ends the cycle
		first, last = 0, 0
		if !r.FreezeBefore {
			first, last = x.k, x.k
		}
	}
	weight := func(b float64) float64 {
		h := matches(x.g, b)
		if r.NoCopyOver && b < x.m {
			return h / (1 - h)
		}
		return h
	}
	spread := weight(last)/weight(first) - 1 // how much the weights differ
	if first == last {
		spread = 0
	}
	// The error is a sum of four terms, in units of u. The first term is 12k+4, for the distribution of b. The function
	// "matches" returns rho(b). If a weight has the factor rho(b), this factor adds 2k. If it has the factor 1-rho(b),
	// this factor adds 3k. The sums add 3k+16.
	own := (20*x.k + 20) * u
	if closed {
		poles := 0.0 // for the visits to the states from which the cycle ends
		for r := 1.0; r < x.k; r++ {
			poles += x.product() * x.falls(r, x.sigma-x.k)
		}
		return own + 2*poles*min(spread, 1)
	}
	return own + min(2*x.path()*(1+2*x.starts), x.state()*u*x.arrivals*spread*2)
}
