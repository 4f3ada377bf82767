package truth

import (
	"math/bits"
	"unsafe"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Sample takes a uniform sample of the messages of a stream. It keeps the ground truth of this sample in bounded
// memory. The hash of a message decides whether the message belongs to the sample. So either all arrivals of the
// message belong to the sample, or none. At first the sample has all messages. When the messages no longer fit into the
// memory, about half of them are dropped, together with their counts. Messages are told apart by 64 bits of the hash.
// Among the n messages in the sample, the probability that two are confused is n^2/2^65. Use NewSample.
type Sample struct {
	clock Clock
	table []Message // open addressing by print; 0 is free
	held  int
	level int // messages whose print ends in this many zeros are in the sample

	Arrivals, Positives, Recycles uint64 // counted exactly, over all messages
	InCycle                       uint64 // as in Counts, of messages that were in the sample then

	// FalsePositives and FalseNegatives are estimates of the fields of Counts with the same names. For each arrival,
	// they use the messages that were in the sample at that time. The estimates are unbiased at any moment.
	FalsePositives, FalseNegatives float64
}

// Message stores the counts of one message in the sample.
type Message struct {
	print, last uint64 // last as in Truth

	New           bool    // it arrived first among the arrivals that are counted
	FalsePositive bool    // and was called a repeat
	First         float32 // and this was the filter's rate before it

	FalseNegatives, Lucky uint32  // as in Counts; they stay at their largest value
	Later                 float32 // sum of the filter's rates before these arrivals
}

const (
	messageBytes = uint64(unsafe.Sizeof(Message{}))
	// MinSample is the smallest permitted size of a Sample in memory.
	MinSample = 1 << 12
)

// NewSample returns an empty Sample for a filter that follows rule, with at least MinSample bytes of memory. When
// messages are dropped, half of a table is copied. So the memory has room for a table and this copy.
func NewSample(rule bloomproof.Recycling, bytes uint64) *Sample {
	return &Sample{clock: NewClock(rule), table: make([]Message, bytes/messageBytes*2/3)}
}

// Share returns the probability that a message is in the sample. It is a power of 1/2.
func (s *Sample) Share() float64 { return 1 / float64(uint64(1)<<s.level) }

// Each calls the function "do" once for each message of the sample.
func (s *Sample) Each(do func(*Message)) {
	for i := range s.table {
		if s.table[i].print != 0 {
			do(&s.table[i])
		}
	}
}

// Observe records an arrival of the message with hash h. The argument o is the filter's observation of this arrival.
// The argument "rate" is the filter's rate before the arrival. The hash must be secret. The caller must report every
// arrival, in order. If the argument "counted" is false, Observe still remembers that the message has arrived. Cost:
// O(1). If the message is in the sample, the cost includes one more look-up.
func (s *Sample) Observe(h kernel.Hash, o kernel.Observation, rate float64, counted bool) {
	if counted {
		s.Arrivals++
		if o.Repeat() {
			s.Positives++
		}
		if o.Recycled {
			s.Recycles++
		}
	}
	print := max(h.H0, 1)
	if !s.sampled(print) {
		s.clock.Step(unrecorded, o)
		return
	}
	m := s.find(print)
	isNew := m.print == 0
	class := New
	if !isNew {
		class = s.clock.Class(m.last)
	}
	m.last = s.clock.Step(m.last, o)
	if counted {
		s.count(m, class, o.Repeat(), float32(rate))
	}
	if isNew {
		m.print = print
		if s.held++; s.held > len(s.table)/4*3 {
			s.thin()
		}
	}
}

func (s *Sample) count(m *Message, class Class, repeat bool, rate float32) {
	switch {
	case class == New:
		m.New, m.FalsePositive, m.First = true, repeat, rate
		if repeat {
			s.FalsePositives += 1 / s.Share()
		}
	case class == Recorded && !repeat:
		s.InCycle++
	case class == Forgotten:
		m.Later += rate
		n := &m.FalseNegatives
		if repeat {
			n = &m.Lucky
		} else {
			s.FalseNegatives += 1 / s.Share()
		}
		*n = max(*n, *n+1)
	}
}

func (s *Sample) sampled(print uint64) bool { return print&(1<<s.level-1) == 0 }

// The argument "print" is the fingerprint of a message. The method "find" returns the entry of this message in the
// table. If the table does not have the message, find returns the free entry for it. The upper bits of the fingerprint
// determine the entry. The lower bits determine whether the message is in the sample.
func (s *Sample) find(print uint64) *Message {
	at, _ := bits.Mul64(print, uint64(len(s.table)))
	for i := int(at); ; {
		if m := &s.table[i]; m.print == print || m.print == 0 {
			return m
		}
		if i++; i == len(s.table) {
			i = 0
		}
	}
}

// The method "thin" drops messages from the sample until at most three quarters of the table are in use.
func (s *Sample) thin() {
	for s.held > len(s.table)/4*3 {
		s.level++
		kept := make([]Message, 0, len(s.table)/2)
		s.Each(func(m *Message) {
			if s.sampled(m.print) {
				kept = append(kept, *m)
			}
		})
		clear(s.table)
		for _, m := range kept {
			*s.find(m.print) = m
		}
		s.held = len(kept)
	}
}

// Counts returns the counts of a sample that has all messages.
func (s *Sample) Counts() Counts {
	c := Counts{Arrivals: s.Arrivals, Recycles: s.Recycles, InCycle: s.InCycle}
	s.Each(func(m *Message) {
		switch {
		case m.FalsePositive:
			c.FalsePositives++
		case m.New:
			c.TrueNegatives++
		}
		c.FalseNegatives += uint64(m.FalseNegatives)
		c.Lucky += uint64(m.Lucky)
	})
	c.TruePositives = s.Positives - c.FalsePositives
	return c
}
