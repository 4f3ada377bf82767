; proves   if dst - src is not in 1..w-1 bytes, a vector of w bytes reads no byte of src that an earlier word of the same vector stores
; assumes  that vectors are taken upwards, and each is stored before the next is loaded
; of       kernel/asm/popcount_avx2_amd64.h
; of       kernel/asm/popcount_avx512_amd64.h
; of       kernel/asm/popcount_neon_arm64.h
(set-logic QF_LIA)
(declare-const dst Int)
(declare-const src Int)
(declare-const w Int)      ; bytes of a vector: 32, 64, and the 64 of NEON's turn
(declare-const early Int)  ; a word of the vector, which the twin stores ...
(declare-const late Int)   ; ... before it loads this one
(define-fun meet () Bool (< (- 8) (- (+ src (* 8 late)) (+ dst (* 8 early))) 8)) ; the words share a byte
(push 1)
(assert (and (<= 0 dst) (<= 0 src) (or (= w 32) (= w 64)) (<= 0 early) (< early late) (< (* 8 late) w)))
(check-sat) ; sat
(push 1)
(assert (not (=> (not (< 0 (- dst src) w)) (not meet))))
(check-sat) ; unsat: vectors give what single words give
(pop 1)
(push 1)
(assert (not (=> (not (< 0 (- dst src) (- w 8))) (not meet))))
(check-sat) ; sat, broken: a range one word shorter, for unaligned arguments
(pop 1)
(pop 1)

; The test is one comparison: dst-src-1 as a 64-bit word, below w-1.
(declare-const ahead Int)
(push 1)
(assert (and (<= 0 dst 18446744073709551615) (<= 0 src 18446744073709551615) (or (= w 32) (= w 64))
             (= ahead (mod (- dst src 1) 18446744073709551616))
             (< (- 140737488355328) (- dst src) 140737488355328))) ; addresses of 47 bits
(check-sat) ; sat
(push 1)
(assert (not (= (< ahead (- w 1)) (< 0 (- dst src) w))))
(check-sat) ; unsat: the unsigned comparison decides the range
(pop 1)
(pop 1)
