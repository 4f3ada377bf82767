// A Bloom filter behind the protocol of `bloomproof conform`, see pipe.md: node docs/pipe.js
const { createHash } = require("node:crypto");
const bytes = (word) => Buffer.from(word === "-" ? "" : word, "hex");
const digest = (data) => createHash("sha256").update(data).digest();

class Filter {
  constructor(m, k) { Object.assign(this, { m, k, bits: Buffer.alloc(Math.ceil(m / 8)) }); }
  positions(key) {
    const stream = createHash("shake256", { outputLength: 6 * this.k }).update(key).digest();
    return Array.from({ length: this.k }, (_, j) => stream.readUIntLE(6 * j, 6) % this.m);
  }
  add(key) { for (const p of this.positions(key)) this.bits[p >>> 3] |= 1 << (p & 7); }
  has(key) { return this.positions(key).every((p) => (this.bits[p >>> 3] >> (p & 7)) & 1); }
  get shape() { return `ok ${this.m} ${this.k}`; }
}

const filters = new Map();
const answers = { // those of undefined are ok
  hello: () => "ok standard 0 version=2 new bits words union reset save load",
  new: (_, id, m, k) => filters.set(id, new Filter(+m, +k)).get(id).shape,
  add: (f, id, ...keys) => keys.forEach((key) => f.add(bytes(key))),
  has: (f, id, ...keys) => keys.map((key) => +f.has(bytes(key))).join(""),
  free: (_, id) => void filters.delete(id),
  bits: (f) => f.bits.reduce((n, b) => { for (; b; b &= b - 1) n++; return n; }, 0),
  words: (f) => "ok " + f.bits.toString("hex"),
  union: (f, id, other, g = filters.get(other)) => f.shape !== g.shape ? "no: other shapes" : g.bits.forEach((b, i) => { f.bits[i] |= b; }),
  reset: (f) => void f.bits.fill(0),
  save: (f, id, data = Buffer.concat([Buffer.from(`${f.m} ${f.k}\n`), f.bits])) => "ok " + Buffer.concat([digest(data), data]).toString("hex"),
  load(_, id, word, snapshot = bytes(word), data = snapshot.subarray(32), end = data.indexOf("\n")) {
    if (!digest(data).equals(snapshot.subarray(0, 32))) return "no: not a snapshot";
    filters.set(id, new Filter(...data.toString("latin1", 0, end).split(" ").map(Number)));
    data.copy(filters.get(id).bits, 0, end + 1);
    return filters.get(id).shape;
  },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, id, ...words] = line.split(" ");
  console.log(String(answers[command](filters.get(id), id, ...words) ?? "ok"));
});
