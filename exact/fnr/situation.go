package fnr

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// The bits of a recycling filter are divided into kinds. The future of the filter depends only on the number of bits of
// each kind. The kind of a bit says in which arrays the bit is set. The kind also says which messages have a position
// at this bit. Only messages that can arrive again are included. A situation holds the number of bits of each kind.
// Positions are drawn only when they matter, so some positions of a message may not have been drawn yet.

// A cell is a set of flags that describes a kind of bit.
type cell uint16

const (
	inActive  cell = 1 << iota // set in the active array
	inFrozen                   // set in the frozen array
	justSet                    // set by the current arrival
	cellFlags = iota
)

// maxTracked is the largest number of ranks that a cell distinguishes. A cell has one more flag, for a message without
// a rank. This flag is not counted. The type "cell" has enough flags for up to 12 ranks.
const maxTracked = 8

// The function "of" returns the flag for rank j. A bit has this flag if it is a position of the message at rank j.
func of(j int) cell { return 1 << (cellFlags + j) }

const ofAny = ^(inActive | inFrozen | justSet)

// The type "run" stores a kind of bit and the number of bits of this kind.
type run struct {
	kind cell
	n    uint32
}

// The type "board" stores the number of bits of each kind. A board describes one array, or two arrays that share
// positions.
type board []run

// The method "each" replaces every kind by f(kind). It returns the resulting board.
func (b board) each(f func(cell) cell) board {
	c := make(board, 0, len(b))
	for _, r := range b {
		c = append(c, run{f(r.kind), r.n})
	}
	return c.ordered()
}

// The method "ordered" returns the canonical form of b, and overwrites b.
func (b board) ordered() board {
	slices.SortFunc(b, func(x, y run) int { return int(x.kind) - int(y.kind) })
	c := b[:0]
	for _, r := range b {
		switch {
		case r.n == 0:
		case len(c) > 0 && c[len(c)-1].kind == r.kind:
			c[len(c)-1].n += r.n
		default:
			c = append(c, r)
		}
	}
	return c
}

// The method "count" returns the number of bits that have at least one flag of mask.
func (b board) count(mask cell) uint64 {
	n := uint64(0)
	for _, r := range b {
		if r.kind&mask != 0 {
			n += uint64(r.n)
		}
	}
	return n
}

// The method "knows" reports whether the positions of the message at rank j have been drawn.
func (b board) knows(j int) bool { return b.count(of(j)) > 0 }

// The method "holds" reports whether all drawn positions of the message at rank j have a certain flag. The last
// argument is this flag.
func (b board) holds(j int, in cell) bool {
	return !slices.ContainsFunc(b, func(r run) bool { return r.kind&of(j) != 0 && r.kind&in == 0 })
}

// The method "marked" returns b with the flag "mark" added to one bit of the given kind.
func (b board) marked(kind, mark cell) board {
	if mark == 0 {
		return b
	}
	c := slices.Clone(b)
	i := slices.IndexFunc(c, func(r run) bool { return r.kind == kind })
	c[i].n--
	return append(c, run{kind | mark, 1}).ordered()
}

// Suppose that the positions of one more message are drawn. A value of type drawn describes one outcome. It holds the
// board after the draw, and the probability of the outcome.
type drawn struct {
	board board
	p     *big.Rat
}

// The method "draw" returns the possible outcomes of drawing the positions of the message at rank j. If the field
// "budget" is exhausted, it returns only some of them. This field limits the number of draws.
func (f *mover) draw(b board, j int) []drawn {
	var all []drawn
	var choose func(i, d int, ways *big.Int, c board)
	choose = func(i, d int, ways *big.Int, c board) {
		if f.budget--; f.budget < 0 {
			return
		}
		if i == len(b) {
			if f.chances[d].Sign() > 0 {
				p := new(big.Rat).SetInt(ways)
				all = append(all, drawn{slices.Clone(c).ordered(), p.Mul(p, f.chances[d])})
			}
			return
		}
		r := b[i]
		for x := 0; x <= int(r.n) && d+x < len(f.chances); x++ {
			more := new(big.Int).Binomial(int64(r.n), int64(x))
			more.Mul(more, ways)
			choose(i+1, d+x, more, append(slices.Clone(c), run{r.kind, r.n - uint32(x)}, run{r.kind | of(j), uint32(x)}))
		}
	}
	choose(0, 0, big.NewInt(1), nil)
	return all
}

