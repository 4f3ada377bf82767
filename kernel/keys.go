package kernel

import (
	"encoding/binary"
	"unsafe"
)

// Keys is a batch of keys, in the form that the caller has: byte slices, strings, integers or hashes. KeysOf makes Keys
// from a slice. The zero value has no keys. Keys refers to the caller's slice and does not copy it.
type Keys struct {
	form keyForm
	n    int
	at   unsafe.Pointer // the first of n values of the form's type
}

// A keyForm says which type the keys of a batch have.
type keyForm uint8

const (
	byteKeys   keyForm = iota // []byte
	stringKeys                // string
	wordKeys                  // uint64
	hashKeys                  // Hash
)

// KeysOf returns keys for a batch method. The hashes of byte slices, strings and integers are the same as those that
// Hasher.Bytes, Hasher.String and Hasher.Uint64 return. A key of type Hash is used unchanged. KeysOf copies nothing and
// allocates nothing.
func KeysOf[K []byte | string | uint64 | Hash](keys []K) Keys {
	form := byteKeys
	var none K
	switch any(none).(type) {
	case string:
		form = stringKeys
	case uint64:
		form = wordKeys
	case Hash:
		form = hashKeys
	}
	return Keys{form, len(keys), unsafe.Pointer(unsafe.SliceData(keys))}
}

func (k Keys) bytes() [][]byte   { return unsafe.Slice((*[]byte)(k.at), k.n) }
func (k Keys) strings() []string { return unsafe.Slice((*string)(k.at), k.n) }
func (k Keys) words() []uint64   { return unsafe.Slice((*uint64)(k.at), k.n) }
func (k Keys) hashes() []Hash    { return unsafe.Slice((*Hash)(k.at), k.n) }

// The method "first" returns the first n keys of the batch, or all keys if there are fewer.
func (k Keys) first(n int) Keys { return Keys{k.form, min(n, k.n), k.at} }

// The method "after" returns the batch without its first n keys. Its receiver is a value, not a pointer. So the
// compiler can leave a batch on the caller's stack, and need not move it to the heap.
func (k Keys) after(n int) Keys {
	switch k.form {
	case byteKeys:
		return KeysOf(k.bytes()[n:])
	case stringKeys:
		return KeysOf(k.strings()[n:])
	case wordKeys:
		return KeysOf(k.words()[n:])
	}
	return KeysOf(k.hashes()[n:])
}

// The method "hash" returns the hashes of the first len(buf) keys of the batch, or of all keys if there are fewer. The
// result is a part of buf. But if the keys of the batch are hashes themselves, the result is a part of the caller's own
// slice.
func (k Keys) hash(by *Hasher, im impl, buf []Hash) []Hash {
	k = k.first(len(buf))
	buf = buf[:k.n]
	switch k.form {
	case byteKeys:
		by.hashKeys(im, buf, k.bytes())
	case stringKeys:
		for i, key := range k.strings() {
			buf[i] = by.hash(bytesOf(key))
		}
	case wordKeys:
		by.hashWords(im, buf, k.words())
	default:
		return k.hashes()
	}
	return buf
}

// bytesOf returns the bytes of s, which must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// hashAt returns the hash of key i of the batch.
func (k Keys) hashAt(by *Hasher, i int) Hash {
	switch k.form {
	case byteKeys:
		return by.hash(k.bytes()[i])
	case stringKeys:
		return by.hash(bytesOf(k.strings()[i]))
	case wordKeys:
		return by.hashWord(k.words()[i])
	}
	return k.hashes()[i]
}

// hashKeys sets dst[i] to the hash of keys[i]. If consecutive keys have 8 bytes each, it hashes them together.
func (h *Hasher) hashKeys(im impl, dst []Hash, keys [][]byte) {
	keys = keys[:len(dst)]
	var words [hashBlock]uint64
	for i := 0; i < len(dst); {
		if n := h.wordsOf(words[:], keys[i:]); n > 0 {
			h.hashWords(im, dst[i:i+n], words[:n])
			i += n
			continue
		}
		dst[i] = h.hash(keys[i])
		i++
	}
}

// wordsOf copies keys to dst as words, with the lowest byte of each word first. It stops at the first key that does not
// have 8 bytes, and returns the number of keys copied. If the scheme is not XXH3, it returns 0.
func (h *Hasher) wordsOf(dst []uint64, keys [][]byte) int {
	if h.scheme != schemeXXH3 {
		return 0
	}
	n := min(len(dst), len(keys))
	for i, key := range keys[:n] {
		if len(key) != 8 {
			return i
		}
		dst[i] = binary.LittleEndian.Uint64(key)
	}
	return n
}

// hashWords sets dst[i] to the hash of the 8 bytes of keys[i], the lowest byte first.
func (h *Hasher) hashWords(im impl, dst []Hash, keys []uint64) {
	keys = keys[:len(dst)]
	if h.scheme == schemeXXH3 {
		xxh3Words(im, dst, keys, h.seed)
		return
	}
	for i, key := range keys {
		dst[i] = h.hashWord(key)
	}
}
