package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/kernel/vec"
)

// During a cycle, the distribution of the set bits depends only on the number i of distinct recorded messages
// (Dozier-FN, section 4.1). It does not matter which messages these are. Let psi(l,i) be the probability that i
// messages fit into an array and set l bits. For a given i, the probability is negligible except for values of l near
// the mean. The list of psi(l,i) over l is called the row of i. Each row is cut off at both ends. The part cut off at
// each end is at most 2^-74 of the row's total. Each row then has about 7 sqrt(m) + k values instead of sigma values.
// None of them is subnormal.

// A value of the type "filled" describes an array after the arrival of i distinct messages. Before these arrivals, the
// array was empty. Each field is the joint probability of two events. The first event is that these messages fit. The
// comment of the field describes the second event.
type filled struct {
	fits    float64 // v_i = sum of psi(l,i): the probability that there was no recycle yet
	lucky   float64 // v_i gamma(i): the next message finds all its positions set
	unlucky float64 // u_i = v_i (1-gamma(i)): the next message sets a bit
	ends    float64 // r_i = v_i rho(i): the next message triggers a recycle; the sum over i is 1

	// The following fields describe an array that freezes after i messages. They also describe an arrival of a message
	// that is not recorded in this array. The array freezes with probability r_i, and this message then finds all its
	// positions set with probability gF_i. The fields luckyBefore and luckyAfter are two values of r_i gF_i. The fields
	// unluckyBefore and unluckyAfter are r_i (1-gF_i). This is the probability that the array freezes and this message
	// finds a position clear. The message that ends the cycle sets some bits. The fields luckyBefore and unluckyBefore
	// exclude these bits. The fields luckyAfter and unluckyAfter include these bits.
	luckyBefore, luckyAfter     float64
	unluckyBefore, unluckyAfter float64
}

// A value of the type "lane" is one row of psi: the probabilities of the numbers of set bits after i messages. In a
// message-bounded filter, messages that set bits are counted. Each possible count has one lane.
type lane struct {
	first uint64    // the number of set bits to which p[0] belongs
	p     []float64 // psi(first, i), psi(first+1, i), ...
}

// A filler computes probabilities for an array that is empty at first. Distinct messages arrive at the array one after
// the other. Callers that need the distribution of the number of set bits read the fields lanes and i.
type filler struct {
	g       bloomproof.Geometry
	r       bloomproof.Recycling
	i       uint64 // the number of messages that have arrived
	lanes   []lane // in lanes[j], s+j messages have set bits; bit-bounded filters have a single lane
	s       uint64
	cut     float64 // see fillCut
	dropped float64 // the probability that was cut off so far

	most      uint64    // the largest number of bits that can be set when a cycle ends
	hit, miss []float64 // tau(l,l), the probability that a message sets no bit if l are set, and 1-tau(l,l)
	over      []float64 // bit-bounded: the probability of exceeding sigma, from sigma-k+1, ..., sigma bits
	zeros     []float64
}

const (
	fillCut   = 0x1p-74
	mostFill  = 1 << 33 // the largest number of pairs of state and position; so many take some seconds
	mostBits  = 1 << 25 // the largest number of entries of hit and of miss, which then take 512 MiB together
	fillFlush = 1e-290  // a smaller tau(l,l) is replaced by 0

	// A row has about rowSpread*sqrt(m) states. A normal variable exceeds its mean by more than 9.8 standard deviations
	// with a probability of 2^-74. The variance of the number of set bits is at most 0.102 m. It reaches this value
	// when about 1.3 m positions have been drawn. So the standard deviation is at most 0.32 sqrt(m). The value of
	// rowSpread is 2 * 9.8 * 0.32, rounded up. The constant rowSpread is used for estimates of cost only.
	rowSpread = 7

	// When newFilling limits the number of messages of a cycle, it assumes that every row has leastRow states.
	leastRow = 8
)

// rowWidth estimates how many states a row has. A row holds a probability for each state. A state is a number of set
// bits.
func rowWidth(g bloomproof.Geometry) float64 { return rowSpread*fm.Sqrt(float64(g.M)) + float64(g.K) }

