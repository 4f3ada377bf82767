package term

// The type "known" has the data of one call of the method Known. These are the arguments of this call, and the terms
// that have been rewritten so far.
type known struct {
	*Pool
	x         *Term
	lo, width int
	v         uint64
	done      map[slice]*Term
}

// The type "slice" describes a part of a term: the bits that the method Extract selects.
type slice struct {
	t         *Term
	lo, width int
}

// Known rewrites the term t. The rewriting holds for words x in which some bits have a known value. These bits begin at
// bit lo. The argument "width" is their number, and v is their value. For such words, the result has the same value as
// t.
func (p *Pool) Known(t, x *Term, lo, width int, v uint64) *Term {
	k := known{p, x, lo, width, v, map[slice]*Term{}}
	return k.all(t)
}

// The method "all" returns the rewritten form of a whole term.
func (k known) all(t *Term) *Term {
	if t.Width > 0 {
		return k.part(t, 0, t.Width)
	}
	key := slice{t, 0, 0}
	if out, ok := k.done[key]; ok {
		return out
	}
	out := t
	switch t.Op {
	case Not:
		out = k.Not(k.all(t.Args[0]))
	case And:
		out = k.And(k.all(t.Args[0]), k.all(t.Args[1]))
	case Or:
		out = k.Or(k.all(t.Args[0]), k.all(t.Args[1]))
	case Eq:
		out = k.Eq(k.all(t.Args[0]), k.all(t.Args[1]))
	case Ult:
		out = k.Ult(k.all(t.Args[0]), k.all(t.Args[1]))
	case Slt:
		if a := t.Args[0]; t.Args[1].Is(0) { // it is the sign of a
			out = k.Eq(k.part(a, a.Width-1, 1), k.Value(1, 1))
		} else {
			out = k.Slt(k.all(a), k.all(t.Args[1]))
		}
	case Ite:
		out = k.ite(t, k.all)
	}
	k.done[key] = out
	return out
}

// The term t is a choice between two terms by a condition. The method "ite" rewrites this choice. The argument "of" is
// a function that rewrites the two terms.
func (k known) ite(t *Term, of func(*Term) *Term) *Term {
	switch c := k.all(t.Args[0]); {
	case c.Is(1):
		return of(t.Args[1])
	case c.Is(0):
		return of(t.Args[2])
	default:
		return k.Ite(c, of(t.Args[1]), of(t.Args[2]))
	}
}

// The method "part" returns Extract(t, lo, width) in rewritten form.
func (k known) part(t *Term, lo, width int) *Term {
	key := slice{t, lo, width}
	if out, ok := k.done[key]; ok {
		return out
	}
	out := k.cut(t, lo, width)
	k.done[key] = out
	return out
}

// The method "cut" does the same as the method "part", but does not store the result.
func (k known) cut(t *Term, lo, width int) *Term {
	same := func(i int) *Term { return k.part(t.Args[i], lo, width) }
	whole := func(f func(a, b *Term) *Term) *Term {
		return k.Extract(f(k.all(t.Args[0]), k.all(t.Args[1])), lo, width)
	}
	switch {
	case t == k.x:
		return k.ofX(lo, width)
	case t.Op == Extract:
		return k.part(t.Args[0], t.Lo+lo, width)
	case t.Op == Concat:
		low := t.Args[1]
		switch {
		case lo >= low.Width:
			return k.part(t.Args[0], lo-low.Width, width)
		case lo+width <= low.Width:
			return k.part(low, lo, width)
		}
		return k.Concat(k.part(t.Args[0], 0, lo+width-low.Width), k.part(low, lo, low.Width-lo))
	case t.Op == Zext:
		return k.padded(t.Args[0], lo, width, 0)
	case t.Op == Ite:
		return k.ite(t, func(a *Term) *Term { return k.part(a, lo, width) })
	case t.Op == BvNot:
		return k.BvNot(same(0))
	case t.Op == BvAnd:
		a, b := same(0), same(1)
		for i, c := range []*Term{a, b} {
			if n := ones(c); n > 0 && n < width { // of the other, the lowest n bits are left
				return k.Zext(k.part(t.Args[1-i], lo, n), width)
			}
		}
		return k.BvAnd(a, b)
	case t.Op == BvOr:
		return k.BvOr(same(0), same(1))
	case t.Op == BvXor:
		return k.BvXor(same(0), same(1))
	case t.Op == Shl || t.Op == Lshr:
		by := k.all(t.Args[1])
		switch {
		case by.Op != Const && t.Op == Shl && most(by) < uint64(lo):
			from := lo - int(most(by)) // the bits below are not shifted to bit lo
			a := k.part(t.Args[0], from, t.Width-from)
			return k.Extract(k.Shl(a, k.Extract(by, 0, a.Width)), lo-from, width)
		case by.Op != Const && t.Op == Shl:
			return whole(k.Shl)
		case by.Op != Const:
			return whole(k.Lshr)
		case by.Value >= uint64(t.Width):
			return k.Value(width, 0)
		case t.Op == Lshr:
			return k.padded(t.Args[0], lo+int(by.Value), width, 0)
		}
		return k.padded(t.Args[0], lo, width, int(by.Value))
	case t.Op == Add:
		return whole(k.Add)
	case t.Op == Sub:
		return whole(k.Sub)
	case t.Op == Mul:
		return whole(k.Mul)
	}
	return k.Extract(t, lo, width) // what is in t does not matter then
}

// The function "most" returns a number that the word t does not exceed.
func most(t *Term) uint64 {
	for t.Op == Zext {
		t = t.Args[0]
	}
	return Mask(t.Width)
}

// The arguments "by" and "width" are numbers of bits. Shift t left by the first number. All other bits of the resulting
// word are 0. The method "padded" returns some bits of this word. The lowest of them is bit lo, and their number is the
// argument "width".
func (k known) padded(t *Term, lo, width, by int) *Term {
	if lo >= by+t.Width || lo+width <= by {
		return k.Value(width, 0)
	}
	below := max(by-lo, 0)
	from := max(lo-by, 0)
	n := min(width-below, t.Width-from)
	out := k.Zext(k.part(t, from, n), width-below)
	if below > 0 {
		out = k.Concat(out, k.Value(below, 0))
	}
	return out
}

// The function "ones" returns n if t is the constant 2^n - 1, and otherwise 0.
func ones(t *Term) int {
	for n := 1; t.Op == Const && n <= t.Width; n++ {
		if t.Value == Mask(n) {
			return n
		}
	}
	return 0
}

// ofX returns bits of x.
func (k known) ofX(lo, width int) *Term {
	var parts []*Term
	add := func(from, to int, known bool) { // the bits of x from the first number to the second that are asked for
		from, to = max(from, lo), min(to, lo+width)
		switch {
		case from >= to:
		case known:
			parts = append(parts, k.Value(to-from, k.v>>(from-k.lo)))
		default:
			parts = append(parts, k.Extract(k.x, from, to-from))
		}
	}
	add(0, k.lo, false)
	add(k.lo, k.lo+k.width, true)
	add(k.lo+k.width, k.x.Width, false)
	return k.Join(parts...)
}
