package fnr

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A dumbModel is a Markov model as its formula reads, without regard to cost.
type dumbModel struct {
	fhat func(i int) float64
	both func(i, j int) float64 // G
}

// withoutReplacement returns P(j not in S_i), S_i being the first i distinct messages of
// draws from q, over all sets.
func withoutReplacement(q []float64, i int) []float64 {
	law := map[uint]float64{0: 1}
	for range i {
		next := map[uint]float64{}
		for set, p := range law {
			left := 0.0
			for j, x := range q {
				if set>>j&1 == 0 {
					left += x
				}
			}
			for j, x := range q {
				if set>>j&1 == 0 && x > 0 {
					next[set|1<<j] += p * x / left
				}
			}
		}
		if len(next) > 0 {
			law = next
		}
	}
	out := make([]float64, len(q))
	for set, p := range law {
		for j := range q {
			if set>>j&1 == 0 {
				out[j] += p
			}
		}
	}
	return out
}

// perMessage makes a model of the probabilities that messages are not recorded.
func perMessage(q []float64, missing func(i int) []float64) dumbModel {
	known := map[int][]float64{}
	at := func(i int) []float64 {
		if known[i] == nil {
			known[i] = missing(i)
		}
		return known[i]
	}
	sum := func(i, j int) float64 {
		s := 0.0
		for m, x := range q {
			s += x * at(i)[m] * at(j)[m]
		}
		return s
	}
	return dumbModel{func(i int) float64 { return sum(i, 0) }, sum}
}

// perArrivals makes a model of numbers of arrivals and a rate R of them.
func perArrivals(count func(i int) float64, rate func(l float64) float64) dumbModel {
	return dumbModel{
		func(i int) float64 { return rate(count(i)) },
		func(i, j int) float64 { return rate(count(i) + count(j)) },
	}
}

// uniformOf returns P(not in S_i) of (7), where i messages are recorded of d.
func uniformOf(d int) func(i int) []float64 {
	return func(i int) []float64 {
		p := make([]float64, d)
		for j := range p {
			p[j] = max(0, 1-float64(i)/float64(d))
		}
		return p
	}
}

// dumbModels returns the Markov models of a workload of a few messages, but the bi-uniform
// ones apart, by s.
func dumbModels(w bloomproof.Workload) (map[Model]dumbModel, []dumbModel) {
	q, zeta := dumbLaws(w)
	for q[len(q)-1] == 0 {
		q = q[:len(q)-1]
	}
	d := len(q)
	models := map[Model]dumbModel{
		modelLower: perMessage(q, func(i int) []float64 {
			p := make([]float64, d)
			for j := range p {
				if j >= i {
					p[j] = 1
				}
			}
			return p
		}),
		modelReplacement: perMessage(q, func(i int) []float64 {
			p := make([]float64, d)
			for j := range p {
				p[j] = math.Pow(1-q[j], float64(i))
			}
			return p
		}),
		modelUniform: perMessage(q, uniformOf(d)),
	}
	rate := func(l float64) float64 {
		s := 0.0
		for _, x := range q {
			s += x * math.Pow(1-x, l)
		}
		return s
	}
	pins := func(i int) float64 {
		if i >= d {
			return math.Inf(1)
		}
		best, at := math.Inf(1), 0.0
		for l := range 600 {
			distinct := 0.0
			for _, x := range q {
				distinct += 1 - math.Pow(1-x, float64(l))
			}
			if off := math.Abs(distinct - float64(i)); off < best-1e-12 {
				best, at = off, float64(l)
			}
		}
		return at
	}
	models[modelPins] = perArrivals(memo(pins), rate)

	const walk = 600
	law := make([]float64, 1<<d)
	law[0] = 1
	rates := make([]float64, walk)
	for j := range rates {
		next := make([]float64, 1<<d)
		for set, p := range law {
			for i := range d {
				if set>>i&1 == 0 {
					rates[j] += p * q[i]
				}
				next[set|1<<i] += p * w.Repeat * q[i]
				before, after := set&(1<<i-1), set>>i
				next[(before|1<<i|after<<(i+1))&(1<<d-1)] += p * (1 - w.Repeat) * zeta[i]
			}
			for i := d; i < len(zeta); i++ { // enters where nothing is asked for
				next[set] += p * (1 - w.Repeat) * zeta[i]
			}
		}
		law = next
	}
	linear := func(l float64) float64 {
		if math.IsInf(l, 1) {
			return 0
		}
		at := min(int(l), walk-2)
		return rates[at] + (l-float64(at))*(rates[at+1]-rates[at])
	}
	arrivals := func(i int) float64 {
		m := 0.0
		if w.Repeat == 1 && i >= d {
			return math.Inf(1)
		}
		for l := range walk {
			step := 1 - w.Repeat + w.Repeat*rates[l]
			if m+step >= float64(i) {
				return float64(l) + (float64(i)-m)/step
			}
			m += step
		}
		return math.Inf(1)
	}
	models[modelPinsArrivals] = perArrivals(memo(arrivals), linear)

	// As (42) and (43) are written, corrected; ok tells whether all are probabilities.
	disabled := func(h []float64, f float64) []float64 {
		out := make([]float64, d)
		for i := range out {
			below, above, shifted := 0.0, 0.0, 0.0
			for j, z := range zeta {
				if j < i {
					below += z
				}
				if j > i {
					above += z
				}
			}
			if i > 0 {
				shifted = h[i-1]
			}
			out[i] = (w.Repeat*(h[i]*f+(1-h[i])*q[i]) + (1-w.Repeat)*(zeta[i]+shifted*below+h[i]*above)) / (1 - w.Repeat + w.Repeat*f)
		}
		return out
	}
	missing := func(h []float64) float64 {
		s := 0.0
		for i, x := range q {
			s += x * (1 - h[i])
		}
		return s
	}
	after := [][]float64{make([]float64, d)}
	for s := range 100 {
		after = append(after, disabled(after[s], missing(after[s])))
	}
	models[modelDisabling] = dumbModel{
		func(i int) float64 { return missing(after[i]) },
		func(i, j int) float64 {
			h := after[j]
			for s := range i {
				h = disabled(h, missing(after[s]))
			}
			return missing(h)
		},
	}

	var two []dumbModel
	for s := 1; s < d && q[s-1] >= 1/float64(d); s++ {
		b := make([]float64, d)
		for j := range b {
			if b[j] = q[s-1]; j >= s {
				b[j] = (1 - float64(s)*q[s-1]) / float64(d-s)
			}
			if b[j] < 1e-15 {
				b[j] = 0
			}
		}
		two = append(two, perMessage(b, func(i int) []float64 { return withoutReplacement(b, min(i, d)) }))
	}
	two = append(two, models[modelUniform])
	return models, two
}

