; proves   position i comes from floor(2^52/s) or ceil(2^52/s) values of x, so its probability is within 2^-52 of 1/s; relative to 1/s the mean square deviation is at most (s/2^52)^2/4
; assumes  nothing
; of       kernel/doc.go
; of       kernel/position.go
(set-logic QF_NIA)
(declare-const x Int)
(declare-const s Int)
(declare-const i Int)
(declare-const from Int) ; ceil(2^52*i/s)
(declare-const to Int)   ; ceil(2^52*(i+1)/s)
(define-fun unit () Int 4503599627370496) ; 2^52

(push 1)
(assert (and (<= 1 s 281474976710656) (<= 0 i) (< i s)))
(assert (and (< (* s (- from 1)) (* unit i)) (<= (* unit i) (* s from))))
(assert (and (< (* s (- to 1)) (* unit (+ i 1))) (<= (* unit (+ i 1)) (* s to))))
(check-sat) ; sat
(push 1)
(assert (not (and (< (* s (- (- to from) 1)) unit) (< unit (* s (+ (- to from) 1))))))
(check-sat) ; unsat: |(to-from) - 2^52/s| < 1, so a floor or a ceiling, and |(to-from)/2^52 - 1/s| < 2^-52
(pop 1)
(push 1)
(assert (not (<= (* s (- to from)) unit)))
(check-sat) ; sat, broken: to-from is not always the floor
(pop 1)
(pop 1)

(push 1)
(assert (and (<= 1 s 281474976710656) (<= 0 i) (< i s) (<= 0 x) (< x unit)))
(assert (and (< (* s (- from 1)) (* unit i)) (<= (* unit i) (* s from))))
(assert (and (< (* s (- to 1)) (* unit (+ i 1))) (<= (* unit (+ i 1)) (* s to))))
(check-sat) ; sat
(push 1)
(assert (not (= (and (<= (* unit i) (* x s)) (< (* x s) (* unit (+ i 1)))) (and (<= from x) (< x to)))))
(check-sat) ; unsat: floor(x*s/2^52) = i exactly when from <= x < to
(pop 1)
(push 1)
(assert (not (and (<= 0 from) (<= to unit))))
(check-sat) ; unsat: all of these x are below 2^52
(pop 1)
(pop 1)

; Of the s positions, r = 2^52 mod s come from q+1 values of x and s-r from q. In units of
; 2^-52 they deviate from 1/s, relative to it, by (q+1)*s-2^52 and q*s-2^52.
(declare-const q Int)
(declare-const r Int)
(push 1)
(assert (and (<= 1 s 281474976710656) (= unit (+ (* q s) r)) (<= 0 r) (< r s)))
(check-sat) ; sat
(push 1)
(assert (not (and (= (- (* (+ q 1) s) unit) (- s r)) (= (- (* q s) unit) (- r)))))
(check-sat) ; unsat: the deviations are s-r and -r
(pop 1)
(pop 1)
(push 1)
(assert (not (= (+ (* r (- s r) (- s r)) (* (- s r) r r)) (* s r (- s r)))))
(check-sat) ; unsat: s times their mean square is s*r*(s-r)
(pop 1)
(push 1)
(assert (not (<= (* 4 r (- s r)) (* s s))))
(check-sat) ; unsat: which is at most s*s^2/4
(pop 1)
