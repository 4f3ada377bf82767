; proves   two look-ups in the table of nibbles give the number of ones of each byte, and neither the byte counters of a turn nor their sums overflow
; assumes  what VPSHUFB, VPSRLW and VPSADBW do
; of       kernel/asm/popcount_avx2_amd64.s 0x0302020102010100 0x0403030203020201 0x0f0f0f0f0f0f0f0f
; of       kernel/asm/popcount_avx2_amd64.h
(set-logic QF_BV)
(define-sort Byte () (_ BitVec 8))
(declare-const pair (_ BitVec 16)) ; the lane that VPSRLW shifts: two bytes

(define-fun table () (_ BitVec 128) (concat #x0403030203020201 #x0302020102010100)) ; ones<>
(define-fun shuffle ((i Byte)) Byte ; byte i of the table, 0 where bit 7 of i is set
  (ite (= ((_ extract 7 7) i) #b1) #x00
    ((_ extract 7 0) (bvlshr table ((_ zero_extend 120) (bvshl (bvand i #x0f) #x03))))))
(define-fun ones8 ((b Byte)) Byte
  (bvadd ((_ zero_extend 7) ((_ extract 0 0) b)) ((_ zero_extend 7) ((_ extract 1 1) b))
         ((_ zero_extend 7) ((_ extract 2 2) b)) ((_ zero_extend 7) ((_ extract 3 3) b))
         ((_ zero_extend 7) ((_ extract 4 4) b)) ((_ zero_extend 7) ((_ extract 5 5) b))
         ((_ zero_extend 7) ((_ extract 6 6) b)) ((_ zero_extend 7) ((_ extract 7 7) b))))
(define-fun nibble () (_ BitVec 16) ((_ extract 15 0) #x0f0f0f0f0f0f0f0f)) ; low<>
(define-fun low ((b Byte)) Byte (shuffle (bvand b ((_ extract 7 0) nibble))))
(define-fun high () (_ BitVec 16) (bvand (bvlshr pair #x0004) nibble)) ; VPSRLW $4
(define-fun even () Byte ((_ extract 7 0) pair))
(define-fun odd () Byte ((_ extract 15 8) pair))

(push 1)
(assert (not (and (= (bvadd (low even) (shuffle ((_ extract 7 0) high))) (ones8 even))
                  (= (bvadd (low odd) (shuffle ((_ extract 15 8) high))) (ones8 odd)))))
(check-sat) ; unsat: both bytes of a lane give their ones
(pop 1)

(push 1)
(assert (not (= (bvadd (low even) (shuffle ((_ extract 7 0) (bvlshr pair #x0004)))) (ones8 even))))
(check-sat) ; sat, broken: the high nibbles are not masked, so bits of the other byte come in
(pop 1)

; A turn adds two look-ups for each of four vectors into a byte counter; VPSADBW adds the
; eight counters of a word.
(declare-const a Byte) (declare-const b Byte) (declare-const c Byte) (declare-const d Byte)
(declare-const e Byte) (declare-const f Byte) (declare-const g Byte) (declare-const h Byte)
(define-fun wide ((z Byte)) (_ BitVec 16) ((_ zero_extend 8) z))
(push 1)
(assert (and (bvule a #x04) (bvule b #x04) (bvule c #x04) (bvule d #x04)
             (bvule e #x04) (bvule f #x04) (bvule g #x04) (bvule h #x04)))
(check-sat) ; sat
(push 1)
(assert (not (= (wide (bvadd a b c d e f g h))
                (bvadd (wide a) (wide b) (wide c) (wide d) (wide e) (wide f) (wide g) (wide h)))))
(check-sat) ; unsat: a byte holds the sum of a turn
(pop 1)
(pop 1)

(push 1)
(assert (and (bvule a #x20) (bvule b #x20) (bvule c #x20) (bvule d #x20)
             (bvule e #x20) (bvule f #x20) (bvule g #x20) (bvule h #x20)))
(check-sat) ; sat
(push 1)
(assert (not (bvule (bvadd (wide a) (wide b) (wide c) (wide d) (wide e) (wide f) (wide g) (wide h)) #x0100)))
(check-sat) ; unsat: the 16 bits of VPSADBW's sum hold eight counters
(pop 1)
(push 1)
(assert (not (= (wide (bvadd a b c d e f g h))
                (bvadd (wide a) (wide b) (wide c) (wide d) (wide e) (wide f) (wide g) (wide h)))))
(check-sat) ; sat, broken: a byte would not hold eight turns
(pop 1)
(pop 1)
