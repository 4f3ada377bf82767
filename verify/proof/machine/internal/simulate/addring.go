package simulate

import (
	"strconv"
	"strings"
)

// The constant addRing is a template. The twins of AddAVX2 and AddAheadAVX2 are made from it, for rings of different
// sizes. Such a twin derives the positions of 8 keys at a time. They go into a ring of rows. A row has one position of each
// of the 8 keys, so the keys have k rows. The oldest keys of the ring are added, one after the other. In the comments of
// the portable functions, n is the number of keys; here "todo" keys are to be added, and "some" of them are not in the
// ring. If "some" is negative, the last keys of the ring are no keys of h. Their words are what was in the array. The
// ring has "end" rows. The oldest of the "used" rows is "old". There are "groups" groups of 8 keys in the ring, and
// "free" more have room. The first 16 words of the array are for the hashes of the last keys.
const addRing = `
twin AddRingROWS(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)
	records ring WORDS 1
	assume less(0, k) && 0 < span && span <= 1 << 48
	assume span <= 64 * len(words) && fits(k - 1, step, 64 * len(words) - span)
	room = 64 * len(words) - span
	n = if(less(len(h) >> 1, len(out)), len(h) >> 1, len(out))
	fresh = 0
	if n == 0 goto done
	todo = n
	some = n
	free = ROWS / k
	if free == 0 goto many
	end = free * k
	all = free
	groups = 0
	row = 0
	old = 0
	used = 0
next:
	few = 0
	if free == 0 goto add
	if some == 0 || less(some, 0) goto add
	if less(some, 8) goto few
streams:
	if few == 1 goto copied
	repeat 8
	s$ = h[2*(n-some+$)]
	g$ = h[2*(n-some+$)+1] | 1
	end
	goto begin
copied:
	repeat 8
	s$ = ring[2*$]
	g$ = ring[2*$+1] | 1
	end
begin:
	some = some - 8
	free = free - 1
	groups = groups + 1
	base = 0
	left = k
turn:
	repeat 8
	s$ = s$ + g$
	z = (s$ >> 30 ^ s$) * 0xbf58476d1ce4e5b9
	z = (z ^ z >> 27) * 0x94d049bb133111eb
	x$ = z >> 12 ^ z >> 43
	end
	if span >> 32 | step == 0 goto plain
	repeat 8
	bound scale(x$, span)
	p$ = base + scale(x$, span)
	end
	base = base + step
	goto ready
plain:
	repeat 8
	bound scale32(x$, span)
	p$ = scale32(x$, span)
	end
ready:
	repeat 8
	ring[16 + 8*row + $] = p$
	end
	row = row + 1
	used = used + 1
	left = left - 1
	if left != 0 goto turn
	row = if(row == end, 0, row)
	goto next
few:
	few = 1
	t = some
copy:
	z = h[2*(n-some+t)-2]
	x = h[2*(n-some+t)-1]
	ring[2*t-2] = z
	ring[2*t-1] = x
	t = t - 1
	if t != 0 goto copy
	goto streams
add:
	left = if(less(todo, 8), todo, 8)
	todo = todo - left
	first = 8 * old
key:
	at = first
	count = k
	new = 0
set:
	p = ring[16 + at]
	w = words[p>>6]
	words[p>>6] = w | 1 << (p & 63)
	new = new + (~w >> (p & 63) & 1)
	at = at + 8
	count = count - 1
	if count != 0 goto set
	fresh = fresh + new
	out[n - todo - left] = new != 0
	first = first + 1
	left = left - 1
	if left != 0 goto key
	old = old + k
	old = if(old == end, 0, old)
	free = free + 1
	groups = groups - 1
	used = used - k
	if todo != 0 goto next
	goto done
many:
	z = h[2*(n-todo)]
	g = h[2*(n-todo)+1] | 1
	new = 0
	j = 0
each:
	z = z + g
	p = hi(mix(z) &^ 0xfff, span) + step * j
	assume p >> 6 < len(words)
	w = words[p>>6]
	words[p>>6] = w | 1 << (p & 63)
	new = new + (~w >> (p & 63) & 1)
	j = j + 1
	if j != k goto each
	fresh = fresh + new
	out[n - todo] = new != 0
	todo = todo - 1
	if todo != 0 goto many
done:
	return fresh
`

// The function addRings returns the texts of the twins that the template addRing stands for.
func addRings() (text string) {
	for _, rows := range []int{32, 128} {
		text += strings.NewReplacer("ROWS", strconv.Itoa(rows), "WORDS", strconv.Itoa(16+8*rows)).Replace(addRing)
	}
	return text
}
