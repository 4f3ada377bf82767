package conform

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/verify/conform/internal/families"
)

// A cluster is a key and other keys that are similar to it. None of the other keys is equal to the key itself.
type cluster struct {
	key    []byte
	others iter.Seq[[]byte] // yields keys; each key is overwritten by the next one
}

// neighbourKind is a way in which keys can be similar. It yields clusters of such keys.
type neighbourKind struct {
	name string // how the keys of a pair differ
	of   func(x *examination) iter.Seq[cluster]
}

// neighbourKinds are the kinds of similar keys. Each kind has a statistical test.
var neighbourKinds = []neighbourKind{
	{"differ in one byte", (*examination).oneByte},
	{"differ in length", (*examination).otherLength},
	{"have their bytes in another order", (*examination).otherOrder},
	{"are one text to a normaliser", (*examination).normalised},
}

// mostPairs is the largest number of pairs of similar keys that are tested for each kind.
const mostPairs = 1 << 21

// The method "neighbours" looks for similar keys that the filter confuses. In a filter with one key, look-ups of
// similar keys must not have more hits than look-ups of other keys.
func (x *examination) neighbours(l Law) {
	for _, kind := range neighbourKinds {
		if x.wants(l) {
			x.kind(l, kind)
		}
	}
}

// The method "kind" examines one kind of similar keys. Let p be the largest probability with which a filter of one key
// contains another key. The look-ups hit independently, each with probability at most p. So the probability of h or
// more hits among mostPairs look-ups is at most:
//
//	(mostPairs*p)^h / h!.
func (x *examination) kind(l Law, kind neighbourKind) {
	pairs, hits, bits := 0, 0, uint64(0)
	var test *sequential.CountTest // test is used if the expected number of hits is large
	need := 0                      // need is used otherwise: the number of hits that accuses
	for c := range kind.of(x) {
		f, d, ok := x.single()
		if !ok {
			return
		}
		x.where, bits = fmt.Sprintf("%v, keys that %s", d, kind.name), d.m()
		lent := slices.Clone(c.key)
		if x.s.Add(f, lent); !bytes.Equal(lent, c.key) {
			x.found(l, "adding %s writes to its bytes", shown(c.key))
			return
		}
		families.Repeated(lent[:0], 0xa5, len(lent))
		if copy(lent, c.key); !x.s.Contains(f, lent) {
			x.found(lawNoFalseNegative, "%s is not contained", shown(c.key))
			return
		}
		p := d.afterOne()
		if d.own {
			if p, ok = x.declared(l, f, 1); !ok {
				return
			}
		}
		if pairs == 0 {
			x.told[l] = true
			if need = enough(p, x.alpha); need == 0 {
				var err error
				if test, err = sequential.NewCountTest(x.alpha); err != nil {
					x.note("%v", err)
					return
				}
			}
		}
		asked, contained := 0, 0
		x.eachOther(f, c, func(other []byte, in bool) bool {
			asked++
			if !in {
				return pairs+asked < mostPairs
			}
			contained++
			if hits++; need > 0 && hits >= need {
				x.found(l, "a filter of one key, %s, contains %s", shown(c.key), apart(c.key, other))
			}
			return x.wants(l) && pairs+asked < mostPairs
		})
		pairs += asked
		if test != nil && test.Add(float64(contained), float64(asked), 0, p) == sequential.Above {
			x.found(l, "look-ups that hit, in filters of one key: %v", test)
		}
		if !x.wants(l) {
			return
		}
		if pairs >= mostPairs {
			break
		}
	}
	if need > 0 && pairs > 0 {
		x.power(l, bits, "share of such pairs that are taken for one key", least(need, pairs))
	}
}

// Suppose that each of mostPairs look-ups is a hit with probability p. Then h or more hits occur with probability at
// most (mostPairs p)^h / h!. The function "enough" returns the least h for which this bound is at most alpha. It
// returns 0 if this h is above 8.
func enough(p, alpha float64) int {
	bound := 1.0
	for h := 1; h <= 8; h++ {
		if bound *= mostPairs * p / float64(h); bound <= alpha {
			return h
		}
	}
	return 0
}

