; proves   the masks of a range's first and last word leave exactly the bits lo <= i < hi
; assumes  that all bits of the words between these two are counted
; of       kernel/ops.go
(set-logic QF_BV)
(define-sort Word () (_ BitVec 64))
(declare-const lo Word)
(declare-const hi Word)
(declare-const i Word)
(define-fun at ((p Word)) Word (bvlshr p (_ bv6 64)))
(define-fun bit ((p Word)) Word (bvand p (_ bv63 64)))
(define-fun full () Word (bvnot (_ bv0 64)))
(define-fun first () Word (at lo))
(define-fun last () Word (at (bvsub hi (_ bv1 64))))
(define-fun low () Word (bvshl full (bit lo)))
(define-fun high () Word (bvlshr full (bvsub (_ bv63 64) (bit (bvsub hi (_ bv1 64))))))
(define-fun chosen ((mask Word)) Bool (= (bvand (bvlshr mask (bit i)) (_ bv1 64)) (_ bv1 64)))
(define-fun counted () Bool
  (ite (= first last) (and (= (at i) first) (chosen (bvand low high)))
    (or (and (= (at i) first) (chosen low)) (and (= (at i) last) (chosen high))
        (and (bvult first (at i)) (bvult (at i) last)))))
(define-fun exact () Bool (= counted (and (bvule lo i) (bvult i hi))))

(push 1)
(assert (bvult lo hi))
(check-sat) ; sat
(push 1)
(assert (not exact))
(check-sat) ; unsat: bit i is counted exactly when lo <= i < hi, for all 64-bit lo < hi
(pop 1)
(push 1)
(assert (not (bvult (bvsub last first) (_ bv288230376151711744 64))))
(check-sat) ; unsat: words[first+1:last] has below 2^58 words, and first <= last
(pop 1)
(pop 1)

(push 1)
(assert (bvule lo hi))
(assert (not exact))
(check-sat) ; sat, broken: an empty range is not told apart
(pop 1)
