package sim

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
)

// Plan says how much is simulated, and with which filter.
type Plan struct {
	Runs     int    // independent replications, at least 1
	Cycles   uint64 // the number of whole cycles, or fillings, in each run; set this or Arrivals
	Arrivals uint64 // the number of arrivals, or items and probes, of all runs together; each run goes on to the end of its cycle
	Seed     uint64 // determines the results, whatever the host and Workers
	Workers  int    // the number of runs at a time; 0 means GOMAXPROCS
	// Ideal replaces the filter of package kernel by an independent filter that was written from the specification. That
	// filter draws its positions and computes none of them from a hash.
	Ideal bool
	// Progress, if not nil, is called from time to time with the number of arrivals so far. Only one goroutine at a time
	// calls it.
	Progress func(arrivals uint64)
}

// The constant "warmup" is the number of cycles that each run observes first without counting them. The first cycle
// begins with empty arrays. The first cycle has no retained message, even if the filter retains the triggering message
// of each cycle.
const warmup = 4

// Run simulates the runs of the plan. It returns the counts of each run, in the order of the runs. Each run has its own
// recycling filter, with arrays of geometry g and the recycling rule r. Each run also has its own hash function, and
// its own random arrivals of workload w.
//
// The arrivals follow Dozier-FN, section 3.1. Here p_r is w.Repeat, and D is the number of ranks. The probabilities q_j
// come from w.Popularity, and the probabilities zeta_i come from w.Arrivals. With probability p_r*q_j an arrival
// repeats the message at rank j. With probability 1-p_r it is a new message, which enters at rank i with probability
// zeta_i. The messages from that rank on then move down by one rank, and the last message leaves for ever. All D
// messages at the ranks have arrived before the simulation begins. So with p_r = 0 every message arrives once, and the
// popularity does not matter. Dozier-FP models this traffic. With p_r = 1 no new messages arrive, so the set of
// messages never changes. With D = 1, each arrival repeats the message before it with probability p_r. Otherwise it is
// a new message. With bloomproof.ArrivalFirst, each new message enters at rank 0. So the rank of a message is the
// number of new messages since its first arrival. Suppose that an arrival repeats a message. Then q_j is the
// probability that j new messages have arrived since the first arrival of the repeated message.
//
// A run begins with empty arrays, so it does not count the first four cycles. After them, it counts whole cycles. The
// decision to end a run depends only on the past. Suppose that cycles are independent and identically distributed. Take
// the expected number of hits of a run, and divide it by the expected number of trials. The quotient is exactly the
// long-term rate (Wald's identity). Neither the beginning nor the end causes a bias. This is why a rate is a ratio over
// all runs, and not the mean of the ratios of the runs.
//
// A run that can never recycle again sets Absorbed. Such a run ends at once if Plan.Cycles is set. If Plan.Arrivals is
// set, this number of arrivals is divided equally among the runs. Such a run then continues until it has counted its
// part.
//
// Domain: the geometry g is valid, with m <= 2^48, or m <= 2^34 when Ideal is set. The rule r is valid for g. The
// workload w is valid, with D <= 2^26. The plan has 1 <= Runs <= 2^20. Either its Cycles or its Arrivals is above 0, and
// the other is 0.
// Cost: 45 ns for each arrival if all messages are new, and 75 ns with D = 1000 ranks. Both times are for hashed
// positions, k = 7 and a filter that fits into the cache. The cost of an arrival grows as O(log D), and each new
// message takes about D/2^14 steps more. Memory: 12 bytes for each rank, and 130 bytes for each run. Each worker takes
// m/8 bytes for each phase of the filter, and 33 bytes for each rank.
// Errors: *bloomproof.ParamError; ctx.Err() when ctx ends.
func Run(ctx context.Context, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, p Plan) ([]Tally, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	if err := r.Validate(g); err != nil {
		return nil, err
	}
	t, err := trafficOf(w)
	if err != nil {
		return nil, err
	}
	return simulate(ctx, g, r, t, p)
}