// Suppose that the filter confuses the two keys of some pairs, but not of all pairs. Let s be the share of these faulty
// pairs. The function "least" returns the smallest s for which a test finds the fault with probability at least
// powerProbability. The argument "pairs" is the number of pairs that are tested. The test finds the fault if it sees at
// least "need" faulty pairs. The share is computed with a Poisson distribution.
func least(need, pairs int) float64 {
	in, out := 0.0, 100.0
	for range 60 {
		mean := (in + out) / 2
		term, few := math.Exp(-mean), 0.0
		for h := range need {
			few += term
			term *= mean / float64(h+1)
		}
		if few > 1-powerProbability {
			in = mean
		} else {
			out = mean
		}
	}
	return out / float64(pairs)
}

// afterOne returns the largest probability with which a filter of one item contains another item.
func (d model) afterOne() float64 {
	return min(1, d.rateOf(float64(d.g.K))/float64(d.blocks)*(1+ulps))
}

// The method "single" returns a new filter for one key. It has many bits and positions if the subject accepts such a
// shape.
func (x *examination) single() (filter, model, bool) {
	for _, m := range []uint64{1 << 16, 1 << 12, 1 << 20} {
		if f, d, ok := x.open(m, 8); ok {
			return f, d, true
		}
	}
	return nil, model{}, false
}

// eachOther looks up the other keys of a cluster. It passes each answer to the function "use", until this function
// returns false.
func (x *examination) eachOther(f filter, c cluster, use func(other []byte, in bool) bool) {
	if x.s.many == nil {
		for other := range c.others {
			if !use(other, x.s.Contains(f, other)) {
				return
			}
		}
		return
	}
	var all [][]byte
	for other := range c.others {
		all = append(all, slices.Clone(other))
	}
	for i, in := range x.s.many(f, all) {
		if !use(all[i], in) {
			return
		}
	}
}

// The function "shown" returns a description of a key for a finding. For a long key, the description has both ends and
// the length.
func shown(key []byte) string {
	if len(key) <= 40 {
		return strconv.Quote(string(key))
	}
	return fmt.Sprintf("%q...%q of %d bytes", key[:16], key[len(key)-8:], len(key))
}

// The function "apart" returns a description of the second key for a finding. For long keys, the description says how
// this key differs from the first key.
func apart(key, other []byte) string {
	if len(key) <= 40 && len(other) <= 40 {
		return strconv.Quote(string(other))
	}
	at := 0
	for at < min(len(key), len(other)) && key[at] == other[at] {
		at++
	}
	if len(key) != len(other) {
		return fmt.Sprintf("one of %d bytes that begins with the same %d", len(other), at)
	}
	if bytes.Equal(key[at+1:], other[at+1:]) {
		return fmt.Sprintf("the one with %#02x in place of %#02x at byte %d", other[at], key[at], at)
	}
	return fmt.Sprintf("another of as many bytes, that differs from byte %d on", at)
}

// neighbourLengths yields the lengths of keys to try, from the argument "least" to the argument "most". They are small
// lengths, and lengths near powers of two. When the length of a key passes a power of two, hash functions often use
// another code path. Variables that hold the length can also overflow there.
func neighbourLengths(least, most int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := max(0, least); n <= min(40, most); n++ {
			if !yield(n) {
				return
			}
		}
		for _, p := range []int{64, 128, 256, 512, 1024, 4096, 1 << 16, 1 << 17, 1 << 18} {
			for n := p - 1; n <= p+1; n++ {
				if n >= least && n <= most && !yield(n) {
					return
				}
			}
		}
	}
}

// If a key has at most everyPlace bytes, every byte of it is changed.
const everyPlace = 300

// neighbourRounds is the number of rounds at effort 1. Each round uses one key of each length up to everyPlace.
const neighbourRounds = 60

// The method "rounds" calls the function "use" once for each round and each length. The arguments are the number of the
// round and a key of this length. The first three rounds also try lengths above everyPlace.
func (x *examination) rounds(leastLength int, use func(round int, key []byte, rest *source) bool) {
	rounds := int(max(3, min(1000, neighbourRounds*x.o.Effort)))
	rest := x.random(0x9e16)
	for round := range rounds {
		most := everyPlace
		if round == 0 {
			if most = longestKey; !x.s.piped {
				most = 1<<18 + 1
			}
		} else if round < 3 {
			most = 1 << 13
		}
		for n := range neighbourLengths(leastLength, most) {
			if !use(round, contents(round, n, rest), rest) {
				return
			}
		}
	}
}

