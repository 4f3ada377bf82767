package model

import (
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Recycling is the model of kernel.RecyclingFilter: the messages recorded in each array, in their order. The rules come
// from Dozier et al., as the documentation of package kernel states them.
type Recycling struct {
	g bloomproof.Geometry
	r bloomproof.Recycling

	active, frozen []kernel.Hash // the recorded messages; each of them set a bit
	cycle          uint64
	arrivals       uint64
	memo           map[arrival][]uint64 // a cache of positions
}

// The type "arrival" identifies a message and the cycle in which it arrives.
type arrival struct {
	h     kernel.Hash
	cycle uint64
}

// NewRecycling returns an empty model. The arguments g and r must be valid, with m <= 2^48.
func NewRecycling(g bloomproof.Geometry, r bloomproof.Recycling) *Recycling {
	refuseCycles(g, r)
	hashingOf(g) // panics early
	return &Recycling{g: g, r: r, memo: map[arrival][]uint64{}}
}

// The method "of" returns the positions of the message h in the given cycle.
func (f *Recycling) of(h kernel.Hash, cycle uint64) []uint64 {
	if !f.r.FreshPositions {
		cycle = 0 // for which derive returns h
	}
	pos, met := f.memo[arrival{h, cycle}]
	if !met {
		pos = Positions(f.g, Cycle(h, cycle))
		f.memo[arrival{h, cycle}] = pos
	}
	return pos
}

// bitsOf returns the positions that the messages set in an array of the given cycle.
func (f *Recycling) bitsOf(messages []kernel.Hash, cycle uint64) map[uint64]bool {
	set := map[uint64]bool{}
	for _, h := range messages {
		for _, p := range f.of(h, cycle) {
			set[p] = true
		}
	}
	return set
}

// Active returns the set positions of the active array.
func (f *Recycling) Active() map[uint64]bool { return f.bitsOf(f.active, f.cycle) }

// Frozen returns the set positions of the frozen array.
func (f *Recycling) Frozen() map[uint64]bool { return f.bitsOf(f.frozen, f.cycle-1) }

// Words returns the bits of the active array. With two phases, the bits of the frozen array follow.
func (f *Recycling) Words() []uint64 { return f.words(f.Active(), f.Frozen()) }

func (f *Recycling) words(active, frozen map[uint64]bool) []uint64 {
	words := bitWords(f.g.M, active)
	if f.r.TwoPhase {
		words = append(words, bitWords(f.g.M, frozen)...)
	}
	return words
}

// Recorded returns the messages that the filter must know: the messages of both arrays.
func (f *Recycling) Recorded() []kernel.Hash { return slices.Concat(f.active, f.frozen) }

// State returns the state of the cycle.
func (f *Recycling) State() kernel.CycleState { return f.state(f.Active(), f.Frozen()) }

func (f *Recycling) state(active, frozen map[uint64]bool) kernel.CycleState {
	return kernel.CycleState{
		Cycle: f.cycle, Bits: uint64(len(active)), FrozenBits: uint64(len(frozen)),
		Messages: uint64(len(f.active)), Arrivals: f.arrivals,
	}
}

// Contains reports whether an arrival of h would be called a repeat.
func (f *Recycling) Contains(h kernel.Hash) bool { return f.contains(f.Active(), f.Frozen(), h) }

func (f *Recycling) contains(active, frozen map[uint64]bool, h kernel.Hash) bool {
	return holds(active, f.of(h, f.cycle)) || holds(frozen, f.of(h, f.cycle-1))
}

// Observe processes one arrival. It returns the observation, and the state at the end of the cycle if the arrival ended
// it.
func (f *Recycling) Observe(h kernel.Hash) (kernel.Observation, *kernel.CycleState) {
	set := f.Active()
	o := kernel.Observation{
		Active: holds(set, f.of(h, f.cycle)),
		Frozen: holds(f.Frozen(), f.of(h, f.cycle-1)),
	}
	f.arrivals++
	if o.Active || o.Frozen && f.r.NoCopyOver {
		return o, nil
	}
	f.active = append(f.active, h)
	before := uint64(len(set))
	for _, p := range f.of(h, f.cycle) {
		set[p] = true
	}
	after := uint64(len(set))
	o.NewBits = after - before

	if o.Recycled = after > f.r.Sigma; f.r.Messages > 0 {
		o.Recycled = uint64(len(f.active)) == f.r.Messages
	}
	if !o.Recycled {
		return o, nil
	}
	end := f.State()
	if f.r.TwoPhase {
		f.frozen = f.active
		if f.r.FreezeBefore {
			f.frozen = f.active[:len(f.active)-1]
		}
	}
	f.active, f.arrivals = nil, 0
	f.cycle++
	if f.r.Retain {
		f.active = []kernel.Hash{h}
	}
	return o, &end
}

// Rate returns the probability of a false positive: the filter calls a message a repeat although it has never arrived.
// With fixed positions, a message has the same positions in both arrays. With fresh positions, its positions in the two
// arrays are independent.
func (f *Recycling) Rate() *big.Rat {
	a, b := f.Active(), f.Frozen()
	x, y := rate(f.g, a), rate(f.g, b)
	var both *big.Rat
	if f.r.FreshPositions {
		both = new(big.Rat).Mul(x, y)
	} else {
		common := map[uint64]bool{}
		for p := range a {
			if b[p] {
				common[p] = true
			}
		}
		both = rate(f.g, common)
	}
	sum := new(big.Rat).Add(x, y)
	return sum.Sub(sum, both)
}

// Parts returns two rates. The first is the rate of the active array. The second is the rate of the frozen array.
func (f *Recycling) Parts() (active, frozen *big.Rat) {
	return rate(f.g, f.Active()), rate(f.g, f.Frozen())
}

// Clear makes the model empty again.
func (f *Recycling) Clear() {
	f.active, f.frozen = nil, nil
	f.cycle, f.arrivals = 0, 0
}

// Rules returns recycling rules with all valid combinations of fields. Each rule has one of two limits. One is the
// threshold sigma. The other is the number of messages in the argument "messages". There are 40 rules. If the argument
// "messages" is 0, the 20 message-bounded rules are left out.
func Rules(sigma, messages uint64) []bloomproof.Recycling {
	var rules []bloomproof.Recycling
	for i := range 64 {
		bit := func(n int) uint8 { return uint8(i >> n & 1) }
		r := bloomproof.Recycling{
			Sigma:          sigma,
			Retain:         bit(0) == 1,
			FreshPositions: bit(1) == 1,
			TwoPhase:       bit(2) == 1,
			FreezeBefore:   bit(3) == 1,
			NoCopyOver:     bit(4) == 1,
		}
		if bit(5) == 1 {
			if messages == 0 {
				break
			}
			r.Sigma, r.Messages = 0, messages
		}
		if r.TwoPhase || !r.FreezeBefore && !r.NoCopyOver {
			rules = append(rules, r)
		}
	}
	return rules
}
