package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/zeebo/xxh3"
)

// The page docs/format.md specifies the format of a snapshot: a header of 128 bytes, followed by the words of the
// arrays. Functions that read a snapshot refuse all data that no writer can produce. Each state of a filter has exactly
// one encoding.

// ErrCorrupt marks errors about snapshots that are damaged, are too short, or do not have the expected type and
// version. Every such error wraps it. Use errors.Is to recognise such errors.
var ErrCorrupt = errors.New("corrupt snapshot")

func corrupt(format string, args ...any) error {
	return fmt.Errorf("bloomproof: %w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

const (
	snapshotMagic = "BLOOMPRF"
	headerSize    = 128

	// Version 2 is for filters with blocks. Programs without support for blocks read only version 1.
	versionFlat   = 1
	versionBlocks = 2

	kindFilter    = 1
	kindRecycling = 2
	kindCounting  = 3
)

func kindName(kind byte) string {
	switch kind {
	case kindFilter:
		return "a Filter"
	case kindRecycling:
		return "a RecyclingFilter"
	case kindCounting:
		return "a CountingFilter"
	case kindGrowing:
		return "a GrowingFilter"
	}
	return fmt.Sprintf("kind %d", kind)
}

// In a recycling filter, byte 13 of the header has one of these values. The word at offset 56 of the header is a bound.
// The value of byte 13 says what it bounds: the number of set bits, or the number of messages of a cycle.
const (
	ruleBits     = 0
	ruleMessages = 1
)

const (
	flagRetain = 1 << iota
	flagTwoPhase
	flagNoCopyOver
	flagFreezeBefore
	flagFresh
)

// A snapshot may state at most maxCount cycles and at most maxCount observations. No real filter comes near this
// number. So no count can overflow in a filter that was read from a snapshot.
const maxCount = 1<<63 - 1

// The type "snapshot" has what a snapshot contains after decoding: the fields of the header, and the arrays.
type snapshot struct {
	kind byte
	layout
	scheme     scheme
	check      uint64
	r          bloomproof.Recycling // kindRecycling only
	c          counting             // kindCounting only
	bits       [2]uint64            // for kindCounting: the number of counters that are not 0, and the number that are saturated
	cycle      uint64
	messages   uint64
	arrivals   uint64
	payloadSum uint64
	arrays     [2]column // the second is empty with one phase
}

func (s *snapshot) size() int {
	return headerSize + 8*(s.arrays[0].len()+s.arrays[1].len())
}

// arrayBits returns the number of bits of each array.
func (s *snapshot) arrayBits() uint64 {
	if s.kind == kindCounting {
		return s.g.M * uint64(s.c.width)
	}
	return s.g.M
}

// The method "version" returns the version of the format in which the snapshot is written.
func (s *snapshot) version() uint16 {
	if s.g.Block != 0 {
		return versionBlocks
	}
	return versionFlat
}

// ruleBytes returns bytes 13 and 14 of the header. For a recycling filter they encode the rule. For a counting filter
// they encode the increment rule and the width of the counters.
func (s *snapshot) ruleBytes() (rule, flags byte) {
	if s.kind == kindCounting {
		return byte(s.c.increment), byte(s.c.width)
	}
	for _, f := range []struct {
		set bool
		bit byte
	}{
		{s.r.Retain, flagRetain},
		{s.r.TwoPhase, flagTwoPhase},
		{s.r.NoCopyOver, flagNoCopyOver},
		{s.r.FreezeBefore, flagFreezeBefore},
		{s.r.FreshPositions, flagFresh},
	} {
		if f.set {
			flags |= f.bit
		}
	}
	if s.r.Messages > 0 {
		return ruleMessages, flags
	}
	return ruleBits, flags
}

// appendHeader appends the header of the snapshot to dst.
func (s *snapshot) appendHeader(dst []byte) []byte {
	start := len(dst)
	le := binary.LittleEndian
	rule, flags := s.ruleBytes()
	dst = append(dst, snapshotMagic...)
	dst = le.AppendUint16(dst, s.version())
	dst = append(dst, s.kind, byte(s.g.Hashing), byte(s.scheme), rule, flags, 0)
	dst = le.AppendUint32(dst, uint32(s.g.K))
	dst = le.AppendUint32(dst, 0)
	for _, v := range []uint64{
		s.g.M, s.check, s.bits[0], s.bits[1], s.r.Sigma + s.r.Messages, // Sigma or Messages is 0
		s.cycle, s.messages, s.arrivals, s.g.Block, 0, 0, s.payloadSum,
	} {
		dst = le.AppendUint64(dst, v)
	}
	return le.AppendUint64(dst, xxh3.Hash(dst[start:]))
}

// parseHeader decodes a header. It makes all checks that do not need the payload.
func parseHeader(b *[headerSize]byte, kind byte) (*snapshot, error) {
	le := binary.LittleEndian
	version := le.Uint16(b[8:])
	switch {
	case string(b[:8]) != snapshotMagic:
		return nil, corrupt("it does not begin with %q", snapshotMagic)
	case le.Uint64(b[120:]) != xxh3.Hash(b[:120]):
		return nil, corrupt("header checksum")
	case version != versionFlat && version != versionBlocks:
		return nil, corrupt("version %d, not %d or %d", version, versionFlat, versionBlocks)
	case (version == versionBlocks) != (le.Uint64(b[88:]) != 0):
		return nil, corrupt("version %d with blocks of %d bits", version, le.Uint64(b[88:]))
	case b[10] != kind:
		return nil, corrupt("it is of %s, not of %s", kindName(b[10]), kindName(kind))
	case kind == kindRecycling && b[13] != ruleBits && b[13] != ruleMessages:
		return nil, corrupt("rule %d, not %d or %d", b[13], ruleBits, ruleMessages)
	case kind == kindRecycling && b[13] == ruleMessages && le.Uint64(b[56:]) == 0:
		return nil, corrupt("a cycle of 0 messages")
	}
	word := func(i int) uint64 { return le.Uint64(b[i:]) }
	s := &snapshot{
		kind: kind,
		layout: layout{g: bloomproof.Geometry{
			M: word(24), K: int(le.Uint32(b[16:]) & 0xffff), Hashing: bloomproof.Hashing(b[11]), Block: word(88),
		}},
		scheme:     scheme(b[12]),
		check:      word(32),
		bits:       [2]uint64{word(40), word(48)},
		cycle:      word(64),
		messages:   word(72),
		arrivals:   word(80),
		payloadSum: word(112),
	}
	if kind == kindCounting {
		s.c = counting{int(b[14]), bloomproof.Increment(b[13])}
	} else {
		s.r = parseRule(b[13], b[14], word(56))
	}
	if err := s.checkState(); err != nil {
		return nil, err
	}
	// Some bytes of the header belong to no field. They must be 0.
	if !bytes.Equal(s.appendHeader(make([]byte, 0, headerSize)), b[:]) {
		return nil, corrupt("unused bytes of the header are not zero")
	}
	return s, nil
}

// parseRule returns the rule of a recycling filter. The arguments are byte 13, byte 14 and the word at offset 56 of the
// header.
func parseRule(rule, flags byte, bound uint64) bloomproof.Recycling {
	r := bloomproof.Recycling{
		Retain:         flags&flagRetain != 0,
		TwoPhase:       flags&flagTwoPhase != 0,
		NoCopyOver:     flags&flagNoCopyOver != 0,
		FreezeBefore:   flags&flagFreezeBefore != 0,
		FreshPositions: flags&flagFresh != 0,
	}
	if rule == ruleMessages {
		r.Messages = bound
	} else {
		r.Sigma = bound
	}
	return r
}

// checkState returns an error if no filter can have the state that the header's fields describe. Otherwise it sets the
// layout that follows from the geometry.
func (s *snapshot) checkState() error {
	if s.scheme > schemeSipHash {
		return corrupt("scheme %d", s.scheme)
	}
	l, err := s.layoutOfKind()
	if err != nil {
		return corrupt("%v", err)
	}
	s.layout = l
	most := [2]uint64{s.g.M, s.g.M}
	switch s.kind {
	case kindRecycling:
		if err := s.checkCycle(); err != nil {
			return err
		}
		if s.r.Messages == 0 {
			most[0] = s.r.Sigma
		}
	case kindCounting:
		if s.c.check() != nil {
			return corrupt("a counter of %d bits, increment %v", s.c.width, s.c.increment)
		}
	default:
		most[1] = 0
	}
	if s.kind != kindRecycling && (s.r != (bloomproof.Recycling{}) || s.cycle|s.messages|s.arrivals != 0) {
		return corrupt("fields of a recycling filter in one that is not")
	}
	if s.bits[0] > most[0] || s.bits[1] > most[1] {
		return corrupt("counts %d and %d, of at most %d and %d", s.bits[0], s.bits[1], most[0], most[1])
	}
	return nil
}

// layoutOfKind returns the layout that follows from the fields of the header. For a recycling filter it also checks the
// rule.
func (s *snapshot) layoutOfKind() (layout, error) {
	if s.kind == kindRecycling {
		return recyclingLayoutOf(s.g, s.r)
	}
	return layoutOf(s.g)
}

// checkCycle examines the cycle that the fields of the header describe. It returns an error if this cycle is impossible
// for a recycling filter.
func (s *snapshot) checkCycle() error {
	switch {
	case !s.r.TwoPhase && s.bits[1] != 0, s.cycle == 0 && s.bits[1] != 0:
		return corrupt("%d frozen bits where there can be none", s.bits[1])
	case s.r.Messages > 0 && s.messages >= s.r.Messages:
		return corrupt("%d messages in the cycle, of less than %d", s.messages, s.r.Messages)
	}
	// Suppose that a message was retained when the cycle began. This message is counted among the messages of the new
	// cycle. It is not counted among the observations of this cycle.
	retained := uint64(0)
	if s.r.Retain && s.cycle > 0 {
		retained = 1
	}
	switch {
	case s.cycle > maxCount || s.arrivals > maxCount:
		return corrupt("cycle %d with %d observations, of at most 2^63-1", s.cycle, s.arrivals)
	case s.messages < retained || s.messages-retained > s.arrivals:
		return corrupt("%d messages in %d observations", s.messages, s.arrivals)
	}
	hi, most := bits.Mul64(s.messages, uint64(s.g.K))
	if s.bits[0] < s.messages || hi == 0 && s.bits[0] > most {
		return corrupt("%d bits set by %d messages", s.bits[0], s.messages)
	}
	return nil
}

// chunkWords is the number of words that are encoded or decoded at a time. They take 32 KiB, which is little memory.
// The number is large enough to make the cost of calling a writer or reader negligible.
const chunkWords = 4096

// chunkOf returns the number of words that are encoded or decoded at a time if an array has the given number of words. A
// buffer for them is not larger than the array.
func chunkOf(words uint64) int { return int(min(words, chunkWords)) }

// The method "chunk" returns the number of words of the payload that are encoded at a time.
func (s *snapshot) chunk() int { return chunkOf(uint64(max(s.arrays[0].len(), s.arrays[1].len()))) }

// The method "sum" returns the checksum of the payload.
func (s *snapshot) sum() uint64 {
	h := xxh3.New()
	buf := make([]byte, 0, 8*s.chunk())
	for chunk := range s.chunks() {
		_, _ = h.Write(appendWords(buf, chunk))
	}
	return h.Sum64()
}

// The method "chunks" yields the words of the payload, at most chunkWords at a time.
func (s *snapshot) chunks() iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		buf := make([]uint64, s.chunk())
		for _, c := range s.arrays {
			for chunk := range c.chunks(buf) {
				if !yield(chunk) {
					return
				}
			}
		}
	}
}