// newFiller returns the filler of an empty array. It returns an error if one cycle of the filter would take more
// than about mostFill steps.
func newFiller(g bloomproof.Geometry, r bloomproof.Recycling) (*filler, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	f := &filler{g: g, r: r, cut: fillCut, lanes: []lane{{0, []float64{1}}}}
	m, k := float64(g.M), float64(g.K)
	if r.Messages == 0 {
		f.most = min(r.Sigma, g.M) + min(uint64(g.K), g.M-min(r.Sigma, g.M))
	} else {
		if message.Fills(g, r.Messages) {
			return nil, fmt.Errorf("%w: an array can hold all bits before its cycle ends", refuse.ErrUndefined)
		}
		f.most = g.M
		if n := r.Messages; n <= g.M/uint64(g.K) {
			f.most = n * uint64(g.K)
		}
	}
	width := min(rowWidth(g), float64(f.most))
	if cost := (roughMessages(g, r) + 1) * width * k; g.M > vec.MaxM || f.most > mostBits || cost > mostFill {
		return nil, fmt.Errorf("%w: about %.2g steps through %d states of %d bits, at most 2^33, 2^25 and 2^53", refuse.ErrTooCostly, cost, f.most, g.M)
	}
	f.hit, f.miss = make([]float64, f.most+1), make([]float64, f.most+1)
	hit := message.HitRatios(g, m)
	for l := range f.hit {
		h := 0.0
		if l > 0 {
			h = hit(float64(l))
		}
		if h < fillFlush {
			h = 0
		}
		f.hit[l], f.miss[l] = h, 1-h
		if h > 0.5 {
			f.miss[l] = 0
			if uint64(l) < g.M {
				f.miss[l] = message.Miss(g, uint64(l))
			}
		}
	}
	f.zeros = make([]float64, g.K)
	if r.Messages == 0 && r.Sigma < g.M {
		f.over = exceedFrom(g, r.Sigma)
	}
	return f, nil
}

// roughMessages estimates how many messages a cycle records. The estimate is used for costs only.
func roughMessages(g bloomproof.Geometry, r bloomproof.Recycling) float64 {
	if r.Messages > 0 {
		return float64(r.Messages)
	}
	m := float64(g.M)
	// Above m = 2^53, m-1/2 is rounded to m. The logarithm would then be infinite.
	return -m / float64(g.K) * fm.Log1p(-min(min(float64(r.Sigma), m-0.5)/m, 1-fm.Unit))
}

// The function exceedFrom returns a probability for each b = sigma-k+1, ..., sigma. Suppose that a message finds b bits
// set. The value for b is the probability that it leaves more than sigma bits set. Each value has a relative error of
// at most 4k u (u = 2^-53). If sigma < k-1, the list begins at b = 0. The recursion goes backwards from the last
// position of the message.
func exceedFrom(g bloomproof.Geometry, sigma uint64) []float64 {
	first := sigma + 1 - min(uint64(g.K), sigma+1)
	p := make([]float64, sigma-first+2)
	p[len(p)-1] = 1
	for q := g.K - 1; q >= 0; q-- {
		t := uint64(message.Taken(g, q))
		left := float64(g.M - t)
		for i := range p[:len(p)-1] {
			b := first + uint64(i)
			p[i] = float64(max(b, t)-t)/left*p[i] + min(float64(g.M-b)/left, 1)*p[i+1]
		}
	}
	return p[:len(p)-1]
}

// The method "next" returns a value of the type "filled". It describes the array after the messages that have arrived
// so far. Then one more message arrives. All terms are positive. So after i messages the relative error of each field
// is (4k+4)(i+1)u + 4k u (u = 2^-53). For a message-bounded filter this error is twice as large. The probability that
// was cut off is an additional error.
func (f *filler) next() filled {
	var x filled
	if f.r.Messages == 0 {
		f.nextBits(&x)
	} else {
		f.nextMessages(&x)
	}
	x.fits = x.lucky + x.unlucky
	f.i++
	return x
}

// The method "luck" computes two probabilities for the next message. It adds to x.lucky the probability that the
// message finds all its positions set. It adds to x.unlucky the probability that the message finds a position clear.
// The argument "row" is the distribution of the number of set bits.
func (f *filler) luck(x *filled, row lane) {
	hit, miss := f.hit[row.first:], f.miss[row.first:]
	hit, miss = hit[:len(row.p)], miss[:len(row.p)]
	var l0, l1, u0, u1 float64 // two partial sums for each result, to hide the latency of additions
	n := len(row.p) &^ 1
	for j := 0; j < n; j += 2 {
		l0 += row.p[j] * hit[j]
		u0 += row.p[j] * miss[j]
		l1 += row.p[j+1] * hit[j+1]
		u1 += row.p[j+1] * miss[j+1]
	}
	if n < len(row.p) {
		l0 += row.p[n] * hit[n]
		u0 += row.p[n] * miss[n]
	}
	x.lucky += l0 + l1
	x.unlucky += u0 + u1
}

