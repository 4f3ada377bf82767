package sim

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Setting is what is simulated.
type Setting struct {
	Geometry bloomproof.Geometry // of each array
	Rule     bloomproof.Recycling
	Traffic  Traffic
	// Ideal replaces the filter of package kernel by one that is written from the
	// semantics alone and draws its positions instead of hashing for them.
	Ideal bool
}

// Plan is how much is simulated.
type Plan struct {
	Runs     int    // independent replications, at least 1
	Cycles   uint64 // whole cycles of each run, or
	Arrivals uint64 // arrivals of all the runs together, each run going on to the end of its cycle
	Seed     uint64 // the results repeat, whatever the host and Workers
	Workers  int    // runs at a time; 0: GOMAXPROCS
	// Progress, when not nil, is called from time to time, by one goroutine at a time,
	// with the arrivals so far.
	Progress func(arrivals uint64)
}

// warmup is the number of cycles that each run observes first without counting them: the
// first begins with empty arrays and, if the filter retains, without a retained message.
const warmup = 4

// Run simulates the runs of the plan, each with a filter, a hash function and arrivals of
// its own, and returns what each counted, in order.
//
// A run counts whole cycles after the first four, which begin with empty arrays, and where it ends depends on the past alone: with cycles
// that are independent and alike, the expected hits over the expected trials of a run are
// the long-term rate exactly (Wald), with neither a beginning nor a cut at the end to
// bias it. That is why rates are taken as a ratio over all runs, and not as a mean of the
// runs' own ratios.
//
// A run that can never recycle again says so by Absorbed. Of a plan by cycles it ends
// there; of a plan by arrivals it goes on until it has its share.
//
// Domain: a valid Geometry, m <= 2^48 (2^34 when Ideal), and Rule; 1 <= Runs <= 2^20;
// one of Cycles and Arrivals above 0.
// Cost: real, all new, k = 7, in cache: 45 ns an arrival, under a workload of D = 1000 75 ns. Memory: filter, m/8
// bytes a phase, and slots of the traffic for each worker; 130 bytes a run.
// Errors: *bloomproof.ParamError; ctx.Err() when ctx ends.
func Run(ctx context.Context, s Setting, p Plan) ([]Tally, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	if err := s.Rule.Validate(s.Geometry); err != nil {
		return nil, err
	}
	if s.Traffic.start == nil {
		return nil, &bloomproof.ParamError{Param: "traffic", Value: nil, Want: "AllNew, Immediate or Workload"}
	}
	meter := &meter{report: p.Progress}
	return replicate(ctx, p, func(ctx context.Context, i int) (Tally, error) {
		r, err := newRun(s, p, i)
		if err != nil {
			return Tally{}, err
		}
		err = r.work(ctx, meter)
		return r.ledger.tally, err
	})
}

// replicate returns what run gives for each run of the plan, in order. It stops at the
// first error, and when ctx ends.
func replicate[T any](ctx context.Context, p Plan, run func(ctx context.Context, i int) (T, error)) ([]T, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := p.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	results := make([]T, p.Runs)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, p.Runs) {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := int(next.Add(1)) - 1; i < p.Runs && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				var err error
				if results[i], err = run(ctx, i); err != nil {
					cancel(err)
				}
			}
		}()
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return results, nil
}

func (p Plan) validate() error {
	switch {
	case p.Runs < 1 || p.Runs > 1<<20:
		return &bloomproof.ParamError{Param: "runs", Value: p.Runs, Want: "between 1 and 2^20"}
	case p.Cycles == 0 && p.Arrivals == 0:
		return &bloomproof.ParamError{Param: "cycles", Value: p.Cycles, Want: "at least 1, or a number of arrivals"}
	case p.Cycles > 0 && p.Arrivals > 0:
		return &bloomproof.ParamError{Param: "arrivals", Value: p.Arrivals, Want: "0 beside a number of cycles"}
	}
	return nil
}