// The function "contents" returns n bytes: random bytes, letters, or one repeated byte.
func contents(round, n int, rest *source) []byte {
	key := make([]byte, 0, n+16)
	for len(key) < n {
		key = append(key, rest.key(rest.take(1))...)
	}
	key = key[:n]
	for i := range key {
		switch round % 3 {
		case 1:
			key[i] = 'a' + key[i]%26
		case 2:
			key[i] = byte(round / 3 * 0x20)
		}
	}
	return key
}

// The method "places" returns the indices of the bytes that are changed in a key of n bytes. In a short key all bytes
// are changed. In a longer key three groups of bytes are changed: bytes near both ends, bytes near powers of two, and
// bytes at some random indices. For a very long key and a small effort there are fewer indices.
func (x *examination) places(n int, rest *source) []int {
	var all []int
	if n <= everyPlace {
		for i := range n {
			all = append(all, i)
		}
		return all
	}
	for i := range 12 {
		all = append(all, i, n-1-i)
	}
	for p := 16; p <= n; p *= 2 {
		all = append(all, p-1, p, p+1)
	}
	for range 24 {
		all = append(all, int(mix(rest.take(1)+rest.seed)%uint64(n)))
	}
	all = slices.DeleteFunc(all, func(i int) bool { return i >= n })
	few := int(min(1, x.o.Effort) * float64(len(all)))
	if n < 1<<14 || few >= len(all) {
		return all
	}
	out := []int{0, n - 1, n - 2, n / 2}
	for range max(few, 8) {
		out = append(out, all[mix(rest.take(1)+rest.seed)%uint64(len(all))])
	}
	return out
}

// oneByte yields clusters. Each cluster consists of a key and other keys that differ from it in one byte.
func (x *examination) oneByte() iter.Seq[cluster] {
	flips := []byte{0x01, 0x20, 0x80, 0xff}
	return func(yield func(cluster) bool) {
		x.rounds(1, func(_ int, key []byte, rest *source) bool {
			return yield(cluster{key, func(yield func([]byte) bool) {
				other := slices.Clone(key)
				for i, at := range x.places(len(key), rest) {
					some := flips
					if len(key) > everyPlace {
						some = flips[i%len(flips):][:1]
					}
					for _, flip := range some {
						other[at] ^= flip
						if !yield(other) {
							return
						}
						other[at] ^= flip
					}
				}
			}})
		})
	}
}

// otherLength yields clusters. Each cluster consists of a key and other keys that are made from it by lengthening,
// cutting and doubling.
func (x *examination) otherLength() iter.Seq[cluster] {
	return func(yield func(cluster) bool) {
		x.rounds(0, func(_ int, key []byte, _ *source) bool {
			return yield(cluster{key, func(yield func([]byte) bool) {
				n := len(key)
				others := [][]byte{
					slices.Concat(key, []byte{0}), slices.Concat(key, []byte{' '}), slices.Concat([]byte{0}, key),
					slices.Concat(key, make([]byte, 8-n%8)), slices.Concat(key, make([]byte, 64-n%64)),
				}
				if n > 0 {
					others = append(others, key[:n-1], key[1:], slices.Concat(key, key[n-1:]))
				}
				if n > 0 && 2*n <= longestKey {
					others = append(others, slices.Concat(key, key))
				}
				for _, cut := range []int{4, 8, 16, 32} {
					if n > cut {
						others = append(others, key[:n-cut], slices.Concat(key, key[n-cut:]))
					}
				}
				for _, other := range others {
					if !bytes.Equal(other, key) && !yield(other) {
						return
					}
				}
			}})
		})
	}
}

// otherOrder yields clusters. Each cluster consists of a key and other keys that are made from it. Some are made by
// changing the order of the bytes. Others are made by subtracting 1 from a byte and adding 1 to the next byte.
func (x *examination) otherOrder() iter.Seq[cluster] {
	return func(yield func(cluster) bool) {
		x.rounds(2, func(_ int, key []byte, rest *source) bool {
			return yield(cluster{key, func(yield func([]byte) bool) {
				n := len(key)
				try := func(other []byte) bool { return bytes.Equal(other, key) || yield(other) }
				turned := slices.Clone(key)
				slices.Reverse(turned)
				if !try(turned) || !try(slices.Concat(key[1:], key[:1])) {
					return
				}
				for _, unit := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096} {
					if n < 2*unit {
						break
					}
					for range 2 {
						at := int(mix(rest.take(1)+rest.seed)%uint64(n/unit-1)) * unit
						a, b := key[at:at+unit], key[at+unit:at+2*unit]
						if !try(slices.Concat(key[:at], b, a, key[at+2*unit:])) {
							return
						}
					}
				}
				other := slices.Clone(key)
				at := int(mix(rest.take(1)+rest.seed) % uint64(n-1))
				other[at]++
				other[at+1]--
				try(other)
			}})
		})
	}
}

