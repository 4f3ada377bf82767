package conform

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"time"

	"github.com/bloomproof/bloomproof/verify/conform/internal/limits"
)

// The function "damaged" changes a snapshot in every way that the law "corrupt snapshot" names. It calls the function
// "try" with each result, until this function returns false. Long snapshots are changed only at some places.
func damaged(data []byte, try func(bad []byte, what string) bool) {
	step := 1 + len(data)/1500
	for cut := 0; cut < len(data); cut += step {
		if !try(bytes.Clone(data[:cut]), fmt.Sprintf("cut to %d of %d bytes", cut, len(data))) {
			return
		}
	}
	for _, more := range []int{1, 8} {
		if !try(append(bytes.Clone(data), make([]byte, more)...), fmt.Sprintf("with %d bytes more", more)) {
			return
		}
	}
	for _, bad := range rearranged(data) {
		if !try(bad, "with two units exchanged or both changed") {
			return
		}
	}
	for i := 0; i < len(data); i += step {
		for _, flip := range []byte{1, 0xff} {
			bad := bytes.Clone(data)
			if bad[i] ^= flip; !try(bad, fmt.Sprintf("with byte %d of %d changed", i, len(data))) {
				return
			}
		}
	}
}

// The function "rearranged" returns changed copies of a snapshot. It divides the snapshot into units of equal size,
// from 1 to 16 bytes. In each copy, two units are changed. In some copies these two units are exchanged. In others the
// same bit is flipped in both units. In the other copies, 1 is added to one unit and subtracted from the second unit. A
// checksum that only adds or XORs units does not detect these changes. The units either begin at the beginning of the
// snapshot, or end at its end.
func rearranged(data []byte) (all [][]byte) {
	for _, unit := range []int{1, 2, 4, 8, 16} {
		for _, from := range []int{len(data) % unit, 0} {
			units := (len(data) - from) / unit
			for _, pair := range [][2]int{{units / 2, units/2 + 1}, {units / 3, 2 * units / 3}, {units - 2, units - 1}} {
				a, b := from+pair[0]*unit, from+pair[1]*unit
				if pair[0] < 0 || pair[0] == pair[1] || b+unit > len(data) {
					continue
				}
				swapped, flipped, moved := bytes.Clone(data), bytes.Clone(data), bytes.Clone(data)
				copy(swapped[a:], data[b:b+unit])
				copy(swapped[b:], data[a:a+unit])
				flipped[a] ^= 1
				flipped[b] ^= 1
				moved[a]++
				moved[b]--
				for _, bad := range [][]byte{swapped, flipped, moved} {
					if !bytes.Equal(bad, data) {
						all = append(all, bad)
					}
				}
			}
		}
	}
	return all
}

// The method "small" returns a filter of a few hundred bits with some keys, its model and its snapshot.
func (x *examination) small(salt uint64) (f filter, d model, data []byte, ok bool) {
	if f, d, ok = x.open(300, 3); !ok {
		return
	}
	x.where = fmt.Sprintf("%v, 20 random keys", d)
	x.fillWith(f, x.random(salt), 0, 20)
	data, err := x.s.Marshal(f)
	return f, d, data, err == nil
}

// The method "corrupt" examines whether a damaged snapshot is refused. A panic is a fault under another law, "hostile
// snapshot". The examination of an earlier law may have shown that reading a damaged header panics or takes much
// memory. In this case, the method damages no headers.
func (x *examination) corrupt(l Law) {
	if x.s.Marshal == nil || x.s.Unmarshal == nil {
		return
	}
	_, d, data, ok := x.small(0xc0)
	if !ok {
		return
	}
	x.where = fmt.Sprintf("%v, 20 random keys", d)
	damaged(data, func(bad []byte, what string) bool {
		if x.greedy && !bytes.HasPrefix(bad, data[:min(len(data), forged)]) {
			return true
		}
		x.told[l] = true
		f, _, _ := x.open(128, 2)
		trouble, err := x.read(f, bad)
		if trouble == "" && err == nil {
			x.found(l, "a snapshot %s is read without an error", what)
		}
		return x.wants(l) && trouble != hangs
	})
	if x.wants(l) && !x.greedy && !x.s.piped {
		x.corruptLarge(l)
	}
}

// corruptPlaces is the number of bytes of a large snapshot that are changed. Each copy of the snapshot has one changed
// byte.
const corruptPlaces = 24

