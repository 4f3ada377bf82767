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

// MappedFilter is a Filter in a snapshot file, for look-ups only. Use MapFilter to open one. It maps the file into
// memory by the system call mmap, and reads the words there without copying them. So opening a large file takes no
// longer than opening a small one. Only the pages that were read take memory. Processes that map the same file share
// these pages. On systems without mmap, and on big-endian hosts, the whole file is read into memory instead.
//
// The whole header is checked when the file is opened. The words with the bits are checked only when the method Verify
// is called. Until then, damaged bits in the file can cause wrong answers, but nothing worse.
//
// The file must not change before Close is called. To replace the file, use SaveFile. Processes that have already
// mapped the file then continue to use its old contents. The program does not crash if another process truncates the
// file, or if the disk cannot read it. In both cases Err returns an error. If a look-up needs a page that cannot be
// read, it returns true. After that, every look-up returns true and Rate is 1, so there are still no false negatives.
//
// Look-ups do not detect two other changes of the file, but Err does. If the file is truncated in the middle of a page,
// look-ups read zeros in the rest of that page. If another process writes to the file, look-ups use the new contents.
// Such a write changes the file's time of modification, so Err detects it. But the other process can restore the old
// time of modification. Writes through a memory mapping of the file may leave the time of modification unchanged.
// Verify checks the contents of the file. To be sure of the answers of some look-ups, call Err after these look-ups.
//
// Many goroutines may use a MappedFilter at the same time. But Close does not wait for look-ups that are running, and
// look-ups after Close panic.
type MappedFilter struct {
	f     Filter
	sum   uint64 // the checksum of the payload, as the header states it
	at    attachment
	count sync.Once             // guards the counting of slices or blocks
	rate  float64               // the rate of a filter with blocks
	lost  atomic.Pointer[error] // what Err returns, once it is not nil
}

// An attachment has the words of a mapped filter. It also has the file or the mapping that contains these words.
type attachment struct {
	words   []uint64
	release func() error

	// The fields below are nil if the file was read into memory instead of mapped.
	mapping []byte // the whole mapping
	file    *os.File
	before  os.FileInfo // what the system said of the file when it was mapped
}

// MapFilter opens the snapshot of a Filter in the file at path. The options o give the scheme and the implementation.
// If the scheme uses a secret key, they also give this key. The seed comes from the snapshot. The field o.Seed must be
// 0 or equal to the seed of the snapshot.
// Cost: O(1). If the file is read instead of mapped, the cost is O(m/64) and the memory is m/8 bytes.
// Errors: ErrCorrupt if the file is not a snapshot of a Filter, or if its length does not agree with m. The error is a
// *bloomproof.ParamError if o is invalid, or if its key or seed differs from that of the snapshot. It is also a
// *bloomproof.ParamError if the host has too little memory. MapFilter also returns errors of the file system.
func MapFilter(path string, o Options) (*MappedFilter, error) { return openMapped(path, o, mapWords) }

// In a file, m bits follow the header. An attach function returns the words that hold these bits. Before it is called,
// the header is read and info.Size() is checked. The release function of the attachment must close the file.
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

// readWords reads the m bits of the filter from the file into memory. It returns an attachment with the words of these
// bits.
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

// The method "open" returns the filter. It panics if the filter is closed.
func (m *MappedFilter) open() *Filter {
	if m.f.words == nil {
		panic("kernel: a mapped filter must be made by MapFilter, and not be closed")
	}
	return &m.f
}

// Close releases the file. No look-up may be running during the call, and none may follow. A second call does nothing.
// Errors: the errors of the system call munmap; the filter is closed even if munmap fails.
func (m *MappedFilter) Close() error {
	if m.f.words == nil {
		return nil
	}
	m.f.words = nil
	return m.at.release()
}

// Err returns nil if the file has not changed since it was mapped. It returns an error that matches ErrCorrupt in two
// cases. First, a look-up needed a page that could not be read. Second, the file now has another length or time of
// modification. After the first error, Err returns the same error again, every look-up returns true, and Rate is 1. To
// continue, close the filter and map the file again. After Close, Err does not examine the file. If the file was read
// into memory instead of mapped, Err does not examine it either.
// Cost: one system call (fstat).
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

