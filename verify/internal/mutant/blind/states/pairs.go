package states

import "slices"

func unions() []Fault {
	return []Fault{
		fault("union", "a union into an empty filter shares the other's array, and the other does not know", func(s *subject) {
			alone(s)
			s.Union = func(f, g *Filter) error {
				if err := f.like(g); err != nil {
					return err
				}
				if f != g && f.ones() == 0 {
					f.words, f.known = g.words, true
					return nil
				}
				return f.union(g)
			}
			// If the field "known" is true, another filter shares the array. So the array must be copied before a
			// change.
			before(s, onAny, func(f *Filter) {
				if f.known {
					f.words, f.known = slices.Clone(f.words), false
				}
			})
		}),
		fault("union", "a union counts words in 16 bits", func(s *subject) {
			s.Union = func(f, g *Filter) error {
				if err := f.like(g); err != nil {
					return err
				}
				for i := range uint16(len(g.words)) {
					f.words[i] |= g.words[i]
				}
				return nil
			}
		}),
		fault("union", "a union replaces the last word if it is a part of one", func(s *subject) {
			s.Union = func(f, g *Filter) error {
				if err := f.union(g); err != nil {
					return err
				}
				if last := len(f.words) - 1; f.m&63 != 0 && last > 0 {
					f.words[last] = g.words[last]
				}
				return nil
			}
		}),
		fault("union", "a union with a fuller filter swaps the arrays", func(s *subject) {
			s.Union = func(f, g *Filter) error {
				if f.like(g) == nil && g.ones() > f.ones() {
					f.words, g.words = g.words, f.words
				}
				return f.union(g)
			}
		}),
		fault("union", "a union skips a filter that only a snapshot or a union has filled", func(s *subject) {
			alone(s)
			after(s, onAdd|onBatch|onTest, func(f *Filter) { f.known = true })
			after(s, onReset, forget)
			s.Union = func(f, g *Filter) error {
				if f.like(g) == nil && !g.known {
					return nil
				}
				return f.union(g)
			}
		}),
		fault("union", "a union skips eight words if the first of them is 0", func(s *subject) {
			s.Union = func(f, g *Filter) error {
				if err := f.like(g); err != nil {
					return err
				}
				for i, w := range g.words {
					if len(g.words) < 8 || g.words[i&^7] != 0 {
						f.words[i] |= w
					}
				}
				return nil
			}
		}),
		fault("union", "a union leaves the list of the words in use", func(s *subject) {
			alone(s)
			// A look-up makes a list that says which words are not 0. Add keeps the list up to date. A union does not
			// change the list, and other changes delete it.
			s.Contains = func(f *Filter, key []byte) bool {
				if f.used == nil {
					f.used = make([]bool, len(f.words))
					for i, w := range f.words {
						f.used[i] = w != 0
					}
				}
				for _, p := range f.positions(key) {
					if !f.used[p>>6] {
						return false
					}
				}
				return f.contains(key)
			}
			s.Add = func(f *Filter, key []byte) {
				for _, p := range f.positions(key) {
					f.set(p)
					if f.used != nil {
						f.used[p>>6] = true
					}
				}
			}
			after(s, onAny&^(onAdd|onUnion), func(f *Filter) { f.used = nil })
		}),
	}
}

func intersections() []Fault {
	return []Fault{
		fault("intersection", "an intersection with an empty filter does nothing", func(s *subject) {
			s.Intersect = func(f, g *Filter) error {
				if f.like(g) == nil && g.ones() == 0 {
					return nil
				}
				return f.intersect(g)
			}
		}),
		fault("intersection", "an intersection goes by four words and leaves the rest", func(s *subject) {
			s.Intersect = func(f, g *Filter) error {
				rest := slices.Clone(f.words[len(f.words)&^3:])
				err := f.intersect(g)
				copy(f.words[len(f.words)&^3:], rest)
				return err
			}
		}),
		fault("intersection", "an intersection leaves the words that are 0 in the other", func(s *subject) {
			s.Intersect = func(f, g *Filter) error {
				if err := f.like(g); err != nil {
					return err
				}
				for i, w := range g.words {
					if w != 0 {
						f.words[i] &= w
					}
				}
				return nil
			}
		}),
		fault("intersection", "an intersection counts words in 16 bits", func(s *subject) {
			s.Intersect = func(f, g *Filter) error {
				if err := f.like(g); err != nil {
					return err
				}
				for i := range uint16(len(g.words)) {
					f.words[i] &= g.words[i]
				}
				return nil
			}
		}),
		fault("intersection", "an intersection trims the other, too", func(s *subject) {
			s.Intersect = func(f, g *Filter) error {
				if err := f.intersect(g); err != nil {
					return err
				}
				// This code is right only if the filter g is no longer used.
				if len(g.words) > 1024 {
					copy(g.words, f.words)
				}
				return nil
			}
		}),
	}
}
