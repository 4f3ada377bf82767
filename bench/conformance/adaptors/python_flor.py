"""flor behind the protocol of docs/pipe.md."""
import io
import sys
from flor import BloomFilter

filters = {}
for line in sys.stdin:
    command, *words = line.split()
    f = filters.get(words[0]) if words else None
    keys = [b"" if w == "-" else bytes.fromhex(w) for w in words[1:]] if command in ("add", "has", "load") else []
    answer = "ok"
    if command == "hello":
        answer = "ok standard 0 version=2 make bits save load"
    elif command == "make":
        f = filters[words[0]] = BloomFilter(n=int(words[1]), p=float(words[2]))
        answer = f"ok {f.m} {f.k}"
    elif command == "has":
        answer = "".join("01"[f.check(key)] for key in keys)
    elif command == "bits":
        answer = str(sum(bin(b).count("1") for b in f._bytes))
    elif command == "free":
        del filters[words[0]]
    elif command == "save":
        f.write(out := io.BytesIO())
        answer = "ok " + out.getvalue().hex()
    elif command == "load":
        try:
            (f := BloomFilter()).read(io.BytesIO(keys[0]))
            assert f.k <= 1000, "read, but with more positions than can be looked up"
            filters[words[0]], answer = f, f"ok {f.m} {f.k}"
        except Exception as e:
            answer = f"no {e!r}"
    for key in keys if command == "add" else []:
        try:
            f.add(key)
        except BloomFilter.CapacityError:
            pass  # the key was added
    print(answer, flush=True)
