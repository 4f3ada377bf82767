; proves   for 1 <= m <= 2^48 and p < m: word p>>6 is one of the (m+63)/64 words, and no index, byte offset or sum overflows
; assumes  nothing
; of       kernel/words.go
; of       kernel/asm/probe_portable.go
(set-logic QF_LIA)
(declare-const m Int)
(declare-const p Int)
(declare-const q Int) ; another position
(declare-const side Int) (declare-const other Int) ; arrays of a pair
(define-fun max () Int 281474976710656) ; 2^48
(define-fun words () Int (div (+ m 63) 64))
(define-fun word ((v Int)) Int (div v 64))
(define-fun pair ((v Int) (s Int)) Int (+ (* 2 (word v)) s))

(push 1)
(assert (and (<= 1 m max) (<= 0 p) (< p m) (<= 0 q) (< q m) (<= 0 side 1) (<= 0 other 1)))
(check-sat) ; sat
(push 1)
(assert (not (and (<= 0 (word p)) (< (word p) words))))
(check-sat) ; unsat: the word of a position is there
(pop 1)
(push 1)
(assert (not (and (< (* 64 (- words 1)) m) (<= m (* 64 words)) (< (+ m 63) 18446744073709551616))))
(check-sat) ; unsat: there are as few words as hold m bits, and m+63 does not overflow
(pop 1)
(push 1)
(assert (not (< (pair p side) (* 2 words))))
(check-sat) ; unsat: word 2*(p>>6)+s of a pair is there
(pop 1)
(push 1)
(assert (not (<= (+ (* 16 words) 7) 140737488355328)))
(check-sat) ; unsat: byte offsets, of a pair too, are below 2^47: signed 64-bit offsets hold them
(pop 1)
(push 1)
(assert (not (=> (and (= (pair p side) (pair q other)) (= (mod p 64) (mod q 64))) (and (= p q) (= side other)))))
(check-sat) ; unsat: no two positions of a pair share a bit
(pop 1)
(push 1)
(assert (not (< (word p) (div m 64))))
(check-sat) ; sat, broken: words rounded down
(pop 1)
(push 1)
(assert (not (=> (= (+ (word p) side) (+ (word q) other)) (and (= (word p) (word q)) (= side other)))))
(check-sat) ; sat, broken: a pair without the factor 2
(pop 1)
(push 1)
(assert (not (< (word p) 2147483648)))
(check-sat) ; sat, broken: 32-bit indices
(pop 1)
(pop 1)
