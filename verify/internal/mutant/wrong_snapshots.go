package mutant

import (
	"encoding/binary"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/bloomproof/bloomproof/verify/conform"
)

func wrongSnapshots() []Wrong {
	var all []Wrong
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain]), also ...conform.Law) {
		s := subject(fair, fair)
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	of("a snapshot has the whole words only", "snapshot", func(s *conform.Subject[*Plain]) {
		s.Marshal = func(f *Plain) ([]byte, error) {
			if f.g.M%64 != 0 && len(f.words) > 1 {
				last := len(f.words) - 1
				kept := f.words[last]
				f.words[last] = 0
				defer func() { f.words[last] = kept }()
			}
			return f.marshal(), nil
		}
	})
	of("a snapshot has k in one byte, less one", "snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k-1, data[head:])
			}
			return err
		}
	}, "corrupt snapshot", "hostile snapshot")
	var written atomic.Uint64
	of("a snapshot has the time of its making", "snapshot", func(s *conform.Subject[*Plain]) {
		s.Marshal = func(f *Plain) ([]byte, error) {
			return binary.LittleEndian.AppendUint64(f.marshal(), written.Add(1)), nil
		}
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < 8 {
				return errSnapshot
			}
			m, k, err := checked(data[:len(data)-8])
			if err == nil {
				f.load(m, k, data[head:])
			}
			return err
		}
	}, "corrupt snapshot", "hostile snapshot", "reset")
	of("reading leaves the count as it was", "snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				before := f.count.Load()
				f.load(m, k, data[head:])
				f.count.Store(before)
			}
			return err
		}
	})
	of("reading consumes the caller's bytes", "snapshot", func(s *conform.Subject[*Plain]) {
		read := s.Unmarshal
		s.Unmarshal = func(f *Plain, data []byte) error {
			err := read(f, data)
			clear(data[:min(len(data), 8)])
			return err
		}
	})
	// The function "unchecked" reads as many words as a snapshot has. It does not check the checksum.
	unchecked := func(f *Plain, data []byte) error {
		if len(data) < head {
			return errSnapshot
		}
		m, k := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
		if m < 1 || k < 1 || k > 4096 || m > 1<<40 || uint64(len(data)-head) != (m+63)/64*8 {
			return errSnapshot
		}
		f.load(m, int(k), data[head:])
		return nil
	}
	of("a snapshot has no checksum", "corrupt snapshot", func(s *conform.Subject[*Plain]) { s.Unmarshal = unchecked })
	of("what follows a snapshot does not matter", "corrupt snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < head {
				return errSnapshot
			}
			data = data[:min(uint64(len(data)), head+(min(binary.LittleEndian.Uint64(data), 1<<40)+63)/64*8)]
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			}
			return err
		}
	})
	of("reading looks past the end of a short snapshot", "hostile snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
			if m < 1 || k < 1 || k > 4096 || m > 8*uint64(len(data)) {
				return errSnapshot
			}
			f.load(m, int(k), data[head:])
			return nil
		}
	}, "corrupt snapshot")
	of("reading takes the memory that a snapshot claims", "hostile snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < head {
				return errSnapshot
			}
			words := make([]uint64, min(binary.LittleEndian.Uint64(data), 1<<32)/64)
			runtime.KeepAlive(words)
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			}
			return err
		}
	})
	of("reading writes to the filter before it checks", "hostile snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			if len(data) < head {
				return errSnapshot
			}
			m, _, err := checked(data)
			f.g.K = int(data[8])
			if err == nil {
				f.load(m, f.g.K, data[head:])
			}
			return err
		}
	})
	of("reading panics at a number that cannot be", "hostile snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			} else if len(data) >= 16 && binary.LittleEndian.Uint64(data[8:]) >= 1<<40 {
				panic("k is out of range")
			}
			return err
		}
	})
	of("reading goes on for as long as a snapshot says", "hostile snapshot", func(s *conform.Subject[*Plain]) {
		s.Unmarshal = func(f *Plain, data []byte) error {
			m, k, err := checked(data)
			if err == nil {
				f.load(m, k, data[head:])
			} else if len(data) >= 16 {
				for range binary.LittleEndian.Uint64(data[8:]) >> 32 {
					time.Sleep(time.Millisecond)
				}
			}
			return err
		}
	})
	all[len(all)-1].Endless = true
	return all
}
