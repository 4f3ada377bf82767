"""Positions and snapshots of Bloomproof, versions 1 to 3, by docs/format.md and nothing else.

    python3 docs/format.py docs/format-vectors.json     holds this file to the test vectors of
    python3 docs/format.py docs/format-vectors-2.json   version 1, of version 2,
    python3 docs/format.py docs/format-vectors-3.json   and of version 3
    python3 docs/format.py docs/format-vectors-4.json   and of version 4
    python3 docs/format.py SNAPSHOT KEY ...             which keys does a Filter contain?

Standard library only, and slow: it is here to be read.
"""
import json
import struct
import sys

WORD = (1 << 64) - 1  # arithmetic is on words of 64 bits


# ---- Hashes: XXH3 and SipHash, by the specifications that docs/format.md names ----

P32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
P64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex("""
    b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221
    b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8
    a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb
    170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e""")


def u32(b, at):
    return int.from_bytes(b[at:at + 4], "little")


def u64(b, at):
    return int.from_bytes(b[at:at + 8], "little")


def swapped(x, size):
    return int.from_bytes(x.to_bytes(size, "little"), "big")


def rotl(x, n, size=64):
    return (x << n | x >> size - n) & (1 << size) - 1


def fold(x, y):
    p = x * y
    return p & WORD ^ p >> 64


def avalanche(h):
    h = (h ^ h >> 37) * MX1 & WORD
    return h ^ h >> 32


def avalanche64(h):
    h = (h ^ h >> 33) * P64[1] & WORD
    h = (h ^ h >> 29) * P64[2] & WORD
    return h ^ h >> 32


def mix16(b, at, s, key, seed):
    return fold(u64(b, at) ^ u64(s, key) + seed & WORD, u64(b, at + 8) ^ u64(s, key + 8) - seed & WORD)