// share returns the arrivals of one run of a plan by arrivals.
func (p Plan) share() uint64 { return 1 + (p.Arrivals-1)/uint64(p.Runs) }

// meter adds up the arrivals of all workers.
type meter struct {
	mu       sync.Mutex
	arrivals uint64
	report   func(uint64)
}

func (m *meter) add(n uint64) {
	if m.report == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrivals += n
	m.report(m.arrivals)
}

// batch is the number of arrivals that are observed at a time.
const batch = 512

// run is one replication at work.
type run struct {
	filter   filter
	source   source
	ledger   *ledger
	cycles   uint64 // whole cycles to count, or
	arrivals uint64 // arrivals to count, to the end of the cycle

	warm     uint64 // cycles of the warm-up that are left
	idle     uint64 // arrivals since the last recycle
	absorbed bool
	patience uint64 // idle arrivals at which to see for the first time whether all is known,
	look     uint64 // and for the next
}

// newRun returns run i of the plan, which draws from streams of its own.
func newRun(s Setting, p Plan, i int) (*run, error) {
	src := s.Traffic.start(stream(p.Seed, i, "traffic"))
	r := &run{source: src, ledger: newLedger(clock{s.Rule, firstCycle}, src.Slots()), cycles: p.Cycles, warm: warmup}
	if p.Arrivals > 0 {
		r.arrivals = p.share()
	}
	r.patience = max(4096, 8*uint64(src.Slots()))
	r.look = r.patience
	rng := stream(p.Seed, i, "positions")
	if s.Ideal {
		f, err := newIdeal(s.Geometry, s.Rule, src.Slots(), rng)
		if err != nil {
			return nil, err
		}
		r.filter = f
		return r, nil
	}
	f, err := kernel.NewRecycling(s.Geometry, s.Rule, kernel.Options{Seed: rng.Uint64()})
	if err != nil {
		return nil, err
	}
	r.filter = &hashed{RecyclingFilter: f}
	return r, nil
}

// stream returns the random numbers of a run for one purpose.
func stream(seed uint64, run int, purpose string) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[0:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(run))
	copy(key[16:], purpose)
	return rand.NewChaCha8(key)
}

// work runs until the plan is fulfilled.
func (r *run) work(ctx context.Context, m *meter) error {
	var arrivals [batch]arrival
	var found [batch]kernel.Observation
	for n := 0; ; n++ {
		if n&255 == 255 {
			m.add(256 * batch)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		r.source.Next(arrivals[:])
		r.filter.observe(found[:], arrivals[:])
		for i := range arrivals {
			r.ledger.observe(arrivals[i], found[i])
			r.idle++
			if found[i].Recycled && r.recycled() || r.absorbed && r.enough() {
				return nil
			}
		}
		if !r.absorbed && r.idle >= batch {
			r.settle()
			if r.absorbed && r.cycles > 0 {
				return nil
			}
		}
	}
}

// recycled reports whether the run is over at the end of a cycle.
func (r *run) recycled() bool {
	r.idle, r.look = 0, r.patience
	if r.warm > 0 {
		if r.warm--; r.warm == 0 {
			r.ledger.tally = Tally{}
		}
		return false
	}
	return r.enough()
}

func (r *run) enough() bool {
	t := &r.ledger.tally
	if r.cycles > 0 {
		return t.Recycles >= r.cycles
	}
	return t.Arrivals >= r.arrivals
}

// settle finds out whether the filter can ever recycle again.
func (r *run) settle() {
	known := false
	if all := r.source.Closed(); all != nil && r.idle >= r.look {
		known = r.filter.knows(all)
		r.look *= 2
	}
	if r.absorbed = known || r.filter.full(); r.absorbed {
		if r.warm > 0 { // what follows is the long run
			r.warm, r.ledger.tally = 0, Tally{}
		}
		r.ledger.tally.Absorbed = true
	}
}
