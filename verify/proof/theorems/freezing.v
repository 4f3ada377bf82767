(* Where recycling filters recycle from and to (Dozier-FP, sections IV-B and IV-C), and what a filter of two phases freezes
   (section IV-F). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic claims machine recycling levels chains long_run cycles message_bounds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Moves.
Variables (M k sigma : nat) (distinct : bool).
Hypotheses (sM : (sigma < M)%N) (k0 : (0 < k)%N) (kM : distinct -> (k <= M)%N).
Local Notation hash := (levels.hash M k distinct).
Local Notation places := (@levels.places M k distinct).
Implicit Types (A B D : {set 'I_M}) (e : hash).

Let M0 : (0 < M)%N. Proof. exact: leq_ltn_trans sM. Qed.

(* Dozier-FP, section IV-B, for k independent and for k distinct positions: the filter can recycle from the states
   sigma - k + 1, ..., sigma, and from no others. *)
Theorem recycles_from B : (#|B| <= sigma)%N -> (exists e, recycles sigma B (places e)) <-> (sigma.+1 - k <= #|B|)%N.
Proof.
move=> Bs; rewrite leq_subLR addnC; split=> [[e over] | le].
  by apply: leq_trans over _; apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l few_places.
have [e more] := grow k0 M0 kM B; exists e; rewrite /recycles more leq_min sM //.
Qed.
End Moves.

(* Dozier-FP, section IV-B, for filters that retain: for k independent positions, a recycle leads to 1, ..., k set bits, and to
   no other number; for k distinct positions it leads to k set bits. *)
Theorem recycles_to M k sigma : (sigma < M)%N -> (0 < k <= sigma)%N ->
  (forall j, (exists (A : {set 'I_M}) (e : {ffun 'I_k -> 'I_M}),
      [/\ (#|A| <= sigma)%N, recycles sigma A (hits e) & #|next sigma true A (hits e)| = j]) <-> (1 <= j <= k)%N) /\
  (forall (A : {set 'I_M}) (e : 'I_#|items M k|), recycles sigma A (numbered e) -> #|next sigma true A (numbered e)| = k).
Proof.
move=> sM /andP[k0 ks]; have M0 : (0 < M)%N by exact: leq_ltn_trans sM.
split=> [j | A e over]; last by rewrite /next over; have := enum_valP e; rewrite inE => /eqP.
split=> [[A [e [_ over <-]]] | /andP[j0 jk]].
  rewrite /next over; apply/andP; split; last by rewrite -[X in (_ <= X)%N]card_ord leq_imset_card.
  by apply/card_gt0P; exists (e (Ordinal k0)); apply/imsetP; exists (Ordinal k0).
have jM : (j <= M)%N by rewrite (leq_trans jk) // (leq_trans ks) // ltnW.
have Pj : #|[set x : 'I_M | (x < j)%N]| = j by exact: card_first.
have [|//|e eP] := @any_places M k false [set x : 'I_M | (x < j)%N]; first by rewrite Pj j0.
pose x : 'I_M := Ordinal M0; have /card_gt0P[A] : (0 < #|[set A : {set 'I_M} | A \subset ~: [set x] & #|A| == sigma]|)%N.
  by rewrite cards_draws bin_gt0 card_setC_ord cards1 subn1 -ltnS prednK.
rewrite inE => /andP[xA /eqP As]; have over : recycles sigma A (hits e).
  rewrite /recycles -{1}As proper_card // properE subsetUl /=; apply/subsetPn; exists x.
    by rewrite inE -[hits e]/(@levels.places M k false e) eP !inE j0 orbT.
  by apply/negP => /(subsetP xA); rewrite !inE eqxx.
by exists A, e; split=> //; [rewrite As | rewrite /next over -[hits e]/(@levels.places M k false e) eP].
Qed.

(* Dozier-FP (7) and (13), for a filter that does not retain, and sigma below M: with k independent positions, a message never
   leaves an empty filter empty if k <= sigma, and sometimes otherwise. With k distinct positions, it takes an empty filter
   to k bits if k <= sigma, and never otherwise. *)
Theorem from_empty M k sigma : (0 < k)%N -> (sigma < M)%N ->
  let stays : rat := recycling.mean (fun e : {ffun 'I_k -> 'I_M} => (#|next sigma false set0 (hits e)| == 0)%N%:R) in
  let fills : rat := recycling.mean (fun e : 'I_#|items M k| => (#|next sigma false set0 (numbered e)| == k)%N%:R) in
  [/\ (k <= sigma)%N -> stays = 0, (sigma < k)%N -> 0 < stays & (k <= M)%N -> fills = (k <= sigma)%N%:R].
Proof.
move=> k0 sM stays fills; have M0 : (0 < M)%N by exact: leq_ltn_trans sM.
have h0 : (0 < #|{ffun 'I_k -> 'I_M}|)%N by rewrite card_ffun !card_ord expn_gt0 M0.
split=> [ks | sk | kM].
- rewrite /stays /recycling.mean big1 ?mul0r // => e _; have few : (#|hits e| <= k)%N by rewrite -[X in (_ <= X)%N]card_ord leq_imset_card.
  have some : hits e != set0 by apply/set0Pn; exists (e (Ordinal k0)); apply/imsetP; exists (Ordinal k0).
  by rewrite /next /recycles set0U ltnNge (leq_trans few ks) /= cards_eq0 (negbTE some).
- have [e more] := @grow M k false k0 M0 (fun e => False_ind _ (Bool.diff_false_true e)) set0.
  rewrite /stays /recycling.mean divr_gt0 ?ltr0n // (bigD1 e) //=; apply: ltr_spaddl; last by apply: sumr_ge0 => d _; rewrite ler0n.
  by rewrite /next /recycles -[hits e]/(@levels.places M k false e) more cards0 add0n leq_min sM sk /= cards0 eqxx.
have i0 : (0 < #|'I_#|items M k| |)%N by rewrite card_ord card_items bin_gt0.
rewrite /fills /recycling.mean (eq_bigr (fun=> (k <= sigma)%N%:R)) => [|e _].
  by rewrite sumr_const -[_ *+ _]mulr_natr mulfK // pnatr_eq0 -lt0n.
have := enum_valP e; rewrite inE => /eqP ek; rewrite /next /recycles set0U /numbered ek.
by case: leqP => le /=; rewrite ?set0U ?ek ?eqxx // cards0 eq_sym gtn_eqF.
Qed.

(* Dozier-FP (14), for k distinct positions and a filter that retains, with 2 k <= sigma: from more than k bits, it goes back
   to k bits with the probability with which the filter that does not retain goes back to none. To j bits or more, from
   i <= j bits, it goes with the probability by (11). From at most k bits it never goes back. *)
Theorem retained_back M k sigma (A : {set 'I_M}) : (0 < k)%N -> (k * 2 <= sigma)%N -> (#|A| <= sigma)%N ->
  [/\ (k < #|A|)%N -> recycling.mean (fun e : 'I_#|items M k| => (#|next sigma true A (numbered e)| == k)%:R) =
        recycling.mean (fun e : 'I_#|items M k| => (#|next sigma false A (numbered e)| == 0)%N%:R) :> rat,
      forall j, (#|A| <= j <= sigma)%N ->
        recycling.mean (fun e : 'I_#|items M k| => (#|next sigma true A (numbered e)| == j)%:R) = classic_moves k A j :> rat &
      (#|A| <= k)%N -> forall e : 'I_#|items M k|, ~~ recycles sigma A (numbered e)].
Proof.
move=> k0 k2 As; have ek (e : 'I_#|items M k|) : #|numbered e| = k by have := enum_valP e; rewrite inE => /eqP.
have grows (e : 'I_#|items M k|) : (#|A| <= #|A :|: numbered e|)%N by rewrite subset_leq_card // subsetUl.
have never : (#|A| <= k)%N -> forall e : 'I_#|items M k|, ~~ recycles sigma A (numbered e).
  move=> small e; rewrite /recycles -leqNgt; apply: leq_trans (leq_card_setU _ _) _; rewrite ek.
  by apply: leq_trans k2; rewrite muln2 -addnn leq_add2r.
split=> // [big | j /andP[lo hi]].
  apply: recycling.eq_mean => e; rewrite /next; case: ifP => _; first by rewrite ek cards0 !eqxx.
  by rewrite !gtn_eqF // (leq_trans _ (grows e)) // (leq_trans _ big).
apply: recycling.eq_mean => e; rewrite /next; case: ifP => // over; rewrite ek.
have [jk | ne] := eqVneq k j.
  have small : (#|A| <= k)%N by rewrite jk.
  by have := never small e; rewrite over.
by rewrite gtn_eqF // (leq_ltn_trans hi).
Qed.

(* A filter of two phases freezes its active array before it adds the message that makes this array recycle. *)
Section Freezes.
Variables (M k sigma : nat) (distinct retain : bool).
Hypotheses (sM : (sigma < M)%N) (k0 : (0 < k)%N) (kM : distinct -> (k <= M)%N) (ks : retain -> (k <= sigma)%N).
Local Notation hash := (levels.hash M k distinct).
Local Notation places := (@levels.places M k distinct).
Local Notation likely := (@likely M k distinct).
Local Notation takes := (@takes M k sigma distinct retain).
Local Notation tau := (@levels.tau M k distinct).
Implicit Types (A B : {set 'I_M}) (e : hash) (pi : {set 'I_M} -> rat).

(* A message that makes the active array freeze; and freeze with i bits. *)
Definition freezes B e : rat := (recycles sigma B (places e))%:R.
Definition freezes_at (i : nat) B e : rat := (recycles sigma B (places e) && (#|B| == i))%:R.

(* Dozier-FP (24). *)
Definition frozen pi i : rat := (\sum_(B : {set 'I_M} | #|B| == i) pi B) * \sum_(sigma.+1 <= j < (i + k).+1) tau i j.

Let l0 e : 0 <= likely e. Proof. exact: likely_ge0. Qed.
Let l1 : \sum_e likely e = 1. Proof. exact: (likely_sum sM). Qed.
Let M0 : (0 < M)%N. Proof. exact: leq_ltn_trans sM. Qed.

Lemma mean_same (f : hash -> rat) : chains.mean likely f = recycling.mean f.
Proof. by rewrite /chains.mean /recycling.mean mulr_suml; apply: eq_bigr => e _; rewrite mulrC. Qed.

Lemma freezing_chance B : chains.mean likely (freezes B) = \sum_(sigma.+1 <= j < (#|B| + k).+1) tau #|B| j.
Proof.
under [RHS]eq_bigr do rewrite -(moves_by_number k distinct M0).
rewrite mean_same /recycling.mean -mulr_suml exchange_big; congr (_ / _); apply: eq_bigr => e _; rewrite /freezes /recycles /=.
set c := #|B :|: places e|; have ck : (c <= #|B| + k)%N.
  by apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l few_places.
have [lt | le] := ltnP sigma c.
  rewrite (big_rem c) ?mem_index_iota ?lt //= eqxx big1_seq ?addr0 // => j /andP[_].
  by rewrite mem_rem_uniq ?iota_uniq // inE eq_sym => /andP[/negbTE->].
rewrite big1_seq // => j /andP[_]; rewrite mem_index_iota => /andP[lo _].
by rewrite ltn_eqF // (leq_ltn_trans le).
Qed.

(* Dozier-FP (24) and (25), and where F is not 0, for the four filters: let pi be a distribution of the set bits of the
   active array that messages preserve. Messages in the long run make the active array freeze with i bits as often as (24)
   says, with pi_i = P(i set bits), and freeze it as often as the sum of (24) says, which is above 0. (24) is 0 except for i from
   sigma - k + 1 to sigma. So the share of the arrays that freeze with i bits tends to (25). *)
Theorem frozen_bits pi : preserved likely takes pi ->
  [/\ 0 < \sum_(sigma.+1 - k <= i < sigma.+1) frozen pi i,
      forall i, exists K : rat, forall n B, `|total likely takes (freezes_at i) n B - n%:R * frozen pi i| <= K,
      exists K : rat, forall n B, `|total likely takes freezes n B - n%:R * \sum_(sigma.+1 - k <= i < sigma.+1) frozen pi i| <= K &
      forall i, ~~ (sigma.+1 - k <= i <= sigma)%N -> frozen pi i = 0].
Proof.
move=> pp; have [pi0 p1 st] := pp; have [z reach] := @some_home M k sigma distinct retain sM k0 kM ks.
have above B : (sigma < #|B|)%N -> pi B = 0.
  move=> big; rewrite -st big1 // => A _; apply/eqP; rewrite mulf_eq0; apply/orP; right.
  rewrite /step /chains.mean big1 // => e _; case: eqP => [|_]; last by rewrite mulr0.
  move=> n; have : (#|takes A e| <= sigma)%N; last by rewrite n leqNgt big.
  apply: never_above; case ret: retain => //=; exact: leq_trans (few_places e) (ks ret).
have at_ i : \sum_B pi B * chains.mean likely (freezes_at i B) = frozen pi i.
  rewrite /frozen mulr_suml [RHS]big_mkcond; apply: eq_bigr => B _; rewrite /freezes_at; case: (#|B| =P i) => [<- | _].
    by rewrite -freezing_chance; congr (_ * _); apply: eq_mean => e; rewrite andbT.
  by rewrite /chains.mean big1 ?mulr0 // => e _; rewrite andbF mulr0.
have outside i : ~~ (sigma.+1 - k <= i <= sigma)%N -> frozen pi i = 0.
  rewrite negb_and -!ltnNge => /orP[low | high]; last by rewrite /frozen big1 ?mul0r // => B /eqP e; rewrite above // e.
  by rewrite /frozen [X in _ * X]big_geq ?mulr0 //; move: low; rewrite ltn_subRL addnC.
have all : \sum_(sigma.+1 - k <= i < sigma.+1) frozen pi i = \sum_A pi A * chains.mean likely (freezes A).
  under eq_bigr => i _ do rewrite -at_; rewrite exchange_big; apply: eq_bigr => A _ /=; rewrite -mulr_sumr.
  have [high | As] := ltnP sigma #|A|; first by rewrite above ?mul0r.
  congr (_ * _); have each i : chains.mean likely (freezes_at i A) = (#|A| == i)%:R * chains.mean likely (freezes A).
    by rewrite -mean_scale; apply: eq_mean => e; rewrite /freezes_at /freezes andbC; case: (_ == i); rewrite ?mul1r ?mul0r.
  rewrite (eq_bigr _ (fun i _ => each i)) -mulr_suml; have [lo | no] := leqP (sigma.+1 - k) #|A|.
    rewrite (big_rem #|A|) ?mem_index_iota ?lo //= eqxx big1_seq ?addr0 ?mul1r // => i /andP[_].
    by rewrite mem_rem_uniq ?iota_uniq // inE eq_sym => /andP[/negbTE->].
  have none : chains.mean likely (freezes A) = 0 by rewrite freezing_chance big_geq // addnC -ltn_subRL.
  by rewrite none mulr0.
have once B : exists n, lasts likely takes (fun B e => recycles sigma B (places e)) n B < 1.
  have [d] := ubnP (sigma - #|B|); elim: d B => // d IH B; rewrite ltnS => le.
  have lw e : 0 < likely e by rewrite invr_gt0 ltr0n (by_messages.hash0 M0 kM).
  have [e more] := grow k0 M0 kM B; case over: (recycles sigma B (places e)).
    by exists 1%N; apply: (lasts_step l0 l1 (lw e)); left.
  have [|n lt] := IH (takes B e); last by exists n.+1; apply: (lasts_step l0 l1 (lw e)); right.
  have small : (#|B :|: places e| <= sigma)%N by rewrite leqNgt; exact: negbT over.
  have lt : (#|B| < M)%N by apply: leq_ltn_trans sM; apply: leq_trans small; exact: subset_leq_card (subsetUl _ _).
  have up : (#|B| < #|B :|: places e|)%N by rewrite more leq_min lt -addn1 leq_add2l k0.
  rewrite /long_run.takes /next over; apply: leq_trans le; apply: ltn_sub2l => //; exact: leq_trans up small.
split=> // [|i|].
- by rewrite all; exact: (often_gt0 l0 l1 once pp).
- by have [K le] := chain_long_run l0 l1 reach (freezes_at i) pp; exists K => n B; rewrite -at_.
by have [K le] := chain_long_run l0 l1 reach freezes pp; exists K => n B; rewrite all.
Qed.
End Freezes.
