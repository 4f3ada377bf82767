package model

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"testing/iotest"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Action is the kind of an operation.
type Action uint8

// These are the actions of all kinds of runs. The actions Swap, Unite, Meet, Estimate, InsertBulk and Map are for
// FilterRun. The actions Remove and RemoveH are for CountingRun.
const (
	Insert      Action = iota // Add or Observe a key
	InsertH                   // AddHash or ObserveHash
	Probe                     // Contains, ContainsHash
	Clear                     // Clear
	Copy                      // Clone: go on with the copy, and check that both are independent
	Snapshot                  // MarshalBinary, and UnmarshalBinary into a new filter: go on with the new one
	Reload                    // WriteTo and ReadFrom, byte by byte, into the same filter
	Swap                      // exchange the filter with a second one
	Unite                     // Union with the second filter
	Meet                      // Intersect with the second filter
	Estimate                  // IntersectionItems with the second filter
	InsertBatch               // a batch method for Insert or InsertH
	ProbeBatch                // a batch method for Probe
	Remove                    // Remove a key
	RemoveH                   // RemoveHash
	InsertBulk                // AddBulk
	Map                       // MapFilter of a file with a snapshot: look up keys in the mapped filter
	actions
)

var actionNames = [actions]string{
	"insert", "insert-hash", "probe", "clear", "copy", "snapshot", "reload", "swap", "unite", "meet", "estimate",
	"insert-batch", "probe-batch", "remove", "remove-hash", "insert-bulk", "map",
}

// Op is one operation of a run. Every value is valid.
type Op struct {
	Action Action
	Key    uint8
}

// Keys is the number of different keys that operations use.
const Keys = 24

// String returns, for example, "insert(7)".
func (o Op) String() string {
	return fmt.Sprintf("%s(%d)", actionNames[o.Action%actions], o.Key%Keys)
}

// Decode returns the operations that data encodes. Each operation has one byte for the action and one for the key. Most
// values of the first byte mean Insert or InsertH.
func Decode(data []byte) []Op {
	var ops []Op
	for ; len(data) >= 2; data = data[2:] {
		ops = append(ops, Op{ActionOf(data[0]), data[1] % Keys})
	}
	return ops
}

// ActionOf returns the action for the byte b. For 200 of the 256 values of b, the action is Insert or InsertH.
func ActionOf(b uint8) Action {
	if b%16 >= 4 {
		return Action(b / 16 % 2)
	}
	rest := b/16*4 + b%16 // 0 to 63
	if rest >= 4*uint8(ProbeBatch+1) {
		return InsertBulk + Action(rest%2)
	}
	return Action(rest % uint8(ProbeBatch+1))
}

// DecodeCounting decodes the program of a CountingRun. The function Decode does the same for other runs.
func DecodeCounting(data []byte) []Op {
	var ops []Op
	for ; len(data) >= 2; data = data[2:] {
		ops = append(ops, Op{CountingActionOf(data[0]), data[1] % Keys})
	}
	return ops
}

// CountingActionOf returns the action of a CountingRun for the byte b. For 6 of 16 values the action inserts a key, and
// for 6 it removes one.
func CountingActionOf(b uint8) Action {
	switch {
	case b%16 < 6:
		return Insert + Action(b/16%2)
	case b%16 < 12:
		return Remove + Action(b/16%2)
	}
	some := []Action{Probe, Clear, Copy, Snapshot, Reload, Swap, Unite, InsertBatch}
	rest := b/16*4 + b%16 // 12 to 75
	if rest >= 68 {
		return ProbeBatch
	}
	return some[rest%uint8(len(some))]
}

// keyBytes returns the key with the number k. The keys have lengths from 0 to 23 bytes.
func keyBytes(k uint8) []byte {
	key := make([]byte, k%Keys)
	for i := range key {
		key[i] = k ^ uint8(37*i)
	}
	return key
}

// Some operations use a prepared hash instead of the hash of a key. readyHash returns the prepared hash with the number
// k. In three of the first four hashes, at most one bit is 1. In the other one, all bits are 1. No hash function should
// return such hashes.
func readyHash(k uint8) kernel.Hash {
	odd := []kernel.Hash{{}, {H1: 1}, {H0: ^uint64(0), H1: ^uint64(0)}, {H0: 1 << 63}}
	if k %= Keys; int(k) < len(odd) {
		return odd[k]
	}
	return kernel.Hash{H0: uint64(k) * 0xd1342543de82ef95, H1: uint64(k) * 0xaf251af3b0f025b5}
}

// A batch is several keys in one of the forms that batch methods take. It also has
// their hashes.
type batch struct {
	keys   kernel.Keys
	hashes []kernel.Hash
}

// batchSizes has 0, small numbers, and one large number. Package kernel processes a batch in blocks of keys. The large
// number is greater than the number of keys in a block. This number is used only if keys have few positions, because
// the model is slow for many positions.
var batchSizes = []int{0, 1, 2, 5, 9, 70}

