package conform

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/bloomproof/bloomproof"
)

// An op is a kind of step of a program. The first kinds change filters, and the others only read them.
type op uint8

const (
	opAdd op = iota // adds each key of a keySpan by itself
	opTestAndAdd
	opAddBatch
	opUnion
	opIntersect
	opReset
	opMarshal   // keeps the snapshot in a slot
	opUnmarshal // reads the snapshot of a slot
	opDamaged   // reads a damaged copy of the snapshot of a slot
	opOverwrite // the caller overwrites the bytes of a snapshot
	opContains  // looks up each key of a keySpan by itself
	opContainsBatch
	opBits
	opWords
	opItems
	opRate
	ops
)

// The method "law" returns the law to which a step of kind o belongs. It returns "" for operations that every filter
// has.
func (o op) law() Law {
	switch o {
	case opAddBatch, opContainsBatch:
		return lawBatch
	case opTestAndAdd:
		return lawTestAndSet
	case opUnion:
		return lawUnion
	case opIntersect:
		return lawIntersection
	case opReset:
		return lawReset
	case opMarshal, opUnmarshal, opOverwrite:
		return lawSnapshot
	case opDamaged:
		return lawHostile
	}
	return ""
}

// A step of kind o calls a certain function of the subject. The method "has" reports whether the subject has this
// function.
func (x *examination) has(o op) bool {
	s := &x.s
	switch o {
	case opAdd, opContains:
		return true
	case opTestAndAdd:
		return s.TestAndAdd != nil
	case opAddBatch:
		return s.AddBatch != nil
	case opUnion:
		return s.Union != nil
	case opIntersect:
		return s.Intersect != nil
	case opReset:
		return s.Reset != nil
	case opMarshal, opOverwrite:
		return s.Marshal != nil
	case opUnmarshal, opDamaged:
		return s.Marshal != nil && s.Unmarshal != nil
	case opContainsBatch:
		return s.ContainsBatch != nil
	case opBits:
		return s.Bits != nil
	case opWords:
		return s.Words != nil
	case opItems:
		return s.Items != nil
	case opRate:
		return s.Rate != nil
	}
	return false
}

// A program uses at most four filters. Three of them have the shape of the program. The fourth has another shape.
const (
	fileF = iota
	fileG
	fileE
	fileH
	files
)

const slots = 3 // the number of slots for snapshots

// A step is one operation of a program on filters, keys and snapshots.
type step struct {
	op    op
	f, g  uint8 // the numbers of the step's filters; g is the second operand of a union or intersection
	slot  uint8
	cut   bool    // for opDamaged: true if the last byte is missing, false if it is changed
	twice bool    // true if each key of a batch comes twice
	keys  keySpan // for opReset, n is the number of resets, and 0 means one
}

// keySpan is a range of n keys, whose numbers begin with first.
type keySpan struct{ first, n uint32 }

func (s keySpan) end() uint32 { return s.first + s.n }

// The method "added" returns the keys that a step adds, without repetitions.
func (s step) added() keySpan {
	if s.twice {
		return keySpan{s.keys.first, (s.keys.n + 1) / 2}
	}
	return s.keys
}

// A step can have several keys, which are counted from i = 0. The method "key" returns the number that stands for key
// i.
func (s step) key(i uint32) uint32 {
	if s.twice {
		i /= 2
	}
	return s.keys.first + i
}

// A program is a list of steps on filters of one shape.
type program struct {
	shape    shapeOf
	literals [][]byte // keys of the form formLiteral
	steps    []step
}

// The highest bits of a key's number say which form the key has.
const (
	formText    = iota // decimal digits
	formBytes          // eight bytes of any value
	formLengths        // equal bytes of all lengths from 0 to 511
	formLiteral        // the keys in program.literals
	formPrefix         // a common prefix of 20 bytes, and six digits
	formShift   = 28
)

const numberMask = 1<<formShift - 1

// The eight bytes of a key of form formBytes are the product of its number and goldenRatio. They have no visible
// pattern.
const goldenRatio = 0x9e3779b97f4a7c15

// The method "key" appends the bytes of the key with number id to dst.
func (p *program) key(dst []byte, id uint32) []byte {
	i := id & numberMask
	switch id >> formShift {
	case formBytes:
		return binary.LittleEndian.AppendUint64(dst, uint64(i)*goldenRatio)
	case formLengths:
		n := int(i & 511)
		dst = slices.Grow(dst, n)
		for range n {
			dst = append(dst, byte(i>>9))
		}
		return dst
	case formPrefix:
		return fmt.Appendf(dst, "https://example.org/%06d", i)
	case formLiteral:
		if len(p.literals) == 0 {
			return dst
		}
		return append(dst, p.literals[int(i)%len(p.literals)]...)
	}
	return strconv.AppendUint(dst, uint64(i), 10)
}

// shapeOf says how the filters of a program are made: by New, or by Make if n is not 0.
type shapeOf struct {
	m    uint64
	k    int
	n    uint64
	rate float64
	by   difference // the difference between this shape and the other shape of the program
}

// A difference says how the two shapes of a program differ.
type difference uint8

const (
	twiceAsLarge difference = iota
	morePositions
	fewerPositions
	sameWords // another number of bits, but the same number of 64-bit words
	differences
)

// The method "other" returns the second shape of a program. The first shape is s. If the filters are made by New, the
// field s.by says how the second shape differs from s.
func (s shapeOf) other() shapeOf {
	switch {
	case s.n > 0:
		return shapeOf{n: 2 * s.n, rate: s.rate / 2}
	case s.by == morePositions && s.k < bloomproof.MaxK:
		s.k++
	case s.by == fewerPositions && s.k > 1:
		s.k--
	case s.by == sameWords && s.m%64 == 0:
		s.m--
	case s.by == sameWords:
		s.m++
	default:
		s.m *= 2
	}
	return s
}

// The method "size" returns approximately the number of bits of a filter of this shape.
func (s shapeOf) size() uint64 {
	if s.n > 0 {
		return 16 * s.n
	}
	return s.m
}

// newFilter returns an empty filter of shape s.
func (x *examination) newFilter(s shapeOf) (filter, error) {
	if s.n > 0 {
		return x.s.Make(s.n, s.rate)
	}
	return x.s.New(s.m, s.k)
}