// The method "lose" stores an error, and Err returns this error from now on. If an error is already stored, the method
// does nothing.
func (m *MappedFilter) lose(err error) { m.lost.CompareAndSwap(nil, &err) }

// The method "guard" handles reads of pages that cannot be read any more. Such a read causes a fault (SIGBUS on Unix).
// By default the Go runtime then ends the program. After debug.SetPanicOnFault(true), the fault causes a panic of the
// goroutine instead. This works for faults in assembly too, for three reasons. First, the runtime handles the fault
// without the stack frame of the faulting function. Second, no kernel calls another function. Third, no kernel changes
// the frame pointer. So each method that reads words begins with the statement defer
// m.guard(debug.SetPanicOnFault(true)). If the fault is in the mapping, the method "guard" recovers from the panic.
// Then the method that read the words returns. Its named results keep their present values. Other panics are not
// stopped. If the fault is outside the mapping, the panic continues. An example is a key in another mapping, if reading
// this key causes a fault. Without the method "guard", a fault in another mapping would end the program.
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

// The method "causes" reports whether the fault is in the mapping. Under qemu the address of a fault is not known. In
// that case the method "causes" reports whether the file has become shorter. This is enough, because the guarded code
// uses no nil pointer.
func (a *attachment) causes(fault runtime.Error) bool {
	if fault, ok := fault.(interface{ Addr() uintptr }); ok {
		return fault.Addr()-uintptr(unsafe.Pointer(unsafe.SliceData(a.mapping))) < uintptr(len(a.mapping))
	}
	now, err := a.file.Stat()
	return err == nil && now.Size() < a.before.Size()
}

// Verify reads the whole file. It returns an error that matches ErrCorrupt in two cases. In the first case, the
// checksum or the number of set bits in the header does not agree with the payload. In the second case, the file has
// changed since it was mapped.
// Cost: O(m/64).
func (m *MappedFilter) Verify() error {
	if err := m.verify(m.open()); err != nil {
		return err
	}
	return m.Err()
}

// The method "verify" does the same as Verify, with two differences. It examines neither the length of the file nor the
// time of modification. If a page cannot be read, it returns nil, and Err returns the error.
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

// Contains does the same as Filter.Contains, with one exception. After an error that Err reports, Contains always
// returns true.
func (m *MappedFilter) Contains(key []byte) (in bool) {
	f := m.open()
	if m.lost.Load() != nil {
		return true
	}
	in = true // the result if the page is gone
	defer m.guard(debug.SetPanicOnFault(true))
	return f.Contains(key)
}

// ContainsHash does the same as Filter.ContainsHash, with one exception. After an error that Err reports, ContainsHash
// always returns true.
func (m *MappedFilter) ContainsHash(h Hash) (in bool) {
	f := m.open()
	if m.lost.Load() != nil {
		return true
	}
	in = true
	defer m.guard(debug.SetPanicOnFault(true))
	return f.ContainsHash(h)
}

// ContainsBatch does the same as Filter.ContainsBatch as long as Err returns nil. When Err returns an error, all
// results are true. If the error occurs during a call, all results of this call are true.
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

// The method lookUp looks up each of the keys in f. It appends the results to dst, which has room for them. The result
// "done" is false if a page could not be read.
func (m *MappedFilter) lookUp(f *Filter, dst []bool, keys Keys) (done bool) {
	defer m.guard(debug.SetPanicOnFault(true))
	f.ContainsBatch(dst, keys)
	return true
}

// Rate returns the same as Filter.Rate. It uses the number of set bits that the header of the file states. Once Err
// returns an error, Rate returns 1. The header does not say how many bits are set in each slice or block. So in a
// filter with partitioned hashing or with blocks, the first call of Rate reads the whole file.
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

// countParts counts the set bits of each slice. In a filter with blocks it computes the rate from the set bits of each
// block instead.
func (m *MappedFilter) countParts(f *Filter) {
	defer m.guard(debug.SetPanicOnFault(true))
	if f.size != 0 {
		m.rate = f.Rate()
		return
	}
	a := array{f.words, f.counts} // a and f share the counts of the slices
	a.recount(&f.layout, f.im)
}

// String returns the same as Filter.String.
func (m *MappedFilter) String() string { return m.f.String() }
