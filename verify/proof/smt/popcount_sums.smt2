; proves   no lane, sum or result of a count overflows for up to 2^56 words, more than an address space holds
; assumes  nothing
; of       kernel/asm/doc.go
(set-logic QF_LIA)
(declare-const n Int)     ; words
(declare-const ones Int)  ; of all of them
(declare-const lane Int)  ; the part of them that one of the accumulators counts
(define-fun top () Int 9223372036854775808) ; 2^63
(push 1)
(assert (and (<= 0 n 72057594037927936) (<= 0 ones (* 64 n)) (<= 0 lane ones))) ; n <= 2^56
(check-sat) ; sat
(push 1)
(assert (not (< ones top)))
(check-sat) ; unsat: the result is below 2^63
(pop 1)
(push 1)
(assert (not (< lane (* 2 top))))
(check-sat) ; unsat: a lane fits 64 bits
(pop 1)
(pop 1)

; NEON: a turn adds four vectors of byte counts, at most 8 each, and VUADDLV their 16 bytes.
(declare-const count Int)
(declare-const total Int)
(push 1)
(assert (and (<= 0 count (* 4 8)) (<= 0 total (* 16 count))))
(check-sat) ; sat
(push 1)
(assert (not (and (< count 256) (< total 65536))))
(check-sat) ; unsat: a byte holds a turn's counts, and 16 bits their sum
(pop 1)
(pop 1)

(push 1)
(assert (and (<= 0 n 144115188075855872) (<= 0 ones (* 64 n)))) ; n <= 2^57
(assert (not (< ones top)))
(check-sat) ; sat, broken: twice as many words
(pop 1)
