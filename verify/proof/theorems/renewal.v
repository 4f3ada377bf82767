(* Dozier-FN's models of two phases and of renewal: algebra, and the messages that are disabled. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers ranks chains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Dozier-FN (15): the sum (14) over the states i of the active filter and j of the frozen filter, with (13) for the
   rate in the states i and j, is the product of a sum over i and a sum over j. *)
Theorem two_phases_apart (I J : finType) (pr : rat) (Pi fhat gamma : I -> rat) (F fhat' gamma' : J -> rat) :
  let rate i j := pr * fhat i * fhat' j * (1 - gamma i) * (1 - gamma' j) in
  \sum_i \sum_j Pi i * F j * rate i j =
  pr * (\sum_i Pi i * fhat i * (1 - gamma i)) * (\sum_j F j * fhat' j * (1 - gamma' j)).
Proof.
move=> rate; rewrite -mulrA big_distrlr /= mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _.
rewrite /rate; set a := 1 - _; set b := 1 - _.
by identity.
Qed.

(* Dozier-FN (22): (21), whose terms have the factor P(eta_j = 1), is this factor times a sum. *)
Theorem negatives_of_arrival (sigma k : nat) (eta : rat) (bits tau : nat -> rat) :
  \sum_(l < (sigma + k).+1) bits l * eta * (1 - tau l) = eta * \sum_(l < (sigma + k).+1) bits l * (1 - tau l).
Proof. by rewrite mulr_sumr; apply: eq_bigr => l _; rewrite mulrCA mulrA. Qed.

(* Messages at the ranks 0, ..., D - 1. A repeat is of the rank r with the probability q r, and a new message enters at the
   rank r with the probability d r. *)