// Each entry has two different texts that can become equal if a program normalises them. The texts in the list
// sameAnywhere are put at any place of a longer text. The texts in the list sameEnds are put only at the beginning or
// end of a longer text.
var (
	sameAnywhere = [][2]string{
		// These texts differ in case.
		{"abc", "ABC"}, {"a", "A"}, {"é", "É"}, {"ß", "SS"}, {"ß", "ẞ"}, {"ß", "ss"}, {"σ", "Σ"}, {"σ", "ς"}, {"i", "İ"}, {"i", "ı"}, {"I", "ı"},
		{"k", "\u212a"}, {"s", "ſ"}, {"д", "Д"}, {"ω", "\u2126"}, {"ǆ", "ǅ"},
		// These texts differ in the composition and compatibility forms of Unicode.
		{"é", "e\u0301"}, {"Å", "A\u030a"}, {"\u00c5", "\u212b"}, {"한", "\u1112\u1161\u11ab"}, {"q\u0307\u0323", "q\u0323\u0307"}, {"ﬁ", "fi"}, {"Ａ", "A"}, {"２", "2"},
		{"²", "2"}, {"½", "1\u20442"}, {"…", "..."}, {"①", "1"}, {"ｶ", "カ"}, {"é", "e"}, {"ø", "o"}, {"1", "١"}, {"“", "\""}, {"–", "-"},
		// These texts differ in spaces and invisible characters.
		{"\u00a0", " "}, {"\u3000", " "}, {"\t", " "}, {"  ", " "}, {"\r\n", "\n"}, {"\r", "\n"}, {"\u2028", "\n"}, {"\u200b", ""}, {"\u00ad", ""}, {"\ufe0f", ""},
		{"\u200d", ""}, {"\x00", ""}, {"\x00", " "}, {"\x7f", ""}, {"\x1b", ""}, {" ", ""}, {"\x00a", "\x00b"},
		// These bytes are not UTF-8, or are in another encoding.
		{"\xff", "\xfe"}, {"\xff", "\ufffd"}, {"\x80", "\ufffd"}, {"\xc3", "\xe2\x82"}, {"\xed\xa0\x80", "\xed\xb0\x80"}, {"\xc0\x80", "\x00"}, {"\xc1\x81", "A"},
		{"\xe9", "é"}, {"é", "?"}, {"é", "\ufffd"}, {"\xff", ""}, {"é", "i"}, {"𝒳", "\ufffd"}, {"𝒳", "\ud4b3"}, {"\xa0", "\x20"}, {"\xe1", "a"},
		// These texts differ in escapes, paths and punctuation.
		{"%41", "A"}, {"%2f", "%2F"}, {"%2F", "/"}, {"%20", "+"}, {"%20", " "}, {"+", " "}, {"&amp;", "&"}, {"\\n", "\n"}, {"\\\\", "\\"}, {"\\", "/"}, {"\"", "'"},
		{"\\u0041", "A"}, {"''", "'"}, {"//", "/"}, {"/./", "/"}, {"/x/../", "/"}, {"-", "_"}, {"-", ""}, {".", ""}, {",", "."}, {"%00", "\x00"},
	}
	sameEnds = [][2]string{ // these are put before and after a text
		{"", " "}, {"", "\t"}, {"", "\n"}, {"", "\r"}, {"", "\r\n"}, {"", "\x00"}, {"", "\ufeff"}, {"", "\u00a0"}, {"", "/"}, {"", "."}, {"", "\""}, {"", "'"}, {"", "0"},
		{"", "\x0b"}, {"", "\x0c"}, {"", "\x1a"}, {"", "+"}, {"", "="}, {"", "=="}, {"", ";"}, {"", "#"}, {"", "?"}, {"", "./"}, {"", "\\"}, {"", "www."}, {"", ","},
		{" ", "\t"}, {"\n", "\r\n"},
	}
	sameWhole = [][2]string{
		{"1", "01"}, {"1", "1.0"}, {"1", "+1"}, {"1", "1e0"}, {"1", "1."}, {"1", "0x1"}, {"1", "true"}, {"0", "-0"}, {"0", "false"}, {"", "0"}, {"", "null"}, {"", "nil"},
		{"16", "0x10"}, {"8", "010"}, {"1000", "1e3"}, {"1000", "1,000"}, {"1000", "1_000"}, {"0.1", ".1"}, {"0.1", "0.10"}, {"NaN", "nan"}, {"1", "1 "},
		{"9007199254740992", "9007199254740993"}, {"0", "18446744073709551616"}, {"0", "4294967296"}, {"-1", "18446744073709551615"}, {"-1", "4294967295"},
		{"key", "\"key\""}, {"key", "'key'"}, {"key", "<key>"}, {"key", "(key)"}, {"key", "a2V5"}, {"key", "6b6579"}, {"6b6579", "6B6579"}, {"key", "k\x00e\x00y\x00"},
		{"example.org", "example.org."}, {"http://example.org", "http://example.org/"}, {"http://example.org", "https://example.org"}, {"http://example.org/", "http://example.org:80/"},
		{"127.0.0.1", "127.1"}, {"::1", "0:0:0:0:0:0:0:1"}, {"a@example.org", "A@Example.org"}, {"a.b@example.org", "ab@example.org"}, {"a+b@example.org", "a@example.org"},
		{"/a/b", "/a/b/"}, {"/a/b", "a/b"}, {"/a/b", "/a/./b"}, {"/a/b", "/a/c/../b"}, {"a=1&b=2", "b=2&a=1"}, {"a b", "b a"}, {"{\"a\":1}", "{\"a\": 1}"},
		{"00112233-4455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-AABBCCDDEEFF"}, {"00112233-4455-6677-8899-aabbccddeeff", "00112233445566778899aabbccddeeff"},
		{"00112233-4455-6677-8899-aabbccddeeff", "{00112233-4455-6677-8899-aabbccddeeff}"}, {"00112233-4455-6677-8899-aabbccddeeff", "urn:uuid:00112233-4455-6677-8899-aabbccddeeff"},
		{"00112233-4455-6677-8899-aabbccddeeff", "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"}, {"00112233445566778899aabbccddeeff", "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"},
		{"127.0.0.1", "\x7f\x00\x00\x01"}, {"127.0.0.1", "::ffff:127.0.0.1"}, {"12345678", "\x4e\x61\xbc\x00"}, {"12345678", "\x4e\x61\xbc\x00\x00\x00\x00\x00"}, {"7", "\x07"}, {"true", "\x01"},
		{"00:1b:44:11:3a:b7", "00-1b-44-11-3a-b7"}, {"2026-01-02", "20260102"}, {"2026-01-02", "2026-1-2"}, {"xn--bcher-kva", "bücher"}, {"~/a", "/home/a"}, {"ABC", "cba"},
	}
)