def stripes(b, seed):
    """The eight accumulators of inputs beyond 240 bytes, and the secret."""
    s = bytearray()
    for i in range(0, 192, 16):
        s += struct.pack("<QQ", u64(SECRET, i) + seed & WORD, u64(SECRET, i + 8) - seed & WORD)
    acc = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]

    def accumulate(at, key):
        for i in range(8):
            data = u64(b, at + 8 * i)
            x = data ^ u64(s, key + 8 * i)
            acc[i ^ 1] = acc[i ^ 1] + data & WORD
            acc[i] = acc[i] + (x & 0xffffffff) * (x >> 32) & WORD

    for n in range((len(b) - 1) // 64):
        accumulate(64 * n, 8 * (n % 16))
        if n % 16 == 15:
            for i in range(8):
                acc[i] = (acc[i] ^ acc[i] >> 47 ^ u64(s, 128 + 8 * i)) * P32[0] & WORD
    accumulate(len(b) - 64, 121)
    return acc, s


def merged(acc, s, key, start):
    for i in range(4):
        start += fold(acc[2 * i] ^ u64(s, key + 16 * i), acc[2 * i + 1] ^ u64(s, key + 16 * i + 8))
    return avalanche(start & WORD)


def pairs(n):
    """The places of inputs of 17 to 128 bytes that are mixed: from the middle outwards."""
    return [i for i in (3, 2, 1, 0) if n > 32 * i]


def xxh3_64(b):
    """XXH3-64 with seed 0, of at least 4 bytes."""
    n, s = len(b), SECRET
    if n <= 8:
        h = (u32(b, n - 4) + (u32(b, 0) << 32)) ^ u64(s, 8) ^ u64(s, 16)
        h ^= rotl(h, 49) ^ rotl(h, 24)
        h = h * MX2 & WORD
        h = (h ^ (h >> 35) + n) * MX2 & WORD
        return h ^ h >> 28
    if n <= 16:
        lo, hi = u64(b, 0) ^ u64(s, 24) ^ u64(s, 32), u64(b, n - 8) ^ u64(s, 40) ^ u64(s, 48)
        return avalanche(n + swapped(lo, 8) + hi + fold(lo, hi) & WORD)
    acc = n * P64[0]
    if n <= 128:
        for i in pairs(n):
            acc += mix16(b, 16 * i, s, 32 * i, 0) + mix16(b, n - 16 * (i + 1), s, 32 * i + 16, 0)
        return avalanche(acc & WORD)
    if n <= 240:
        acc = avalanche(acc + sum(mix16(b, 16 * i, s, 16 * i, 0) for i in range(8)) & WORD)
        acc += sum(mix16(b, 16 * i, s, 16 * (i - 8) + 3, 0) for i in range(8, n // 16))
        return avalanche(acc + mix16(b, n - 16, s, 119, 0) & WORD)
    acc, s = stripes(b, 0)
    return merged(acc, s, 11, n * P64[0])


def xxh3_128(b, seed):
    """XXH3-128 with a seed: the low word, the high word."""
    n, s = len(b), SECRET
    if n == 0:
        return avalanche64(seed ^ u64(s, 64) ^ u64(s, 72)), avalanche64(seed ^ u64(s, 80) ^ u64(s, 88))
    if n <= 3:
        lo = b[0] << 16 | b[n >> 1] << 24 | b[n - 1] | n << 8
        hi = rotl(swapped(lo, 4), 13, 32)
        return (avalanche64(lo ^ (u32(s, 0) ^ u32(s, 4)) + seed & WORD),
                avalanche64(hi ^ (u32(s, 8) ^ u32(s, 12)) - seed & WORD))
    if n <= 8:
        seed ^= swapped(seed & 0xffffffff, 4) << 32
        keyed = (u32(b, 0) + (u32(b, n - 4) << 32)) ^ (u64(s, 16) ^ u64(s, 24)) + seed & WORD
        p = keyed * (P64[0] + 4 * n)
        lo, hi = p & WORD, p >> 64
        hi = hi + (lo << 1) & WORD
        lo ^= hi >> 3
        lo = (lo ^ lo >> 35) * MX2 & WORD
        return lo ^ lo >> 28, avalanche(hi)
    if n <= 16:
        x, y = u64(b, 0), u64(b, n - 8)
        p = (x ^ y ^ (u64(s, 32) ^ u64(s, 40)) - seed & WORD) * P64[0]
        lo, hi = (p + (n - 1 << 54)) & WORD, p >> 64
        y ^= (u64(s, 48) ^ u64(s, 56)) + seed & WORD
        hi = hi + y + (y & 0xffffffff) * (P32[1] - 1) & WORD
        lo ^= swapped(hi, 8)
        p = lo * P64[1]
        return avalanche(p & WORD), avalanche((p >> 64) + hi * P64[1] & WORD)
    if n > 240:
        acc, s = stripes(b, seed)
        return merged(acc, s, 11, n * P64[0]), merged(acc, s, 117, ~(n * P64[1]) & WORD)
    lo, hi = n * P64[0] & WORD, 0

    def mix32(i, j, key, seed):
        nonlocal lo, hi
        lo = lo + mix16(b, i, s, key, seed) & WORD ^ u64(b, j) + u64(b, j + 8) & WORD
        hi = hi + mix16(b, j, s, key + 16, seed) & WORD ^ u64(b, i) + u64(b, i + 8) & WORD

    if n <= 128:
        for i in pairs(n):
            mix32(16 * i, n - 16 * (i + 1), 32 * i, seed)
    else:
        for i in range(0, 128, 32):
            mix32(i, i + 16, i, seed)
        lo, hi = avalanche(lo), avalanche(hi)
        for i in range(128, n - 31, 32):
            mix32(i, i + 16, i - 125, seed)
        mix32(n - 16, n - 32, 103, -seed)
    return (avalanche(lo + hi & WORD),
            -avalanche(lo * P64[0] + hi * P64[3] + (n - seed) * P64[1] & WORD) & WORD)


def siphash_128(b, secret):
    """SipHash-2-4 with a result of 128 bits: its first word, its second."""
    k0, k1 = struct.unpack("<QQ", secret)
    v = [k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d ^ 0xee, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573]

    def rounds(n):
        a, b, c, d = v
        for _ in range(n):
            a, c = a + b & WORD, c + d & WORD
            b, d = rotl(b, 13) ^ a, rotl(d, 16) ^ c
            a, c = rotl(a, 32) + d & WORD, c + b & WORD
            b, d = rotl(b, 17) ^ c, rotl(d, 21) ^ a
            c = rotl(c, 32)
        v[:] = a, b, c, d

    padded = b + bytes(-(len(b) + 1) % 8) + bytes([len(b) & 255])
    for at in range(0, len(padded), 8):
        v[3] ^= u64(padded, at)
        rounds(2)
        v[0] ^= u64(padded, at)
    v[2] ^= 0xee
    rounds(4)
    first = v[0] ^ v[1] ^ v[2] ^ v[3]
    v[1] ^= 0xdd
    rounds(4)
    return first, v[0] ^ v[1] ^ v[2] ^ v[3]


# ---- Positions ----

def mix(z):
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & WORD
    z = (z ^ z >> 27) * 0x94d049bb133111eb & WORD
    return z ^ z >> 31


def stream(h):
    state = h[0]
    while True:
        state = state + (h[1] | 1) & WORD
        yield mix(state) >> 12


def reduce(x, s):
    return x * s >> 52


def cycle_hash(h, c):
    if c == 0:
        return h
    return mix(h[0] + c * 0x9e3779b97f4a7c15 & WORD), mix(h[1] + c * 0xd1342543de82ef95 & WORD)


def block_positions(hashing, m, k, h, block):
    number = h[0] * (m // block) >> 64
    step = block // k if hashing == "partitioned" else 0
    e = (step or block).bit_length() - 1
    each = 64 // e if e else 64
    found = []
    for j in range(k):
        word = mix(h[1] + j // each * (h[0] | 1) & WORD) if j >= each else h[1]
        found.append(number * block + j * step + (word >> j % each * e) % (1 << e))
    return found


def positions(hashing, m, k, h, block=0):
    if block:
        return block_positions(hashing, m, k, h, block)
    x = stream(h)
    if hashing == "standard":
        return [reduce(next(x), m) for _ in range(k)]
    if hashing == "partitioned":
        return [j * (m // k) + reduce(next(x), m // k) for j in range(k)]
    found = []
    taken = set()
    for _ in range(8 * k + 64):
        if len(found) == k:
            return found
        p = reduce(next(x), m)
        if p not in taken:
            found.append(p)
            taken.add(p)
    while len(found) < k:
        p = reduce(next(x), m - len(found))
        for t in sorted(taken):
            p += t <= p
        found.append(p)
        taken.add(p)
    return found


# ---- Filters ----

class Filter:
    """What a snapshot holds. An array is a Python integer, bit i being bit i of the array."""

    kind, rule, bound, retain, two_phases, copy, before, fresh = "filter", 0, 0, False, False, True, False, False
    width, literal = 1, False
    cycle = messages = observations = 0

    def __init__(self, hashing, m, k, scheme, seed=0, secret=None, block=0):
        self.hashing, self.m, self.k, self.block = hashing, m, k, block
        self.scheme, self.seed, self.secret = scheme, seed, secret
        self.active = self.frozen = 0

    def hash(self, key):
        return siphash_128(key, self.secret) if self.scheme == "siphash" else xxh3_128(key, self.seed)

    def check(self):
        return self.hash(b"bloomproof key check")[0] if self.scheme == "siphash" else self.seed

    def mask(self, h, cycle):
        bits = 0
        for p in positions(self.hashing, self.m, self.k, cycle_hash(h, cycle) if self.fresh else h, self.block):
            bits |= 1 << p
        return bits

    def contains(self, key):
        h = self.hash(key)
        active, frozen = self.mask(h, self.cycle), self.mask(h, self.cycle - 1)
        return active & ~self.active == 0 or self.two_phases and frozen & ~self.frozen == 0

    def add(self, key):
        {"filter": self.set, "recycling": self.observe, "counting": self.count}[self.kind](self.hash(key))

    def set(self, h):
        self.active |= self.mask(h, 0)

    def observe(self, h):
        self.observations += 1
        mask = self.mask(h, self.cycle)
        if mask & ~self.active == 0:
            return
        if self.two_phases and not self.copy and self.mask(h, self.cycle - 1) & ~self.frozen == 0:
            return
        was, self.active = self.active, self.active | mask
        self.messages += 1
        if self.rule == 0 and self.active.bit_count() <= self.bound or self.rule == 1 and self.messages < self.bound:
            return
        self.frozen = (was if self.before else self.active) if self.two_phases else 0
        self.cycle += 1
        self.active = self.messages = self.observations = 0
        if self.retain:
            self.active, self.messages = self.mask(h, self.cycle), 1

    def counter(self, i):
        return self.active >> self.width * i & self.full()

    def full(self):
        return (1 << self.width) - 1

    def count(self, h):
        at = positions(self.hashing, self.m, self.k, h, self.block)
        for i in at if self.literal else set(at):
            if self.counter(i) < self.full():
                self.active += 1 << self.width * i

    def double(self):
        for i in range(self.m):
            v = self.counter(i)
            self.active += min(v, self.full() - v) << self.width * i

    def counts(self):
        """The two counts of the header."""
        if self.kind != "counting":
            return self.active.bit_count(), self.frozen.bit_count()
        counters = [self.counter(i) for i in range(self.m)]
        return sum(c > 0 for c in counters), sum(c == self.full() for c in counters)


def fixed_power(x, y, k, up):
    p = 1 << 63
    for bit in bin(k)[2:]:
        p = p * p + up * ((1 << 63) - 1) >> 63
        if bit == "1":
            p = (p * x + up * (y - 1)) // y
    return p


def room_in_blocks(bits, m, k, block, sigma):
    """Whether a layer with blocks can take a key."""
    sets = [(bits >> i & (1 << block) - 1).bit_count() for i in range(0, m, block)]
    load = sum(fixed_power(s, block, k, 1) for s in sets)
    rise = min(k, block)
    start = min(max(sets), block - rise)
    load += fixed_power(start + rise, block, k, 1) - fixed_power(start, block, k, 1) + 2 * k
    return load <= m // block * fixed_power(sigma, m, k, 0)


class Growing:
    """A chain of filters. A layer is (hashing, m, k, sigma, block), and its bits are those of an integer."""

    kind = "growing"

    def __init__(self, layers, scheme, seed=0, secret=None):
        self.layers, self.used = layers, [0]
        self.scheme, self.seed, self.secret = scheme, seed, secret

    def hash(self, key):
        return siphash_128(key, self.secret) if self.scheme == "siphash" else xxh3_128(key, self.seed)

    def check(self):
        return self.hash(b"bloomproof key check")[0] if self.scheme == "siphash" else self.seed

    def mask(self, h, i):
        hashing, m, k, _, block = self.layers[i]
        bits = 0
        for p in positions(hashing, m, k, cycle_hash(h, i), block):
            bits |= 1 << p
        return bits

    def contains(self, key):
        h = self.hash(key)
        return any(self.mask(h, i) & ~bits == 0 for i, bits in enumerate(self.used))

    def add(self, key):
        if self.contains(key):
            return
        last = len(self.used) - 1
        self.used[last] |= self.mask(self.hash(key), last)
        if self.closed(last) and last + 1 < len(self.layers):
            self.used.append(0)

    def closed(self, i):
        _, m, k, sigma, block = self.layers[i]
        if block:
            return not room_in_blocks(self.used[i], m, k, block, sigma)
        return self.used[i].bit_count() > sigma - k


# ---- Snapshots ----

HEADER = "<8sH6BIIQQQQQQQQQ16xQ"  # bytes 0 to 119; the padding is written as zeros
KINDS = {1: "filter", 2: "recycling", 3: "counting"}
HASHINGS = ("standard", "classic", "partitioned")
SCHEMES = ("xxh3", "siphash")


def write_growing(f):
    payload = b""
    for i, (hashing, m, k, sigma, block) in enumerate(f.layers):
        bits = f.used[i].bit_count() if i < len(f.used) else 0
        payload += struct.pack("<QIBB2xQQ", m, k, HASHINGS.index(hashing), block.bit_length(), sigma, bits)
    for (_, m, _, _, _), bits in zip(f.layers, f.used):
        payload += bits.to_bytes(8 * (-(-m // 64)), "little")
    header = struct.pack(
        HEADER, b"BLOOMPRF", 4 if any(block for *_, block in f.layers) else 3, 4, 0, SCHEMES.index(f.scheme), 0, 0, 0,
        len(f.layers), len(f.used), 0, f.check(), *[0] * 7, xxh3_64(payload))
    return header + struct.pack("<Q", xxh3_64(header)) + payload


def write(f):
    if f.kind == "growing":
        return write_growing(f)
    size = 8 * (-(-f.m * f.width // 64))
    payload = f.active.to_bytes(size, "little")
    if f.two_phases:
        payload += f.frozen.to_bytes(size, "little")
    flags = f.retain | f.two_phases << 1 | (not f.copy) << 2 | f.before << 3 | f.fresh << 4
    rule = f.rule
    if f.kind == "counting":
        rule, flags = int(f.literal), f.width
    kind = next(number for number, name in KINDS.items() if name == f.kind)
    header = struct.pack(
        HEADER, b"BLOOMPRF", 2 if f.block else 1, kind, HASHINGS.index(f.hashing), SCHEMES.index(f.scheme), rule, flags, 0,
        f.k, 0, f.m, f.check(), *f.counts(), f.bound, f.cycle, f.messages, f.observations, f.block, xxh3_64(payload))
    return header + struct.pack("<Q", xxh3_64(header)) + payload


def need(condition, what):
    if not condition:
        raise ValueError("corrupt snapshot: " + what)


def read_growing(data, version, secret):
    (_, _, kind, hashing, scheme, rule, flags, zero15, count, used, m, check, *zeros,
     payload_sum) = struct.unpack(HEADER, data[:120])
    need(kind == 4 and scheme < 2, "kind or scheme")
    need(not any((hashing, rule, flags, zero15, m, *zeros, *data[96:112])), "unused bytes")
    need(1 <= used <= count <= 64, "the number of layers")
    if scheme == 1 and secret is None:
        raise ValueError("the secret key is needed")
    need(len(data) >= 128 + 32 * count, "it ends in the layers")
    need(payload_sum == xxh3_64(data[128:]), "checksum of the payload")
    f = Growing([], SCHEMES[scheme], check if scheme == 0 else 0, secret)
    f.used = []
    at = 128 + 32 * count
    for i in range(count):
        row = data[128 + 32 * i:160 + 32 * i]
        m, k, hashing, log, sigma, bits = struct.unpack("<QIBB2xQQ", row)
        need(row[14:16] == bytes(2) and hashing < 3, "a layer's hashing or unused bytes")
        need(log == 0 or version == 4 and 7 <= log <= 13, "the bits of a block")
        block = 1 << log >> 1
        need(1 <= m <= 1 << 48 and 1 <= k <= 4096 and k <= sigma <= m, "m, k or sigma of a layer")
        need(hashing != 2 or (block or m) % k == 0, "k and partitioned hashing")
        if block:
            need(hashing != 1 and m % block == 0, "blocks of a layer")
            need(fixed_power(min(k, block), block, k, 1) + 2 * k <= m // block * fixed_power(sigma, m, k, 0), "room for a key")
        f.layers.append((HASHINGS[hashing], m, k, sigma, block))
        if i >= used:
            need(bits == 0, "bits of a layer that is not in use")
            continue
        need(bits <= m, "set bits of a layer")
        size = 8 * (-(-m // 64))
        need(len(data) >= at + size, "its length")
        f.used.append(int.from_bytes(data[at:at + size], "little"))
        need(f.used[i] >> m == 0 and f.used[i].bit_count() == bits, "the bits of a layer")
        need(i + 1 == used or f.closed(i), "a layer that closed too early")
        at += size
    need(sum(m for _, m, *_ in f.layers) <= 1 << 48, "m of all layers")
    need(any(block for *_, block in f.layers) == (version == 4), "the version and blocks")
    need(at == len(data), "its length")
    if check != f.check():
        raise ValueError("the secret key is another one")
    return f


def read(data, secret=None):
    need(len(data) >= 128, "it ends in the header")
    need(data[:8] == b"BLOOMPRF", "no snapshot")
    need(u64(data, 120) == xxh3_64(data[:120]), "checksum of the header")
    if data[8:10] in (bytes([3, 0]), bytes([4, 0])):
        return read_growing(data, data[8], secret)
    (_, version, kind, hashing, scheme, rule, flags, zero15, k, zero20, m, check, bits, second,
     bound, cycle, messages, observations, block, payload_sum) = struct.unpack(HEADER, data[:120])
    need(version in (1, 2), "version %d" % version)
    need((version == 2) == (block > 0), "blocks")
    need(kind in KINDS and hashing < 3 and scheme < 2, "kind, hashing or scheme")
    need(zero15 == zero20 == 0 and not any(data[96:112]), "unused bytes")
    need(1 <= m <= 1 << 48 and 1 <= k <= 4096, "m or k")
    need(hashing != 1 or k <= m, "k and classic hashing")
    need(hashing != 2 or (block or m) % k == 0, "k and partitioned hashing")
    if block:
        need(kind != 2 or rule == 1 and flags & 3 == 0, "a rule that has no blocks")
        need(hashing != 1, "classic hashing, which has no blocks")
        need(64 <= block <= 4096 and block.bit_count() == 1 and m % block == 0, "the bits of a block")
    if scheme == 1 and secret is None:
        raise ValueError("the secret key is needed")
    f = Filter(HASHINGS[hashing], m, k, SCHEMES[scheme], check if scheme == 0 else 0, secret, block)
    f.kind = KINDS[kind]
    if f.kind == "counting":
        need(flags in (4, 8, 16, 32) and rule < 2, "counters")
        f.width, f.literal = flags, rule == 1
    elif f.kind == "recycling":
        need(rule < 2 and flags < 32, "rule or flags")
        f.rule, f.bound = rule, bound
        f.retain, f.two_phases, f.copy, f.before, f.fresh = [bool(flags >> i & 1) ^ (i == 2) for i in range(5)]
        need(f.two_phases or f.copy and not f.before, "flags of two phases with one")
        if rule == 0:
            need((k if f.retain else 0) <= bound < m and bits <= bound, "sigma")
        else:
            need(bound >= (2 if f.retain else 1) and messages < bound, "N")
        need(f.two_phases and cycle > 0 or second == 0, "frozen bits")
        need(cycle < 1 << 63 and observations < 1 << 63, "cycle or observations")
        retained = int(f.retain and cycle > 0)
        need(retained <= messages <= observations + retained, "messages")
        need(messages <= bits <= messages * k, "bits of the messages")
        f.cycle, f.messages, f.observations = cycle, messages, observations
    else:
        need(rule == flags == second == 0, "fields of another kind")
    need(f.kind == "recycling" or bound == cycle == messages == observations == 0, "fields of another kind")
    size = 8 * (-(-m * f.width // 64))
    need(len(data) == 128 + size * (2 if f.two_phases else 1), "its length")
    need(payload_sum == xxh3_64(data[128:]), "checksum of the payload")
    f.active = int.from_bytes(data[128:128 + size], "little")
    f.frozen = int.from_bytes(data[128 + size:], "little")
    need(f.active >> m * f.width == 0 and f.frozen >> m == 0, "bits past the end")
    need(f.counts() == (bits, second), "counts")
    if check != f.check():
        raise ValueError("the secret key is another one")
    return f


# ---- Test vectors ----

def secret_of(vector):
    return bytes.fromhex(vector["secret"]) if "secret" in vector else None


def hold(vectors):
    for v in vectors["hashes"]:
        h = Filter("standard", 1, 1, v["scheme"], int(v["seed"], 16), secret_of(v)).hash(bytes.fromhex(v["key"]))
        assert ["%016x" % x for x in h] == [v["h0"], v["h1"]], v
    for v in vectors["positions"]:
        h = cycle_hash((int(v["h0"], 16), int(v["h1"], 16)), v["cycle"])
        p = positions(v["hashing"], v["m"], v["k"], h, v.get("block", 0))
        total = sum((j + 1) * x for j, x in enumerate(p)) & WORD
        assert (p if v["k"] <= 32 else p[:8]) == v["positions"] and p[-1] == v["last"] and total == int(v["sum"], 16), v
    for v in vectors["snapshots"]:
        f = Filter(v["hashing"], v["m"], v["k"], v["scheme"], int(v["seed"], 16), secret_of(v), v.get("block", 0))
        f.kind = v["kind"]
        if "layers" in v:
            layers = [(l["hashing"], l["m"], l["k"], l["sigma"], l.get("block", 0)) for l in v["layers"]]
            f = Growing(layers, f.scheme, f.seed, f.secret)
        if "recycling" in v:
            r = v["recycling"]
            f.rule, f.bound = ("bit-bounded", "message-bounded").index(r["rule"]), r["bound"]
            f.retain, f.two_phases, f.copy = r["retain"], r["phases"] == "2", r["copy"]
            f.before, f.fresh = r["freeze"] == "before", r["positions"] == "fresh"
        if "counting" in v:
            f.width, f.literal = v["counting"]["width"], v["counting"]["increment"] == "literal"
        for i in range(v["arrivals"]):
            f.add(b"key %d" % (i % v["keys"]))
        for _ in range(v["doubled"]):
            f.double()
        assert write(f).hex() == v["snapshot"], v["name"]
        data = bytes.fromhex(v["snapshot"])
        g = read(data, secret_of(v))
        assert write(g) == data and vars(g) == vars(f), v["name"]
        for at in range(len(data)):
            try:
                read(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:], secret_of(v))
            except ValueError:
                continue
            assert False, "%s: byte %d does not count" % (v["name"], at)
    print("%d hashes, %d positions, %d snapshots written and read"
          % (len(vectors["hashes"]), len(vectors["positions"]), len(vectors["snapshots"])))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    elif sys.argv[1].endswith(".json"):
        with open(sys.argv[1]) as file:
            hold(json.load(file))
    else:
        with open(sys.argv[1], "rb") as file:
            filter = read(file.read())
        for key in sys.argv[2:]:
            print(key, filter.contains(key.encode()))
