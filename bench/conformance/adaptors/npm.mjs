// A filter of npm behind the protocol of docs/pipe.md: node npm.mjs PACKAGE, one of those below.
import readline from 'node:readline'
import { createRequire } from 'node:module'

const require = createRequire(process.cwd() + '/') // the packages are where this is started
const packages = {
	'bloom-filters': ({ BloomFilter: F }) => ({
		key: b => b, make: (n, p) => F.create(n, p), new: (m, k) => new F(m, k), shape: f => [f._size, f._nbHashes], rate: f => f.rate(),
		bits: f => f.length, add: (f, key) => f.add(key), has: (f, key) => f.has(key), save: f => f.saveAsJSON(), load: json => F.fromJSON(json),
	}),
	'bloomfilter': ({ BloomFilter: F }) => ({
		key: b => b.toString('latin1'), make: (n, p) => F.withTargetError(n, p), new: (m, k) => new F(m, k), shape: f => [f.m, f.k],
		bits: f => f.countBits(), items: f => f.size(), rate: f => f.error(), union: (f, g) => F.union(f, g), intersect: (f, g) => F.intersection(f, g),
		add: (f, key) => f.add(key), has: (f, key) => f.test(key), save: f => f.toJSON(), load: json => F.fromJSON(json),
	}),
	'bloom-filter': F => ({
		key: b => b, make: (n, p) => F.create(n, p, 1, 0), shape: f => [8 * f.vData.length, f.nHashFuncs], add: (f, key) => f.insert(key),
		has: (f, key) => f.contains(key), save: f => f.toObject(), load: object => new F(object),
	}),
}
const name = process.argv[2], lib = packages[name](require(name)), filters = new Map()
const bytes = w => Buffer.from(w === '-' ? '' : w, 'hex'), key = w => lib.key(bytes(w))
const put = (id, f) => { filters.set(id, f); return 'ok ' + lib.shape(f).join(' ') }
const number = what => id => '' + lib[what](filters.get(id)), combine = what => (id, other) => put(id, lib[what](filters.get(id), filters.get(other))).slice(0, 2)
const commands = {
	hello: () => 'ok standard 0 version=2 ' + Object.keys(lib).join(' '), new: (id, m, k) => put(id, lib.new(+m, +k)), make: (id, n, p) => put(id, lib.make(+n, +p)),
	add: (id, ...words) => { for (const w of words) lib.add(filters.get(id), key(w)); return 'ok' },
	has: (id, ...words) => words.map(w => lib.has(filters.get(id), key(w)) ? '1' : '0').join(''), free: id => { filters.delete(id); return 'ok' },
	bits: number('bits'), items: number('items'), rate: number('rate'), union: combine('union'), intersect: combine('intersect'),
	save: id => 'ok ' + Buffer.from(JSON.stringify(lib.save(filters.get(id)))).toString('hex'), load: (id, w) => put(id, lib.load(JSON.parse(bytes(w)))),
}
readline.createInterface({ input: process.stdin }).on('line', line => {
	const [command, ...words] = line.split(' ')
	let answer
	try { answer = commands[command](...words) } catch (e) { if (command === 'add' || command === 'has') throw e; answer = 'no ' + String(e.message).replaceAll('\n', ' ') }
	process.stdout.write(answer + '\n')
})
