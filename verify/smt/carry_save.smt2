; proves   a+b+c = 2*maj(a,b,c) + xor(a,b,c), for bits and so for the ones of words, and the block of eight words built from it
; assumes  nothing; no kernel counts in this way, as it gained nothing where VPOPCNTQ is
; of       kernel/asm/popcount_portable.go
(set-logic QF_BV)
(define-sort Sum () (_ BitVec 5))
(define-fun n ((b Bool)) Sum (ite b #b00001 #b00000))
(define-fun sum ((a Bool) (b Bool) (c Bool)) Bool (xor a b c))
(define-fun carry ((a Bool) (b Bool) (c Bool)) Bool (or (and a b) (and c (xor a b))))
(declare-const a Bool) (declare-const b Bool) (declare-const c Bool) (declare-const d Bool)
(declare-const e Bool) (declare-const f Bool) (declare-const g Bool) (declare-const h Bool)
(declare-const s1 Bool) (declare-const s2 Bool) (declare-const s4 Bool) ; kept from the block before
(define-fun weighed ((x1 Bool) (x2 Bool) (x4 Bool) (x8 Bool)) Sum
  (bvadd (n x1) (bvshl (n x2) #b00001) (bvshl (n x4) #b00010) (bvshl (n x8) #b00011)))

; Bits do not touch in these operations: what holds for one bit of each word holds for
; their ones.
(push 1)
(assert (not (= (bvadd (n a) (n b) (n c)) (weighed (sum a b c) (carry a b c) false false))))
(check-sat) ; unsat: the carry-save adder
(pop 1)
(push 1)
(assert (not (= (bvadd (n a) (n b) (n c)) (weighed (sum a b c) (and a b) false false))))
(check-sat) ; sat, broken: a carry that forgets c
(pop 1)

; Eight words into ones, twos, fours and one word of eights.
(define-fun t1 () Bool (sum s1 a b)) (define-fun u1 () Bool (carry s1 a b))
(define-fun t2 () Bool (sum t1 c d)) (define-fun u2 () Bool (carry t1 c d))
(define-fun t3 () Bool (sum t2 e f)) (define-fun u3 () Bool (carry t2 e f))
(define-fun r1 () Bool (sum t3 g h)) (define-fun u4 () Bool (carry t3 g h))
(define-fun v1 () Bool (sum s2 u1 u2)) (define-fun w1 () Bool (carry s2 u1 u2))
(define-fun r2 () Bool (sum v1 u3 u4)) (define-fun w2 () Bool (carry v1 u3 u4))
(define-fun r4 () Bool (sum s4 w1 w2)) (define-fun r8 () Bool (carry s4 w1 w2))
(define-fun before () Sum (bvadd (n a) (n b) (n c) (n d) (n e) (n f) (n g) (n h) (weighed s1 s2 s4 false)))
(push 1)
(assert (not (= (weighed r1 r2 r4 r8) before)))
(check-sat) ; unsat: a block keeps the weighed sum, at most 15
(pop 1)
(push 1)
(assert (not (= (weighed r1 r2 r4 false) before)))
(check-sat) ; sat, broken: the eights are not counted
(pop 1)