func memo(f func(int) float64) func(int) float64 {
	known := map[int]float64{}
	return func(i int) float64 {
		x, ok := known[i]
		if !ok {
			x = f(i)
			known[i] = x
		}
		return x
	}
}

// dumbForecast follows the Markov chain of a model: states, and what is frozen.
func dumbForecast(r bloomproof.Recycling, w bloomproof.Workload, d int, rows []filled, x dumbModel) (f Forecast) {
	pr := w.Repeat
	n := len(rows)
	if pr == 1 {
		n = min(n, d)
	}
	ended := 0.0
	for _, row := range rows[:n] {
		ended += row.ends
	}
	var told, all float64
	first := 0
	if r.Retain {
		first = 1
	}
	for i := first; i < n; i++ {
		row := rows[i]
		visits := row.fits / (1 - pr + pr*x.fhat(i))
		f.Cycle += visits
		if row.fits == 0 {
			continue
		}
		gamma := row.lucky / row.fits
		if !r.TwoPhase {
			f.FNR += visits * pr * x.fhat(i) * (1 - gamma)
			f.Lucky += visits * pr * x.fhat(i) * gamma
			f.FPR += visits * (1 - pr) * gamma
			told += visits * gamma
			all += visits * (1 - pr + pr*x.fhat(i))
			continue
		}
		for j, row := range rows[:n] {
			if row.ends == 0 {
				continue
			}
			lucky, missing, trigger := row.luckyAfter/row.ends, x.both(i, j+1), 0.0
			if r.FreezeBefore {
				lucky = row.luckyBefore / row.ends
			}
			switch {
			case r.Retain:
				missing = x.both(i-1, j+1)
			case r.FreezeBefore:
				missing = x.both(i, j)
				trigger = missing - x.both(i, j+1) // in neither, and not lucky in the frozen array
			}
			p := visits * row.ends / ended
			called := 1 - (1-gamma)*(1-lucky)
			f.FNR += p * pr * ((missing-trigger)*(1-called) + trigger*(1-gamma))
			f.Lucky += p * pr * ((missing-trigger)*called + trigger*gamma)
			f.FPR += p * (1 - pr) * called
			told += p * called
			all += p * (1 - pr + pr*missing)
		}
	}
	if all > 0 {
		f.FPRPerCycleNew = (f.FPR + f.Lucky) / all
	}
	f.FNR, f.Lucky, f.FPR, f.FPRPerNew = f.FNR/f.Cycle, f.Lucky/f.Cycle, f.FPR/f.Cycle, told/f.Cycle
	return f
}