func appendWords(dst []byte, words []uint64) []byte {
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// The method "append" encodes the snapshot and appends it to dst.
func (s *snapshot) append(dst []byte) []byte {
	s.payloadSum = s.sum()
	dst = s.appendHeader(slices.Grow(dst, s.size()))
	for chunk := range s.chunks() {
		dst = appendWords(dst, chunk)
	}
	return dst
}

// writeTo encodes the snapshot and writes it to w.
func (s *snapshot) writeTo(w io.Writer) (int64, error) {
	s.payloadSum = s.sum()
	buf := s.appendHeader(make([]byte, 0, max(headerSize, 8*s.chunk())))
	n, err := w.Write(buf)
	done := int64(n)
	for chunk := range s.chunks() {
		if err != nil {
			return done, err
		}
		n, err = w.Write(appendWords(buf[:0], chunk))
		done += int64(n)
	}
	return done, err
}

// readSnapshot reads exactly one snapshot of the given kind from r. The memory that it allocates is proportional to the
// number of bytes that it reads, whatever the header says.
func readSnapshot(r io.Reader, kind byte) (*snapshot, int64, error) {
	var head [headerSize]byte
	n, err := io.ReadFull(r, head[:])
	done := int64(n)
	if err != nil {
		return nil, done, readError(err)
	}
	s, err := parseHeader(&head, kind)
	if err != nil {
		return nil, done, err
	}
	h := xxh3.New()
	buf := make([]byte, 8*chunkOf(wordsFor(s.arrayBits())))
	known := uint64(chunkWords) // words for which memory is allocated at first
	if sized, ok := r.(interface{ Len() int }); ok {
		known = max(known, uint64(sized.Len())/8)
	}
	first := column{stride: 1}
	if paired(s.r) {
		first.stride = 2
	}
	first.words = makeWords(int(min(wordsFor(s.arrayBits()), known) * first.stride))
	n64, err := first.fill(r, h, s.arrayBits(), buf)
	done += n64
	s.arrays[0] = first
	if err == nil && s.r.TwoPhase {
		second := half(first.words, 1)
		if !paired(s.r) {
			second = whole(makeWords(int(min(wordsFor(s.arrayBits()), known))))
		}
		n64, err = second.fill(r, h, s.arrayBits(), buf)
		done += n64
		s.arrays[1] = second
	}
	if err != nil {
		return nil, done, err
	}
	if h.Sum64() != s.payloadSum {
		return nil, done, corrupt("payload checksum")
	}
	return s, done, nil
}

// The function "fill" reads from r the words of an array with the given number of bits. Each byte that it reads is also
// written to h, which computes the checksum. The slice buf is a buffer. At first the array has room for as many words
// as fit in buf. Its memory grows as words are read.
func (c *column) fill(r io.Reader, h io.Writer, bits uint64, buf []byte) (done int64, err error) {
	total := wordsFor(bits)
	last := uint64(0)
	for at := uint64(0); at < total; {
		chunk := buf[:8*min(total-at, uint64(len(buf)/8))]
		n, err := io.ReadFull(r, chunk)
		done += int64(n)
		if err != nil {
			return done, readError(err)
		}
		_, _ = h.Write(chunk)
		if need := at + uint64(len(chunk))/8; need > uint64(c.len()) {
			more := makeWords(int(min(total, 2*uint64(c.len())) * c.stride))
			copy(more, c.words)
			c.words = more
		}
		for ; len(chunk) > 0; chunk = chunk[8:] {
			last = binary.LittleEndian.Uint64(chunk)
			*c.word(64 * at) = last
			at++
		}
	}
	if spare := bits & 63; spare != 0 && last>>spare != 0 {
		return done, corrupt("bits past the end are not zero")
	}
	return done, nil
}

// If the data ended too early, readError returns ErrCorrupt. Otherwise it returns the reader's error.
func readError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return corrupt("it ends too early")
	}
	return err
}

