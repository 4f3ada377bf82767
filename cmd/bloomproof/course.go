package main

// stretch is a part of the arrivals that are counted, and what happened in it.
type stretch struct {
	From     count   `json:"from"` // the number of its first arrival, from 0, the warm-up included
	Arrivals count   `json:"arrivals"`
	Recycles count   `json:"recycles"`
	FPR      decimal `json:"fpr"` // per arrival
	FNR      decimal `json:"fnr"`
}

// soFar is what has been counted, or estimated, at some moment.
type soFar struct {
	arrivals, recycles             uint64
	falsePositives, falseNegatives float64
}

// course notes what has been counted after each stretch of length arrivals. Stretches are joined in
// pairs when they are many, as those of trace.Replicas are.
type course struct {
	length, next uint64 // next is the number of arrivals after which note is due
	ends         []soFar
}

const (
	firstStretch  = 1000
	mostStretches = 16
)

func newCourse() course { return course{length: firstStretch, next: firstStretch} }

func (c *course) note(now soFar) {
	if len(c.ends) == mostStretches {
		c.join()
	}
	if now.arrivals%c.length == 0 {
		c.ends = append(c.ends, now)
	}
	c.next = (now.arrivals/c.length + 1) * c.length
}

func (c *course) join() {
	for i := range mostStretches / 2 {
		c.ends[i] = c.ends[2*i+1]
	}
	c.ends, c.length = c.ends[:mostStretches/2], 2*c.length
}

// stretches returns the course up to now, after a warm-up.
func (c *course) stretches(now soFar, warmup uint64) []stretch {
	if len(c.ends) == 0 || c.ends[len(c.ends)-1].arrivals < now.arrivals {
		if len(c.ends) == mostStretches {
			c.join()
		}
		c.ends = append(c.ends, now)
	}
	all := make([]stretch, 0, mostStretches)
	var before soFar
	for _, end := range c.ends {
		if n := end.arrivals - before.arrivals; n > 0 {
			all = append(all, stretch{
				count(warmup + before.arrivals), count(n), count(end.recycles - before.recycles),
				decimal((end.falsePositives - before.falsePositives) / float64(n)),
				decimal((end.falseNegatives - before.falseNegatives) / float64(n)),
			})
		}
		before = end
	}
	return all
}
