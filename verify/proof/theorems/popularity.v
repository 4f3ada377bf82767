(* Sampling messages by their popularity until so many distinct ones have been seen (Dozier-FN, section 4 and appendix C).

   The next message that is new has the popularity q x, divided by the popularity of all that have not been seen. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard means.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sampling.
Variables (T : finType) (q : T -> rat).
Implicit Types (S B : {set T}) (f g : {set T} -> rat) (i j x : T) (K : nat).
Hypothesis q_ge0 : forall x, 0 <= q x.

(* The popularity of all messages that are not in S. *)
Definition rest S : rat := \sum_(x | x \notin S) q x.

(* The mean of f over the sets that are seen if S was seen and K more distinct messages are sampled. *)
Fixpoint sample K S f : rat := if K is K'.+1 then \sum_(x | x \notin S) q x / rest S * sample K' (x |: S) f else f S.

(* The probability P_Q^K(j) that j is one of the first K distinct messages; and that it is not. *)
Definition included K j : rat := sample K set0 (fun B => (j \in B)%:R).
Definition missed K S j : rat := sample K S (fun B => (j \notin B)%:R).

(* The messages that can come. *)
Definition support : {set T} := [set x | 0 < q x].

Lemma rest_ge0 S : 0 <= rest S. Proof. by apply: sumr_ge0. Qed.

Lemma rest_above S x : x \notin S -> q x <= rest S.
Proof. by move=> xS; rewrite /rest (bigD1 x) //= ler_addl sumr_ge0. Qed.

Lemma rest_more S x : x \notin S -> rest S = q x + rest (x |: S).
Proof.
by move=> xS; rewrite /rest (bigD1 x) //=; congr (_ + _); apply: eq_bigl => y; rewrite !inE negb_or andbC.
Qed.

Lemma share_ge0 S x : 0 <= q x / rest S. Proof. by rewrite divr_ge0 ?rest_ge0. Qed.

Lemma sample_add K S f g : sample K S (fun B => f B + g B) = sample K S f + sample K S g.
Proof.
elim: K S => //= K IH S; rewrite -big_split; apply: eq_bigr => x _.
by rewrite IH mulrDr.
Qed.

Lemma sample_sum K S (h : T -> {set T} -> rat) : \sum_j sample K S (h j) = sample K S (fun B => \sum_j h j B).
Proof.
elim: K S => //= K IH S; rewrite exchange_big; apply: eq_bigr => x _.
by rewrite -mulr_sumr IH.
Qed.

Lemma eq_sample K S f g : (forall B, f B = g B) -> sample K S f = sample K S g.
Proof. by move=> fg; elim: K S => //= K IH S; apply: eq_bigr => x _; rewrite IH. Qed.

Lemma more x S : x \notin S -> #|x |: S| = #|S|.+1. Proof. by move=> xS; rewrite cardsU1 xS. Qed.

Lemma support_more K S x : x \notin S -> (K.+1 + #|S| <= #|support :|: S|)%N -> (K + #|x |: S| <= #|support :|: (x |: S)|)%N.
Proof. by move=> xS le; rewrite more // addnS; apply: leq_trans le _; rewrite subset_leq_card // setUCA subsetUr. Qed.

Lemma support_left K S : (K.+1 + #|S| <= #|support :|: S|)%N -> exists2 x, x \notin S & 0 < q x.
Proof.
move=> le; have [x /andP[xS qx]] : exists x, (x \notin S) && (0 < q x); last by exists x.
apply/existsP; apply: contraTT le => /existsPn none; rewrite -ltnNge addSn ltnS.
by rewrite (setUidPr _) ?leq_addl //; apply/subsetP => x; rewrite inE => qx; have := none x; rewrite qx andbT negbK.
Qed.

(* The mean of what is the same for all sets that can be seen. *)
Lemma sample_const K S f (v : rat) : (K + #|S| <= #|support :|: S|)%N -> (forall B, S \subset B -> #|B| = (K + #|S|)%N -> f B = v) ->
  sample K S f = v.
Proof.
elim: K S => [|K IH] S /= le fv; first by rewrite fv.
have [x xS qx] := support_left le; have r0 : rest S != 0 by rewrite gt_eqF // (lt_le_trans qx) // rest_above.
rewrite (eq_bigr (fun y => q y / rest S * v)) => [|y yS]; first by rewrite -!mulr_suml divff // mul1r.
rewrite (IH (y |: S)) ?support_more // => B; rewrite more // subUset => /andP[_ SB] e.
by rewrite fv // e addnS.
Qed.

Lemma not_missed K S j : j \in S -> missed K S j = 0.
Proof.
rewrite /missed; elim: K S => [|K IH] S jS /=; first by rewrite jS.
by rewrite big1 // => x _; rewrite IH ?mulr0 // inE jS orbT.
Qed.

Lemma missed_ge0 K S j : 0 <= missed K S j.
Proof.
rewrite /missed; elim: K S => [|K IH] S /=; first by rewrite ler0n.
by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?share_ge0.
Qed.

Lemma missedS K S j : j \notin S -> missed K.+1 S j = \sum_(x | (x \notin S) && (x != j)) q x / rest S * missed K (x |: S) j.
Proof.
move=> jS; rewrite /missed /= (bigD1 j) //=.
by rewrite -/(missed K (j |: S) j) not_missed ?mulr0 ?add0r // !inE eqxx.
Qed.

Lemma included_or_missed K j : (K <= #|support|)%N -> included K j = 1 - missed K set0 j.
Proof.
move=> KT; apply/eqP; rewrite eq_sym subr_eq /included /missed -sample_add; apply/eqP/esym/sample_const; first by rewrite cards0 addn0 setU0.
by move=> B _ _; case: (j \in B); rewrite /= ?addr0 ?add0r.
Qed.

Lemma samples_total K : (K <= #|support|)%N -> \sum_j included K j = K%:R.
Proof.
move=> KT; rewrite /included sample_sum; apply: sample_const; rewrite cards0 addn0 ?setU0 // => B _ <-.
by rewrite -sum1_card natr_sum [RHS]big_mkcond /=; apply: eq_bigr => j _; case: (j \in B).
Qed.

Lemma missed_swap K S i j : i != j -> i \notin S -> j \notin S -> q j <= q i -> missed K (j |: S) i <= missed K (i |: S) j.
Proof.
move=> ij; elim: K S => [|K IH] S iS jS ji.
  by rewrite /missed /= !inE (negbTE ij) (negbTE iS) eq_sym (negbTE ij) (negbTE jS).
have ijS : i \notin j |: S by rewrite !inE negb_or ij.
have jiS : j \notin i |: S by rewrite !inE negb_or eq_sym ij.
rewrite !missedS // (eq_bigl (fun x => (x \notin i |: S) && (x != j))) => [|x]; last first.
  by rewrite !inE !negb_or; case: (x == i); case: (x == j); case: (x \in S).
apply: ler_sum => x; rewrite !inE !negb_or => /andP[/andP[xi xS] xj].
apply: ler_pmul; rewrite ?share_ge0 ?missed_ge0 //; last first.
  by rewrite setUCA [X in _ <= missed K X j]setUCA; apply: IH; rewrite // !inE negb_or eq_sym ?xi ?xj.
have := q_ge0 x; rewrite le_eqVlt => /orP[/eqP <- | qx]; first by rewrite !mul0r.
have ijx : x \notin j |: S by rewrite !inE negb_or xj.
have jix : x \notin i |: S by rewrite !inE negb_or xi.
rewrite ler_wpmul2l // lef_pinv ?posrE ?(lt_le_trans qx (rest_above _)) //.
have := rest_more iS; rewrite (rest_more jS) => e.
by rewrite -(ler_add2l (q j)) e ler_add2r.
Qed.

(* A message that is more popular is missed with at most the probability of a message that is less popular. *)
Lemma popular_missed K S i j : i \notin S -> j \notin S -> q j <= q i -> missed K S i <= missed K S j.
Proof.
move=> + + ji; have [-> // | ij] := eqVneq i j.
elim: K S => [|K IH] S iS jS; first by rewrite /missed /= iS jS.
rewrite !missedS // (bigD1 j) /=; last by rewrite jS eq_sym.
rewrite [leRHS](bigD1 i) /=; last by rewrite iS.
apply: ler_add.
  apply: ler_pmul; rewrite ?share_ge0 ?missed_ge0 ?missed_swap //.
  by rewrite ler_wpmul2r ?invr_ge0 ?rest_ge0.
rewrite (eq_bigl (fun x => (x \notin S) && (x != j) && (x != i))) => [|x]; last by rewrite andbAC.
apply: ler_sum => x /andP[/andP[xS xj] xi]; rewrite ler_wpmul2l ?share_ge0 // IH //.
  by rewrite !inE negb_or eq_sym xi.
by rewrite !inE negb_or eq_sym xj.
Qed.
End Sampling.

Section Positive.
Variables (T : finType) (q : T -> rat).
Implicit Types (S B : {set T}) (i j x : T) (K : nat).
Hypothesis q_gt0 : forall x, 0 < q x.
Let q_ge0 x : 0 <= q x := ltW (q_gt0 x).
Local Notation included := (included q).
Local Notation missed := (missed q).
Local Notation rest := (rest q).
Local Notation rest_ge0 := (rest_ge0 q_ge0).
Local Notation share_ge0 := (share_ge0 q_ge0).

Lemma all_come : #|support q| = #|T|.
Proof. by rewrite -cardsT; congr #|pred_of_set _|; apply/setP => x; rewrite !inE q_gt0. Qed.

Lemma rest_gt0 S x : x \notin S -> 0 < rest S. Proof. by move=> xS; apply: lt_le_trans (rest_above q_ge0 xS). Qed.

Lemma shares S x : x \notin S -> \sum_(y | y \notin S) q y / rest S = 1.
Proof. by move=> xS; rewrite -mulr_suml divff // gt_eqF // (rest_gt0 xS). Qed.

Lemma sample_one K S : (K + #|S| <= #|T|)%N -> sample q K S (fun=> 1) = 1.
Proof.
move=> le; apply: (sample_const q_ge0) => //; rewrite (_ : #|_ :|: S| = #|T|) // -cardsT.
by apply: eq_card => x; rewrite !inE q_gt0.
Qed.

Lemma included_missed K j : (K <= #|T|)%N -> included K j = 1 - missed K set0 j.
Proof. by move=> KT; rewrite (included_or_missed q_ge0) ?all_come. Qed.

(* Dozier-FN, Lemma 2 of appendix C, and (33): the probabilities that the messages are among the first K distinct ones
   add up to K. *)
Theorem samples_add_up K : (K <= #|T|)%N -> \sum_j included K j = K%:R.
Proof. by move=> KT; rewrite (samples_total q_ge0) ?all_come. Qed.

(* Dozier-FN, Lemma 3 of appendix C: a message that is more popular is among the first K distinct ones with at least the
   probability of a message that is less popular. *)
Theorem popular_first K i j : (K <= #|T|)%N -> q j <= q i -> included K j <= included K i.
Proof. by move=> KT ji; rewrite !included_missed // ler_add2l ler_opp2 popular_missed ?inE. Qed.

Lemma missed_gt0 K S j : j \notin S -> (K + #|S| < #|T|)%N -> 0 < missed K S j.
Proof.
elim: K S => [|K IH] S jS lt; first by rewrite /popularity.missed /= jS ltr01.
rewrite missedS //; have [x] : exists x, x \notin j |: S.
  apply/existsP; apply: contraTT lt => /existsPn all; rewrite -leqNgt addSn.
  have -> : #|T| = #|S|.+1 by rewrite -(more jS) -cardsT; apply: eq_card => x; rewrite inE; have := all x; rewrite negbK => ->.
  by rewrite ltnS leq_addl.
rewrite !inE negb_or => /andP[xj xS]; rewrite (bigD1 x) /=; last by rewrite xS.
have jx : j \notin x |: S by rewrite !inE negb_or eq_sym xj.
apply: ltr_paddr; first by apply: sumr_ge0 => y _; rewrite mulr_ge0 ?share_ge0 // (popularity.missed_ge0 q_ge0).
by apply: mulr_gt0; [rewrite divr_gt0 ?(rest_gt0 xS) | rewrite IH // more // addnS].
Qed.

(* If so many messages are sampled that some can be missed, then a message that is more popular has a larger probability. *)
Lemma popular_strictly K i j : (0 < K < #|T|)%N -> q j < q i -> included K j < included K i.
Proof.
case: K => // K /andP[_ KT] ji; rewrite !included_missed 1?ltnW // ltr_add2l ltr_opp2.
have ij : i != j by apply: contraTneq ji => ->; rewrite ltxx.
have i0 : i \notin set0 by rewrite inE. have j0 : j \notin set0 by rewrite inE.
rewrite !missedS // (bigD1 j) /=; last by rewrite j0 eq_sym.
rewrite [ltRHS](bigD1 i) /=; last by rewrite i0.
apply: ltr_le_add.
  apply: (@le_lt_trans _ _ (q j / rest set0 * missed K (i |: set0) j)).
    by rewrite ler_wpmul2l ?share_ge0 // (missed_swap q_ge0) // ltW.
  rewrite ltr_pmul2r ?ltr_pmul2r ?invr_gt0 ?(rest_gt0 i0) // missed_gt0 //; first by rewrite !inE orbF eq_sym.
  by rewrite more // cards0 addn1.
rewrite (eq_bigl (fun x => (x \notin set0) && (x != j) && (x != i))) => [|x]; last by rewrite andbAC.
apply: ler_sum => x /andP[/andP[xS xj] xi]; rewrite ler_wpmul2l ?share_ge0 //; apply: (popular_missed q_ge0) (ltW ji).
  by rewrite !inE orbF eq_sym.
by rewrite !inE orbF eq_sym.
Qed.

(* Dozier-FN, section 4.1.4: P_Q^K(j) grows with K, and falls with the rank j. *)
Theorem seen_more K i j : (K < #|T|)%N -> q j <= q i -> included K j <= included K.+1 j /\ included K j <= included K i.
Proof.
move=> KT ji; split; last exact: popular_first (ltnW KT) ji.
rewrite !included_missed ?(ltnW KT) // ler_add2l ler_opp2.
have : forall S, j \notin S -> missed K.+1 S j <= missed K S j; last by apply; rewrite inE.
elim: K {KT} => [|K IH] S jS.
  rewrite missedS // {2}/missed /= jS -(shares jS) [leRHS](bigD1 j) //= ler_paddl ?share_ge0 //.
  by apply: ler_sum => x /andP[xS xj]; rewrite /missed /= !inE negb_or eq_sym xj jS mulr1.
rewrite missedS // [leRHS]missedS //; apply: ler_sum => x /andP[xS xj].
by rewrite ler_wpmul2l ?share_ge0 // IH // !inE negb_or eq_sym xj.
Qed.

Hypothesis q_sum : \sum_x q x = 1.

Lemma rest0 : rest set0 = 1.
Proof. by rewrite -q_sum; apply: eq_bigl => x; rewrite inE. Qed.

Lemma rest_le1 S : rest S <= 1.
Proof. by rewrite -q_sum /rest big_mkcond /=; apply: ler_sum => x _; case: ifP => // _; exact: ltW. Qed.

(* Dozier-FN (6): the probability that a sample is none of K distinct messages sampled before is at most the sum over
   the messages j of q_j (1 - q_j)^K. *)
Theorem replaced_above K : \sum_j q j * missed K set0 j <= \sum_j q j * (1 - q j) ^+ K.
Proof.
apply: ler_sum => j _; rewrite ler_wpmul2l ?(ltW (q_gt0 j)) //.
have : forall S, j \notin S -> missed K S j <= (1 - q j) ^+ K; last by apply; rewrite inE.
have q1 : q j <= 1 by rewrite -q_sum (bigD1 j) //= ler_addl sumr_ge0.
elim: K => [|K IH] S jS; first by rewrite /missed /= jS.
rewrite missedS //; apply: (@le_trans _ _ (\sum_(x | (x \notin S) && (x != j)) q x / rest S * (1 - q j) ^+ K)).
  by apply: ler_sum => x /andP[xS xj]; rewrite ler_wpmul2l ?share_ge0 // IH // !inE negb_or eq_sym xj.
rewrite -mulr_suml exprS ler_wpmul2r ?exprn_ge0 ?subr_ge0 //.
have e := shares jS; rewrite (bigD1 j) //= in e.
rewrite (_ : \sum_(x | _) _ = 1 - q j / rest S); last by rewrite -e addrAC subrr add0r.
by rewrite ler_add2l ler_opp2 ler_pdivl_mulr ?(rest_gt0 jS) // ler_pimulr ?rest_le1 // ltW.
Qed.

Hypothesis T_gt0 : (0 < #|T|)%N.
Let D0 : (0 : rat) < #|T|%:R. Proof. by rewrite ltr0n. Qed.

(* Dozier-FN, Theorem 5 of appendix C: if K distinct messages are recorded, the probability that the next is a
   message that is not recorded is at most 1 - K/D, its value if all D messages have the same popularity. *)
Theorem uniform_worst K : (K <= #|T|)%N -> \sum_j q j * missed K set0 j <= 1 - K%:R / #|T|%:R.
Proof.
move=> KT; have P j : missed K set0 j = 1 - included K j by rewrite included_missed // opprB addrCA subrr addr0.
rewrite (eq_bigr (fun j => q j - q j * included K j)) => [|j _]; last by rewrite P mulrBr mulr1.
rewrite sumrB q_sum ler_add2l ler_opp2 ler_pdivr_mulr // mulrC.
have := @chebyshev T predT q (included K); rewrite q_sum mul1r samples_add_up //; apply=> s t.
case: (lerP (q s) (q t)) => [st | /ltW ts].
  by rewrite mulr_le0 // subr_le0 // popular_first.
by rewrite mulr_ge0 // subr_ge0 // popular_first.
Qed.

(* Dozier-FN (30) with its bracket corrected, (31) and (32): let the popularity be at least a for the messages that are
   among the first K distinct ones with probability K/D or more, and at most c <= a for the others. The sum of
   q_j (P(j) - K/D) is at least (30), and this is at least c times the sum of P(j) - K/D. *)
Theorem steps_of_uniform K (a c : rat) :
  let s : rat := K%:R / #|T|%:R in
  (forall j, if s <= included K j then a <= q j else q j <= c) -> c <= a ->
  let steps := a * (\sum_(j | s <= included K j) (included K j - s)) - c * (\sum_(j | ~~ (s <= included K j)) (s - included K j)) in
  c * (\sum_j (included K j - s)) <= steps <= \sum_j q j * (included K j - s).
Proof.
move=> s h ca; cbv zeta; rewrite -mulrN -sumrN; apply/andP; split.
  rewrite (bigID (fun j => s <= included K j)) /= mulrDr; apply: ler_add.
    by rewrite ler_wpmul2r // sumr_ge0 // => j; rewrite subr_ge0.
  by rewrite (eq_bigr (fun j => - (s - included K j))) // => j _; rewrite opprB.
rewrite [leRHS](bigID (fun j => s <= included K j)) /=; rewrite !mulr_sumr; apply: ler_add; apply: ler_sum => j sj.
  by rewrite ler_wpmul2r ?subr_ge0 //; have := h j; rewrite sj.
have := h j; rewrite (negbTE sj) => qc; move: sj; rewrite -ltNge => /ltW sj.
by rewrite opprB ler_wnmul2r // subr_le0.
Qed.
End Positive.

(* If all D messages have the same popularity, the next is not recorded with probability 1 - K/D. *)
Theorem uniform_rate (T : finType) K : (0 < #|T|)%N -> (K <= #|T|)%N ->
  \sum_(j : T) #|T|%:R^-1 * missed (fun _ : T => #|T|%:R^-1) K set0 j = 1 - K%:R / #|T|%:R.
Proof.
move=> T0 KT; have D0 : (0 : rat) < #|T|%:R by rewrite ltr0n.
have q0 (x : T) : 0 < #|T|%:R^-1 :> rat by rewrite invr_gt0.
rewrite -mulr_sumr (eq_bigr (fun j => 1 - included (fun _ : T => #|T|%:R^-1) K j)) => [|j _]; last first.
  by rewrite included_missed // opprB addrCA subrr addr0.
by rewrite sumrB samples_add_up // sumr_const mulrBr mulVf ?gt_eqF // mulrC.
Qed.

(* Arrivals that are drawn from q, independently of each other. *)
Section Arrivals.
Variables (T : finType) (q : T -> rat).
Hypothesis q_sum : \sum_x q x = 1.

(* Dozier-FN (18), and (35) with the popularities without a message: the probability that none of N arrivals was of the
   message that comes next is the sum over the messages i of (1 - q_i)^N q_i. *)
Theorem next_is_new N :
  \sum_(s : {ffun 'I_N -> T}) (\prod_a q (s a)) * (\sum_(x | x \notin [set s a | a in 'I_N]) q x) = \sum_x (1 - q x) ^+ N * q x.
Proof.
rewrite (eq_bigr (fun s : {ffun 'I_N -> T} => \sum_x (\prod_a (q (s a) * (s a != x)%:R)) * q x)) => [|s _]; last first.
  rewrite mulr_sumr big_mkcond; apply: eq_bigr => x _; rewrite big_split /= -mulrA -mulrCA; case: ifP => [out | /negbFE /imsetP[a _ ->]].
    rewrite [X in _ = X * _]big1 ?mul1r // => a _; case: eqP => // e.
    by case/imsetP: out; exists a.
  by rewrite [X in _ = X * _](bigD1 a) //= eqxx !mul0r.
rewrite exchange_big /=; apply: eq_bigr => x _; rewrite -mulr_suml; congr (_ * _).
rewrite -(bigA_distr_bigA (fun (_ : 'I_N) y => q y * (y != x)%:R)) prodr_const card_ord; congr (_ ^+ _).
have -> : 1 - q x = \sum_(y | y != x) q y by rewrite -q_sum (bigD1 x) //= addrAC subrr add0r.
rewrite (bigD1 x) //= eqxx mulr0 add0r; by apply: eq_bigr => y -> /=; rewrite mulr1.
Qed.
End Arrivals.
