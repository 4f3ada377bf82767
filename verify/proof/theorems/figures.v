(* Burns' Figures 1 to 4: what may happen in small cases, and how probable it is. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search claims occupancy laws cases decimals.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma cancelled (a b c x : nat) : (0 < a)%N -> c%:R = (a * b)%:R :> rat -> c%:R / (a * x)%:R = b%:R / x%:R :> rat.
Proof. by move=> a0 ->; rewrite !natrM -mulf_div divff ?mul1r // pnatr_eq0 -lt0n. Qed.

Lemma some (c a b : nat) : c%:R = (a.+1 * b.+1)%:R :> rat -> (0 < c)%N.
Proof. by move/eqP; rewrite eqr_nat => /eqP->. Qed.

(* Burns, Figure 1: six balls in five urns can occupy three urns, and they do so with the probability 1080/3125, where
   3125 = 5^5. *)
Theorem figure1 :
  (exists t : {ffun 'I_6 -> 'I_5}, #|hits t| == 3%N) /\
  (#|[set t : {ffun 'I_6 -> 'I_5} | #|hits t| == 3%N]|)%:R / (5 ^ 6)%:R = 1080%:R / (5 ^ 5)%:R :> rat.
Proof.
have c : (#|[set t : {ffun 'I_6 -> 'I_5} | #|hits t| == 3%N]|)%:R = (5 * 1080)%:R :> rat.
  rewrite law_of_hits /onto !big_ord_recr big_ord0 /=; apply/eqP; vm_cast_no_check isT.
split; last by rewrite expnS; apply: cancelled c.
by have /card_gt0P[t] := some c; rewrite inE; exists t.
Qed.

Lemma occurs (T : finType) (P Q : pred T) (z x : rat) :
  (\sum_(s in P) (Q s)%:R) / z = x -> x != 0 -> exists2 s, s \in P & Q s.
Proof.
move=> <- x0; have [s /andP[sP sQ] | none] := pickP [pred s | (s \in P) && Q s]; first by exists s.
case/negP: x0; rewrite big1 ?mul0r // => s sP.
by have := none s; rewrite /= sP /= => ->.
Qed.

(* Burns, Figure 2: two batches of three balls in five urns can occupy four urns, and they do so with the probability
   6/10. *)
Theorem figure2 :
  let batches2 := @batches 5 2 (fun=> 3%N) in
  (exists2 s : {ffun 'I_2 -> {set 'I_5}}, s \in batches2 & #|filled s| == 4%N) /\
  (\sum_(s in batches2) (#|filled s| == 4%N)%:R) / #|batches2|%:R = 6%:R / 10%:R :> rat.
Proof.
move=> batches2; have p : (\sum_(s in batches2) (#|filled s| == 4%N)%:R) / #|batches2|%:R = 6%:R / 10%:R :> rat.
  rewrite batches_law /nabla !big_ord_recr big_ord0 /= /choices !big_ord_recr !big_ord0 /=.
  by apply/eqP; vm_compute.
by split; [apply: (@occurs _ batches2 (fun s => #|filled s| == 4%N) _ _ p) | exact: p].
Qed.

(* Burns, Figure 3: two red and three cyan batches fall into five urns. Each batch has three balls. It is possible that
   no urn stays empty, and that three urns have balls of both colours. *)
Theorem figure3 : exists2 red : {ffun 'I_2 -> {set 'I_5}}, red \in batches (fun=> 3%N) &
  exists2 cyan : {ffun 'I_3 -> {set 'I_5}}, cyan \in batches (fun=> 3%N) &
  #|filled red :|: filled cyan| == 5%N /\ #|filled red :&: filled cyan| == 3%N.
Proof.
have card (p : pred 'I_5) : #|[set x | p x]| = (\sum_(x < 5) p x)%N by rewrite cardsE -sum1_card big_mkcond.
exists [ffun i : 'I_2 => [set x : 'I_5 | (i <= x <= i + 2)%N]].
  by apply/familyP => i; rewrite ffunE !inE card; case: i => -[|[|[]]] //= lt; rewrite !big_ord_recl big_ord0.
exists [ffun i : 'I_3 => if i == ord0 then [set x : 'I_5 | (1 <= x <= 3)%N] else [set x : 'I_5 | (2 <= x <= 4)%N]].
  by apply/familyP => i; rewrite ffunE; case: ifP; rewrite !inE card !big_ord_recl big_ord0.
rewrite /filled !big_ord_recl !big_ord0 !ffunE /= !setU0 setUid.
have -> : [set x : 'I_5 | (0 <= x <= 2)%N] :|: [set x : 'I_5 | (1 <= x <= 3)%N] = [set x : 'I_5 | (x < 4)%N].
  by apply/setP => x; rewrite !inE; case: x => -[|[|[|[|[|x]]]]].
have -> : [set x : 'I_5 | (1 <= x <= 3)%N] :|: [set x : 'I_5 | (2 <= x <= 4)%N] = [set x : 'I_5 | (0 < x)%N].
  by apply/setP => x; rewrite !inE; case: x => -[|[|[|[|[|x]]]]].
split.
  rewrite (_ : _ :|: _ = [set: 'I_5]) ?cardsT ?card_ord //; by apply/setP => x; rewrite !inE; case: x => -[|[|[|[|[|x]]]]].
rewrite (_ : _ :&: _ = [set x : 'I_5 | (0 < x < 4)%N]); last by apply/setP => x; rewrite !inE andbC.
by rewrite card !big_ord_recl big_ord0.
Qed.

(* A quotient a/b of two computed numbers, rounded to p/P. *)
Lemma rounded_quotient (a b : N) (p P : N) : [&& (0 <? b)%num, (0 <? P)%num, ((2 * p) * b <=? (2 * P) * a + b)%num & ((2 * P) * a <=? (2 * p) * b + b)%num] ->
  `|rat_of_N a / rat_of_N b - rat_of_N p / rat_of_N P| <= (rat_of_N (2 * P)%num)^-1.
Proof.
case/and4P=> /bin_gt0 b0 /bin_gt0 P0 /N.leb_le/bin_le lo /N.leb_le/bin_le hi.
have B0 : 0 < rat_of_N b by rewrite /rat_of_N ltr0n.
have Q0 : 0 < rat_of_N P by rewrite /rat_of_N ltr0n.
move: lo hi; rewrite !(nat_of_add_bin, nat_of_mul_bin) -!(ler_nat rat_numDomainType).
rewrite !(natrM, natrD) -/(rat_of_N a) -/(rat_of_N b) -/(rat_of_N p) -/(rat_of_N P) => lo hi.
have T0 : (0 : rat) < 2%:R by [].
have tE : rat_of_N (2 * P)%num = 2%:R * rat_of_N P by rewrite /rat_of_N nat_of_mul_bin natrM.
rewrite tE; have D0 : 0 < rat_of_N b * (2%:R * rat_of_N P) by rewrite !mulr_gt0.
have key : (rat_of_N a / rat_of_N b - rat_of_N p / rat_of_N P) * (rat_of_N b * (2%:R * rat_of_N P)) = 2%:R * rat_of_N P * rat_of_N a - 2%:R * rat_of_N p * rat_of_N b.
  rewrite mulrBl; congr (_ - _).
    by rewrite mulrA divfK ?gt_eqF // mulrC.
  rewrite (_ : rat_of_N b * (2%:R * rat_of_N P) = rat_of_N P * (2%:R * rat_of_N b)); last first.
    by rewrite mulrCA [in RHS]mulrCA [rat_of_N P * rat_of_N b]mulrC.
  by rewrite mulrA divfK ?gt_eqF // mulrCA mulrA.
have -> : rat_of_N a / rat_of_N b - rat_of_N p / rat_of_N P =
    (2%:R * rat_of_N P * rat_of_N a - 2%:R * rat_of_N p * rat_of_N b) / (rat_of_N b * (2%:R * rat_of_N P)).
  by rewrite -key mulfK // gt_eqF.
rewrite normrM normfV (gtr0_norm D0) ler_pdivr_mulr // mulrCA mulVf ?mulr1; last by rewrite gt_eqF // mulr_gt0.
by rewrite ler_norml ler_subl_addl hi andbT ler_subr_addr addrC ler_subl_addr lo.
Qed.

(* The number x is p/10^e, rounded. *)
Definition rounds (x : rat) (p e : nat) : Prop := `|x - p%:R / (10 ^ e)%:R| <= (2 * 10 ^ e)%:R^-1.

Lemma rounds_case (c : N * N) (p e : nat) (b := bin_of_nat p) (P := raised 10 e) :
  [&& (0 <? c.2)%num, (0 <? P)%num, ((2 * b) * c.2 <=? (2 * P) * c.1 + c.2)%num & ((2 * P) * c.1 <=? (2 * b) * c.2 + c.2)%num] ->
  rounds (rat_of_N c.1 / rat_of_N c.2) p e.
Proof.
move/rounded_quotient; rewrite /rounds.
have -> : rat_of_N b = p%:R by rewrite /rat_of_N bin_of_natK.
have PE : nat_of_bin P = (10 ^ e)%N by rewrite /P raisedE.
have -> : rat_of_N P = (10 ^ e)%:R by rewrite /rat_of_N PE.
by have -> : rat_of_N (2 * P)%num = (2 * 10 ^ e)%:R by rewrite /rat_of_N nat_of_mul_bin PE.
Qed.

Lemma case_gt0 (c : N * N) : (0 <? c.1)%num && (0 <? c.2)%num -> 0 < rat_of_N c.1 / rat_of_N c.2.
Proof. by case/andP=> /bin_gt0 a0 /bin_gt0 b0; rewrite divr_gt0 // /rat_of_N ltr0n. Qed.

(* Burns, Figure 4: a filter of 11 bits with two items and three positions can give a false positive. The rates are
   0.0896 for independent positions and 0.0756 for distinct positions, both rounded. *)
Theorem figure4 :
  [/\ 0 < rate 11 (2 * 3) 3, rounds (rate 11 (2 * 3) 3) 896 4,
      0 < classic_rate 11 3 2 3 & rounds (classic_rate 11 3 2 3) 756 4].
Proof.
rewrite standard_cases classic_cases; split.
- by apply: case_gt0; vm_compute.
- by apply: rounds_case; vm_compute.
- by apply: case_gt0; vm_compute.
- by apply: rounds_case; vm_compute.
Qed.
