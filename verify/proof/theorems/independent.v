(* Whether a message is recorded and whether its places are all set (Dozier-FN, section 4): independent, given how many messages
   of the cycle are recorded. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic claims machine recycling levels ranks chains cycles renewal repeats.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Independent.
Variables (D M k sigma : nat) (distinct retain : bool) (pr : rat) (q d : 'I_D -> rat).
Hypotheses (M0 : (0 < M)%N) (kM : distinct -> (k <= M)%N).
Local Notation hash := (levels.hash M k distinct).
Local Notation places := (@levels.places M k distinct).
Local Notation step := (recycling.step places).
Implicit Types (A : {set 'I_D}) (B : {set 'I_M}) (i j n : nat) (a : bool * 'I_D).

(* A repeat of a message that is recorded. *)
Definition known A a : bool := a.1 && (a.2 \in A).

(* A cycle begins with the disabled ranks A with the probability first A, and with one message recorded if the filter retains
   the message that made it recycle, and none if not. *)
Variable first : {set 'I_D} -> rat.

(* The probability that i messages set the bits B, and at most sigma bits after each of them. *)
Fixpoint fills i B : rat := if i is i'.+1 then (#|B| <= sigma)%N%:R * \sum_C fills i' C * step C B else (B == set0)%:R.

(* The probability that a cycle lasts beyond j arrivals, which recorded i messages, and that the ranks A are disabled and the
   bits B are set then. A repeat of a recorded message changes nothing. Another message is recorded and sets its bits, and
   the cycle ends if more than sigma bits are set. *)
Fixpoint joint j i A' B' : rat := if j is j'.+1 then
    \sum_A \sum_B \sum_a chance pr q d a * (disables A a == A')%:R *
      (if known A a then joint j' i A B * (B == B')%:R
       else if i is i'.+1 then joint j' i' A B * ((#|B'| <= sigma)%N%:R * step B B') else 0)
  else (i == retain)%:R * (first A' * fills retain B').

(* The same of the messages and ranks alone. *)
Fixpoint apart j i A' : rat := if j is j'.+1 then
    \sum_A \sum_a chance pr q d a * (disables A a == A')%:R * (if known A a then apart j' i A else if i is i'.+1 then apart j' i' A else 0)
  else (i == retain)%:R * first A'.

Lemma jointE j i A B : joint j i A B = apart j i A * fills i B.
Proof.
elim: j i A B => [|j IH] i A' B' /=.
  by case: eqP => [-> | _]; rewrite ?mul1r ?mul0r.
rewrite mulr_suml; apply: eq_bigr => A _; rewrite exchange_big mulr_suml; apply: eq_bigr => a _ /=.
rewrite -mulr_sumr -[RHS]mulrA; congr (_ * _); case: (known A a).
  rewrite (bigD1 B') //= eqxx mulr1 IH big1 ?addr0 // => B /negbTE ->; exact: mulr0.
case: i => [|i]; first by rewrite big1 ?mul0r.
by under eq_bigr => B _ do rewrite IH mulrCA -mulrA; rewrite -!mulr_sumr mulrCA.
Qed.

(* That j arrivals came and recorded i messages, over the first n arrivals of a cycle; and with it, that a repeat is of a
   message that is not recorded, and that the places of a message that is not recorded are all set. *)
Definition came n i (g : {set 'I_D} -> {set 'I_M} -> rat) : rat := \sum_(j < n) \sum_A \sum_B joint j i A B * g A B.
Definition unrecorded A : rat := \sum_(r | r \notin A) q r.
Definition lucky B : rat := inside places B.

(* The probability gamma_k(i) that a message that is not recorded sets no bit, if i messages are recorded. *)
Definition luck i : rat := (\sum_B fills i B * lucky B) / \sum_B fills i B.

(* Dozier-FN, section 4, before 4.1, and its footnote 2, for the four filters, whatever the ranks are with which a cycle
   begins, and over the first n arrivals of a cycle, for all n: given the number i of recorded messages, whether a repeat
   is of a message that is not recorded is independent of whether it is lucky. False positives occur with the probability
   (1 - p_r) gamma_k(i), and false negatives with p_r fhat (1 - gamma_k(i)), where fhat is the probability that a repeat is
   of a message that is not recorded. *)
Theorem luck_independent n i : let P := came n i in
  [/\ P (fun A B => unrecorded A * lucky B) * P (fun _ _ => 1) = P (fun A _ => unrecorded A) * P (fun _ B => lucky B),
      P (fun _ B => (1 - pr) * lucky B) = (1 - pr) * luck i * P (fun _ _ => 1) &
      P (fun A B => pr * unrecorded A * (1 - lucky B)) * P (fun _ _ => 1) =
        pr * P (fun A _ => unrecorded A) * (1 - luck i) * P (fun _ _ => 1)].
Proof.
move=> P; have split_ (f : {set 'I_D} -> rat) (g : {set 'I_M} -> rat) :
    P (fun A B => f A * g B) = (\sum_(j < n) \sum_A apart j i A * f A) * (\sum_B fills i B * g B).
  rewrite mulr_suml; apply: eq_bigr => j _; rewrite mulr_suml; apply: eq_bigr => A _; rewrite mulr_sumr; apply: eq_bigr => B _.
  by rewrite jointE mulrACA.
have eqP_ f g : (forall A B, f A B = g A B) -> P f = P g.
  by move=> fg; apply: eq_bigr => j _; apply: eq_bigr => A _; apply: eq_bigr => B _; rewrite fg.
pose F f := \sum_(j < n) \sum_A apart j i A * f A; pose G g := \sum_B fills i B * g B.
have e11 : P (fun _ _ => 1) = F (fun=> 1) * G (fun=> 1) by rewrite -split_; apply: eqP_ => A B; rewrite mulr1.
have eu1 : P (fun A _ => unrecorded A) = F unrecorded * G (fun=> 1) by rewrite -split_; apply: eqP_ => A B; rewrite mulr1.
have e1l : P (fun _ B => lucky B) = F (fun=> 1) * G lucky by rewrite -split_; apply: eqP_ => A B; rewrite mul1r.
have fills0 l C : 0 <= fills l C.
  elim: l C => [|l IH] C; first by rewrite ler0n.
  by rewrite mulr_ge0 ?ler0n // sumr_ge0 // => B _; rewrite mulr_ge0 // recycling.mean_ge0 // => e; rewrite ler0n.
have gone : G (fun=> 1) = 0 -> G lucky = 0.
  move=> /eqP; rewrite psumr_eq0 => [/allP all0 | B _]; last by rewrite mulr1.
  by rewrite /G big1 // => B _; have := all0 B (mem_index_enum B); rewrite /= mulr1 => /eqP ->; rewrite mul0r.
have luckE : luck i * G (fun=> 1) = G lucky.
  rewrite /luck (_ : \sum_B fills i B = G (fun=> 1)); last by apply: eq_bigr => B _; rewrite mulr1.
  have [z | nz] := eqVneq (G (fun=> 1)) 0; first by rewrite z mulr0 gone.
  by rewrite divfK.
split.
- by rewrite split_ e11 eu1 e1l -/(F _) -/(G _) mulrACA [G lucky * _]mulrC -mulrACA.
- by rewrite split_ e11 -/(F _) -/(G _) -luckE (_ : F (fun=> 1 - pr) = (1 - pr) * F (fun=> 1)) => [|];
    [rewrite mulrACA | rewrite /F mulr_sumr; apply: eq_bigr => j _; rewrite mulr_sumr; apply: eq_bigr => A _; rewrite mulr1 mulrC].
have -> : P (fun A B => pr * unrecorded A * (1 - lucky B)) = pr * F unrecorded * (G (fun=> 1) - G lucky).
  rewrite split_ (_ : \sum_(j < n) _ = pr * F unrecorded); last first.
    by rewrite /F mulr_sumr; apply: eq_bigr => j _; rewrite mulr_sumr; apply: eq_bigr => A _; rewrite mulrCA.
  by congr (_ * _); rewrite /G -sumrB; apply: eq_bigr => B _; rewrite -mulrBr.
rewrite eu1 -luckE -[G _ - _]/(G (fun=> 1) - luck i * G (fun=> 1)) -[X in X - _]mul1r -mulrBl.
by rewrite !mulrA; congr (_ * _); rewrite -!mulrA; congr (_ * (_ * _)); rewrite mulrC.
Qed.

(* The filter of repeats.v. *)
Local Notation weight := (@repeats.weight D M k distinct pr q d).
Local Notation after := (@repeats.after D M k sigma distinct retain).
Local Notation overflows := (@repeats.overflows D M k sigma distinct).
Local Notation filled := (@repeats.filled D M k distinct).

Let h0 : (#|hash|%:R : rat) != 0.
Proof.
rewrite pnatr_eq0 -lt0n; move: kM; rewrite /levels.hash; case: distinct => km; first by rewrite card_ord card_items bin_gt0 km.
by rewrite card_ffun !card_ord expn_gt0 M0.
Qed.

Lemma mean_events (f : bool * 'I_D -> hash -> rat) :
  chains.mean weight (fun v => f v.1 v.2.1) = \sum_a chance pr q d a * recycling.mean (f a).
Proof.
rewrite /chains.mean /repeats.weight -(pair_bigA _ (fun a (h : hash * hash) => chance pr q d a / (#|hash|%:R * #|hash|%:R) * f a h.1)) /=.
apply: eq_bigr => a _; rewrite -(pair_bigA _ (fun e (_ : hash) => chance pr q d a / (#|hash|%:R * #|hash|%:R) * f a e)) /=.
under eq_bigr => e _ do rewrite sumr_const -[_ *+ _]mulr_natr.
rewrite -mulr_suml -mulr_sumr /recycling.mean; set S := \sum_e f a e; set c := chance _ _ _ _.
by rewrite -!mulrA; congr (_ * _); rewrite invfM -!mulrA [S * _]mulrC mulKf // mulrC.
Qed.

Lemma within_filter A B A' B' : (#|B| <= sigma)%N ->
  within weight after overflows (A, B) (A', B') =
  \sum_a chance pr q d a * ((disables A a == A')%:R * (if known A a then (B == B')%:R else (#|B'| <= sigma)%N%:R * step B B')).
Proof.
move=> Bs; pose f a e : rat := (disables A a == A')%:R * (if known A a then (B == B')%:R else (#|B'| <= sigma)%N%:R * (B :|: places e == B')%:R).
rewrite /within (eq_mean weight (g := fun v => f v.1 v.2.1)) => [|v].
  rewrite mean_events; apply: eq_bigr => a _; congr (_ * _); rewrite /f recycling.mean_scale; congr (_ * _).
  by case: (known A a); [rewrite /recycling.mean sumr_const -[_ *+ _]mulr_natr mulfK | rewrite recycling.mean_scale].
rewrite /f /repeats.after /repeats.overflows /goes_on /repeats.filled /known /=; case: (v.1.1 && (v.1.2 \in A)) => /=.
  by rewrite ltnNge Bs /= xpair_eqE; case: (_ == A'); rewrite ?mul0r ?mul1r.
case: leqP => /= [small | big]; last first.
  by case: (_ =P B') => [e | _]; rewrite ?mulr0 // -e leqNgt big mul0r mulr0.
rewrite xpair_eqE; case: (_ == A'); rewrite ?mul0r ?mul1r //=; by case: eqP => [<- | _]; rewrite ?mulr0 // small mulr1.
Qed.

(* No more than j messages are recorded after j arrivals, besides one at the beginning. *)
Lemma joint0 j i A B : (j + retain < i)%N -> joint j i A B = 0.
Proof.
elim: j i A B => [|j IH] i A' B' lt /=; first by rewrite gtn_eqF ?mul0r.
rewrite big1 // => A _; rewrite big1 // => B _; rewrite big1 // => a _; case: (known A a).
  by rewrite IH ?mul0r ?mulr0 //; exact: ltnW.
by case: i lt => [|i] lt; [rewrite mulr0 | rewrite IH ?mul0r ?mulr0].
Qed.

Lemma fills_small i B : (sigma < #|B|)%N -> fills i B = 0.
Proof.
move=> big; case: i => [|i] /=; last by rewrite leqNgt big mul0r.
by case: eqP => // e; move: big; rewrite e cards0 ltn0.
Qed.

(* The probabilities joint are those of the filter of repeats.v, if a cycle begins with the disabled ranks and the bits of
   the retained message, whose places are drawn anew, or with none. *)
Theorem joint_of_filter (nu : state D M -> rat) : (forall A B, nu (A, B) = first A * fills retain B) ->
  forall j A B, finds weight after overflows nu j (A, B) = \sum_(i < (j + retain).+1) joint j i A B.
Proof.
move=> start; elim=> [|j IH] A' B'.
  rewrite /= start (bigD1 ord_max) //= eqxx mul1r big1 ?addr0 // => i.
  by rewrite -val_eqE /= => /negbTE ->; rewrite mul0r.
rewrite [LHS]/= (eq_bigr (fun x : state D M => finds weight after overflows nu j (x.1, x.2) * within weight after overflows (x.1, x.2) (A', B'))) => [|[A B] _] //.
rewrite -(pair_bigA _ (fun A B => finds weight after overflows nu j (A, B) * within weight after overflows (A, B) (A', B'))) /=.
rewrite [RHS]exchange_big; apply: eq_bigr => A _ /=; rewrite [RHS]exchange_big; apply: eq_bigr => B _ /=; rewrite [RHS]exchange_big IH /=.
have [big | small] := ltnP sigma #|B|.
  rewrite big1 ?mul0r => [|i _]; last by rewrite jointE fills_small ?mulr0.
  rewrite big1 // => a _; rewrite big1 // => i _; case: (known A a); first by rewrite jointE fills_small // mulr0 mul0r mulr0.
  by case: (val i) => [|l]; rewrite ?mulr0 // jointE fills_small // mulr0 mul0r mulr0.
rewrite within_filter // mulr_sumr; apply: eq_bigr => a _ /=; rewrite -mulr_sumr mulrCA -mulrA; congr (_ * _); rewrite mulrCA; congr (_ * _).
case: (known A a).
  by rewrite [RHS]big_ord_recr /= joint0 // mul0r addr0 mulr_suml.
by rewrite [RHS]big_ord_recl /= add0r mulr_suml; apply: eq_bigr => i _; rewrite mulrA.
Qed.
End Independent.
