package kernel

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/bloomproof/bloomproof"
)

// MappedFilter is a Filter in a snapshot file, for look-ups only. It maps the file into memory by the mmap system call,
// and uses the words where they are in the file. So the file opens immediately, whatever its size. Memory holds only
// the pages that were read, and processes that map the same file share these pages. On systems without mmap, and on
// big-endian hosts, the file is read instead.
//
// The header is checked in full; the payload is trusted until Verify is called. Damaged bits in the file cause wrong
// answers, but nothing worse.
//
// The file must not change until Close. To replace it, use SaveFile: processes that have mapped the old file continue
// to use the old file. If another process truncates the file nevertheless, or the disk cannot read it, the program
// continues, and Err returns an error. A look-up that finds its page gone returns true. From then on every look-up
// returns true and Rate is 1, so the filter still has no false negatives.
//
// Only Err detects two other changes. If the file is truncated within a page, the rest of that page reads as zeros. If
// the file is written to, look-ups use the new contents. Err detects a write by the file's time of modification. But a
// writer can set this time back, and a writer that has mapped the file need not change it. Verify examines the contents
// themselves. So call Err after a number of look-ups, before you rely on their answers.
//
// Any number of goroutines may use a MappedFilter, with one exception: Close does not wait for look-ups under way, and
// look-ups after Close panic. Use MapFilter to open one.
type MappedFilter struct {
	f     Filter
	sum   uint64 // the checksum of the payload, as the header states it
	at    attachment
	count sync.Once             // guards the counting of slices or blocks
	rate  float64               // the rate of a filter with blocks
	lost  atomic.Pointer[error] // what Err returns, once it is not nil
}

// An attachment holds the words of a mapped filter and the file or mapping to which they are attached.
type attachment struct {
	words   []uint64
	release func() error

	// The fields below are nil if the file was read instead of mapped.
	mapping []byte // the whole mapping
	file    *os.File
	before  os.FileInfo // what the system said of the file when it was mapped
}

// MapFilter opens the snapshot of a Filter in the file at path. The options o give the scheme, the implementation and,
// if the scheme is keyed, the key. The seed comes from the snapshot; o.Seed must equal it or be 0.
// Cost: O(1). If the file is read instead of mapped, it costs O(m/64) and m/8 bytes.
// Errors: ErrCorrupt for a file that is not a snapshot of a Filter, or whose length does not match its m;
// *bloomproof.ParamError for an invalid o, another key or seed, or more bits than the host can hold; errors of the file
// system.
func MapFilter(path string, o Options) (*MappedFilter, error) { return openMapped(path, o, mapWords) }

// An attach function returns the words of the m bits that follow the header in a file. The header has already been
// read. The length of the file, which info has, is exactly right. The release function of the attachment closes the
// file.
type attach func(file *os.File, info os.FileInfo, m uint64) (attachment, error)

func openMapped(path string, o Options, words attach) (m *MappedFilter, err error) {
	own, im, err := o.open()
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = file.Close() // the file was opened for reading only
		}
	}()
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
	m = &MappedFilter{sum: s.payloadSum}
	if m.at, err = words(file, info, s.g.M); err != nil {
		return nil, err
	}
	a := array{words: m.at.words, counts: s.newCounts()}
	a.bits = s.bits[0]
	m.f = newFilter(s.layout, hash, im, a)
	return m, nil
}

// readWords reads the words of the m bits from the file into memory, and returns an attachment with them.
func readWords(file *os.File, _ os.FileInfo, m uint64) (attachment, error) {
	words, err := newWords(m, wordsFor(m))
	if err != nil {
		return attachment{}, err
	}
	c := whole(words)
	if _, err := c.fill(file, io.Discard, m, make([]byte, 8*chunkWords)); err != nil {
		return attachment{}, err
	}
	_ = file.Close() // the file was opened for reading only
	return attachment{words: words, release: func() error { return nil }}, nil
}

// The method open returns the filter. The method panics if the filter is closed.
func (m *MappedFilter) open() *Filter {
	if m.f.words == nil {
		panic("kernel: a mapped filter must be made by MapFilter, and not be closed")
	}
	return &m.f
}

// Close releases the file. Keys must not be looked up during or after the call. Further calls do nothing.
// Errors: the errors of the munmap system call; the filter is closed in any case.
func (m *MappedFilter) Close() error {
	if m.f.words == nil {
		return nil
	}
	m.f.words = nil
	return m.at.release()
}

// Err returns nil while the file is as it was when it was mapped. It returns an error, which matches ErrCorrupt, after
// a look-up found a page gone. It also does so if the file has another length or time of modification. From then on Err
// returns the same error, every look-up returns true, and Rate is 1. To continue, map the file again. Err does not look
// at the file after Close, nor if the file was read instead of mapped.
// Cost: a system call (fstat).
func (m *MappedFilter) Err() error {
	if m.lost.Load() == nil && m.f.words != nil && m.at.file != nil {
		switch now, err := m.at.file.Stat(); {
		case err != nil:
			m.lose(corrupt("the mapped file: %v", err))
		case now.Size() != m.at.before.Size():
			m.lose(corrupt("the mapped file now has %d bytes, not %d", now.Size(), m.at.before.Size()))
		case !now.ModTime().Equal(m.at.before.ModTime()):
			m.lose(corrupt("the mapped file was changed"))
		}
	}
	if err := m.lost.Load(); err != nil {
		return *err
	}
	return nil
}