// The type "ranks" is a bit set. Bit j is 1 if the message at rank j is in the set.
type ranks uint16

func (s ranks) has(j int) bool { return s>>j&1 != 0 }

// A situation holds everything that the future of a recycling filter depends on.
type situation struct {
	// With fixed positions, the first board describes both arrays. With fresh positions, one board describes the active
	// array and the other board describes the frozen array.
	boards         [2]board
	active, frozen ranks  // the messages that are recorded in each array
	messages       uint64 // for a message-bounded rule, the number of messages of this cycle that set a bit
}

// The method "key" returns a string that identifies the situation.
func (s *situation) key() string {
	var k []byte
	for _, b := range s.boards {
		k = append(k, byte(len(b)))
		for _, r := range b {
			k = binary.LittleEndian.AppendUint16(k, uint16(r.kind))
			k = binary.LittleEndian.AppendUint32(k, r.n)
		}
	}
	k = binary.LittleEndian.AppendUint16(k, uint16(s.active))
	k = binary.LittleEndian.AppendUint16(k, uint16(s.frozen))
	return string(binary.LittleEndian.AppendUint64(k, s.messages))
}

// The type "mover" applies the rules of kernel.RecyclingFilter. For a given situation, it computes the possible next
// situations.
type mover struct {
	g       shape
	r       bloomproof.Recycling
	ranks   int        // number of messages that can arrive again
	chances []*big.Rat // chances[d] is the probability of each set of d positions
	clear   board
	budget  int // number of steps that may still be spent on drawing positions
}

// The type "arrival" describes one possible effect of the arrival of a message. It holds the situation after the
// arrival, and the probability p of this effect.
type arrival struct {
	to       situation
	p        *big.Rat
	recorded bool // the message was already recorded in an array
	repeat   bool // the filter reports a repeat
	recycled bool
}

func (f *mover) fresh() bool { return f.r.FreshPositions }
func (f *mover) two() bool   { return f.r.TwoPhase }

// frozenBoard returns the index of the board that describes the frozen array.
func (f *mover) frozenBoard() int {
	if f.fresh() {
		return 1
	}
	return 0
}

// The method "start" returns the situation of an empty filter.
func (f *mover) start() situation {
	s := situation{}
	s.boards[0] = f.clear
	if f.fresh() && f.two() {
		s.boards[1] = f.clear
	}
	return s
}

// The method "arrive" returns the possible outcomes of one arrival. If j = f.ranks, a new message arrives. Otherwise
// the message at rank j arrives. The argument "enters" is the rank at which a new message enters. If it is f.ranks or
// more, the new message gets no rank.
func (f *mover) arrive(s situation, j, enters int) []arrival {
	looked := []arrival{{to: s, p: big.NewRat(1, 1)}}
	look := func(i int) {
		var next []arrival
		for _, o := range looked {
			if o.to.boards[i].knows(j) {
				next = append(next, o)
				continue
			}
			for _, d := range f.draw(o.to.boards[i], j) {
				n := arrival{to: o.to, p: new(big.Rat).Mul(d.p, o.p)}
				n.to.boards[i] = d.board
				next = append(next, n)
			}
		}
		looked = next
	}
	if !s.active.has(j) {
		look(0)
		if f.fresh() && f.two() && !s.frozen.has(j) {
			look(1)
		}
	}
	var all []arrival
	for _, o := range looked {
		all = append(all, f.observe(o, j)...)
	}
	for i := range all {
		if j == f.ranks {
			all[i].to.enter(enters, f.ranks)
		}
		all[i].to = f.reduced(all[i].to)
	}
	return all
}

