package claims

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bloomproof/bloomproof"
)

// Effort is how far checks go.
type Effort uint8

// Quick fits a test suite: all claims in seconds. Full takes minutes to hours.
const (
	Quick Effort = iota
	Full
)

var effortNames = []string{"quick", "full"}

// String returns the effort's name, as in the command line.
func (e Effort) String() string { return nameOf(effortNames, int(e)) }

// MarshalText returns the name of e.
func (e Effort) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText sets e to the effort that text names; e is unchanged when it returns a
// ParamError.
func (e *Effort) UnmarshalText(text []byte) error {
	i, err := indexOf("effort", effortNames, text)
	if err == nil {
		*e = Effort(i)
	}
	return err
}

// Shard is the I-th of N parts of the cases, counted from 1. The zero value is all.
type Shard struct{ I, N int }

// String returns i/n.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", max(s.I, 1), max(s.N, 1)) }

// UnmarshalText reads i/n; s is unchanged when it returns a ParamError.
func (s *Shard) UnmarshalText(text []byte) error {
	var i, n int
	c, _ := fmt.Sscanf(string(text), "%d/%d", &i, &n)
	if read := (Shard{i, n}); c != 2 || i < 1 || i > n || read.String() != string(text) {
		return &bloomproof.ParamError{Param: "shard", Value: string(text), Want: "I/N with 1 <= I <= N, such as 3/16"}
	}
	*s = Shard{i, n}
	return nil
}

// Options say how to run checks. The zero value: quick, all cases.
type Options struct {
	Effort Effort
	Shard  Shard
}

// Result is what one check found.
type Result struct {
	Claim Claim
	Cases int64 // examined by this shard
	Took  time.Duration
	Err   error // not nil: the recorded verdict is wrong
}

// Check runs the checks of all on as many goroutines as there are processors, and calls
// done with each result as it comes, one at a time. It returns them in the order of all;
// when ctx ends, the rest has ctx's error.
func Check(ctx context.Context, all []Claim, o Options, done func(Result)) []Result {
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
	return results
}

func check(ctx context.Context, c Claim, o Options) Result {
	begin := time.Now()
	r := &run{Options: o, ctx: ctx, id: c.ID}
	err := ctx.Err()
	if err == nil {
		err = c.check(r)
	}
	if err == nil && r.dealt == 0 {
		err = errors.New("no case examined")
	}
	return Result{c, r.cases, time.Since(begin), err}
}

// run is one execution of one check.
type run struct {
	Options
	ctx   context.Context
	id    string
	dealt int64 // cases inside the domain, of all shards
	cases int64 // those of this shard
}

// span is a parameter with its range, both ends included.
type span struct {
	Name   string
	Lo, Hi int
}

// box is a range of parameters.
type box []span

// errOutside marks a point of a box that is outside the domain of the claim.
var errOutside = errors.New("outside the domain")

// mine deals the next case and reports whether it is this shard's.
func (r *run) mine() bool {
	r.dealt++
	return r.Shard.N <= 1 || (r.dealt-1)%int64(r.Shard.N) == int64(r.Shard.I-1)
}

// all calls law with this shard's points of the box, in lexicographic order, and returns
// the first error, with the point. The points outside the domain, for which law returns
// errOutside, do not count.
func (r *run) all(box box, law func(p []int) error) error {
	inside := false
	err := box.walk(func(p []int) error {
		if !r.mine() {
			inside = true
			return nil
		}
		err := r.ctx.Err()
		if err == nil {
			err = law(p)
		}
		switch {
		case errors.Is(err, errOutside):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", box.at(p), err)
		}
		inside = true
		r.cases++
		return nil
	})
	if err == nil && !inside {
		return errors.New("no case of the box is in the domain")
	}
	return err
}

// smallest fails unless at is the first point of the box, in lexicographic order, where
// law breaks. Every shard examines all of it.
func (r *run) smallest(at []int, box box, law func(p []int) error) error {
	var broken error
	err := box.walk(func(p []int) error {
		r.dealt++
		r.cases++
		err := law(p)
		if err == nil || errors.Is(err, errOutside) {
			return r.ctx.Err()
		}
		if text := box.at(p); text != box.at(at) {
			return fmt.Errorf("smallest counterexample at %s, recorded %s: %w", text, box.at(at), err)
		}
		broken = err
		return errFound
	})
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	if broken == nil {
		return fmt.Errorf("no counterexample at %s", box.at(at))
	}
	return nil
}

var errFound = errors.New("found")

// sample calls law n times with a generator that depends on the claim and on the number
// of the sample only, for those that fall to this shard.
func (r *run) sample(n int, law func(rnd *rand.Rand) error) error {
	h := fnv.New64a()
	h.Write([]byte(r.id))
	seed := int64(h.Sum64())
	return r.all(box{{"sample", 1, n}}, func(p []int) error {
		return law(rand.New(rand.NewSource(seed + int64(p[0]))))
	})
}

// once examines one case that has no parameters; every shard does.
func (r *run) once(law func() error) error {
	r.dealt++
	r.cases++
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return law()
}

func (b box) walk(f func(p []int) error) error {
	p := make([]int, len(b))
	var step func(i int) error
	step = func(i int) error {
		if i == len(b) {
			return f(p)
		}
		for p[i] = b[i].Lo; p[i] <= b[i].Hi; p[i]++ {
			if err := step(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return step(0)
}

// at returns "m=2 n=3" for a point of the box.
func (b box) at(p []int) string {
	var s strings.Builder
	for i, span := range b {
		if i > 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "%s=%d", span.Name, p[i])
	}
	return s.String()
}

// same fails unless both sides are equal.
func same(left, right *big.Rat) error {
	if left.Cmp(right) != 0 {
		return fmt.Errorf("left %s, right %s", short(left), short(right))
	}
	return nil
}

// atMost fails unless left <= right.
func atMost(left, right *big.Rat) error {
	if left.Cmp(right) > 0 {
		return fmt.Errorf("left %s above right %s", short(left), short(right))
	}
	return nil
}

// below fails unless left < right.
func below(left, right *big.Rat) error {
	if left.Cmp(right) >= 0 {
		return fmt.Errorf("left %s not below right %s", short(left), short(right))
	}
	return nil
}

// short returns a rational as a fraction while that can be read, and in decimal beyond.
func short(x *big.Rat) string {
	if s := x.RatString(); len(s) <= 40 {
		return s
	}
	return new(big.Float).SetRat(x).Text('g', 20)
}
