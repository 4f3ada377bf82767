package redisbloom

import (
	"encoding/binary"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// A Chunk is a reply to the command BF.SCANDUMP. Its two fields are also the last two arguments of the command
// BF.LOADCHUNK.
type Chunk struct {
	Iterator int64
	Data     []byte
}

const (
	name      = "redisbloom" // the name in error messages
	head      = 8 + 3*4
	perLayer  = 5*8 + 4 + 8 + 1
	chunkMost = 16 << 20
	// mostPositions is the largest number k of positions that a layer can have. A layer with this k has a rate equal to
	// the smallest positive float64 number.
	mostPositions = 1075
)

// Chunks returns the chunks with which a server would reply to BF.SCANDUMP. It leaves out the last chunk, which is
// empty. If a program passes these chunks to BF.LOADCHUNK one after the other, the server then has the same filter.
func (f *Filter) Chunks() []Chunk {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, f.Count())
	for _, x := range []uint32{uint32(len(f.layers)), f.options, f.expansion} {
		b = le.AppendUint32(b, x)
	}
	for i := range f.layers {
		l := &f.layers[i]
		g := l.bits.Geometry()
		for _, x := range []uint64{g.M / 8, g.M, l.count, math.Float64bits(l.rate), math.Float64bits(l.perKey)} {
			b = le.AppendUint64(b, x)
		}
		b = append(le.AppendUint64(le.AppendUint32(b, uint32(g.K)), l.capacity), 0)
	}
	all, at := []Chunk{{1, b}}, int64(1)
	for i := range f.layers {
		words := f.layers[i].bits.Words()
		for len(words) > 0 {
			n := min(len(words), chunkMost/8)
			data := make([]byte, 0, 8*n)
			for _, w := range words[:n] {
				data = le.AppendUint64(data, w)
			}
			at += int64(len(data))
			all = append(all, Chunk{at, data})
			words = words[n:]
		}
	}
	return all
}

// Load returns the filter that the chunks contain. The chunks must be in the order in which BF.SCANDUMP returned them.
// A chunk may have any length. The last chunk, which is empty, may be left out. Memory: proportional to the number of
// bytes of the chunks. The header contains a factor called the expansion. The capacity of a new layer is the capacity
// of the layer before it, multiplied by this factor. The expansion can be 32,768. So call Expansion before you add keys
// to a filter from an untrusted source.
// Errors: an error that wraps kernel.ErrCorrupt.
func Load(chunks []Chunk) (*Filter, error) {
	if n := len(chunks); n > 1 && chunks[n-1].Iterator == 0 && len(chunks[n-1].Data) == 0 {
		chunks = chunks[:n-1]
	}
	if len(chunks) == 0 || chunks[0].Iterator != 1 {
		return nil, array.Corrupt(name, "no header with the iterator 1")
	}
	var total uint64
	for _, c := range chunks[1:] {
		total += uint64(len(c.Data))
	}
	f, err := parse(chunks[0].Data, total)
	if err != nil {
		return nil, err
	}
	rest, at := chunks[1:], int64(1)
	for i := range f.layers {
		g := f.layers[i].bits.Geometry()
		words := make([]uint64, g.M/64)
		for j := uint64(0); j < g.M/8; rest = rest[1:] {
			c := rest[0] // there is a chunk, because the data have the same length as all layers
			at += int64(len(c.Data))
			switch {
			case len(c.Data) == 0 || c.Iterator != at:
				return nil, array.Corrupt(name, "a chunk of %d bytes with the iterator %d, where it should be %d", len(c.Data), c.Iterator, at)
			case uint64(len(c.Data)) > g.M/8-j:
				return nil, array.Corrupt(name, "the chunk with the iterator %d reaches beyond its layer", c.Iterator)
			}
			for _, b := range c.Data {
				words[j/8] |= uint64(b) << (j % 8 * 8)
				j++
			}
		}
		f.layers[i].bits = array.Of(g, words)
	}
	if len(rest) > 0 {
		return nil, array.Corrupt(name, "%d empty chunks follow", len(rest))
	}
	return f, nil
}

// For each layer, the header states a rate and a number of bits per key. This number follows from the rate, so parse
// computes it too. The two values may differ by a relative error of at most perKeyError. Logarithms differ slightly
// between machines, but by less than perKeyError.
const perKeyError = 1e-9

// parse decodes a header. It returns the filter without its bits. The argument "total" is the number of bytes that all
// layers together must have.
func parse(b []byte, total uint64) (*Filter, error) {
	if len(b) < head {
		return nil, array.Corrupt(name, "a header of %d bytes", len(b))
	}
	le := binary.LittleEndian
	count, n := le.Uint64(b), le.Uint32(b[8:])
	f := &Filter{options: le.Uint32(b[12:]), expansion: le.Uint32(b[16:])}
	switch {
	case n == 0 || uint64(len(b)-head) != uint64(n)*perLayer:
		return nil, array.Corrupt(name, "a header of %d bytes for %d layers", len(b), n)
	case f.options&^noScaling != force64|noRound:
		return nil, array.Corrupt(name, "options %d, where 5 and 13 are known", f.options)
	case f.expansion > maxExpansion:
		return nil, array.Corrupt(name, "an expansion of %d, where at most %d is possible", f.expansion, maxExpansion)
	}
	f.layers = make([]layer, n)
	for i := range f.layers {
		b := b[head+i*perLayer:]
		bytes, m, k := le.Uint64(b), le.Uint64(b[8:]), le.Uint32(b[40:])
		rate, perKey := math.Float64frombits(le.Uint64(b[24:])), math.Float64frombits(le.Uint64(b[32:]))
		switch {
		case bytes == 0 || bytes%8 != 0 || bytes > total || m != 8*bytes:
			return nil, array.Corrupt(name, "layer %d: %d bits in %d bytes, where %d bytes are left", i, m, bytes, total)
		case !(rate > 0 && rate < 1):
			return nil, array.Corrupt(name, "layer %d: a rate of %v", i, rate)
		case k == 0 || k > mostPositions || !(perKey > 0 && perKey < 2*mostPositions) || int(k) != positions(perKey):
			return nil, array.Corrupt(name, "layer %d: %d hashes for %v bits a key", i, k, perKey)
		case b[52] != 0:
			return nil, array.Corrupt(name, "layer %d: a size of 2^%d", i, b[52])
		}
		capacity := le.Uint64(b[44:])
		if want := bitsPerKey(rate); math.Abs(perKey-want) > perKeyError*want || float64(capacity)*perKey >= float64(m)+1 {
			return nil, array.Corrupt(name, "layer %d: %d bits for %d keys, %v for each, at a rate of %v", i, m, capacity, perKey, rate)
		}
		total -= bytes
		l := layer{count: le.Uint64(b[16:]), capacity: capacity, rate: rate, perKey: perKey}
		if l.count > count {
			return nil, array.Corrupt(name, "layer %d: %d keys of %d", i, l.count, count)
		}
		count -= l.count
		l.bits = array.Of(bloomproof.Geometry{M: m, K: int(k)}, nil)
		f.layers[i] = l
	}
	if count != 0 || total != 0 {
		return nil, array.Corrupt(name, "%d keys and %d bytes are in no layer", count, total)
	}
	return f, nil
}
