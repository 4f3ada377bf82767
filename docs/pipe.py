#!/usr/bin/env python3
"""A Bloom filter of one's own behind the protocol of `bloomproof conform`: see pipe.md."""
import hashlib
import sys


class Filter:
    """m bits, k positions: the remainders of k words of BLAKE2b."""

    def __init__(self, m, k):
        self.m, self.k, self.bits = m, k, bytearray((m + 7) // 8)

    def positions(self, key):
        for block in range((self.k + 7) // 8):
            digest = hashlib.blake2b(key, salt=bytes([block])).digest()
            for i in range(min(8, self.k - 8 * block)):
                yield int.from_bytes(digest[8 * i : 8 * i + 8], "little") % self.m

    def add(self, key):
        for p in self.positions(key):
            self.bits[p >> 3] |= 1 << (p & 7)

    def has(self, key):
        return all(self.bits[p >> 3] >> (p & 7) & 1 for p in self.positions(key))


def key(word):
    return b"" if word == "-" else bytes.fromhex(word)


filters = {}
for line in sys.stdin:
    command, *words = line.split()
    answer = "ok"
    if command == "hello":
        answer = "ok standard 0 bits union reset"
    elif command == "new":
        name, m, k = words[0], int(words[1]), int(words[2])
        if m <= 1 << 26:
            filters[name] = Filter(m, k)
            answer = f"ok {m} {k}"
        else:
            answer = "no more than 2^26 bits"
    elif command == "free":
        del filters[words[0]]
    else:
        f = filters[words[0]]
        if command == "add":
            for word in words[1:]:
                f.add(key(word))
        elif command == "has":
            answer = "".join("01"[f.has(key(word))] for word in words[1:])
        elif command == "bits":
            answer = str(sum(b.bit_count() for b in f.bits))
        elif command == "reset":
            f.bits = bytearray(len(f.bits))
        elif command == "union":
            g = filters[words[1]]
            if (f.m, f.k) == (g.m, g.k):
                f.bits = bytearray(a | b for a, b in zip(f.bits, g.bits))
            else:
                answer = "no: other shapes"
    print(answer, flush=True)