// batchOf returns the batch that k encodes, for a filter of geometry g. The number k determines the form of the batch,
// the number of keys, and the keys themselves. Some keys are repeated.
func batchOf(k uint8, g bloomproof.Geometry, hasher kernel.Hasher) (b batch) {
	k %= Keys
	n := batchSizes[int(k)%len(batchSizes)]
	if g.K > 16 {
		n = min(n, 9)
	}
	var keys [][]byte
	var texts []string
	var words []uint64
	for i := range n {
		id := uint8((int(k) + 5*i + i*i/3) % Keys)
		word := uint64(id) * 0x9e3779b97f4a7c15
		keys, texts, words = append(keys, keyBytes(id)), append(texts, string(keyBytes(id))), append(words, word)
		switch k % 4 {
		case 1:
			b.hashes = append(b.hashes, hasher.Bytes(binary.LittleEndian.AppendUint64(nil, word)))
		case 2:
			b.hashes = append(b.hashes, readyHash(id))
		default:
			b.hashes = append(b.hashes, hasher.Bytes(keyBytes(id)))
		}
	}
	switch k % 4 {
	case 0:
		b.keys = kernel.KeysOf(keys)
	case 1:
		b.keys = kernel.KeysOf(words)
	case 2:
		b.keys = kernel.KeysOf(b.hashes)
	default:
		b.keys = kernel.KeysOf(texts)
	}
	return b
}

// For each hash, compareBatch compares the element of "got" with the result of the function "want". If they differ, it
// returns an error.
func compareBatch[R comparable](got []R, hashes []kernel.Hash, want func(kernel.Hash) R) error {
	if len(got) != len(hashes) {
		return fmt.Errorf("%d results for %d keys", len(got), len(hashes))
	}
	for i, h := range hashes {
		if w := want(h); got[i] != w {
			return fmt.Errorf("key %d of %d: %+v, want %+v", i, len(hashes), got[i], w)
		}
	}
	return nil
}

// The function "near" returns an error unless |got - want| is at most bound*part. If the expected value is a
// difference, the argument "part" is one of the two terms. Otherwise it is the expected value itself.
func near(what string, got float64, want, part *big.Rat, bound float64) error {
	g := new(big.Rat).SetFloat64(got)
	if g == nil {
		return fmt.Errorf("%s is %v", what, got)
	}
	limit := new(big.Rat).Mul(new(big.Rat).SetFloat64(bound), part)
	if g.Sub(g, want).Abs(g).Cmp(limit) > 0 {
		w, _ := want.Float64()
		return fmt.Errorf("%s is %v, want %v within %g", what, got, w, bound)
	}
	return nil
}

// The type "encoded" has methods. They write and read filters.
type encoded interface {
	MarshalBinary() ([]byte, error)
	AppendBinary([]byte) ([]byte, error)
	UnmarshalBinary([]byte) error
	WriteTo(io.Writer) (int64, error)
	ReadFrom(io.Reader) (int64, error)
}

// snapshotWords returns the words of a filter, taken from its snapshot after the header.
func snapshotWords(f encoded) (words []uint64, err error) {
	data, err := f.MarshalBinary()
	for at := headerSize; at < len(data); at += 8 {
		words = append(words, binary.LittleEndian.Uint64(data[at:]))
	}
	return words, err
}

// headerSize is the number of bytes in front of a snapshot's words (docs/format.md).
const headerSize = 128

// The function "same" reports whether two filters have the same state. This means that their snapshots are equal.
func same(a, b encoded) bool {
	x, errX := a.MarshalBinary()
	y, errY := b.MarshalBinary()
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// The function "restore" writes a snapshot of its first argument. Then it reads this snapshot into its second argument.
// It uses streams if the argument "stream" is true.
func restore(from, to encoded, stream bool) error {
	data, err := from.MarshalBinary()
	if err != nil {
		return err
	}
	if more, err := from.AppendBinary([]byte{1}); err != nil || !bytes.Equal(more, append([]byte{1}, data...)) {
		return fmt.Errorf("AppendBinary says other than MarshalBinary: %v", err)
	}
	if !stream {
		return to.UnmarshalBinary(data)
	}
	r, w := io.Pipe()
	go func() {
		n, err := from.WriteTo(w)
		if err == nil && n != int64(len(data)) {
			err = fmt.Errorf("WriteTo wrote %d bytes of %d", n, len(data))
		}
		w.CloseWithError(err)
	}()
	if n, err := to.ReadFrom(iotest.OneByteReader(r)); err != nil || n != int64(len(data)) {
		return fmt.Errorf("ReadFrom read %d bytes of %d: %v", n, len(data), err)
	}
	// If the writer succeeded, one more read returns io.EOF. If the writer failed, that read returns the writer's error.
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return fmt.Errorf("after ReadFrom %d more bytes: %v", n, err)
	}
	return nil
}
