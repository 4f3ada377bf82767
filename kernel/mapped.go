package kernel

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/bloomproof/bloomproof"
)

// MappedFilter is a Filter in a snapshot file, for look-ups only. It uses the words where they are in the file, by the
// mmap system call. So the file opens immediately, whatever its size. Memory holds only the pages that were read, and
// processes that map the same file share these pages. Where there is no mmap, and on big-endian hosts, the file is read
// instead.
//
// The header is checked in full; the payload is trusted until Verify is called. Damaged bits in the file cause wrong
// answers, and nothing worse. But the file must not change until Close. If the file is changed, look-ups use the new
// contents. If it is truncated, a look-up beyond the new end terminates the program by a fault (SIGBUS), which is a
// panic only after debug.SetPanicOnFault. To replace the file, use SaveFile: the processes that have mapped the old
// file keep it.
//
// Any number of goroutines may use it, with one exception: Close does not wait for look-ups under way, and look-ups
// after Close panic. Use MapFilter.
type MappedFilter struct {
	f       Filter
	sum     uint64 // the checksum of the payload that the header states
	release func() error
	count   sync.Once // guards the counting of slices or blocks
	rate    float64   // the rate of a filter with blocks
}

// MapFilter opens the snapshot of a Filter in the file at path. o gives the scheme, the key if the scheme is keyed, and
// the implementation. The seed comes from the snapshot; o.Seed must equal it or be 0.
// Cost: O(1); O(m/64) and m/8 bytes where the file is read.
// Errors: ErrCorrupt for a file that is not a snapshot of a Filter, or whose length does not match its m;
// *bloomproof.ParamError for an invalid o, another key or seed, or more bits than the host can hold; errors of the file
// system.
func MapFilter(path string, o Options) (*MappedFilter, error) { return openMapped(path, o, mapWords) }

// attach returns the words of m bits that follow the header in a file, and a function that releases them. The header
// has already been read, and the file has exactly the right length.
type attach func(file *os.File, m uint64) ([]uint64, func() error, error)

func openMapped(path string, o Options, words attach) (*MappedFilter, error) {
	own, im, err := o.open()
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // the file was opened for reading only, and a mapping does not need it open
	var head [headerSize]byte
	if _, err := io.ReadFull(file, head[:]); err != nil {
		return nil, readError(err)
	}
	s, err := parseHeader(&head, kindFilter)
	if err != nil {
		return nil, err
	}
	hash, err := s.admit(own)
	if err != nil {
		return nil, err
	}
	if s.scheme == schemeXXH3 && o.Seed != 0 && o.Seed != s.check {
		return nil, &bloomproof.ParamError{Param: "seed", Value: o.Seed, Want: fmt.Sprintf("0 or the snapshot's, %d", s.check)}
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if want := headerSize + 8*int64(wordsFor(s.g.M)); info.Size() != want {
		return nil, corrupt("the file has %d bytes, not %d", info.Size(), want)
	}
	m := &MappedFilter{sum: s.payloadSum}
	a := array{counts: s.newCounts()}
	a.bits = s.bits[0]
	a.words, m.release, err = words(file, s.g.M)
	if err != nil {
		return nil, err
	}
	m.f = newFilter(s.layout, hash, im, a)
	return m, nil
}

// readWords attaches words by reading them.
func readWords(file *os.File, m uint64) ([]uint64, func() error, error) {
	words, err := newWords(m, wordsFor(m))
	if err != nil {
		return nil, nil, err
	}
	c := whole(words)
	if _, err := c.fill(file, io.Discard, m, make([]byte, 8*chunkWords)); err != nil {
		return nil, nil, err
	}
	return words, func() error { return nil }, nil
}

// open returns the filter, and panics when it is closed.
func (m *MappedFilter) open() *Filter {
	if m.f.words == nil {
		panic("kernel: a mapped filter must be made by MapFilter, and not be closed")
	}
	return &m.f
}

// Close releases the file. Keys must not be looked up during or after it. Closing again does nothing.
// Errors: those of the munmap system call; the filter is closed in any case.
func (m *MappedFilter) Close() error {
	if m.f.words == nil {
		return nil
	}
	m.f.words = nil
	return m.release()
}

// Verify reads the whole file. It returns an error, which matches ErrCorrupt, unless the payload has the checksum and
// the number of set bits that the header states.
// Cost: O(m/64).
func (m *MappedFilter) Verify() error {
	f := m.open()
	s := f.snapshot()
	switch {
	case s.sum() != m.sum:
		return corrupt("payload checksum")
	case f.Recount() != f.bits:
		return corrupt("%d bits are set, not %d", f.Recount(), f.bits)
	case f.g.M&63 != 0 && f.words[len(f.words)-1]>>(f.g.M&63) != 0:
		return corrupt("bits past the end are not zero")
	}
	return nil
}

// Geometry returns the filter's m, k, hashing and block.
func (m *MappedFilter) Geometry() bloomproof.Geometry { return m.f.g }

// Hasher returns the hasher of the filter's keys.
func (m *MappedFilter) Hasher() Hasher { return m.f.hash }

// Contains is Filter.Contains.
func (m *MappedFilter) Contains(key []byte) bool { return m.open().Contains(key) }

// ContainsHash is Filter.ContainsHash.
func (m *MappedFilter) ContainsHash(h Hash) bool { return m.open().ContainsHash(h) }

// ContainsBatch is Filter.ContainsBatch.
func (m *MappedFilter) ContainsBatch(dst []bool, keys Keys) []bool {
	return m.open().ContainsBatch(dst, keys)
}

// Rate is Filter.Rate, computed from the header's number of set bits. For a partitioned filter, and for a filter with
// blocks, the header does not have the counts of the slices or blocks. The first call of Rate then reads the whole
// file.
func (m *MappedFilter) Rate() float64 {
	if m.f.size != 0 {
		m.count.Do(func() { m.rate = m.open().Rate() })
		return m.rate
	}
	if m.f.sliced > 0 {
		a := array{m.open().words, m.f.counts} // a shares the counts of the slices with m.f
		m.count.Do(func() { a.recount(&m.f.layout, m.f.im) })
	}
	return m.f.Rate()
}

// String is Filter.String.
func (m *MappedFilter) String() string { return m.f.String() }