// The function "decode" decodes data, which must have exactly one snapshot and nothing else.
func decode(data []byte, kind byte) (*snapshot, error) {
	r := bytes.NewReader(data)
	s, _, err := readSnapshot(r, kind)
	if err == nil && r.Len() > 0 {
		err = corrupt("%d bytes follow it", r.Len())
	}
	return s, err
}

// A filter reads the snapshot s. The method "admit" decides whether this is permitted. If it is not permitted, the
// method returns a ParamError. Otherwise it returns the hasher for the new state of the filter. The argument "own" is
// the present hasher of the filter. If the scheme of s has a secret key, the method returns the argument "own".
// Otherwise it returns a hasher with the seed of s. A filter with a secret key may not read a snapshot without a secret
// key. The reason is that an adversary may choose the keys that are added to a filter with a secret key.
func (s *snapshot) admit(own Hasher) (Hasher, error) {
	const theirs = "the secret key of the snapshot"
	switch {
	case s.scheme == schemeXXH3 && own.scheme == schemeXXH3:
		return newHasher(Options{Seed: s.check}), nil
	case s.scheme == schemeXXH3:
		return own, &bloomproof.ParamError{Param: "key", Value: hidden, Want: "none, as the snapshot has none"}
	case own.scheme == schemeXXH3:
		return own, &bloomproof.ParamError{Param: "key", Value: "none", Want: theirs}
	case s.check != own.check():
		return own, &bloomproof.ParamError{Param: "key", Value: hidden, Want: theirs}
	}
	return own, nil
}

// The method "take" returns array i of s, with its numbers of set bits. It returns an error if these numbers differ
// from those in the header.
func (s *snapshot) take(i int, im impl) (array, error) {
	a := array{s.arrays[i].words, s.newCounts()}
	a.recount(&s.layout, im)
	return a, s.agree(i, a.bits)
}

// The header states the number of set bits of array i. The method "agree" compares this number with the true number,
// which is the argument "bits". It returns an error if they differ.
func (s *snapshot) agree(i int, bits uint64) error {
	if bits != s.bits[i] {
		return corrupt("%d bits are set, not %d", bits, s.bits[i])
	}
	return nil
}
