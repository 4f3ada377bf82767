"""A Bloom filter behind the protocol of `bloomproof conform`, see pipe.md: python3 docs/pipe.py"""
import hashlib, struct, sys
class Filter:
    def __init__(self, m, k):
        self.m, self.k, self.bits = m, k, bytearray((m + 7) // 8)
    def positions(self, key):
        return [w % self.m for w in struct.unpack(f"<{self.k}Q", hashlib.shake_128(key).digest(8 * self.k))]
    def add(self, key):
        for p in self.positions(key): self.bits[p >> 3] |= 1 << (p & 7)
    def has(self, key):
        return all(self.bits[p >> 3] >> (p & 7) & 1 for p in self.positions(key))

filters = {}
for line in sys.stdin:
    command, name, *words = line.split() + ["", ""][line.count(" "):]
    f, answer = filters.get(name), "ok"
    match command:
        case "hello": answer = "ok standard 0 version=2 new bits words union reset save load"
        case "new": filters[name], answer = Filter(int(words[0]), int(words[1])), f"ok {words[0]} {words[1]}"
        case "add":
            for word in words: f.add(bytes.fromhex(word.strip("-")))
        case "has": answer = "".join("01"[f.has(bytes.fromhex(word.strip("-")))] for word in words)
        case "bits": answer = str(sum(b.bit_count() for b in f.bits))
        case "words": answer = "ok " + f.bits.hex()
        case "union":
            g = filters[words[0]]
            if (f.m, f.k) == (g.m, g.k): f.bits[:] = (a | b for a, b in zip(f.bits, g.bits))
            else: answer = "no: other shapes"
        case "reset": filters[name] = Filter(f.m, f.k)
        case "save":
            data = struct.pack("<QQ", f.m, f.k) + f.bits
            answer = "ok " + (data + hashlib.sha256(data).digest()).hex()
        case "load":
            snapshot = bytes.fromhex(words[0].strip("-"))
            if hashlib.sha256(snapshot[:-32]).digest() == snapshot[-32:]:
                f = filters[name] = Filter(*struct.unpack("<QQ", snapshot[:16]))
                f.bits[:], answer = snapshot[16:-32], f"ok {f.m} {f.k}"
            else: answer = "no: not a snapshot"
        case "free": del filters[name]
    print(answer, flush=True)
