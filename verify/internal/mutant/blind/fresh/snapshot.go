package fresh

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// snapshotFaults returns filters with faults in Marshal and Unmarshal.
func snapshotFaults() []Fault {
	return []Fault{
		{"reading a snapshot clears the caller's bytes", "snapshot", clearedInput()},
		{"the checksum leaves out what follows the last whole 64 KiB", "snapshot", summed(wholeParts)},
		{"the checksum is the exclusive or of the words", "snapshot", summed(exclusiveOr)},
		{"a snapshot of the same shape is read into the filter before its checksum", "snapshot", readInPlace()},
		{"a snapshot says up to where words may be set, which an intersection does not know well", "snapshot", highInSnapshot()},
		{"a snapshot has the size in whole bytes", "snapshot", sizeInBytes()},
		{"a snapshot of more than 65,536 words has them in whole blocks of as many", "snapshot", wholeBlocks()},
		{"look-ups have as many positions after the reading of a snapshot as before", "snapshot", oldK()},
		{"reading a snapshot takes a newline from its end", "snapshot", trimmed()},
		{"reading a snapshot panics at 4 to 7 bytes", "snapshot", tooShort()},
		{"the snapshot of an empty filter does not say its shape", "snapshot", emptyShapeless()},
	}
}

func summed(sum func([]byte) uint64) subject {
	s := Sound()
	s.Marshal = func(f *Filter) ([]byte, error) { return seal(body(f), sum), nil }
	s.Unmarshal = func(f *Filter, data []byte) error {
		b, err := open(data, sum)
		if err != nil {
			return err
		}
		return restore(f, b)
	}
	return s
}

// clearedInput has a fault that was reported in basho/ebloom #7.
func clearedInput() subject {
	s := Sound()
	s.Unmarshal = func(f *Filter, data []byte) error {
		err := unmarshal(f, data)
		if err == nil {
			clear(data)
		}
		return err
	}
	return s
}

func wholeParts(b []byte) uint64 {
	const part = 64 << 10
	if len(b) > part {
		b = b[:len(b)/part*part]
	}
	return xxh3.Hash(b)
}

func exclusiveOr(b []byte) uint64 {
	x := uint64(len(b))
	for len(b) >= 8 {
		x ^= binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	for i, c := range b {
		x ^= uint64(c) << (8 * i)
	}
	return x
}

func readInPlace() subject {
	s := Sound()
	s.Unmarshal = func(f *Filter, data []byte) error {
		if len(data) == header+8*len(f.words)+8 && string(data[:len(magic)]) == magic {
			if m, k, err := shape(data); err == nil && m == f.m && k == f.k {
				for i := range f.words {
					f.words[i] = binary.LittleEndian.Uint64(data[header+8*i:])
				}
			}
		}
		return unmarshal(f, data)
	}
	return s
}

// The function "raise" updates f.high for a key that is added. The field f.high is one more than the index of the last
// word that has a set bit.
func raise(f *Filter, key []byte) {
	lo, hi := hash(key)
	for i := range f.k {
		f.high = max(f.high, position(f, lo, hi, i)>>6+1)
	}
}

func highInSnapshot() subject {
	s := alone()
	s.Add = func(f *Filter, key []byte) { sound.add(f, key); raise(f, key) }
	s.TestAndAdd = func(f *Filter, key []byte) bool { raise(f, key); return sound.testAndAdd(f, key) }
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			s.Add(f, key)
		}
	}
	s.Union = func(f, g *Filter) error {
		err := union(f, g)
		if err == nil {
			f.high = max(f.high, g.high)
		}
		return err
	}
	s.Intersect = func(f, g *Filter) error {
		err := intersect(f, g)
		if err == nil {
			f.high = min(f.high, g.high)
		}
		return err
	}
	around(&s, byReset, nil, func(f *Filter) { f.high = 0 })
	s.Marshal = func(f *Filter) ([]byte, error) {
		return seal(binary.LittleEndian.AppendUint64(body(f), f.high), xxh3.Hash), nil
	}
	s.Unmarshal = func(f *Filter, data []byte) error {
		b, err := open(data, xxh3.Hash)
		if err != nil || len(b) < header+8 {
			return errSnapshot
		}
		high := binary.LittleEndian.Uint64(b[len(b)-8:])
		if err := restore(f, b[:len(b)-8]); err != nil {
			return err
		}
		f.high = high
		return nil
	}
	return s
}

// sizeInBytes has a fault that was reported in jasondavies/bloomfilter.js #9.
func sizeInBytes() subject {
	s := Sound()
	s.Marshal = func(f *Filter) ([]byte, error) {
		b := body(f)
		binary.LittleEndian.PutUint64(b[len(magic):], (f.m+7)/8)
		return seal(b, xxh3.Hash), nil
	}
	s.Unmarshal = func(f *Filter, data []byte) error {
		b, err := open(data, xxh3.Hash)
		if err != nil {
			return err
		}
		b = slices.Clone(b)
		n := min(binary.LittleEndian.Uint64(b[len(magic):]), maxBits)
		binary.LittleEndian.PutUint64(b[len(magic):], 8*n)
		return restore(f, b)
	}
	return s
}

func wholeBlocks() subject {
	const block = 65536
	s := Sound()
	s.Marshal = func(f *Filter) ([]byte, error) {
		b := body(f)
		if n := len(f.words); n > block {
			clear(b[header+8*(n/block*block):])
		}
		return seal(b, xxh3.Hash), nil
	}
	return s
}

// oldK has a fault that was reported in bits-and-blooms/bloom #16. There, New allocated the memory for positions.
func oldK() subject {
	s := Sound()
	s.New = func(m uint64, k int) (*Filter, error) {
		f, err := New(m, k)
		if err == nil {
			f.newK = k
		}
		return f, err
	}
	s.Contains = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		for i := range f.newK {
			if !f.get(position(f, lo, hi, i)) {
				return false
			}
		}
		return true
	}
	return s
}

func trimmed() subject {
	s := Sound()
	s.Unmarshal = func(f *Filter, data []byte) error {
		return unmarshal(f, bytes.TrimSuffix(data, []byte("\n")))
	}
	return s
}

// tooShort returns a filter with the fault that OldPanda/bloomfilter #3 reports.
func tooShort() subject {
	s := Sound()
	s.Unmarshal = func(f *Filter, data []byte) error {
		if !bytes.HasPrefix(data, []byte(magic)) {
			return errSnapshot
		}
		end := len(data) - 8
		if binary.LittleEndian.Uint64(data[end:]) != xxh3.Hash(data[:end]) {
			return errSnapshot
		}
		return unmarshal(f, data)
	}
	return s
}

func emptyShapeless() subject {
	empty := seal([]byte("BFS0"), xxh3.Hash)
	s := Sound()
	s.Marshal = func(f *Filter) ([]byte, error) {
		if popcount(f.words) == 0 {
			return slices.Clone(empty), nil
		}
		return marshal(f)
	}
	s.Unmarshal = func(f *Filter, data []byte) error {
		if bytes.Equal(data, empty) {
			clear(f.words)
			return nil
		}
		return unmarshal(f, data)
	}
	return s
}