// sameForecast reports numbers that differ by more than tolerance, relative.
func sameForecast(t *testing.T, what string, got, want Forecast, tolerance float64) {
	t.Helper()
	for name, x := range map[string][2]float64{
		"f_n": {got.FNR, want.FNR}, "lucky": {got.Lucky, want.Lucky}, "f_p": {got.FPR, want.FPR},
		"f_p per new": {got.FPRPerNew, want.FPRPerNew}, "per cycle-new": {got.FPRPerCycleNew, want.FPRPerCycleNew},
		"V": {got.Cycle, want.Cycle},
	} {
		if !(math.Abs(x[0]-x[1]) <= tolerance*math.Abs(x[1])) {
			t.Errorf("%s: %s = %g, want %g", what, name, x[0], x[1])
		}
	}
}

// markovRules returns rules of every kind that Markov models are made for.
func markovRules(g bloomproof.Geometry) []bloomproof.Recycling {
	var rules []bloomproof.Recycling
	for _, r := range []bloomproof.Recycling{
		{Sigma: 3}, {Sigma: g.M - 2}, {Messages: 2},
	} {
		r.FreshPositions = true
		for _, retain := range []bool{false, true} {
			r.Retain = retain
			one, two := r, r
			two.TwoPhase = true
			before := two
			before.FreezeBefore = true
			rules = append(rules, one, two, before)
		}
	}
	return rules
}

// The Markov models are what their formulas say, in all rules, for workloads of a few
// messages of every kind.
func TestMarkovByEnumeration(t *testing.T) {
	seen, disabling := 0, 0
	geometries := []bloomproof.Geometry{{M: 7, K: 2}, {M: 6, K: 3, Hashing: bloomproof.Classic}}
	if !longtest.Enabled() {
		geometries = geometries[:1]
	}
	for _, g := range geometries {
		rules := markovRules(g)
		rows := map[bloomproof.Recycling][]filled{}
		for n, w := range smallTraffic() {
			if n%9 != 0 || !longtest.Enabled() && n%45 != 0 {
				continue
			}
			models, two := dumbModels(w)
			q, _ := dumbLaws(w)
			d := len(q)
			for d > 1 && q[d-1] == 0 {
				d--
			}
			for _, r := range rules {
				bound := bloomproof.Recycling{Sigma: r.Sigma, Messages: r.Messages}
				if rows[bound] == nil {
					list := listedFilling(g, bound, 60)
					for list[len(list)-1].fits < 1e-12 {
						list = list[:len(list)-1]
					}
					rows[bound] = list
				}
				list := rows[bound]
				c, err := New(g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				ends := w.Repeat == 1 && (d < 2 || d < len(list) && list[d].fits > 0.5)
				for m, x := range models {
					what := fmt.Sprintf("%v %v %v %v", m, g, r, w)
					got, err := c.Predict(m)
					if ends {
						if !errors.Is(err, bloomproof.ErrUndefined) {
							t.Errorf("%s: %+v, %v, want no value", what, got, err)
						}
						continue
					}
					if m == modelDisabling && (err != nil || !got.Valid) {
						continue // negative probabilities
					}
					if err != nil {
						t.Errorf("%s: %v", what, err)
						continue
					}
					if m == modelDisabling {
						disabling++
					}
					sameForecast(t, what, got, dumbForecast(r, w, d, list, x), 1e-9)
					seen++
				}
				if ends {
					continue
				}
				best := Forecast{FNR: math.Inf(1)}
				for _, x := range two {
					if f := dumbForecast(r, w, d, list, x); f.FNR < best.FNR*(1-1e-12) {
						best = f
					}
				}
				what := fmt.Sprintf("biuniform %v %v %v", g, r, w)
				got, err := c.Predict(modelBiUniform)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				if math.Abs(got.FNR-best.FNR) > 1e-9*best.FNR {
					t.Errorf("%s: f_n = %g, the least of all s is %g", what, got.FNR, best.FNR)
				}
			}
		}
	}
	if t.Logf("%d forecasts, %d by disabling", seen, disabling); disabling == 0 {
		t.Error("no forecast by disabling")
	}
}