func (f *filler) nextBits(x *filled) {
	row := &f.lanes[0]
	f.luck(x, *row)
	sigma := f.r.Sigma
	for b := sigma + 1 - uint64(len(f.over)); b <= sigma && f.over != nil; b++ {
		if b >= row.first && b-row.first < uint64(len(row.p)) {
			ends := row.p[b-row.first] * f.over[len(f.over)-1-int(sigma-b)]
			x.luckyBefore += ends * f.hit[b]
			x.unluckyBefore += ends * f.miss[b]
		}
	}
	if len(row.p) == 0 {
		return
	}
	last := row.first + uint64(len(row.p)) - 1
	row.p = append(row.p, f.zeros[:min(uint64(f.g.K), f.most-last)]...)
	message.Vector(f.g).Advance(row.p, row.first)
	if top := sigma - min(row.first, sigma) + 1; row.first > sigma || top < uint64(len(row.p)) {
		if row.first > sigma {
			top = 0
		}
		for j, p := range row.p[top:] {
			x.ends += p
			x.luckyAfter += p * f.hit[row.first+top+uint64(j)]
			x.unluckyAfter += p * f.miss[row.first+top+uint64(j)]
		}
		row.p = row.p[:top]
	}
	f.dropped += row.trim(f.cut * (x.lucky + x.unlucky - min(x.ends, x.lucky+x.unlucky)))
}

// The method "trim" cuts off both ends of a row. At each end, it removes probabilities with a sum of at most the
// argument "cut". The method returns the total probability that it cut off.
func (x *lane) trim(cut float64) float64 {
	low, below := 0, 0.0
	for low < len(x.p) && below+x.p[low] <= cut {
		below += x.p[low]
		low++
	}
	high, above := len(x.p), 0.0
	for high > low && above+x.p[high-1] <= cut {
		high--
		above += x.p[high]
	}
	x.first += uint64(low)
	x.p = x.p[low:high]
	return below + above
}

// nextMessages follows the joint distribution of the number of set bits and the number of messages that set bits. The
// recursion that Dozier-FN prints in section 4.1.2 multiplies by gamma(i), the probability that a message sets no bit.
// The recursion should multiply by the conditional probability of this event, given the number of messages that set
// bits.
func (f *filler) nextMessages(x *filled) {
	n := f.r.Messages
	var come lane // the probability that moves up from the next lower lane
	lanes := f.lanes[:0]
	for at, row := range f.lanes {
		f.luck(x, row)
		some := f.loud(row)
		last := f.s+uint64(at)+1 == n
		for j := range row.p {
			hit, miss := f.hit[row.first+uint64(j)], f.miss[row.first+uint64(j)]
			if last {
				x.luckyBefore += row.p[j] * miss * hit
				x.unluckyBefore += row.p[j] * miss * miss
			}
			row.p[j] *= hit
		}
		if last {
			for j, p := range some.p {
				x.ends += p
				x.luckyAfter += p * f.hit[some.first+uint64(j)]
				x.unluckyAfter += p * f.miss[some.first+uint64(j)]
			}
			some.p = nil
		}
		lanes = append(lanes, row.plus(come))
		come = some
	}
	if len(come.p) > 0 {
		lanes = append(lanes, come)
	}
	cut := f.cut * (x.lucky + x.unlucky) / float64(len(lanes))
	for at := range lanes {
		f.dropped += lanes[at].trim(cut)
	}
	for len(lanes) > 1 && len(lanes[0].p) == 0 {
		lanes = lanes[1:]
		f.s++
	}
	f.lanes = lanes
}

// The method "plus" returns the sum of the rows x and y. It can overwrite x.
func (x lane) plus(y lane) lane {
	switch {
	case len(y.p) == 0:
		return x
	case len(x.p) == 0:
		return y
	}
	if y.first < x.first {
		x, y = y, x
	}
	at := y.first - x.first
	if end := at + uint64(len(y.p)); end > uint64(len(x.p)) {
		x.p = append(x.p, make([]float64, end-uint64(len(x.p)))...)
	}
	for j, p := range y.p {
		x.p[at+uint64(j)] += p
	}
	return x
}

