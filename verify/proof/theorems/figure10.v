(* Burns' Figure 10: the largest efficiency of a classic filter with 100 bits.

   As in efficiency.v, log is any function from the rationals to an ordered field with log (x y) = log x + log y, which
   grows. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search means cases efficiency decimals figures examples large figure7 figure9 scan.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* For n from a to b, f^n is above the case c, where f is the rate with n items of k places: f is at least its lower bound with
   a items. *)
Definition items_test (s : N) (c : N * N) (m k a b : nat) : bool :=
  let p := product_below s m a k in
  [&& (0 < a)%N, (p <=? whole s)%num, (0 <? c.2)%num & (c.1 * whole s <? powered s p b * c.2)%num].

Lemma items_testP s c m k a b n : (0 < k <= m)%N -> items_test s c m k a b -> (a <= n <= b)%N -> as_rat c < classic_rate m k n k ^+ n.
Proof.
move=> /andP[k0 km] /and4P[a0 /rat_le pW /rat_gt0 c0 /rat_lt]; rewrite !ratM => lt /andP[an nb].
have D0 := whole_gt0 s; have below := product_belowP s a0 an k0 km.
set p := product_below s m a k in pW lt below; pose x := rat_of_N p / rat_of_N (whole s).
have x01 : 0 <= x <= 1 by rewrite divr_ge0 ?rat_ge0 // ler_pdivr_mulr // mul1r.
have xW : rat_of_N (whole s) * x = rat_of_N p by rewrite mulrC divfK ?gt_eqF.
have near_p : near s p x 0 by rewrite /near xW addr0.
have [low _] := powered_near b x01 (lexx 0) near_p.
have xf : x <= classic_rate m k n k by rewrite ler_pdivr_mulr // mulrC.
have [x0 x1] := andP x01; apply: (@lt_le_trans _ _ (x ^+ b)); last first.
  by apply: (@le_trans _ _ (x ^+ n)); [exact: ler_wiexpn2l | rewrite ler_expn2r // nnegrE // (le_trans x0)].
by rewrite /as_rat ltr_pdivr_mulr // -(ltr_pmul2r D0); apply: lt_le_trans lt _; rewrite mulrAC ler_pmul2r // mulrC.
Qed.

Lemma falls_before (z : rat) K n : 0 <= z -> K.+1%:R * z <= K%:R -> (0 < K)%N -> (K <= n)%N -> n%:R * z ^+ n.-1 <= K%:R * z ^+ K.-1.
Proof.
move=> z0 zK K0 /subnKC <-; elim: (n - K)%N => [|d IH]; first by rewrite addn0.
have z1 : z <= 1 by rewrite -(ler_pmul2l (_ : (0 : rat) < K.+1%:R)) ?ltr0n // mulr1 (le_trans zK) // ler_nat.
apply: le_trans IH; rewrite addnS /= -[(K + d)%N]prednK ?addn_gt0 ?K0 //= exprS mulrA ler_wpmul2r ?exprn_ge0 //.
rewrite prednK ?addn_gt0 ?K0 // -addSn natrD mulrDl natrD ler_add //.
by rewrite ler_pimulr ?ler0n.
Qed.

(* For n from a on, because a place that some item leaves out is one of k. *)
Definition items_tail (s : N) (c : N * N) (m k a : nat) : bool :=
  [&& (0 < a)%N, (0 <? c.2)%num, (a.+1 * (m - k) <= a * m)%N &
    (c.1 * whole s + bin_of_nat (k * a) * (base s m a.-1 k + 1) * c.2 <? whole s * c.2)%num].

Lemma items_tailP s c m k a n : (0 < k <= m)%N -> items_tail s c m k a -> (a <= n)%N -> as_rat c < classic_rate m k n k ^+ n.
Proof.
move=> /andP[k0 km] /and4P[a0 /rat_gt0 c0 steps /rat_lt]; rewrite ratD !ratM ratD rat_nat => lt an.
have m0 := leq_trans k0 km; have n0 := leq_trans a0 an; have D0 := whole_gt0 s; have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have [_ hi] := base_near s a.-1 k m0; have w01 := part_le1 k m0; set w := _ / _ in hi w01; have [w0 w1] := andP w01.
have wE : 1 - k%:R / m%:R = w by rewrite /w natrB // mulrBl divff // gt_eqF.
have range := classic_range km m0 n0 k0 (_ : k <= k <= k)%N; rewrite leqnn in range; have {range} := range isT; rewrite wE => range.
have y01 := unit_power n.-1 w01; have [y0 y1] := andP y01.
have r0 : 0 <= (1 - w ^+ n.-1) ^+ k by rewrite exprn_ge0 // subr_ge0.
apply: (@lt_le_trans _ _ (((1 - w ^+ n.-1) ^+ k) ^+ n)); last by rewrite ler_expn2r // nnegrE // (le_trans r0).
rewrite -exprM; apply: lt_le_trans (bernoulli (k * n) y01); rewrite natrM -mulrA.
have wa : a.+1%:R * w <= a%:R :> rat by rewrite /w mulrA ler_pdivr_mulr // -!natrM ler_nat.
apply: (@lt_le_trans _ _ (1 - (k * a)%:R * w ^+ a.-1)); last first.
  by rewrite ler_add2l ler_opp2 natrM -mulrA ler_wpmul2l ?ler0n // falls_before.
rewrite ltr_subr_addr -(ltr_pmul2r D0) mul1r mulrDl -(ltr_pmul2r c0); apply: le_lt_trans lt.
rewrite mulrDl; apply: ler_add; first by rewrite /as_rat mulrAC divfK ?gt_eqF.
rewrite ler_pmul2r // -mulrA [w ^+ _ * _]mulrC; apply: ler_wpmul2l; first exact: ler0n.
exact: hi.
Qed.

(* The ends of ranges, each of which begins where the range before ended. *)
Fixpoint ranges_test (test : nat -> nat -> bool) (tail : nat -> bool) (a : nat) (ends : seq nat) : bool :=
  if ends is b :: l then test a b && ranges_test test tail b.+1 l else tail a.

Lemma ranges_testP (F : nat -> Prop) (test : nat -> nat -> bool) (tail : nat -> bool) a ends n : (forall a b n, test a b -> (a <= n <= b)%N -> F n) ->
  (forall a n, tail a -> (a <= n)%N -> F n) -> ranges_test test tail a ends -> (a <= n)%N -> F n.
Proof.
move=> inner outer; elim: ends a => [|b l IH] a /=; first exact: outer.
move=> /andP[test_b rest] an; have [nb | bn] := leqP n b; last exact: IH rest bn.
by apply: inner test_b _; rewrite an.
Qed.

(* For each k from 1 on, the ends of the ranges of n. Without the pair of best items and K places, f^n is above the case c. *)
Definition all_items_test (s : N) (c : N * N) (m best K : nat) (ends : seq (seq nat)) : bool :=
  (size ends == m) && all (fun k => ranges_test (fun a b => [&& k == K, a == best & b == best] || items_test s c m k a b)
    (items_tail s c m k) 1 (nth [::] ends k.-1)) (iota 1 m).

Lemma all_itemsP s c m best K ends n k : all_items_test s c m best K ends -> (0 < n)%N -> (0 < k <= m)%N -> (n, k) != (best, K) ->
  as_rat c < classic_rate m k n k ^+ n.
Proof.
move=> /andP[_ /allP all] n0 km ne; have [k0 km'] := andP km.
have := all k; rewrite mem_iota add1n ltnS km => /(_ isT) test; have tail a i := @items_tailP s c m k a i km.
pose F i := (i, k) = (best, K) \/ as_rat c < classic_rate m k i k ^+ i.
suff : F n by case=> // e; rewrite e eqxx in ne.
apply: (ranges_testP (F := F) _ _ test n0) => [a b i /orP[/and3P[/eqP eK /eqP -> /eqP ->] | test_b] ab | a i test_a ai].
- by left; move: ab; rewrite eK -eqn_leq => /eqP ->.
- by right; exact: items_testP km test_b ab.
by right; exact: tail test_a ai.
Qed.

Definition low10 : N * N := dyadic 13814828032930 140.
Definition high10 : N * N := dyadic 13814828032933 140.
Definition ends10 : seq (seq nat) :=
  [:: [:: 14; 33; 53; 76; 107; 162; 309; 1472]; [:: 7; 17; 27; 39; 56; 87; 179; 1244]; [:: 5; 12; 19; 27; 39; 62; 138;
  1508]; [:: 4; 9; 14; 20; 29; 47; 108; 1399]; [:: 3; 7; 11; 16; 24; 40; 100; 2320]; [:: 3; 6; 10; 15; 23; 42; 149]; [:: 2;
  5; 8; 12; 18; 31; 89]; [:: 2; 5; 8; 12; 19; 38; 203]; [:: 2; 4; 7; 11; 18; 38; 277]; [:: 2; 4; 6; 9; 14; 27; 118]; [:: 2;
  4; 6; 9; 15; 34; 337]; [:: 1; 3; 5; 8; 13; 28; 211]; [:: 1; 3; 5; 8; 14; 36; 831]; [:: 1; 3; 5; 8; 14; 40; 2155]; [:: 1;
  2; 4; 6; 10; 22; 171]; [:: 1; 2; 4; 6; 10; 24; 298]; [:: 1; 2; 4; 6; 11; 31; 1398]; [:: 1; 2; 3; 5; 9; 22; 322]; [:: 1; 2;
  3; 5; 9; 24; 616]; [:: 1; 2; 3; 5; 9; 26; 1243]; [:: 1; 2; 3; 5; 10; 36]; [:: 1; 2; 3; 5; 10; 40]; [:: 1; 2; 3; 5; 10;
  44]; [:: 1; 2; 4; 8; 27]; [:: 1; 2; 4; 8; 29]; [:: 1; 2; 4; 8; 32]; [:: 1; 2; 4; 8; 34]; [:: 1; 2; 4; 9; 53]; [:: 1; 2; 4;
  9; 59]; [:: 1; 2; 4; 10; 94]; [:: 1; 2; 4; 10; 106]; [:: 1; 2; 4; 10; 120]; [:: 1; 2; 4; 11; 204]; [:: 1; 2; 4; 11; 235];
  [:: 1; 2; 4; 12; 420]; [:: 1; 2; 4; 13; 777]; [:: 1; 2; 4; 13; 936]; [:: 1; 2; 4; 14]; [:: 1; 2; 5; 25]; [:: 1; 2; 5; 27];
  [:: 1; 2; 5; 29]; [:: 1; 2; 5; 31]; [:: 1; 2; 5; 34]; [:: 1; 2; 5; 36]; [:: 1; 2; 5; 39]; [:: 1; 2; 6; 80]; [:: 1; 2; 6;
  89]; [:: 1; 3; 13]; [:: 1; 3; 14]; [:: 1; 3; 14]; [:: 1; 3; 15]; [:: 1; 3; 16]; [:: 1; 3; 17]; [:: 1; 3; 18]; [:: 1; 3;
  19]; [:: 1; 3; 21]; [:: 1; 3; 22]; [:: 1; 3; 24]; [:: 1; 3; 26]; [:: 1; 3; 28]; [:: 1; 4; 78]; [:: 1; 4; 87]; [:: 1; 4;
  97]; [:: 1; 4; 108]; [:: 1; 4; 121]; [:: 1; 4; 136]; [:: 1; 5; 470]; [:: 1; 5; 550]; [:: 1; 5; 648]; [:: 1; 5; 767]; [::
  1; 5]; [:: 1; 6]; [:: 1; 6]; [:: 1; 6]; [:: 1; 7]; [:: 1; 7]; [:: 1; 8]; [:: 1; 8]; [:: 1; 9]; [:: 1; 9]; [:: 1; 10]; [::
  1; 11]; [:: 1; 12]; [:: 1; 13]; [:: 1; 15]; [:: 1; 17]; [:: 1; 19]; [:: 1; 21]; [:: 2; 230]; [:: 2; 295]; [:: 2; 387]; [::
  2; 527]; [:: 2; 749]; [:: 3]; [:: 3]; [:: 4]; [:: 5]; [:: 7]; [:: 14]; [:: 3999]]%N.

Lemma items10 : all_items_test 140 high10 100 1 50 ends10. Proof. vm_cast_no_check isT. Qed.
Lemma between10 : between (whole 220) 1 (shares_list 220 100 1 50) low10 high10. Proof. vm_cast_no_check isT. Qed.
Lemma high_test10 : lt_case (raised high10.1 2, raised high10.2 2) (1, raised 2 (96.*2.-1))%num. Proof. by vm_compute. Qed.
Lemma low_test10 : lt_case (1, raised 2 (96.*2.+1))%num (raised low10.1 2, raised low10.2 2). Proof. by vm_compute. Qed.

Section Logarithm.
Variables (R : realFieldType) (log : rat -> R).
Hypothesis logM : forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y.
Hypothesis log_rises : forall x y, 0 < x -> x < y -> log x < log y.

Lemma halved a P : a%:R / P%:R = (2 * a)%:R / (2 * P)%:R :> R.
Proof. by rewrite !natrM -mulf_div divff ?mul1r // pnatr_eq0. Qed.

Lemma all_items_best s lo hi m K ends n k : (0 < m)%N -> all_items_test s hi m 1 K ends -> as_rat lo < classic_rate m K 1 K /\ classic_rate m K 1 K <= as_rat hi ->
  (0 < n)%N -> (0 < k <= m)%N -> (n, k) != (1, K)%N ->
  efficiency log m n%:R (classic_rate m k n k) < efficiency log m 1%:R (classic_rate m K 1 K).
Proof.
move=> m0 test [lo_f f_hi] n0 km ne; have F0 := le_lt_trans (as_rat_ge0 lo) lo_f.
have fn := all_itemsP test n0 km ne; apply: (less_efficient logM log_rises) => //; last by rewrite expr1 (le_lt_trans f_hi).
have f0 : 0 <= classic_rate m k n k by rewrite divr_ge0 ?ler0n // sumr_ge0 // => q _; rewrite sumr_ge0 // => t _; rewrite ler0n.
rewrite lt_neqAle f0 andbT eq_sym; apply: contraTneq fn => ->; rewrite expr0n -[n]prednK //= -leNgt.
exact: as_rat_ge0.
Qed.

(* Burns, Figure 10, with m = 100: the classic filter has the largest efficiency at n = 1 and k = 50 only, over all n and k.
   This efficiency is 0.96, rounded. *)
Theorem figure10 : let e n k := efficiency log 100 n%:R (classic_rate 100 k n k) in
  (forall n k, (0 < n)%N -> (0 < k <= 100)%N -> (n, k) != (1, 50)%N -> e n k < e 1%N 50%N) /\
  `|e 1%N 50%N - 96%:R / 100%:R| <= (2 * 100)%:R^-1.
Proof.
have m0 : (0 < 100)%N by []; have near := betweenP (@shares_enclosed 220 100 1 50 isT) between10; split=> [n k n0 km ne |].
  exact: (all_items_best m0 items10 near n0 km ne).
have [lo_f f_hi] := near; have F0 := le_lt_trans (as_rat_ge0 low10) lo_f.
move: (classic_rate 100 50 1 50) lo_f f_hi F0 {near} => f lo_f f_hi F0.
have high := power_high high_test10 F0 f_hi; have low := @power_low low10 2 (96.*2.+1) f low_test10 (ltW lo_f).
exact: (@efficiency_rounds R log logM log_rises 100 1 _ 2 96 100 isT (halved 1 100) F0 high low isT).
Qed.
End Logarithm.