Section Disabled.
Variables (D : nat) (pr : rat) (q d : 'I_D -> rat).
Hypotheses (pr01 : 0 <= pr <= 1) (q0 : forall i, 0 <= q i) (q1 : \sum_i q i = 1) (d0 : forall i, 0 <= d i) (d1 : \sum_i d i = 1).
Implicit Types (A B : {set 'I_D}) (i r : 'I_D) (a : {set 'I_D} -> rat).

(* An arrival is (true, r) for a repeat, and (false, r) for a new message. It changes the set of the ranks that are
   disabled, which are the ranks of the messages that came in this cycle. *)
Definition chance (e : bool * 'I_D) : rat := if e.1 then pr * q e.2 else (1 - pr) * d e.2.
Definition disables B (e : bool * 'I_D) : {set 'I_D} := if e.1 then e.2 |: B else recorded B e.2.

(* The probability that the disabled ranks are B after j arrivals, and that the rank i is disabled. *)
Fixpoint law j B : rat := if j is j'.+1 then \sum_A law j' A * step chance disables A B else (B == set0)%:R.
Definition disabled (a : {set 'I_D} -> rat) i : rat := \sum_(B : {set 'I_D} | i \in B) a B.

Lemma chance_ge0 e : 0 <= chance e.
Proof. by have /andP[p0 p1] := pr01; rewrite /chance; case: ifP => _; rewrite mulr_ge0 ?subr_ge0. Qed.

Lemma chances (f : bool * 'I_D -> rat) : mean chance f = pr * (\sum_r q r * f (true, r)) + (1 - pr) * (\sum_r d r * f (false, r)).
Proof.
rewrite /mean (eq_bigr (fun e => (fun b r => chance (b, r) * f (b, r)) e.1 e.2)) => [|[b r] _] //.
rewrite -(pair_bigA _ (fun b r => chance (b, r) * f (b, r))) /= big_bool !mulr_sumr.
by congr (_ + _); apply: eq_bigr => r _; rewrite /chance /= mulrA.
Qed.

Lemma chance_sum : \sum_e chance e = 1.
Proof.
have := chances (fun=> 1); rewrite /mean; under eq_bigr => e _ do rewrite mulr1; move=> ->.
under eq_bigr => r _ do rewrite mulr1; under [X in _ + _ * X]eq_bigr => r _ do rewrite mulr1.
by rewrite q1 d1 !mulr1 addrC subrK.
Qed.

Lemma law_sum j : \sum_B law j B = 1.
Proof.
elim: j => [|j IH] /=; first by rewrite (bigD1 set0) //= eqxx big1 ?addr0 // => B /negbTE ->.
rewrite exchange_big -[RHS]IH; apply: eq_bigr => A _; rewrite -mulr_sumr (steps1 _ chance_sum) ?mulr1 //.
Qed.

Lemma entered A i r : (i \in recorded A r) = (i == r) || (if (r < i)%N then [exists l in A, l.+1 == i :> nat] else i \in A).
Proof.
rewrite !inE; have [-> // | ir] := eqVneq i r; rewrite /=; case: ltnP => ri.
  apply/existsP/existsP => -[l /andP[lA]].
    rewrite /lowered; case: leqP => rl /eqP e; first by exists l; rewrite lA /= e.
    by move: ri; rewrite -e ltnNge (ltnW rl).
  move=> /eqP e; exists l; have rl : (r <= l)%N by rewrite -ltnS e.
  by rewrite lA /lowered rl; apply/eqP.
have lt : (i < r)%N by rewrite ltn_neqAle ri andbT; apply: contra ir => /eqP/val_inj ->.
apply/existsP/idP => [[l /andP[lA /eqP]] | iA].
  rewrite /lowered; case: leqP => rl e; last by rewrite -(val_inj e).
  by move: lt; rewrite -e ltnNge (leq_trans rl).
by exists i; rewrite iA /lowered leqNgt lt eqxx.
Qed.

Lemma new_disables A i : \sum_r d r * (i \in recorded A r)%:R =
  d i + [exists l in A, l.+1 == i :> nat]%:R * (\sum_(r < D | (r < i)%N) d r) + (i \in A)%:R * (\sum_(r < D | (i < r)%N) d r).
Proof.
rewrite (bigD1 i) //= entered eqxx mulr1 -addrA; congr (_ + _).
rewrite (bigID (fun r : 'I_D => (r < i)%N)) /= !mulr_sumr; congr (_ + _); apply: eq_big => r.
- by rewrite andbC; case: ltnP => //= lt; apply: contraTneq lt => ->; rewrite ltnn.
- by move=> /andP[ri lt]; rewrite entered lt eq_sym (negbTE ri) mulrC.
- by rewrite -leqNgt ltn_neqAle eq_sym.
by move=> /andP[ri lt]; rewrite entered (negbTE lt) eq_sym (negbTE ri) mulrC.
Qed.

Lemma repeat_disables A i : \sum_r q r * (i \in r |: A)%:R = (i \in A)%:R + (1 - (i \in A)%:R) * q i.
Proof.
case iA: (i \in A); rewrite ?subrr ?mul0r ?addr0 ?subr0 ?mul1r ?add0r.
  by rewrite -[RHS]q1; apply: eq_bigr => r _; rewrite inE iA orbT mulr1.
rewrite (bigD1 i) //= setU11 mulr1 big1 ?addr0 // => r ri.
by rewrite !inE iA orbF eq_sym (negbTE ri) mulr0.
Qed.

Lemma rankE (a : {set 'I_D} -> rat) i : disabled a i = \sum_B a B * (i \in B)%:R.
Proof. by rewrite /disabled big_mkcond; apply: eq_bigr => B _; case: (i \in B); rewrite ?mulr1 ?mulr0. Qed.

Lemma aboveE (a : {set 'I_D} -> rat) i : \sum_B a B * [exists l in B, l.+1 == i :> nat]%:R = \sum_(l < D | l.+1 == i) disabled a l.
Proof.
have -> : \sum_(l < D | l.+1 == i) disabled a l = \sum_B a B * \sum_(l < D | l.+1 == i) (l \in B)%:R.
  rewrite (eq_bigr _ (fun l _ => rankE a l)) exchange_big; apply: eq_bigr => B _; by rewrite mulr_sumr.
apply: eq_bigr => B _; congr (_ * _); case: existsP => [[l /andP[lB li]] | none].
  rewrite (bigD1 l) //= lB big1 ?addr0 // => u /andP[/eqP ui]; rewrite -val_eqE /= -eqSS ui eq_sym (eqP li) eqxx //.
rewrite big1 // => l li; case lB: (l \in B) => //.
by case: none; exists l; rewrite lB.
Qed.

Definition with_new (a : {set 'I_D} -> rat) i : rat :=
  d i + (\sum_(l < D | l.+1 == i) disabled a l) * (\sum_(r < D | (r < i)%N) d r) + disabled a i * (\sum_(r < D | (i < r)%N) d r).

Lemma new_mean (a : {set 'I_D} -> rat) i : \sum_B a B = 1 -> \sum_A a A * (\sum_r d r * (i \in recorded A r)%:R) = with_new a i.
Proof.
move=> a1; under eq_bigr => A _ do rewrite new_disables !mulrDr !mulrA.
by rewrite !big_split /= -!mulr_suml a1 mul1r aboveE -rankE.
Qed.

(* Dozier-FN (24): let h i be the probability that the rank i is disabled after j arrivals. Then h i after one more arrival
   follows from h i and from h l for the rank l above i, if there is one. *)
Theorem disabled_after j i : let h := disabled (law j) in
  disabled (law j.+1) i = pr * (h i + (1 - h i) * q i) +
    (1 - pr) * (d i + (\sum_(l < D | l.+1 == i) h l) * (\sum_(r < D | (r < i)%N) d r) + h i * (\sum_(r < D | (i < r)%N) d r)).
Proof.
move=> h; rewrite -/(with_new (law j) i) -(new_mean _ (law_sum j)) rankE /=.
under eq_bigr => B _ do rewrite mulr_suml; rewrite exchange_big /=.
rewrite (eq_bigr (fun A => law j A * (pr * (\sum_r q r * (i \in r |: A)%:R) + (1 - pr) * (\sum_r d r * (i \in recorded A r)%:R)))) => [|A _]; last first.
  under eq_bigr => B _ do rewrite -mulrA; rewrite -mulr_sumr; congr (_ * _).
  by rewrite -(mean_next _ (disables) (fun B => (i \in B)%:R)) chances.
under eq_bigr => A _ do rewrite mulrDr [_ * (pr * _)]mulrCA [_ * ((1 - pr) * _)]mulrCA.
rewrite big_split /= -!mulr_sumr; congr (pr * _ + _).
under eq_bigr => A _ do rewrite repeat_disables mulrDr mulrA mulrBr mulr1.
by rewrite big_split /= -mulr_suml sumrB law_sum -!rankE.
Qed.

(* Dozier-FN (43): let the disabled ranks have the distribution a. An arrival that is new or of a rank that is not
   disabled is new with the probability (1 - p_r)/((1 - p_r) + p_r fhat), where fhat is the probability that a repeat is
   of a rank that is not disabled. After a new arrival, the rank i is disabled with the probability with_new. *)
Theorem disabled_by_new (a : {set 'I_D} -> rat) i : pr < 1 -> (forall B, 0 <= a B) -> \sum_B a B = 1 ->
  let probability f := \sum_B a B * mean chance (fun e => (f B e)%:R) in
  let new := probability (fun B e => ~~ e.1) in
  let fhat := \sum_B a B * \sum_(r | r \notin B) q r in
  [/\ new / probability (fun B e => ~~ e.1 || (e.2 \notin B)) = (1 - pr) / ((1 - pr) + pr * fhat),
      probability (fun B e => ~~ e.1 && (i \in disables B e)) / new =
        d i + (\sum_(l < D | l.+1 == i) disabled a l) * (\sum_(r < D | (r < i)%N) d r) + disabled a i * (\sum_(r < D | (i < r)%N) d r) &
      0 < new].
Proof.
move=> p1 a0 a1 probability new fhat; have n0 : 0 < 1 - pr by rewrite subr_gt0.
have P f : probability f = \sum_B a B * (pr * (\sum_r q r * (f B (true, r))%:R) + (1 - pr) * (\sum_r d r * (f B (false, r))%:R)).
  by apply: eq_bigr => B _; rewrite chances.
have newE : new = 1 - pr.
  rewrite /new P /= (eq_bigr (fun B => a B * (1 - pr))) => [|B _]; first by rewrite -mulr_suml a1 mul1r.
  rewrite big1 ?mulr0 ?add0r => [|r _]; last by rewrite mulr0.
  by under eq_bigr => r _ do rewrite mulr1; rewrite d1 mulr1.
split; rewrite newE //.
  rewrite P /= (eq_bigr (fun B => a B * (1 - pr) + pr * (a B * \sum_(r | r \notin B) q r))) => [|B _].
    by rewrite big_split /= -mulr_suml a1 mul1r -mulr_sumr.
  under [X in (1 - pr) * X]eq_bigr => r _ do rewrite mulr1; rewrite d1 mulr1 mulrDr addrC mulrCA; congr (_ + pr * (_ * _)).
  by rewrite [RHS]big_mkcond; apply: eq_bigr => r _; case: (r \in B); rewrite /= ?mulr1 ?mulr0.
rewrite P /= -/(with_new a i) -(new_mean _ a1) mulr_suml; apply: eq_bigr => B _.
rewrite big1 ?mulr0 ?add0r => [|r _]; last by rewrite mulr0.
by rewrite mulrCA [X in X / _]mulrC mulfK // gt_eqF.
Qed.
End Disabled.