// The method "observe" handles the arrival of the message at rank j. It draws the positions of this message if they
// matter.
func (f *mover) observe(o arrival, j int) []arrival {
	s := &o.to
	active := s.active.has(j) || s.boards[0].holds(j, inActive)
	frozen := f.two() && (s.frozen.has(j) || s.boards[f.frozenBoard()].holds(j, inFrozen))
	o.recorded = s.active.has(j) || s.frozen.has(j)
	o.repeat = active || frozen
	switch {
	case active:
		s.active |= 1 << j
		return []arrival{o}
	case frozen && f.r.NoCopyOver:
		return []arrival{o}
	}
	s.boards[0] = s.boards[0].each(func(c cell) cell {
		if c&of(j) != 0 && c&inActive == 0 {
			c |= inActive | justSet
		}
		return c
	})
	if f.r.Messages > 0 {
		s.messages++
		o.recycled = s.messages == f.r.Messages
	} else {
		o.recycled = s.boards[0].count(inActive) > f.r.Sigma
	}
	if !o.recycled {
		s.active |= 1 << j
		s.boards[0] = s.boards[0].each(func(c cell) cell { return c &^ justSet })
		return []arrival{o}
	}
	return f.recycle(o, j)
}

// recycle ends the cycle. The triggering message is the message at rank j.
func (f *mover) recycle(o arrival, j int) []arrival {
	s := &o.to
	freeze := func(c cell) cell {
		set := c&inActive != 0 && (!f.r.FreezeBefore || c&justSet == 0)
		c &= ofAny
		if set && f.two() {
			c |= inFrozen
		}
		return c
	}
	if f.two() {
		s.frozen = s.active
		if !f.r.FreezeBefore {
			s.frozen |= 1 << j
		}
	}
	switch s.boards[0] = s.boards[0].each(freeze); {
	case f.fresh() && f.two():
		s.boards[0], s.boards[1] = f.clear, s.boards[0]
	case f.fresh():
		s.boards[0] = f.clear
	}
	s.active, s.messages = 0, 0
	if !f.r.Retain {
		return []arrival{o}
	}
	s.active = 1 << j
	if f.r.Messages > 0 {
		s.messages = 1
	}
	set := func(c cell) cell {
		if c&of(j) != 0 {
			c |= inActive
		}
		return c
	}
	if !f.fresh() {
		s.boards[0] = s.boards[0].each(set)
		return []arrival{o}
	}
	var all []arrival
	for _, d := range f.draw(f.clear, j) {
		n := o
		n.p = new(big.Rat).Mul(d.p, o.p)
		n.to.boards[0] = d.board.each(set)
		all = append(all, n)
	}
	return all
}

// The method "enter" moves the new message from one rank to another. The argument "last" is the old rank, and the
// argument "at" is the new rank. The messages at the new rank and at the ranks after it move down by one. The message
// that was at rank last-1 loses its rank.
func (s *situation) enter(at, last int) {
	low := uint32(1)<<min(at, last) - 1
	move := func(set uint32) uint32 {
		moved := set&low | set&^low<<1
		if at < last {
			moved = moved&^(1<<at) | set>>last&1<<at
		}
		return moved & (1<<last - 1)
	}
	s.active, s.frozen = ranks(move(uint32(s.active))), ranks(move(uint32(s.frozen)))
	for i, b := range s.boards {
		s.boards[i] = b.each(func(c cell) cell { return c&^ofAny | cell(move(uint32(c>>cellFlags))<<cellFlags) })
	}
}

// Some details of the situation s can no longer affect the future of the filter. The method "reduced" removes these
// details and returns the result. If a message is recorded in the active array, it does not matter whether it is in the
// frozen array too. With fresh positions, the positions of a recorded message do not matter. The frozen array can then
// be replaced by a list of messages. The list contains the messages that this array matches.
func (f *mover) reduced(s situation) situation {
	s.frozen &^= s.active
	if !f.fresh() {
		return s
	}
	without := func(b board, known ranks) board {
		return b.each(func(c cell) cell { return c &^ (cell(known) << cellFlags) })
	}
	s.boards[0] = without(s.boards[0], s.active)
	if !f.two() {
		return s
	}
	b := without(s.boards[1], s.active|s.frozen)
	var match, miss ranks
	for j := range f.ranks {
		switch {
		case !b.knows(j):
		case b.holds(j, inFrozen):
			match |= 1 << j
		default:
			miss |= 1 << j
		}
	}
	b = b.each(func(c cell) cell { return c &^ ofAny })
	s.boards[1] = b.marked(inFrozen, cell(match)<<cellFlags).marked(0, cell(miss)<<cellFlags)
	return s
}
