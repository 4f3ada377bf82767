package claims

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// effort says how far the checks go.
type effort uint8

// Quick effort suits a test suite: all claims take seconds. Full effort takes hours.
const (
	effortQuick effort = iota
	effortFull
)

// Options say how to run checks. The zero value runs all cases at quick effort.
type Options struct {
	Full  bool   // go as far as Checked of each claim says, which takes hours for all claims
	Shard [2]int // {i, n} runs the i-th of n parts of the cases, counted from 1; zeros run all cases
}

// Result is the outcome of one check.
type Result struct {
	Cases int64 // number of cases that this shard examined
	Err   error // nil, or why the recorded verdict is wrong

	took time.Duration
}

// wideInt says whether an int has 64 bits. The laws compute with ints, at points of up to 2^60. An int of 32 bits would
// overflow there, and Go does not report overflow.
const wideInt = math.MaxInt == math.MaxInt64

// Check runs the checks of the claims in all, on as many goroutines as there are processors. It calls done with each
// result as the result arrives; calls do not overlap. It returns the results in the order of all. When ctx ends, the
// remaining results have ctx's error.
//
// On a system whose int has 32 bits, Check runs nothing and returns an error. The arithmetic of the laws could overflow
// there, and a verdict could be wrong. All returns the same claims on every system.
func Check(ctx context.Context, all []Claim, o Options, done func(Result)) ([]Result, error) {
	if !wideInt {
		return nil, fmt.Errorf("the checks compute with an int of 64 bits; here it has %d", strconv.IntSize)
	}
	results := make([]Result, len(all))
	var next atomic.Int64
	var workers sync.WaitGroup
	var report sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				results[i] = check(ctx, all[i], o)
				report.Lock()
				done(results[i])
				report.Unlock()
			}
		}()
	}
	workers.Wait()
	return results, nil
}

func check(ctx context.Context, c Claim, o Options) Result {
	begin := time.Now()
	r := &run{ctx: ctx, id: c.ID, shard: o.Shard}
	if o.Full {
		r.effort = effortFull
	}
	err := ctx.Err()
	if err == nil {
		for i, t := range c.parts() {
			if err = t.run(r, i); err != nil {
				break
			}
		}
	}
	if err == nil && r.dealt == 0 {
		err = errors.New("no case examined")
	}
	return Result{r.cases, err, time.Since(begin)}
}

// run is the state of one check while it runs.
type run struct {
	effort effort
	shard  [2]int
	ctx    context.Context
	id     string
	dealt  int64 // cases inside the domain, over all shards
	cases  int64 // cases of this shard
}

// errOutside marks a point that a check cannot reach, because the enumeration or the numbers are too large.
var errOutside = errors.New("out of reach of the check")

// errFound ends a visit early, because the point that was wanted is found.
var errFound = errors.New("found")

// mine counts the next case, and reports whether this shard examines it.
func (r *run) mine() bool {
	r.dealt++
	return r.shard[1] <= 1 || (r.dealt-1)%int64(r.shard[1]) == int64(r.shard[0]-1)
}

// once examines one case that has no parameters. Every shard examines it.
func (r *run) once(law func() error) error {
	r.dealt++
	r.cases++
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return law()
}

// same returns an error unless both sides are equal.
func same(left, right *big.Rat) error {
	if left.Cmp(right) != 0 {
		return fmt.Errorf("left %s, right %s", short(left), short(right))
	}
	return nil
}

// atMost returns an error unless left <= right.
func atMost(left, right *big.Rat) error {
	if left.Cmp(right) > 0 {
		return fmt.Errorf("left %s above right %s", short(left), short(right))
	}
	return nil
}

// below returns an error unless left < right.
func below(left, right *big.Rat) error {
	if left.Cmp(right) >= 0 {
		return fmt.Errorf("left %s not below right %s", short(left), short(right))
	}
	return nil
}

// short writes a rational as a fraction if the fraction is short enough to read, and in decimal otherwise.
func short(x *big.Rat) string {
	if s := x.RatString(); len(s) <= 40 {
		return s
	}
	return new(big.Float).SetRat(x).Text('g', 20)
}