// The function "simulate" does the work of Run. The arrivals come from the argument t, which can be any traffic.
func simulate(ctx context.Context, g bloomproof.Geometry, rule bloomproof.Recycling, t traffic, p Plan) ([]Tally, error) {
	meter := &meter{report: p.Progress}
	return replicate(ctx, p, func(ctx context.Context, i int) (Tally, error) {
		r, err := newRun(g, rule, t, p, i)
		if err != nil {
			return Tally{}, err
		}
		err = r.work(ctx, meter)
		n := r.ledger.tally()
		n.Absorbed = r.absorbed
		return n, err
	})
}

// The function "replicate" calls run once for each run of the plan. It returns the results in the order of the runs. It
// stops at the first error. It also stops when ctx ends.
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

// The arrivals of a plan are divided among its runs. The method "share" returns the number of arrivals that each run
// must count. The plan must set Arrivals.
func (p Plan) share() uint64 { return 1 + (p.Arrivals-1)/uint64(p.Runs) }

// A meter adds up the arrivals that all workers have simulated, and reports the sum to Plan.Progress.
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

// The constant "batch" is the number of arrivals that a run passes to its filter at a time.
const batch = 512

// The type "run" represents the state of one run of the plan while it is simulated.
type run struct {
	filter   filter
	source   source
	ledger   *ledger
	cycles   uint64 // the number of whole cycles to count, unless arrivals is set
	arrivals uint64 // the number of arrivals to count, up to the end of the cycle

	warm     uint64 // the number of cycles of the warm-up that are left
	idle     uint64 // the number of arrivals since the last recycle
	absorbed bool
	patience uint64 // the number of idle arrivals after which the run first checks whether the filter knows all messages
	look     uint64 // the number of idle arrivals at the next such check
}

// newRun returns run i of the plan. Each run has its own streams of random numbers.
func newRun(g bloomproof.Geometry, rule bloomproof.Recycling, t traffic, p Plan, i int) (*run, error) {
	src := t(stream(p.Seed, i, "traffic"))
	r := &run{source: src, ledger: newLedger(truth.NewClock(rule), src.Slots()), cycles: p.Cycles, warm: warmup}
	if p.Arrivals > 0 {
		r.arrivals = p.share()
	}
	r.patience = max(4096, 8*uint64(src.Slots()))
	r.look = r.patience
	rng := stream(p.Seed, i, "positions")
	if p.Ideal {
		f, err := newIdeal(g, rule, src.Slots(), rng)
		if err != nil {
			return nil, err
		}
		r.filter = f
		return r, nil
	}
	f, err := kernel.NewRecycling(g, rule, kernel.Options{Seed: rng.Uint64()})
	if err != nil {
		return nil, err
	}
	r.filter = &hashed{RecyclingFilter: f}
	return r, nil
}

// The function "stream" returns the generator of random numbers that a run uses for one purpose.
func stream(seed uint64, run int, purpose string) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[0:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(run))
	copy(key[16:], purpose)
	return rand.NewChaCha8(key)
}

// The method "work" simulates the run until it ends. The comment of Run says when a run ends.
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

// The method "recycled" is called at the end of a cycle. It reports whether the run is over.
func (r *run) recycled() bool {
	r.idle, r.look = 0, r.patience
	if r.warm > 0 {
		if r.warm--; r.warm == 0 {
			r.ledger.clear()
		}
		return false
	}
	return r.enough()
}

func (r *run) enough() bool {
	n := &r.ledger.counts
	if r.cycles > 0 {
		return n.Recycles >= r.cycles
	}
	return n.Arrivals >= r.arrivals
}

// The method "settle" finds out whether the filter can ever recycle again, and sets the field "absorbed" if it
// cannot.
func (r *run) settle() {
	known := false
	if all := r.source.Closed(); all != nil && r.idle >= r.look {
		known = r.filter.knows(all)
		r.look *= 2
	}
	if r.absorbed = known || r.filter.full(); r.absorbed {
		if r.warm > 0 { // such a filter is counted from here on
			r.warm = 0
			r.ledger.clear()
		}
	}
}
