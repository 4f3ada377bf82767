; proves   a+b+c = 2*carry(a,b,c) + xor(a,b,c) holds for bits, and so for the numbers of ones of words, and the block of 16 vectors that uses this equation keeps the weighted sum
; assumes  what VPAND, VPXOR and VPOR do
; of       kernel/asm/popcount_avx2_amd64.h
(set-logic QF_BV)
(define-sort Sum () (_ BitVec 6))
(define-fun n ((b Bool)) Sum (ite b #b000001 #b000000))
(define-fun sum ((low Bool) (v Bool) (w Bool)) Bool (xor low v w))
(define-fun carry ((low Bool) (v Bool) (w Bool)) Bool (or (and v w) (and low (xor v w))))
(declare-const a0 Bool) (declare-const a1 Bool) (declare-const a2 Bool) (declare-const a3 Bool)
(declare-const b0 Bool) (declare-const b1 Bool) (declare-const b2 Bool) (declare-const b3 Bool)
(declare-const c0 Bool) (declare-const c1 Bool) (declare-const c2 Bool) (declare-const c3 Bool)
(declare-const d0 Bool) (declare-const d1 Bool) (declare-const d2 Bool) (declare-const d3 Bool)
(declare-const s1 Bool) (declare-const s2 Bool) (declare-const s4 Bool) (declare-const s8 Bool) ; kept from the block before
(define-fun weighed ((x1 Bool) (x2 Bool) (x4 Bool) (x8 Bool) (x16 Bool)) Sum
  (bvadd (n x1) (bvshl (n x2) #b000001) (bvshl (n x4) #b000010) (bvshl (n x8) #b000011) (bvshl (n x16) #b000100)))

; Bits do not touch in these operations: what holds for one bit of each word holds for
; their ones.
(push 1)
(assert (not (= (bvadd (n a0) (n a1) (n a2)) (weighed (sum a0 a1 a2) (carry a0 a1 a2) false false false))))
(check-sat) ; unsat: the carry-save adder
(pop 1)
(push 1)
(assert (not (= (bvadd (n a0) (n a1) (n a2)) (weighed (sum a0 a1 a2) (and a1 a2) false false false))))
(check-sat) ; sat, broken: a carry that forgets low
(pop 1)

; FOUR: four vectors x0..x3 and the ones and twos before it into ones, twos and a carry.
(define-fun ones4 ((o Bool) (x0 Bool) (x1 Bool) (x2 Bool) (x3 Bool)) Bool (sum (sum o x0 x1) x2 x3))
(define-fun twos4 ((o Bool) (t Bool) (x0 Bool) (x1 Bool) (x2 Bool) (x3 Bool)) Bool
  (sum t (carry o x0 x1) (carry (sum o x0 x1) x2 x3)))
(define-fun high4 ((o Bool) (t Bool) (x0 Bool) (x1 Bool) (x2 Bool) (x3 Bool)) Bool
  (carry t (carry o x0 x1) (carry (sum o x0 x1) x2 x3)))

; The block, in the order of the instructions.
(define-fun oa () Bool (ones4 s1 a0 a1 a2 a3)) (define-fun ta () Bool (twos4 s1 s2 a0 a1 a2 a3)) (define-fun ha () Bool (high4 s1 s2 a0 a1 a2 a3))
(define-fun ob () Bool (ones4 oa b0 b1 b2 b3)) (define-fun tb () Bool (twos4 oa ta b0 b1 b2 b3)) (define-fun hb () Bool (high4 oa ta b0 b1 b2 b3))
(define-fun oc () Bool (ones4 ob c0 c1 c2 c3)) (define-fun tc () Bool (twos4 ob tb c0 c1 c2 c3)) (define-fun hc () Bool (high4 ob tb c0 c1 c2 c3))
(define-fun r1 () Bool (ones4 oc d0 d1 d2 d3)) (define-fun r2 () Bool (twos4 oc tc d0 d1 d2 d3)) (define-fun hd () Bool (high4 oc tc d0 d1 d2 d3))
(define-fun f4 () Bool (sum s4 ha hb)) (define-fun e0 () Bool (carry s4 ha hb))
(define-fun r4 () Bool (sum f4 hc hd)) (define-fun e1 () Bool (carry f4 hc hd))
(define-fun r8 () Bool (sum s8 e0 e1)) (define-fun r16 () Bool (carry s8 e0 e1))
(define-fun before () Sum (bvadd (n a0) (n a1) (n a2) (n a3) (n b0) (n b1) (n b2) (n b3)
  (n c0) (n c1) (n c2) (n c3) (n d0) (n d1) (n d2) (n d3) (weighed s1 s2 s4 s8 false)))
(push 1)
(assert (not (= (weighed r1 r2 r4 r8 r16) before)))
(check-sat) ; unsat: a block keeps the weighed sum, at most 31
(pop 1)
(push 1)
(assert (not (= (weighed r1 r2 r4 r8 false) before)))
(check-sat) ; sat, broken: the sixteens are not counted
(pop 1)
