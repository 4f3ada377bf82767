package simulate

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The type "place" has the address of a word in the stack frame, as a sum of two parts. The first part, in the field
// "from", is a rounded address. It is a multiple of a power of two. The second part, in the field "at", is the number
// of bytes from there to the word.
type place struct {
	from *term.Term
	at   int64
}

// The method "depth" returns how many bytes an address is above the return address. It also reports whether this
// distance is a constant.
func (x *path) depth(at *term.Term) (int64, bool) {
	d := term.Linearize(at).Minus(term.Linearize(x.e.in.value["SP"]))
	return int64(d.Const), len(d.Of) == 0
}

// The method "lowest" returns the lowest place of the frame that the function may use now. The place is counted in bytes
// from the return address. It is neither below the stack pointer nor outside the frame that the TEXT line declares. The
// method also reports whether the place is known.
func (x *path) lowest() (int64, bool) {
	d, ok := x.depth(x.m.GP[4])
	return max(d, -x.e.declared), ok
}

// The method "inside" adds the claim that n bytes, from the given address on, lie inside a slice. It returns the name
// of the slice.
func (x *path) inside(at *term.Term, n int) string {
	p, e := x.m.Pool, x.e
	l := term.Linearize(at)
	var name string
	if r := x.recorded(at, n); r != nil {
		name = r.name
	}
	for s := range e.in.slices {
		if e.twin.isRecords(s) {
			continue
		}
		if k := l.Of[e.in.value[s]]; k == 1 && name == "" {
			name = s
		} else if k != 0 {
			semantics.Fail("an address of two slices: %s", at)
		}
	}
	if name == "" {
		semantics.Fail("an address outside all slices: %s", at)
	}
	from := e.in.value[name]
	size := p.Mul(e.in.value["len("+name+")"], p.Value(64, uint64(e.in.slices[name])))
	distance := p.Linear(l.Minus(term.Linearize(from)))
	count := uint64(n)
	if e.sec.consts && !x.under && slices.ContainsFunc(x.claims, func(c claim) bool {
		return c.slice == name && c.unless == nil && within(distance, count, c.from, c.bytes)
	}) {
		return name
	}
	// What the same instruction accesses directly before it becomes one access with it.
	if i := len(x.claims) - 1; e.sec.consts && !x.under && i >= 0 {
		c := x.claims[i]
		if c.slice == name && c.at == x.at && c.unless == nil && same(distance, c.end) {
			distance, count = c.from, c.bytes+count
			x.claims = slices.Clone(x.claims[:i])
		}
	}
	bytes := p.Value(64, count)
	x.claim("an access inside "+name, p.And(p.Ule(bytes, size), p.Ule(distance, p.Sub(size, bytes))))
	c := &x.claims[len(x.claims)-1]
	c.slice, c.end, c.at, c.bytes, c.from = name, p.Add(distance, bytes), x.at, count, distance
	return name
}

// The function "same" reports whether two sums are equal as sums.
func same(a, b *term.Term) bool {
	d := term.Linearize(a).Minus(term.Linearize(b))
	return len(d.Of) == 0 && d.Const == 0
}

// The function "within" reports whether the n bytes from a on are among the m bytes from b on.
func within(a *term.Term, n uint64, b *term.Term, m uint64) bool {
	d := term.Linearize(a).Minus(term.Linearize(b))
	return len(d.Of) == 0 && d.Const <= m && n <= m-d.Const
}

// Under calls f. What f claims has to hold only if c is true.
func (x *path) Under(c *term.Term, f func()) {
	before := len(x.claims)
	x.under = true
	f()
	x.under = false
	for i := before; i < len(x.claims); i++ {
		x.claims[i].unless = x.m.Pool.Not(c)
	}
}

// Arguments can point to structs. The method "field" looks in these structs for a field at the given address. It
// returns the value of this field, or nil if there is none.
func (x *path) field(at *term.Term) *term.Term {
	for _, a := range x.e.twin.args {
		d := term.Linearize(at).Minus(term.Linearize(x.e.in.value[a.name]))
		for _, f := range structs[a.of] {
			if len(d.Of) == 0 && d.Const == f.at {
				return x.m.Pool.Var(a.name+"_"+f.name, f.bits)
			}
		}
	}
	return nil
}

