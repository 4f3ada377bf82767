package conform

import (
	"slices"
)

// maxSteps is the largest number of steps in a program that is decoded from bytes.
const maxSteps = 64

// ExamineProgram decodes data as a program, and runs this program on filters of one small shape. Any data can be
// decoded. A fuzz target of any fuzzing engine can call this function, as verify.FuzzFilter does. The report has the
// finding, if there is one, and the laws that the program examined. A fuzz target should look at Findings only.
// Report.Err also returns an error in two cases without a finding. First, the program may look up none of the keys that
// it adds. Second, New may refuse the shape.
//
// The first three bytes encode the shape: 1 to 4104 bits and 1 to 8 positions. The steps follow. The first byte of a
// step selects one of the kinds of steps that the subject supports. The next bytes select filters and keys. A key is
// given by its number, or by the bytes that follow.
//
// Errors: *bloomproof.ParamError for an invalid subject.
func ExamineProgram[F any](s Subject[F], data []byte) (Report, error) {
	if err := s.check(); err != nil {
		return Report{}, err
	}
	x := newExamination(erase(s), Options{})
	x.begin()
	d := decoder{data: data}
	m, k := 1+uint64(d.byte())<<4+uint64(d.byte())&15, 1+int(d.byte()%8)
	m += (uint64(k) - m%uint64(k)) % uint64(k) // make m a multiple of k, so that partitioned hashing accepts it
	shape := shapeOf{m: x.rounded(m, k), k: k}
	if s.New == nil {
		shape = shapeOf{n: m, rate: 1 / float64(uint64(1)<<k)}
	}
	if x.ground(shape).ok {
		x.learn(shape)
		x.try(x.decode(shape, d.data))
	}
	return x.close(), nil
}

// A decoder reads the bytes that encode a program.
type decoder struct{ data []byte }

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// The method "decode" returns the program that data encodes. It appends steps that read the filters.
func (x *examination) decode(shape shapeOf, data []byte) *program {
	var all []op
	for o := range ops {
		if x.has(o) {
			all = append(all, o)
		}
	}
	d := decoder{data}
	b := &builder{p: &program{shape: shape}}
	which := [8]uint8{fileF, fileF, fileG, fileF, fileG, fileE, fileF, fileH}
	for len(d.data) > 0 && len(b.p.steps) < maxSteps {
		s := step{op: all[int(d.byte())%len(all)]}
		v := d.byte()
		s.f, s.g, s.slot = which[v&7], which[v>>3&7], v>>6%2
		s.cut = v&1 == 0
		switch s.op {
		case opAdd, opTestAndAdd, opAddBatch, opContains, opContainsBatch:
			s.keys = d.keys(b.p)
			s.twice = (s.op == opAddBatch || s.op == opContainsBatch) && v&64 > 0
			if !slices.Contains(b.known, s.keys) {
				b.known = append(b.known, s.keys)
			}
		}
		b.do(s)
	}
	for f := range uint8(fileH) {
		if slices.ContainsFunc(b.p.steps, func(s step) bool { return s.uses(f) }) {
			for _, keys := range b.known {
				b.do(step{op: opContains, f: f, keys: keys})
			}
			b.do(step{op: opContains, f: f, keys: b.never(20)})
			b.do(step{op: opBits, f: f})
			b.do(step{op: opWords, f: f})
			b.do(step{op: opMarshal, f: f, slot: slotLook})
		}
	}
	return b.p
}

// The method "keys" returns the keys of a step. In most cases it chooses one key from a small set, so that programs use
// the same keys repeatedly.
func (d *decoder) keys(p *program) keySpan {
	v := d.byte()
	switch i := uint32(v >> 3); v & 7 {
	case 4: // a range of keys
		return keySpan{i*16 + uint32(d.byte()), uint32(d.byte()) & 63}
	case 5: // a key of any bytes
		n := min(int(d.byte()&15), len(d.data))
		p.literals = append(p.literals, slices.Clone(d.data[:n]))
		d.data = d.data[n:]
		return keySpan{formLiteral<<formShift + uint32(len(p.literals)-1), 1}
	case 6:
		return keySpan{formBytes<<formShift + i, 1}
	case 7:
		return keySpan{formLengths<<formShift + i<<8 + uint32(d.byte()), 1}
	case 3:
		return keySpan{formPrefix<<formShift + i, 1}
	default:
		return keySpan{i, 1}
	}
}
