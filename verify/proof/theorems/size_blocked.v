(* A blocked filter of more blocks has a smaller rate, one with more items a larger one, whatever an item does in its block.

   An item hits the block of a query with probability 1/b. What is likelier to be hit is likelier to have the query's
   places, since a block that has more places never has fewer queries. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard blocked sequences.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section BlockedSizes.
Variables (P C : finType) (places : C -> {set P}).
Hypothesis C_positive : (0 < #|C|)%N.

Definition mean (g : C -> rat) : rat := (\sum_c g c) / #|C|%:R.

Lemma C0 : (0 : rat) < #|C|%:R. Proof. by rewrite ltr0n. Qed.

Lemma mean_le (g h : C -> rat) : (forall c, g c <= h c) -> mean g <= mean h.
Proof. by move=> gh; rewrite ler_pmul2r ?invr_gt0 ?C0 //; apply: ler_sum. Qed.

Lemma mean_const (x : rat) : mean (fun=> x) = x.
Proof. by rewrite /mean sumr_const -[x *+ _]mulr_natr mulfK // gt_eqF ?C0. Qed.

(* The chance that a block with the places A has those of q after n items more, each in the block with probability p. *)
Fixpoint chance (q : {set P}) (p : rat) (n : nat) (A : {set P}) : rat :=
  if n is n'.+1 then (1 - p) * chance q p n' A + p * mean (fun c => chance q p n' (A :|: places c)) else (q \subset A)%:R.

Section Order.
Variable q : {set P}.
Implicit Types (p : rat) (A B : {set P}).

Lemma chance_grows p n A B : 0 <= p <= 1 -> A \subset B -> chance q p n A <= chance q p n B.
Proof.
move=> /andP[p0 p1]; elim: n A B => [|n IH] A B AB /=.
  by rewrite ler_nat; case: (boolP (q \subset A)) => // qA; rewrite (subset_trans qA AB).
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0 ?IH //; apply: mean_le => c; rewrite IH ?setSU.
Qed.

Lemma mean_above p n A : 0 <= p <= 1 -> chance q p n A <= mean (fun c => chance q p n (A :|: places c)).
Proof. by move=> p01; rewrite -[X in X <= _]mean_const; apply: mean_le => c; rewrite chance_grows ?subsetUl. Qed.

Lemma chance_step (p x y : rat) : (1 - p) * x + p * y = x + p * (y - x).
Proof. by rewrite mulrBl mul1r mulrBr addrAC addrA. Qed.

Lemma chance_next p n A : 0 <= p <= 1 -> chance q p n A <= chance q p n.+1 A.
Proof. by move=> p01; rewrite /= chance_step ler_addl mulr_ge0 ?subr_ge0 ?mean_above //; case/andP: p01. Qed.

Lemma chance_likelier p p' n A : 0 <= p -> p <= p' -> p' <= 1 -> chance q p n A <= chance q p' n A.
Proof.
move=> p0 pp' p'1; have p01 : 0 <= p <= 1 by rewrite p0 (le_trans pp').
have p'0 : 0 <= p' by apply: le_trans pp'.
elim: n A => //= n IH A; apply: (@le_trans _ _ ((1 - p') * chance q p n A + p' * mean (fun c => chance q p n (A :|: places c)))).
  by rewrite !chance_step ler_add2l ler_wpmul2r // subr_ge0 mean_above.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0 ?IH //; apply: mean_le.
Qed.
End Order.

Section Sum.
Variables (b : nat) (q : {set P}) (x : 'I_b).
Definition own (e : 'I_b * C) : {set P} := if e.1 == x then places e.2 else set0.

Lemma chance_counts n A :
  \sum_(s in ffun_on (mem [set: 'I_b * C])) (q \subset A :|: @covered _ _ own n s)%:R =
  chance q b%:R^-1 n A * ((b * #|C|) ^ n)%:R.
Proof.
have b0 : (0 < b)%N by apply: leq_ltn_trans (ltn_ord x).
have b1 : (b%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have C1 := gt_eqF C0.
elim: n A => [|n IH] A.
  have s0 : {ffun 'I_0 -> 'I_b * C} by apply: finfun => -[].
  by rewrite (big_sequence0 _ _ _ s0) covered0 setU0 mulr1.
rewrite big_sequences (eq_bigr (fun e => chance q b%:R^-1 n (A :|: own e) * ((b * #|C|) ^ n)%:R)); last first.
  by move=> e _; rewrite -IH; apply: eq_bigr => s _; rewrite covered_prepend setUA.
rewrite -mulr_suml expnSr natrM mulrA [RHS]mulrAC; congr (_ * _).
rewrite (eq_bigl predT) => [|e]; last by rewrite inE.
rewrite -(pair_big predT predT (fun y c => chance q b%:R^-1 n (A :|: (if y == x then places c else set0)))) /=.
rewrite (bigD1 x) //= eqxx [X in _ + X](eq_bigr (fun=> chance q b%:R^-1 n A * #|C|%:R)); last first.
  by move=> y /negbTE yx; rewrite yx setU0 sumr_const mulr_natr.
have e : b.-1%:R = (1 - b%:R^-1) * b%:R :> rat by rewrite mulrBl mul1r mulVf // -subn1 natrB.
rewrite sumr_const cardC1 card_ord addrC [RHS]mulrDl; congr (_ + _).
  by rewrite -mulr_natr e natrM mulrACA [chance _ _ _ _ * _]mulrC [#|C|%:R * _]mulrC.
by rewrite natrM mulrACA mulVf // mul1r /mean divfK ?C1.
Qed.
End Sum.

Lemma blocked_chance b n : (0 < b)%N ->
  blocked_rate places b n = mean (fun c => chance (places c) b%:R^-1 n set0).
Proof.
move=> b0; have b1 : (b%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have bC : ((b * #|C|) ^ n)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 muln_gt0 b0 C_positive.
rewrite /blocked_rate /blocked_pairs.
have -> : \sum_(q : 'I_b * C) \sum_(s : {ffun 'I_n -> 'I_b * C}) (places q.2 \subset block places s q.1)%:R =
    b%:R * (\sum_c chance (places c) b%:R^-1 n set0) * ((b * #|C|) ^ n)%:R :> rat.
  rewrite -(pair_big predT predT (fun (x : 'I_b) c => \sum_(s : {ffun 'I_n -> 'I_b * C}) (places c \subset block places s x)%:R : rat)) /=.
  rewrite -mulrA mulr_natl -[X in _ = _ *+ X](card_ord b) -sumr_const; apply: eq_bigr => x _.
  rewrite mulr_suml; apply: eq_bigr => c _; rewrite -(chance_counts (places c) x) sum_all; apply: eq_bigr => s _.
  by rewrite set0U /block big_mkcond.
by rewrite expnSr natrM invfM mulrA mulfK // natrM invfM mulrACA mulfV // mul1r.
Qed.

(* Blocks of any kind: one more block lowers the rate, or leaves it unchanged. *)
Theorem blocked_rate_falls_in_blocks b n : (0 < b)%N -> blocked_rate places b.+1 n <= blocked_rate places b n.
Proof.
move=> b0; rewrite !blocked_chance //; apply: mean_le => c; apply: chance_likelier; rewrite ?invr_ge0 ?ler0n //.
  by rewrite lef_pinv ?posrE ?ltr0n // ler_nat.
by rewrite invf_le1 ?ltr0n // ler1n.
Qed.

(* Blocks of any kind: one more item raises the rate, or leaves it unchanged. *)
Theorem blocked_rate_rises b n : (0 < b)%N -> blocked_rate places b n <= blocked_rate places b n.+1.
Proof.
move=> b0; rewrite !blocked_chance //; apply: mean_le => c; apply: chance_next.
by rewrite invr_ge0 ler0n invf_le1 ?ltr0n // ler1n.
Qed.
End BlockedSizes.