// Load returns the value at an address; the argument "width" is the number of its bits. The value can be an argument, a
// struct field or a constant. It can also be a value in the stack frame, or elements of a slice.
func (x *path) Load(m *semantics.Machine, at *term.Term, width int) []*term.Term {
	at = x.inRegion(at)
	if x.recorded(at, width/8) != nil {
		return x.elements(at, width)
	}
	if d, ok := x.depth(at); ok {
		if low, known := x.lowest(); d < 0 && (!known || d < low) {
			semantics.Fail("a load of %d bits at %d from the return address, below the frame", width, d)
		}
		out := make([]*term.Term, max(width/64, 1))
		for i := range out {
			at := d + 8*int64(i)
			if out[i] = x.frame[at]; out[i] == nil || out[i].Width != 64 || width%64 != 0 || x.meets(at, 8) {
				semantics.Fail("a load of %d bits at %d from the return address", width, d)
			}
		}
		return out
	}
	if t := x.field(at); t != nil && width <= t.Width {
		return []*term.Term{m.Extract(t, 0, width)}
	}
	if at.Op == term.Const && x.e.link.Data != nil {
		return x.fixed(at.Value, width)
	}
	if from, index, size := x.table(at); index != nil {
		return x.row(from, index, size, width)
	}
	if from, ok := x.aligned(at, width/8); ok {
		out := make([]*term.Term, width/64)
		for i := range out {
			if out[i] = x.within[place{from.from, from.at + int64(8*i)}]; out[i] == nil {
				semantics.Fail("a load at %s, where nothing is", at)
			}
		}
		return out
	}
	return x.elements(at, width)
}

// The method "elements" returns a value that consists of elements of a slice, or of words of the twin's records.
func (x *path) elements(at *term.Term, width int) []*term.Term {
	m := x.m
	x.inside(at, width/8)
	lane := min(width, 64)
	out := make([]*term.Term, width/lane)
	for i := range out {
		place := canonical(m.Pool, m.Add(at, m.Value(64, uint64(i*lane/8))))
		out[i] = x.memory.load(place, lane)
		if r := x.recorded(at, width/8); r != nil {
			x.loaded(r, place, out[i])
		}
	}
	return out
}

// Clear sets n bytes of a slice to 0, beginning at an address.
func (x *path) Clear(m *semantics.Machine, at, n *term.Term) {
	p, e := x.m.Pool, x.e
	for s := range e.in.slices {
		l := term.Linearize(at).Minus(term.Linearize(e.in.value[s]))
		if len(l.Of) > 0 || l.Const != 0 || e.twin.isRecords(s) || !e.twin.stores[s] {
			continue
		}
		size := p.Mul(e.in.value["len("+s+")"], p.Value(64, uint64(e.in.slices[s])))
		x.claim("an access inside "+s, p.Ule(n, size))
		c := &x.claims[len(x.claims)-1]
		c.slice, c.end, c.at, c.from = s, n, x.at, p.Value(64, 0)
		x.memory.clear(canonical(p, at), n)
		return
	}
	semantics.Fail("bytes that begin at no slice: %s", at)
}

// The method "fixed" returns the value at a constant address. The value is read-only data of the program or a global
// variable.
func (x *path) fixed(at uint64, width int) []*term.Term {
	if name := x.e.link.Name; name != nil {
		if g, ok := strings.CutPrefix(name(at), "kernel."); ok && width == 8 && slices.Contains(globals, g) {
			return []*term.Term{x.m.Pool.Var("global_"+g, 8)}
		}
	}
	b, err := x.e.link.Data(at, width/8)
	if err != nil {
		semantics.Fail("%v", err)
	}
	x.e.proof.Constants = append(x.e.proof.Constants, symbolic.Constant{Address: at, Bytes: width / 8})
	lane := min(width, 64)
	out := make([]*term.Term, width/lane)
	for i := range out {
		var w [8]byte
		copy(w[:], b[i*8:][:lane/8])
		out[i] = x.m.Value(lane, binary.LittleEndian.Uint64(w[:]))
	}
	return out
}

// The method "table" handles addresses of rows in a table of constants. The address of a row is a constant plus an
// index that is shifted to the left. The constant is the address of the first row, and the value of the index is
// unknown. The shift gives the size of a row in bytes. The method returns the beginning, the index and the size. It
// returns zeros for other addresses.
func (x *path) table(at *term.Term) (from uint64, index *term.Term, size uint64) {
	if x.e.sec.rows == 0 || at.Op != term.Add {
		return 0, nil, 0
	}
	base, offset := at.Args[0], at.Args[1]
	if offset.Op == term.Const {
		base, offset = offset, base
	}
	if base.Op != term.Const || offset.Op != term.Shl || offset.Args[1].Op != term.Const || offset.Args[1].Value > 12 {
		return 0, nil, 0
	}
	return base.Value, offset.Args[0], 1 << offset.Args[1].Value
}