// corruptLarge changes bytes of a snapshot of 354 KiB. A faulty checksum may cover only a part of the snapshot, for
// example only whole blocks of 64 KiB.
func (x *examination) corruptLarge(l Law) {
	f, d, ok := x.open(2_900_000, 5)
	if !ok {
		return
	}
	x.where = fmt.Sprintf("%v, 1000 random keys", d)
	x.fillWith(f, x.random(0xc1), 0, 1000)
	data, err := x.s.Marshal(f)
	if err != nil {
		return
	}
	for i := range corruptPlaces {
		at := len(data) - 1 - i*(len(data)-forged)/corruptPlaces
		if at < forged {
			return
		}
		g, _, _ := x.open(128, 2)
		bad := bytes.Clone(data)
		bad[at] ^= 1
		switch trouble, err := x.read(g, bad); {
		case trouble == "" && err == nil:
			x.found(l, "a snapshot with byte %d of %d changed is read without an error", at, len(data))
			return
		case trouble != "":
			return
		}
	}
}

const hangs = "reading does not end in time"

// The method "read" makes the subject read a snapshot into the filter f. It returns the error, or the text of a fault,
// such as a panic.
func (x *examination) read(f filter, data []byte) (trouble string, err error) {
	type result struct {
		err     error
		trouble string
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.trouble = textOf(p)
			}
			done <- r
		}()
		r.err = x.s.Unmarshal(f, data)
	}()
	limit := time.NewTimer(limits.Patience)
	defer limit.Stop()
	select {
	case r := <-done:
		return r.trouble, r.err
	case <-limit.C:
		return hangs, nil
	}
}

// roomOf returns the number of bytes that may be allocated while a snapshot is read. It is the sum of 1 MiB and 64
// times the size of the snapshot.
func roomOf(data []byte) uint64 { return 1<<20 + 64*uint64(len(data)) }

// The method "hostile" writes wrong numbers into the beginning of a snapshot. The constant "forged" is the length of
// this beginning, in bytes.
const forged = 128

// The method "hostile" examines how the subject reads damaged and forged snapshots. In forged snapshots, numbers from
// 2^20 upwards are written to each position of the header. The numbers grow slowly. So a fault is found when the reader
// allocates 16 MiB for a header of a few bytes. A larger number could make the reader take all memory of the host.
func (x *examination) hostile(l Law) {
	if x.s.Marshal == nil || x.s.Unmarshal == nil {
		return
	}
	_, d, data, ok := x.small(0xbad)
	if !ok {
		return
	}
	x.told[l] = true
	x.where = fmt.Sprintf("%v, 20 random keys", d)
	keys := x.random(0xbad2)
	var f filter
	var before []byte
	anew := func() (err error) {
		f, _, _ = x.open(128, 2)
		x.fillWith(f, keys, 0, 10)
		before, err = x.s.Marshal(f)
		return err
	}
	if anew() != nil {
		return
	}
	try := func(bad []byte, what string) (goOn bool) {
		defer func() { x.greedy = x.greedy || !goOn }()
		var allocated uint64
		for range 3 { // other goroutines may allocate meanwhile, so a fault must be seen each time
			var a, b runtime.MemStats
			runtime.ReadMemStats(&a)
			trouble, err := x.read(f, bad)
			if trouble == hangs { // the host may have paused; the hanging call keeps the other filter, so read into a new one
				anew()
				runtime.ReadMemStats(&a)
				trouble, err = x.read(f, bad)
			}
			runtime.ReadMemStats(&b)
			if trouble != "" {
				x.found(l, "a snapshot %s: %s", what, trouble)
				return false
			}
			if err == nil { // f is now another filter, so begin again
				anew()
			} else if after, err := x.s.Marshal(f); err != nil || !bytes.Equal(before, after) {
				x.found(l, "a snapshot %s is refused, and the filter that should read it has changed", what)
				return false
			}
			if allocated = b.TotalAlloc - a.TotalAlloc; allocated <= roomOf(bad) {
				return true
			}
		}
		x.found(l, "a snapshot of %d bytes, %s, makes reading allocate %d bytes", len(bad), what, allocated)
		return false
	}
	sizes := []uint64{1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28, 1 << 30, 1<<32 - 1, 1 << 34, 1 << 38, 1 << 48, 1 << 61, 1 << 63, 1<<64 - 1}
	if x.s.piped {
		sizes = nil // the memory of another program is not measured, and could exhaust the memory of the host
	}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, v := range sizes {
			for at := 0; at < min(len(data), forged) && !x.greedy; at++ {
				bad := bytes.Clone(data)
				if field := order.AppendUint64(nil, v); at+8 <= len(bad) {
					copy(bad[at:], field)
					try(bad, fmt.Sprintf("with %d at byte %d", v, at))
				}
				if field := order.AppendUint32(nil, uint32(v)); v < 1<<32 && at+4 <= len(bad) && !x.greedy {
					bad = bytes.Clone(data)
					copy(bad[at:], field)
					try(bad, fmt.Sprintf("with %d at byte %d", v, at))
				}
			}
		}
	}
	if !x.greedy {
		damaged(data, try)
	}
}