// The method "normalised" yields clusters. Each cluster has two texts that become equal if a program normalises them.
// Each pair comes in both orders, by itself and as a part of longer texts.
func (x *examination) normalised() iter.Seq[cluster] {
	return func(yield func(cluster) bool) {
		rest := x.random(0x7e47)
		word := func(n int) string { return string(contents(1, n, rest)) }
		both := func(a, b string) bool {
			one := func(key, other string) bool {
				return yield(cluster{[]byte(key), func(yield func([]byte) bool) { yield([]byte(other)) }})
			}
			return one(a, b) && one(b, a)
		}
		for _, p := range sameAnywhere {
			for _, n := range []int{0, 3, 17, 300} {
				if before, after := word(n), word(n/2); !both(before+p[0]+after, before+p[1]+after) {
					return
				}
			}
		}
		for _, p := range sameEnds {
			for _, n := range []int{1, 8, 40} {
				if w := word(n); !both(w+p[0], w+p[1]) || !both(p[0]+w, p[1]+w) {
					return
				}
			}
		}
		for _, p := range sameWhole {
			if !both(p[0], p[1]) {
				return
			}
		}
		for _, n := range []int{9, 33, 200} {
			w := word(n)
			if !both(w, strings.ToUpper(w)) || !both(w, strings.ToUpper(w[:1])+w[1:]) {
				return
			}
		}
	}
}