// The method "row" returns a row of a table of constants. An unknown index selects the row. It claims that the index is
// below the number of rows.
func (x *path) row(from uint64, index *term.Term, size uint64, width int) []*term.Term {
	p := x.m.Pool
	x.claim("a row of a table", p.Ult(index, p.Value(64, x.e.sec.rows)))
	var out []*term.Term
	for i := x.e.sec.rows; i > 0; i-- {
		row := x.fixed(from+(i-1)*size, width)
		for l := range row {
			if out == nil {
				break
			}
			row[l] = p.Ite(p.Eq(index, p.Value(64, i-1)), row[l], out[l])
		}
		out = row
	}
	return out
}

// The method "aligned" handles addresses that were rounded to a multiple of a power of two. Such an address refers to a
// place in the frame. The method returns this place. Because of the rounding, the exact address of this place is not
// known. But the method knows a region that contains the place. So no other place in use may overlap this region. At the
// entry, the stack pointer is a multiple of 8, as everywhere in Go programs.
func (x *path) aligned(at *term.Term, n int) (pl place, ok bool) {
	l := term.Linearize(at)
	for t, k := range l.Of {
		if k == 1 && t.Op == term.BvAnd && t.Args[1].Op == term.Const {
			pl.from = t
		}
	}
	if pl.from == nil || len(l.Of) != 1 || x.e.rounded == nil && x.recorded(at, n) != nil {
		return pl, false
	}
	if x.e.twin.records != nil && x.e.rounded == nil {
		semantics.Fail("an address that is aligned, and may be in a record: %s", at)
	}
	pl.at = int64(l.Const)
	top, isFrame := x.depth(pl.from.Args[0])
	low, known := x.lowest()
	size := int64(-pl.from.Args[1].Value) // of a mask -2^s
	if !isFrame || !known || size <= 0 || size > 4096 || size&(size-1) != 0 || pl.at%8 != 0 || n%8 != 0 {
		return pl, false
	}
	from, to := top-size+1+pl.at, top&^7+pl.at+int64(n) // the stack pointer is a multiple of 8
	if from < low || to > 0 {
		semantics.Fail("%d bytes at %s may lie outside the frame", n, at)
	}
	if x.region == [2]int64{} {
		x.region = [2]int64{from, to}
	}
	x.region = [2]int64{min(x.region[0], from), max(x.region[1], to)}
	for d := range x.frame {
		if x.meets(d, 8) {
			semantics.Fail("%d bytes at %s may be those at %d from the return address", n, at, d)
		}
	}
	for other := range x.within {
		if other.from != pl.from {
			semantics.Fail("two places that are aligned in different ways")
		}
	}
	return pl, true
}

// Consider the n bytes of the stack frame that begin at the distance d. The address of some places was rounded, so it
// is not known exactly. The method "meets" reports whether the bytes may overlap such a place.
func (x *path) meets(d, n int64) bool { return d < x.region[1] && x.region[0] < d+n }

// Store stores lanes one after the other, beginning at an address. They can lie in the stack frame, in a result, or in
// a slice. If the twin does not store to this slice, the proof fails.
func (x *path) Store(m *semantics.Machine, at *term.Term, lanes []*term.Term) {
	at = x.inRegion(at)
	recorded := x.recorded(at, len(lanes)*lanes[0].Width/8)
	if d, ok := x.depth(at); ok && recorded == nil {
		result := slices.ContainsFunc(x.e.twin.results, func(r argument) bool { return r.at == d })
		argument := slices.ContainsFunc(x.e.twin.args, func(a argument) bool { return (a.size == 0 || !x.e.twin.tails) && a.at == d })
		low, known := x.lowest()
		local := d%8 == 0 && d < 0 && known && d >= low && !x.meets(d, 8)
		width := 64
		for _, r := range x.e.twin.results {
			if r.at == d {
				width = r.bits
			}
		}
		all := len(lanes) == 1 && (result || argument) || local && d+8*int64(len(lanes)) <= 0 && !x.meets(d, 8*int64(len(lanes)))
		if lanes[0].Width != width || !all {
			semantics.Fail("a store of %d bits at %d from the return address", len(lanes)*lanes[0].Width, d)
		}
		for i, w := range lanes {
			x.frame[d+8*int64(i)] = w
		}
		return
	}
	if to, ok := x.aligned(at, len(lanes)*lanes[0].Width/8); ok && lanes[0].Width == 64 && recorded == nil {
		for i, w := range lanes {
			x.within[place{to.from, to.at + int64(8*i)}] = w
		}
		return
	}
	if name := x.inside(at, len(lanes)*lanes[0].Width/8); !x.e.twin.stores[name] {
		semantics.Fail("a store into %s, which is only read: %s", name, at)
	}
	for i, w := range lanes {
		place := canonical(m.Pool, m.Add(at, m.Value(64, uint64(i*w.Width/8))))
		if x.memory.store(place, w); recorded != nil {
			x.stored(recorded, place, w)
		}
	}
}
