package fresh

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// keyFaults returns filters that confuse one key with another.
func keyFaults() []Fault {
	return []Fault{
		{"the last three bytes of a length 4n+3 are joined with their signs, so that one from 0x80 on hides those after it", "key", few(hashed(signedTail))},
		{"only the first 128 KiB of a key are hashed", "length", hashed(first128K)},
		{"a decimal key is taken for its number, which is no greater than 2^64-1", "key", few(hashed(decimal))},
		{"a UUID in text is the key of its 16 bytes", "key", hashed(uuid)},
		{"the hashes of the parts of 1,024 bytes of a long key are added without an order", "length", hashed(unordered)},
		{"keys of 8 bytes have a hash of 32 bits", "hash", hashed(short8)},
		{"a key of 32 bytes is taken for a digest, of which 16 bytes do", "length", few(hashed(digest))},
		{"batches of look-ups pass over empty keys", "key", emptyInBatch()},
		{"a key ends before its first newline", "key", few(hashed(line))},
	}
}

// signedTail has a fault that was reported in facebookincubator/velox #18770 and Apache CODEC-267. There, the last
// bytes of a key were read as signed numbers and not masked.
func signedTail(key []byte) (lo, hi uint64) {
	n := len(key)
	if n%4 != 3 {
		return hash(key)
	}
	t := int32(int8(key[n-3])) | int32(int8(key[n-2]))<<8 | int32(int8(key[n-1]))<<16
	lo, hi = tagged(key[:n-3], 3)
	x := mix(uint64(uint32(t)) + 0x9e3779b97f4a7c15)
	return mix(lo + x), mix(hi ^ mix(x))
}

func first128K(key []byte) (lo, hi uint64) {
	const part = 128 << 10
	if len(key) <= part {
		return hash(key)
	}
	return tagged(key[:part], uint64(len(key)))
}

// The function "decimal" reads a key of digits as a decimal number. For every number that is too large, ParseUint
// returns the largest uint64 and an error. The function ignores this error.
func decimal(key []byte) (lo, hi uint64) {
	if len(key) == 0 || key[0] == '0' {
		return hash(key)
	}
	for _, c := range key {
		if c < '0' || c > '9' {
			return hash(key)
		}
	}
	n, _ := strconv.ParseUint(string(key), 10, 64)
	return tagged(binary.LittleEndian.AppendUint64(nil, n), 10)
}

func uuid(key []byte) (lo, hi uint64) {
	if len(key) == 36 && key[8] == '-' && key[13] == '-' && key[18] == '-' && key[23] == '-' &&
		bytes.Equal(key, bytes.ToLower(key)) {
		digits := bytes.ReplaceAll(key, []byte("-"), nil)
		if raw, err := hex.DecodeString(string(digits)); err == nil && len(raw) == 16 {
			return hash(raw)
		}
	}
	return hash(key)
}

func unordered(key []byte) (lo, hi uint64) {
	const part = 1024
	if len(key) <= part {
		return hash(key)
	}
	lo, hi = uint64(len(key)), uint64(len(key))
	for len(key) > 0 {
		n := min(part, len(key))
		l, h := tagged(key[:n], part)
		lo, hi = lo+l, hi+h
		key = key[n:]
	}
	return mix(lo), mix(hi)
}

func short8(key []byte) (lo, hi uint64) {
	if len(key) != 8 {
		return hash(key)
	}
	h := mix(uint64(uint32(xxh3.HashSeed(key, 8))) + 1)
	return h, mix(h + 1)
}

func digest(key []byte) (lo, hi uint64) {
	if len(key) != 32 {
		return hash(key)
	}
	return tagged(key[:16], 32)
}

// emptyInBatch has a fault that was reported in anza-xyz/agave #15137. Its additions and its look-ups had different
// conditions for an empty key.
func emptyInBatch() subject {
	s := Sound()
	s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
		answers := make([]bool, len(keys))
		for i, key := range keys {
			if len(key) == 0 {
				continue
			}
			answers[i] = sound.contains(f, key)
		}
		return answers
	}
	return s
}

// The function "line" has a fault that was reported in armon/bloomd #35.
func line(key []byte) (lo, hi uint64) {
	if i := bytes.IndexByte(key, '\n'); i >= 0 {
		key = key[:i]
	}
	return hash(key)
}
