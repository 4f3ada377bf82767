(* The ranks of messages by popularity (Dozier-FN), and two averages of rates (Dozier-FP).

   The rank 0 is the highest. A new message that enters at the rank r moves the messages at the ranks r, r + 1, ... one
   rank down. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The rank of a message that was at the rank j, after a message has entered at the rank r. *)
Definition lowered (r j : nat) : nat := if (r <= j)%N then j.+1 else j.

(* The rank after some arrivals: None is a repeat, and Some r is a new message that enters at the rank r. *)
Definition rank_after (j : nat) (arrivals : seq (option nat)) : nat := foldl (fun j a => if a is Some r then lowered r j else j) j arrivals.

(* Dozier-FN, Lemma 1 of appendix A: from arrival to arrival, the rank of a message stays or becomes lower. So a message
   that is now at the rank j had, at each earlier arrival, a rank j' <= j and at least the popularity q j. *)
Theorem earlier_ranks (q : nat -> rat) (entry : nat) (earlier later : seq (option nat)) : (forall i j, (i <= j)%N -> q j <= q i) ->
  (rank_after entry earlier <= rank_after entry (earlier ++ later))%N /\
  q (rank_after entry (earlier ++ later)) <= q (rank_after entry earlier).
Proof.
move=> falls; rewrite {2 3}/rank_after foldl_cat -/(rank_after entry earlier).
have le : (rank_after entry earlier <= rank_after (rank_after entry earlier) later)%N.
  elim: later (rank_after entry earlier) => //= a later IH j; apply: leq_trans (IH _).
  by case: a => // r; rewrite /lowered; case: ifP.
by split; last exact: falls.
Qed.

Section Recorded.
Variables (D : nat) (q : nat -> rat).
Hypothesis falls : forall i j, (i <= j)%N -> q j <= q i.
Hypothesis none : forall j, (D <= j)%N -> q j = 0.
Implicit Types (B : {set 'I_D}) (r : 'I_D).

(* The ranks of the recorded messages, after a new message has been recorded at the rank r; and the probability that a
   message whose rank is drawn from q is not recorded. *)
Definition recorded B r : {set 'I_D} := r |: [set j : 'I_D | [exists i in B, lowered r i == j]].
Definition unrecorded B : rat := \sum_(j | j \notin B) q j.

Lemma popularity_ge0 j : 0 <= q j.
Proof. by rewrite -(none (leq_maxl D j)); apply: falls; exact: leq_maxr. Qed.

Lemma lowered_inj r : injective (lowered r).
Proof.
move=> i j; rewrite /lowered; case: (leqP r i) => ri; case: (leqP r j) => rj //.
- by case.
- by move=> e; move: rj; rewrite -e ltnNge (leq_trans ri).
- by move=> e; move: ri; rewrite e ltnNge (leq_trans rj).
Qed.

Lemma moved_sum B r : \sum_(j : 'I_D | [exists i in B, lowered r i == j :> nat]) q j = \sum_(i in B) q (lowered r i).
Proof.
have one (i : 'I_D) : q (lowered r i) = \sum_(j < D) (lowered r i == j)%:R * q j.
  have [lt | le] := ltnP (lowered r i) D.
    rewrite (bigD1 (Ordinal lt)) //= eqxx mul1r big1 ?addr0 // => j ne.
    by rewrite (negbTE (contraNneq _ ne)) ?mul0r // => e; apply/eqP/val_inj.
  by rewrite none // big1 // => j _; rewrite gtn_eqF ?mul0r // (leq_trans _ le).
rewrite (eq_bigr _ (fun i _ => one i)) [RHS]exchange_big [LHS]big_mkcond /=; apply: eq_bigr => j _.
case: existsP => [[i /andP[iB /eqP e]] | no].
  rewrite (bigD1 i) //= e eqxx mul1r big1 ?addr0 // => l /andP[_ ne].
  rewrite (_ : _ == _ = false) ?mul0r //; apply: contraNF ne => /eqP f.
  by apply/eqP/val_inj/(@lowered_inj r); rewrite f e.
rewrite big1 // => i iB; case: eqP => e; rewrite ?mul0r //.
by case: no; exists i; rewrite iB e eqxx.
Qed.

(* If all ranks are recorded, a message that enters at the rank r takes the popularity q r from them. *)
Lemma loss r : \sum_(i < D) (q i - q (lowered r i)) = q r.
Proof.
rewrite -(big_mkord xpredT (fun i => q i - q (lowered r i))) (big_cat_nat _ _ _ (leq0n r) (ltnW (ltn_ord r))) /=.
rewrite big_nat big1 ?add0r; last by move=> i /andP[_ lt]; rewrite /lowered leqNgt lt subrr.
rewrite big_nat (eq_bigr (fun i => - (q i.+1 - q i))); last by move=> i /andP[le _]; rewrite /lowered le opprB.
by rewrite -big_nat sumrN telescope_sumr ?(ltnW (ltn_ord r)) // none // sub0r opprK.
Qed.

(* Dozier-FN, section 3.3: whatever arrives, the probability that a repeat is of a message that is not recorded does
   not rise. The arrival is a new message at the rank r, or a repeat of the message at the rank r. The theorem is not
   about the probability that such a repeat sets no bit. *)
Theorem recorded_more B r : unrecorded (recorded B r) <= unrecorded B /\ unrecorded (r |: B) <= unrecorded B.
Proof.
have all (C : {set 'I_D}) : unrecorded C = \sum_(j < D) q j - \sum_(j in C) q j.
  by rewrite [X in X - _](bigID (mem C)) /= addrAC subrr add0r.
have add (C : {set 'I_D}) j : \sum_(i in C) q i <= \sum_(i in j |: C) q i.
  have [jC | jC] := boolP (j \in C); first by rewrite (setUidPr _) ?sub1set.
  by rewrite big_setU1 //= ler_addr popularity_ge0.
split; rewrite !all ler_add2l ler_opp2 //.
have new : r \notin [set j : 'I_D | [exists i in B, lowered r i == j]].
  rewrite inE; apply/existsP => -[i /andP[_ /eqP]]; rewrite /lowered; case: (leqP r i) => ri e.
    by move: ri; rewrite -e ltnn.
  by move: ri; rewrite e ltnn.
rewrite /recorded big_setU1 //= (eq_bigl _ _ (fun j => in_set _ _)) moved_sum -ler_subl_addr -sumrB -(loss r).
rewrite [leRHS](bigID (mem B)) /= ler_addl sumr_ge0 // => i _; rewrite subr_ge0 falls // /lowered.
by case: ifP.
Qed.
End Recorded.

Section Means.
Variables (N : nat) (f : 'I_N -> rat).
Hypothesis f1 : forall i, f i < 1.

(* Dozier-FP's averages of the rates f i that N messages meet, by (2) and by (3). *)
Definition oracle : rat := (\sum_i f i) / N%:R.
Definition actual : rat := (\sum_i f i / (1 - f i)) / \sum_i (1 + f i / (1 - f i)).

Lemma averages_in_order : (0 < N)%N -> oracle <= actual /\ forall i j, f i != f j -> oracle < actual.
Proof.
move=> N0; have n0 : (0 : rat) < N%:R by rewrite ltr0n.
have g0 i : 0 < 1 - f i by rewrite subr_gt0.
have inv i : 1 + f i / (1 - f i) = (1 - f i)^-1.
  by rewrite -[X in X + _](@divff _ (1 - f i)) ?gt_eqF // -mulrDl subrK div1r.
have some : exists j : 'I_N, true by exists (Ordinal N0).
pose S := \sum_i (1 - f i)^-1; pose A := 1 - oracle.
have S0 : 0 < S.
  by rewrite /S (bigD1 (Ordinal N0)) //= ltr_spaddl ?invr_gt0 // sumr_ge0 // => i _; rewrite invr_ge0 ltW.
have AE : A * N%:R = \sum_i (1 - f i).
  by rewrite /A /oracle mulrBl divfK ?gt_eqF // mul1r sumrB sumr_const card_ord.
have A0 : 0 < A.
  rewrite -(ltr_pmul2r n0) mul0r AE (bigD1 (Ordinal N0)) //= ltr_spaddl // sumr_ge0 // => i _.
  exact: ltW.
have actualE : actual = 1 - N%:R / S.
  rewrite /actual (eq_bigr (fun i => (1 - f i)^-1) (fun i _ => inv i)) -/S.
  rewrite (eq_bigr (fun i => (1 - f i)^-1 - 1)); last by move=> i _; rewrite -[X in _ = X - 1]inv addrAC subrr add0r.
  by rewrite sumrB sumr_const card_ord -/S mulrBl divff ?gt_eqF.
have gap i : 0 <= (1 - f i - A) ^+ 2 / (1 - f i) by rewrite divr_ge0 ?sqr_ge0 // ltW.
have total : \sum_i (1 - f i - A) ^+ 2 / (1 - f i) = A * (A * S - N%:R).
  rewrite (eq_bigr (fun i => (1 - f i) - A *+ 2 + A ^+ 2 * (1 - f i)^-1)); last first.
    move=> i _; rewrite sqrrB mulrDl mulrBl expr2 mulfK ?gt_eqF //.
    by congr (_ - _ + _); rewrite -mulrnAr mulrAC divff ?mul1r ?gt_eqF.
  rewrite big_split sumrB /= sumr_const card_ord -AE -mulr_sumr -/S.
  by rewrite -mulrnA mulnC mulrnA mulr2n -[A *+ N]mulr_natr opprD addrA subrr sub0r mulrBr addrC expr2 mulrA.
have link : (oracle <= actual) = (0 <= A * (A * S - N%:R)) /\ (oracle < actual) = (0 < A * (A * S - N%:R)).
  rewrite pmulr_rge0 // pmulr_rgt0 // subr_ge0 subr_gt0 actualE -[oracle](subKr 1) -/A.
  by rewrite ler_add2l ltr_add2l ler_opp2 ltr_opp2 ler_pdivr_mulr // ltr_pdivr_mulr.
rewrite (proj1 link) (proj2 link) -total; split; first by apply: sumr_ge0.
move=> i j ne; have [k ke] : exists k, 1 - f k != A.
  by case: (eqVneq (1 - f i) A) => e; [exists j; rewrite -e; apply: contraNneq ne => /addrI/oppr_inj -> | exists i].
rewrite (bigD1 k) //= ltr_spaddl ?sumr_ge0 // divr_gt0 //.
by rewrite lt_neqAle sqr_ge0 andbT eq_sym expf_neq0 // subr_eq0.
Qed.
End Means.

(* Dozier-FP, section V-A2: f_a by (3) is at least f_o by (2), and above it for N >= 2, where f i by (1) is the rate
   that the message after i messages meets. The theorem does not say that f_a and f_o are lower bounds. *)
Theorem actual_above_oracle M k N : (1 < M)%N -> (0 < k)%N -> (0 < N)%N ->
  let f (i : 'I_N) : rat := (1 - (1 - M%:R^-1) ^+ (k * i)) ^+ k in
  let oracle := (\sum_i f i) / N%:R in
  let actual := (\sum_i f i / (1 - f i)) / \sum_i (1 + f i / (1 - f i)) in
  (forall i, f i < 1) /\ oracle <= actual /\ ((1 < N)%N -> oracle < actual).
Proof.
move=> M2 k0 N0 f; have x0 : (0 : rat) < 1 - M%:R^-1 by rewrite subr_gt0 invf_lt1 ?ltr0n ?ltr1n // ltnW.
have x1 : 1 - M%:R^-1 < 1 :> rat by rewrite ltr_subl_addr ltr_addl invr_gt0 ltr0n ltnW.
have f1 i : f i < 1.
  rewrite /f exprn_ilt1 -?lt0n //; last by rewrite ltr_subl_addr ltr_addl exprn_gt0.
  by rewrite subr_ge0 exprn_ile1 // ltW.
split=> //; have [le lt] := averages_in_order f1 N0; split=> // N2.
apply: (lt (Ordinal N0) (Ordinal N2)); rewrite /f muln0 expr0 subrr expr0n gtn_eqF //= muln1.
by rewrite eq_sym expf_neq0 // subr_eq0 eq_sym lt_eqF // exprn_ilt1 -?lt0n // ltW.
Qed.
