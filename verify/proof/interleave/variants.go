package main

// A variant is a version of package kernel with a fault. The exploration must find this fault. The program contains the
// correct statements and those of all variants, and interleave.Variant chooses among them. So one program can explore
// all variants.
type variant struct {
	what    string
	by      string // the case that finds it
	changes []change
}

// The type "change" describes one difference between a variant and the shipped code.
type change struct {
	file  string
	in    string // text that occurs once in the file and contains is; empty if is occurs once
	is    string // the correct statements
	wrong string // the statements that replace them
	first string // or statements that are inserted before them
}

const (
	shared    = "shared.go"
	recycling = "concurrent_recycling.go"
	batch     = "concurrent_recycling_batch.go"
)

// The list "variants" has all variants. The variant with index i has the number i + 1.
var variants = []variant{
	{"a bit of a position is set by a load and a store", "recycling: one message by three, many lanes", []change{{
		file: shared, is: "return ^atomic.OrUint64(w, bit) >> (i & 63) & 1",
		wrong: "old := atomic.LoadUint64(w); atomic.StoreUint64(w, old|bit); return ^old >> (i & 63) & 1",
	}}},
	{"bits found clear are set by a load and a store", "keys that share a position", []change{{
		file: shared, is: "fresh += ^atomic.OrUint64(&words[p>>6], 1<<(p&63)) >> (p & 63) & 1",
		wrong: "old := atomic.LoadUint64(&words[p>>6]); atomic.StoreUint64(&words[p>>6], old|1<<(p&63)); fresh += ^old >> (p & 63) & 1",
	}}},
	{"bits found clear are set without sync/atomic", "keys that share a position", []change{{
		file: shared, is: "fresh += ^atomic.OrUint64(&words[p>>6], 1<<(p&63)) >> (p & 63) & 1",
		wrong: "old := words[p>>6]; words[p>>6] |= 1 << (p & 63); fresh += ^old >> (p & 63) & 1",
	}}},
	{"bits found clear are counted though others set them meanwhile", "one new key, added by three", []change{{
		file: shared, is: "fresh += ^atomic.OrUint64(&words[p>>6], 1<<(p&63)) >> (p & 63) & 1",
		wrong: "atomic.OrUint64(&words[p>>6], 1<<(p&63)); fresh++",
	}}},
	{"the bits of a block are set by a load and a store", "blocks of two words", []change{{
		file: shared, is: "fresh += uint64(bits.OnesCount64(bit &^ atomic.OrUint64(&of[i], bit)))",
		wrong: "old := atomic.LoadUint64(&of[i]); atomic.StoreUint64(&of[i], old|bit); fresh += uint64(bits.OnesCount64(bit &^ old))",
	}}},
	{"a union sets its bits by a load and a store", "two unions and an addition", []change{{
		file: shared, is: "fresh += uint64(bits.OnesCount64(w &^ atomic.OrUint64(&dst[i], w)))",
		wrong: "old := atomic.LoadUint64(&dst[i]); atomic.StoreUint64(&dst[i], old|w); fresh += uint64(bits.OnesCount64(w &^ old))",
	}}},
	{"a copy reads the words without sync/atomic", "copies while others add", []change{{
		file: shared, is: "dst[i] = atomic.LoadUint64(&src[i])",
		wrong: "dst[i] = src[i]",
	}}},
	{"the tally is kept by a load and a store", "counts while others add", []change{{
		file: shared, is: "t[place(len(t))].n.Add(n)",
		wrong: "p := &t[place(len(t))].n; p.Store(p.Load() + n)",
	}}},
	{"the tally is kept without sync/atomic", "counts while others add, in one place", []change{{
		file: shared, is: "t[place(len(t))].n.Add(n)",
		wrong: "*(*uint64)(unsafe.Pointer(&t[place(len(t))].n)) += n",
	}}},
	{"a recycle does not lock the first lane", "recycling: a bound of two messages", []change{
		{file: recycling, is: "c.lanes[i].Lock()\n", wrong: "if i > 0 { c.lanes[i].Lock() }\n"},
		{file: recycling, is: "c.lanes[i].Unlock()\n", wrong: "if i > 0 { c.lanes[i].Unlock() }\n"},
	}},
	{"a recycle locks no lane", "recycling: a bound of two messages", []change{
		{file: recycling, is: "c.lanes[i].Lock()\n", wrong: "\n"},
		{file: recycling, is: "c.lanes[i].Unlock()\n", wrong: "\n"},
	}},
	{"a recycle unlocks the lanes before it clears the array", "recycling: a bound of two messages", []change{
		{file: recycling, is: "do()\n}", first: "for i := range c.lanes { c.lanes[i].Unlock() }"},
		{file: recycling, is: "c.lanes[i].Unlock()\n", wrong: "\n"},
	}},
	{"a lane is entered though another holds it", "recycling: a bound of two messages", []change{{
		file: recycling, is: "at := place(len(c.lanes))", first: "l := &c.lanes[place(len(c.lanes))]; l.TryLock(); return l",
	}}},
	{"room is taken by a load and a store", "recycling: room for a few", []change{{
		file: recycling, is: "if c.room.CompareAndSwap(left, left-portion) {\n\t\t\tl.room += portion\n\t\t}",
		wrong: "c.room.Store(left - portion); l.room += portion",
	}}},
	{"a message passes the bound while others observe", "recycling: a bound of two messages", []change{{
		file: recycling, is: "if left < c.need {\n\t\t\treturn false\n\t\t}",
		wrong: "if left < c.need { l.room += c.need; return true }",
	}}},
	{"a lane keeps its room over a recycle", "recycling: room that is left in a lane", []change{{
		file: recycling, is: "l.room = 0", wrong: "",
	}}},
	{"a lane's messages are counted again", "recycling: a bound of two messages", []change{{
		file: recycling, is: "l.messages, l.arrivals = 0, 0", wrong: "l.arrivals = 0",
	}}},
	{"a lane's bits in both arrays are forgotten", "recycling: two phases", []change{{
		file: recycling, is: "l.overlap.moveTo(&f.overlap)", wrong: "l.overlap.clear()",
	}}},
	{"the room is that of before the observation", "recycling: room that is left in a lane", []change{
		{file: recycling, is: "do()\n}", first: "c.room.Store(c.f.room())"},
		{file: recycling, in: "c.room.Store(c.f.room())\n\t\tfor", is: "c.room.Store(c.f.room())"},
	}},
	{"positions are those of the cycle in which the lane was entered first", "recycling: fresh positions", []change{{
		file: recycling, is: "o, done := c.observe(l, pos, known)", first: "l.Unlock(); l = c.enter()",
	}}},
	{"the lane is left before the arrival is counted", "recycling: a bound of two messages", []change{{
		file: recycling, is: "l.arrivals++\n", first: "l.Unlock(); defer l.Lock()",
	}}},
	{"an observation that sets no bit is called new", "recycling: one message by three, many lanes", []change{{
		file: recycling, is: "o.Active = o.NewBits == 0", wrong: "",
	}}},
	{"the lane is kept while all lanes are asked for", "recycling: a bound of two messages", []change{{
		file: recycling, is: "l.Unlock()\n\tif !done {\n\t\to = c.observeAlone(h)\n\t}",
		wrong: "if !done { o = c.observeAlone(h) }; l.Unlock()",
	}}},
	{"a look-up leaves its lane before it looks", "recycling: a look-up and a recycle", []change{
		{file: recycling, is: "known := containsShared(active", first: "l.Unlock()"},
		{file: recycling, is: "l.Unlock()\n\treturn known", wrong: "return known"},
	}},
	{"a batch keeps its lane", "recycling: batches", []change{{
		file: batch, is: "l.Unlock()\n\t\tout, h = out[n:], h[n:]\n", wrong: "out, h = out[n:], h[n:]\n",
	}}},
}