// The method "loud" returns the distribution of the number of set bits after one more message. This message sets at
// least one bit. If a message sets a bit with high probability, the method first includes all outcomes. It then
// subtracts the outcomes that set no bit. The subtraction adds an absolute error to the probability of each state. This
// error is at most 4k u (u = 2^-53) times the probability of the state before the message. If a message probably sets
// no bit, the method subtracts nothing. Instead it goes through the positions one by one. It keeps two lists: one for
// outcomes without a new bit so far, and one for the other outcomes.
func (f *filler) loud(row lane) lane {
	if len(row.p) == 0 {
		return lane{}
	}
	last := row.first + uint64(len(row.p)) - 1
	n := len(row.p) + int(min(uint64(f.g.K), f.most-last))
	if f.hit[last] <= 0.5 {
		some := make([]float64, n)
		copy(some, row.p)
		message.Vector(f.g).Advance(some, row.first)
		for j, p := range row.p {
			some[j] = max(0, some[j]-p*f.hit[row.first+uint64(j)])
		}
		return lane{row.first, some}
	}
	some, none := make([]float64, n), make([]float64, n)
	copy(none, row.p)
	for q := range f.g.K {
		t := uint64(message.Taken(f.g, q))
		scale := 1 / float64(f.g.M-t)
		for j := n - 1; j >= 0; j-- {
			b := row.first + uint64(j)
			set := float64(max(b, t)-t) * scale
			some[j] *= set
			none[j] *= set
			if j > 0 {
				some[j] += (some[j-1] + none[j-1]) * (float64(f.g.M-b+1) * scale)
			}
		}
	}
	return lane{row.first, some}
}

// A value of the type "filling" lists one row for each i that is not negligible.
type filling struct {
	rows []filled
	rest float64 // a bound of the sum of fits over the i that are left out
	err  float64 // a bound of the relative errors of the rows and their sums
}

// newFilling adds rows until the variable "rest" is at most fillRest. This variable bounds the total of the rows that
// are left out.
const fillRest = 0x1p-110

// newFilling computes one row for each number i = 0, 1, ... of messages, until the remaining rows are negligible. Let
// v_i be the probability that i messages fit. Let rho(i) be the probability that the next message then ends the cycle.
// In a bit-bounded filter, consider the distribution of the number of set bits given that i messages fit. This
// distribution increases in the likelihood-ratio order as i grows. The reason is that the transition matrix of one
// message is totally positive. So rho(i) increases too. It follows that the sum of v_j over j >= i is at most
// v_i/rho(i). A message-bounded filter ends its cycle at the N-th message that sets a bit. Before that, at most B =
// (N-1)k bits are set. So each message sets a bit with probability at least f.miss[B]. So this sum is at most v_i
// N/f.miss[B].
func newFilling(g bloomproof.Geometry, r bloomproof.Recycling) (*filling, error) {
	f, err := newFiller(g, r)
	if err != nil {
		return nil, err
	}
	return f.filling(fillRest)
}

// The method "filling" returns the filling of an array that is empty so far. It leaves out rows with a total of at most
// the argument "rest". Tests leave out and cut off more than newFilling, so that the bounds of both show.
func (f *filler) filling(rest float64) (*filling, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	g, r := f.g, f.r
	most := mostFill / (float64(g.K) * leastRow)
	x := &filling{}
	for {
		row := f.next()
		x.rows = append(x.rows, row)
		if r.Messages > 0 {
			x.rest = (row.fits - min(row.ends, row.fits)) * float64(r.Messages) / f.miss[(r.Messages-1)*uint64(g.K)]
		} else if row.ends > 0 {
			x.rest = (row.fits - min(row.ends, row.fits)) * (row.fits / row.ends)
		}
		if row.fits == 0 {
			x.rest = 0 // no later row is positive
			break
		}
		if (row.ends > 0 || r.Messages > 0) && x.rest <= rest {
			break
		}
		if float64(len(x.rows)) > most {
			return nil, fmt.Errorf("%w: more than %d messages in a cycle", refuse.ErrTooCostly, len(x.rows))
		}
	}
	k := float64(g.K)
	x.err = ((8*k+8)*float64(len(x.rows))+4*k+8)*fm.Unit + 2*f.dropped
	return x, nil
}
