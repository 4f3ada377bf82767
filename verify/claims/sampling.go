package claims

import "math/big"

// This file samples messages without replacement from a popularity distribution. It follows the probabilities of all
// sets of drawn messages, in rationals.

// popularity returns probabilities that are proportional to the weights.
func popularity(weights []int) []*big.Rat {
	total := 0
	for _, w := range weights {
		total += w
	}
	var q []*big.Rat
	for _, w := range weights {
		q = append(q, rat(w, total))
	}
	return q
}

// samples returns a probability for each set of messages. If the set has i messages, it is the probability that the
// first i distinct messages drawn from Q are the messages of the set.
func samples(q []*big.Rat) []*big.Rat {
	law := make([]*big.Rat, 1<<len(q))
	for set := range law {
		law[set] = new(big.Rat)
	}
	law[0].SetInt64(1)
	for set, p := range law { // all subsets of a set come before the set
		out := outside(q, set)
		for j := range q {
			if set>>j&1 == 0 && out.Sign() > 0 {
				law[set|1<<j].Add(law[set|1<<j], quo(mul(p, q[j]), out))
			}
		}
	}
	return law
}

// outside returns the total probability of the messages that are not in the set.
func outside(q []*big.Rat, set int) *big.Rat {
	return sum(0, len(q)-1, func(j int) *big.Rat { return mul(q[j], whole(count(set>>j&1 == 0))) })
}

// included returns P_Q^K(j) for all j: the probability that message j is among the first K distinct messages.
func included(q []*big.Rat, k int) []*big.Rat {
	p := make([]*big.Rat, len(q))
	for j := range p {
		p[j] = new(big.Rat)
	}
	for set, x := range samples(q) {
		for j := range p {
			if ones(set) == k && set>>j&1 == 1 {
				p[j].Add(p[j], x)
			}
		}
	}
	return p
}

// unseen returns the probability that a draw from Q is none of the first i distinct messages: the sum of q_j (1 -
// P_Q^i(j)). It returns 0 if these i are all messages of positive probability.
func unseen(q []*big.Rat, i int) *big.Rat {
	can := 0
	for _, x := range q {
		can += x.Sign()
	}
	if i >= can {
		return new(big.Rat)
	}
	in := included(q, i)
	return sum(0, len(q)-1, func(j int) *big.Rat { return mul(q[j], sub(whole(1), in[j])) })
}