// lose makes Err return err from now on, unless Err already has an error to return.
func (m *MappedFilter) lose(err error) { m.lost.CompareAndSwap(nil, &err) }

// guard handles reads of pages that the file no longer has. Such a read is a fault (SIGBUS on Unix), and by default the
// runtime then ends the program. debug.SetPanicOnFault makes it a panic of the goroutine instead. This also works in
// assembly: the runtime does not use the frame of the fault again, no kernel calls another function, and no kernel
// changes the frame pointer. So each method that reads words begins with
//
//	defer m.guard(debug.SetPanicOnFault(true))
//
// If the fault is in the mapping, guard recovers, and the method returns the present values of its named results. Other
// panics continue. Faults elsewhere, for example in a key that is in another mapping, also continue. They are now
// panics; without guard they would have ended the program.
func (m *MappedFilter) guard(before bool) {
	debug.SetPanicOnFault(before)
	p := recover()
	if p == nil {
		return
	}
	if fault, ok := p.(runtime.Error); !ok || m.at.file == nil || !m.at.causes(fault) {
		panic(p)
	}
	m.lose(corrupt("the mapped file was truncated, or cannot be read"))
}

// causes reports whether the fault is in the mapping. Under qemu a fault has no address. Then causes reports whether
// the file became shorter. This suffices because guarded code uses no nil pointer.
func (a *attachment) causes(fault runtime.Error) bool {
	if fault, ok := fault.(interface{ Addr() uintptr }); ok {
		return fault.Addr()-uintptr(unsafe.Pointer(unsafe.SliceData(a.mapping))) < uintptr(len(a.mapping))
	}
	now, err := a.file.Stat()
	return err == nil && now.Size() < a.before.Size()
}

// Verify reads the whole file. The payload must have the checksum and the number of set bits that the header states,
// and the file must be as it was when it was mapped. Otherwise Verify returns an error that matches ErrCorrupt.
// Cost: O(m/64).
func (m *MappedFilter) Verify() error {
	if err := m.verify(m.open()); err != nil {
		return err
	}
	return m.Err()
}

// verify does the same as Verify, except that it does not examine the file's length and time of modification, and that
// it returns nil if a page is gone. Err then returns the error.
func (m *MappedFilter) verify(f *Filter) error {
	defer m.guard(debug.SetPanicOnFault(true))
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

// Contains is the same as Filter.Contains, but returns true after an error (Err).
func (m *MappedFilter) Contains(key []byte) (in bool) {
	f := m.open()
	if m.lost.Load() != nil {
		return true
	}
	in = true // the result if the page is gone
	defer m.guard(debug.SetPanicOnFault(true))
	return f.Contains(key)
}

// ContainsHash is the same as Filter.ContainsHash, but returns true after an error (Err).
func (m *MappedFilter) ContainsHash(h Hash) (in bool) {
	f := m.open()
	if m.lost.Load() != nil {
		return true
	}
	in = true
	defer m.guard(debug.SetPanicOnFault(true))
	return f.ContainsHash(h)
}

// ContainsBatch is the same as Filter.ContainsBatch, but after an error (Err) all results are true. This includes the
// batch during which the error occurs.
func (m *MappedFilter) ContainsBatch(dst []bool, keys Keys) []bool {
	f := m.open()
	dst, out := extend(dst, keys.n)
	if m.lost.Load() != nil || !m.lookUp(f, out[:0], keys) {
		for i := range out {
			out[i] = true
		}
	}
	return dst
}

// lookUp appends to dst whether f contains each of the keys. The slice dst has room for these results. The result done
// says whether the file still had all pages that were read.
func (m *MappedFilter) lookUp(f *Filter, dst []bool, keys Keys) (done bool) {
	defer m.guard(debug.SetPanicOnFault(true))
	f.ContainsBatch(dst, keys)
	return true
}

// Rate is the same as Filter.Rate, computed from the number of set bits in the header. After an error (Err) it is 1.
// The header has no counts of slices or blocks. So if the filter is partitioned or has blocks, the first call of Rate
// reads the whole file.
func (m *MappedFilter) Rate() float64 {
	if m.f.size != 0 || m.f.sliced > 0 {
		f := m.open()
		m.count.Do(func() { m.countParts(f) })
	}
	switch {
	case m.lost.Load() != nil:
		return 1
	case m.f.size != 0:
		return m.rate
	}
	return m.f.Rate()
}

// countParts counts the set bits of the slices. For a filter with blocks it computes the rate from the set bits of the
// blocks.
func (m *MappedFilter) countParts(f *Filter) {
	defer m.guard(debug.SetPanicOnFault(true))
	if f.size != 0 {
		m.rate = f.Rate()
		return
	}
	a := array{f.words, f.counts} // a and f share the counts of the slices
	a.recount(&f.layout, f.im)
}

// String is the same as Filter.String.
func (m *MappedFilter) String() string { return m.f.String() }
