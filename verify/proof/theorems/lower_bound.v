(* The lower bound of the false-negative rate of Dozier-FN, section 4.2.1: the Markov model in which the recorded
   messages are the most popular ones. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic claims machine recycling levels ranks chains cycles renewal
  repeats independent majorized.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section LowerBound.
Variables (D M k sigma : nat) (distinct retain : bool) (pr : rat) (q d : 'I_D -> rat).
Hypotheses (pr01 : 0 <= pr < 1) (q0 : forall r, 0 <= q r) (q1 : \sum_r q r = 1).
Hypotheses (d0 : forall r, 0 <= d r) (d1 : \sum_r d r = 1).
Hypothesis order : forall i j : 'I_D, (i <= j)%N -> q j <= q i.
Implicit Types (A : {set 'I_D}) (B : {set 'I_M}) (i j n N : nat).

(* Dozier-FN (5): the probability that a repeat is of none of the i most popular messages. With i recorded messages, the
   model leaves the state i with the probability "leaves i" at each arrival. *)
Definition tail i : rat := \sum_(r < D | (i <= r)%N) q r.
Definition leaves i : rat := 1 - pr + pr * tail i.

(* In the mean, the model has v_i / leaves_i arrivals of a cycle in the state i. Here v_i is the probability that i
   messages fit, and u_i the probability that they fit and that one more sets a bit. Of these arrivals, the share
   p_r tail_i (u_i / v_i) are false negatives. The sums are those over the states below N. *)
Definition model_arrivals N : rat := \sum_(i < N | (retain <= i)%N) fit M k sigma distinct i / leaves i.
Definition model_negatives N : rat :=
  \sum_(i < N | (retain <= i)%N) unlucky M k sigma distinct i * (pr * tail i) / leaves i.

Lemma tail_below A i : (#|A| <= i)%N -> tail i <= unrecorded q A.
Proof.
move=> Ai; have [iD | Di] := ltnP i D; last first.
  rewrite /tail big_pred0 ?sumr_ge0 // => r; apply/negbTE; rewrite -ltnNge; exact: leq_trans Di.
pose c := q (Ordinal iD); pose e (r : 'I_D) : rat := (i <= r)%N%:R - (r \notin A)%:R.
have tE : tail i - unrecorded q A = \sum_r e r * q r.
  rewrite /tail /unrecorded [X in X - _]big_mkcond [X in _ - X]big_mkcond -sumrB; apply: eq_bigr => r _.
  by rewrite /e mulrBl; case: (_ <= _)%N; case: (r \notin A); rewrite ?mul1r ?mul0r.
rewrite -subr_le0 tE; apply: (@le_trans _ _ (\sum_r e r * c)).
  apply: ler_sum => r _; rewrite -subr_ge0 -mulrBr /e; case: leqP => ir; case: (r \in A) => /=.
  - by rewrite subr0 mul1r subr_ge0 order.
  - by rewrite subrr mul0r.
  - by rewrite subrr mul0r.
  by rewrite sub0r mulN1r opprB subr_ge0 order // ltnW.
rewrite -mulr_suml; apply: mulr_le0_ge0; last exact: q0.
rewrite /e sumrB -!natr_sum subr_le0 ler_nat.
rewrite (eq_bigr (fun r : 'I_D => if (i <= r)%N then 1%N else 0%N)) => [|r _]; last by case: leqP.
rewrite [leqRHS](eq_bigr (fun r : 'I_D => if r \notin A then 1%N else 0%N)) => [|r _]; last by case: (r \in A).
rewrite -!big_mkcond !sum1_card -[leqRHS]/(#|[pred r | r \notin A]|).
have cA := cardC (mem A); have cI := cardC [pred r : 'I_D | (r < i)%N]; rewrite !card_ord in cA cI.
have iE : #|[pred r : 'I_D | (r < i)%N]| = i.
  by rewrite -sum1_card -(big_ord_widen D (fun=> 1%N) (ltnW iD)) sum1_card card_ord.
have -> : #|[pred r : 'I_D | (i <= r)%N]| = (D - i)%N.
  by have := congr1 (subn^~ i) cI; rewrite iE addKn => <-; apply: eq_card => r; rewrite !inE leqNgt.
by have := congr1 (subn^~ #|A|) cA; rewrite addKn => ->; exact: leq_sub2l.
Qed.

Section Stays.
Variable first : {set 'I_D} -> rat.
Hypotheses (first0 : forall A, 0 <= first A) (first1 : \sum_A first A = 1).
Hypothesis first_small : forall A, (retain < #|A|)%N -> first A = 0.
Local Notation apart := (apart retain pr q d first).

Let p01 : 0 <= pr <= 1. Proof. by have /andP[-> /ltW] := pr01. Qed.
Let c0 : 0 < 1 - pr. Proof. by rewrite subr_gt0; case/andP: pr01. Qed.

Lemma apart_ge0 j i A : 0 <= apart j i A.
Proof.
elim: j i A => [|j IH] i A /=; first by rewrite mulr_ge0 ?ler0n.
apply: sumr_ge0 => A' _; apply: sumr_ge0 => a _; rewrite mulr_ge0 ?mulr_ge0 ?ler0n ?chance_ge0 //.
by case: ifP => // _; case: i.
Qed.

Lemma disables_more A a : (#|disables A a| <= #|A|.+1)%N.
Proof.
case: a => b r; rewrite /disables /=; case: b; first by rewrite cardsU1 -add1n leq_add2r leq_b1.
rewrite /recorded cardsU1 -add1n leq_add ?leq_b1 //.
pose image : {set 'I_D} := [set odflt r (insub (lowered r (val j))) | j : 'I_D in A].
apply: (@leq_trans #|image|); last exact: leq_imset_card.
apply: subset_leq_card; apply/subsetP => i; rewrite inE => /existsP[j /andP[jA /eqP e]]; apply/imsetP; exists j => //.
by rewrite e valK.
Qed.

Lemma apart_few j i A : (i < #|A|)%N -> apart j i A = 0.
Proof.
elim: j i A => [|j IH] i A /= iA.
  by case: eqP => [e | _]; rewrite ?mul0r // first_small ?mulr0 // -e.
rewrite big1 // => A' _; rewrite big1 // => a _; case: eqP => [e | _]; last by rewrite mulr0 mul0r.
case kn: (known A' a).
  rewrite IH ?mulr0 //; move: iA; rewrite -e; case/andP: kn; case: a {e} => -[] r //= _ rA.
  by rewrite /disables /= (setUidPr _) ?sub1set.
case: i iA => [|i] iA; first by rewrite mulr0.
by rewrite IH ?mulr0 // -ltnS; apply: leq_trans iA _; rewrite -e disables_more.
Qed.

Lemma apart_late j i A : (j + retain < i)%N -> apart j i A = 0.
Proof.
elim: j i A => [|j IH] i A lt /=; first by rewrite gtn_eqF ?mul0r.
rewrite big1 // => A' _; rewrite big1 // => a _; case: (known A' a).
  by rewrite IH ?mulr0 //; exact: ltnW.
by case: i lt => [|i] lt; [rewrite mulr0 | rewrite IH ?mulr0].
Qed.

(* The probability that an arrival adds a message to those that are recorded. *)
Definition adds A : rat := 1 - pr + pr * unrecorded q A.

Lemma addsE A : \sum_a chance pr q d a * (~~ known A a)%:R = adds A.
Proof.
rewrite -/(chains.mean _ _) chances addrC /known /=; congr (_ + _ * _).
  by under eq_bigr => r _ do rewrite mulr1; rewrite d1 mulr1.
by rewrite /unrecorded [RHS]big_mkcond; apply: eq_bigr => r _; case: (r \in A); rewrite ?mulr1 ?mulr0.
Qed.

Definition there j i : rat := \sum_A apart j i A.
Definition out j i : rat := \sum_A apart j i A * adds A.

Lemma thereS j i : there j.+1 i = there j i - out j i + (if i is i'.+1 then out j i' else 0).
Proof.
rewrite /there /=; rewrite exchange_big /=.
have -> : (if i is i'.+1 then out j i' else 0) =
    \sum_A adds A * (if i is i'.+1 then apart j i' A else 0).
  by case: i => [|i]; [rewrite big1 // => A _; rewrite mulr0 | apply: eq_bigr => A _; rewrite mulrC].
rewrite /out -sumrB -big_split /=; apply: eq_bigr => A _; rewrite exchange_big /=.
set x := apart j i A; set y := if i is i'.+1 then apart j i' A else 0.
have -> : x - x * adds A + adds A * y = \sum_a chance pr q d a * (x + (~~ known A a)%:R * (y - x)).
  under eq_bigr => a _ do rewrite mulrDr mulrA.
  by rewrite big_split /= -!mulr_suml addsE (renewal.chance_sum pr q1 d1); identity.
apply: eq_bigr => a _; rewrite (bigD1 (disables A a)) //= eqxx mulr1 big1 ?addr0 => [|A' ne]; last first.
  by rewrite eq_sym (negbTE ne) mulr0 mul0r.
by case: (known A a); rewrite /= ?mul0r ?addr0 // mul1r addrC subrK.
Qed.

Definition stay n i : rat := \sum_(j < n) there j i.
Definition left n i : rat := \sum_(j < n) out j i.

Lemma there_ge0 j i : 0 <= there j i. Proof. by apply: sumr_ge0 => A _; exact: apart_ge0. Qed.
Lemma unrecorded_ge0 A : 0 <= unrecorded q A. Proof. exact: sumr_ge0. Qed.
Lemma adds_above A : 1 - pr <= adds A.
Proof. by rewrite ler_addl mulr_ge0 ?unrecorded_ge0 //; case/andP: pr01. Qed.
Lemma out_above j i : (1 - pr) * there j i <= out j i.
Proof.
by rewrite mulr_sumr; apply: ler_sum => A _; rewrite mulrC ler_wpmul2l ?apart_ge0 // adds_above.
Qed.

(* At most i messages are recorded after n arrivals with the probability 1 - left n i. *)
Lemma few_there n i : (retain <= i)%N -> \sum_(l < i.+1) there n l = 1 - left n i.
Proof.
move=> ri; have flow j : \sum_(l < i.+1) there j.+1 l = \sum_(l < i.+1) there j l - out j i.
  elim: {ri} i => [|i IH]; first by rewrite !big_ord1 thereS addr0.
  by rewrite big_ord_recr /= IH thereS [in RHS]big_ord_recr /=; set s := \sum_(l < _) _; identity.
elim: n => [|n IH].
  rewrite /left big_ord0 subr0 /there exchange_big -[RHS]first1; apply: eq_bigr => A _ /=.
  have rN : (retain < i.+1)%N by rewrite ltnS.
  rewrite (bigD1 (Ordinal rN)) //= eqxx mul1r big1 ?addr0 // => l; rewrite -val_eqE /= => /negbTE ->.
  by rewrite mul0r.
by rewrite flow IH /left big_ord_recr /= opprD addrA.
Qed.

Lemma left_le1 n i : (retain <= i)%N -> left n i <= 1.
Proof. by move=> ri; rewrite -subr_ge0 -few_there // sumr_ge0 // => l _; exact: there_ge0. Qed.

Lemma out_ge0 j i : 0 <= out j i.
Proof. by apply: le_trans (out_above j i); rewrite mulr_ge0 ?there_ge0 // ltW. Qed.

Lemma left_ge0 n i : 0 <= left n i. Proof. by apply: sumr_ge0 => j _; exact: out_ge0. Qed.

Lemma leaves_gt0 i : 0 < leaves i.
Proof. by rewrite ltr_paddr // mulr_ge0 ?sumr_ge0 //; case/andP: pr01. Qed.

Lemma stay_below n i : stay n i <= left n i / leaves i.
Proof.
rewrite ler_pdivl_mulr ?leaves_gt0 // mulr_suml; apply: ler_sum => j _; rewrite mulr_suml; apply: ler_sum => A _.
have [few | many] := leqP #|A| i; last by rewrite apart_few // !mul0r.
rewrite ler_wpmul2l ?apart_ge0 // ler_add2l ler_wpmul2l ?tail_below //; by case/andP: pr01.
Qed.

Lemma stay_bounded n i : (retain <= i)%N -> stay n i <= (1 - pr)^-1.
Proof.
move=> ri; rewrite -div1r ler_pdivl_mulr // mulrC; apply: le_trans (left_le1 n ri).
by rewrite mulr_sumr; apply: ler_sum => j _; exact: out_above.
Qed.

Lemma apart_early j i A : (i < retain)%N -> apart j i A = 0.
Proof.
elim: j i A => [|j IH] i A lt /=; first by rewrite ltn_eqF ?mul0r.
rewrite big1 // => A' _; rewrite big1 // => a _; case: (known A' a); first by rewrite IH ?mulr0.
by case: i lt => [|i] lt; [rewrite mulr0 | rewrite IH ?mulr0 // ltnW].
Qed.

Lemma stay_early n i : (i < retain)%N -> stay n i = 0.
Proof. by move=> lt; rewrite /stay big1 // => j _; rewrite /there big1 // => A _; exact: apart_early. Qed.

Lemma left_rises n n' i : (n <= n')%N -> left n i <= left n' i.
Proof.
move=> nn; rewrite /left (big_ord_widen n' (out^~ i) nn) big_mkcond; apply: ler_sum => j _.
by case: ifP => // _; exact: out_ge0.
Qed.

(* After many arrivals, the filter has left the state i. *)
Lemma left_most n i : (retain <= i)%N -> n%:R * (1 - left n i) <= i.+1%:R / (1 - pr).
Proof.
move=> ri; have times (x : rat) N : N%:R * x = \sum_(j < N) x by rewrite sumr_const card_ord mulr_natl.
apply: (@le_trans _ _ (\sum_(l < i.+1) stay n l)).
  rewrite times /stay exchange_big /=; apply: ler_sum => j _.
  by rewrite few_there // ler_add2l ler_opp2 left_rises // ltnW.
rewrite times; apply: ler_sum => l _; have [rl | lr] := leqP retain l; first exact: stay_bounded.
by rewrite stay_early // invr_ge0 ltW.
Qed.

Local Notation v := (fit M k sigma distinct).
Local Notation u := (unlucky M k sigma distinct).

(* The arrivals of a cycle among its first n, and the false negatives among these. *)
Definition arrivals n : rat := \sum_(j < n) \sum_(i < (j + retain).+1) there j i * v i.
Definition negatives n : rat :=
  \sum_(j < n) \sum_(i < (j + retain).+1) (out j i - (1 - pr) * there j i) * u i.

Lemma by_state (f : nat -> nat -> rat) n N : (n + retain <= N)%N -> (forall j i, (i < retain)%N -> f j i = 0) ->
  (forall j i, (j + retain < i)%N -> f j i = 0) ->
  \sum_(j < n) \sum_(i < (j + retain).+1) f j i = \sum_(i < N | (retain <= i)%N) \sum_(j < n) f j i.
Proof.
move=> nN early late; rewrite [RHS]exchange_big; apply: eq_bigr => j _ /=.
have jN : ((j + retain).+1 <= N)%N by apply: leq_trans nN; rewrite -addSn leq_add2r ltn_ord.
rewrite (big_ord_widen N (f j) jN) big_mkcond [RHS]big_mkcond; apply: eq_bigr => i _ /=.
case: ltnP => [_ | big]; first by case: leqP => // lt; rewrite early.
by case: ifP => // _; rewrite late.
Qed.

Lemma none_there j i : (forall A, apart j i A = 0) -> there j i = 0 /\ out j i = 0.
Proof. by move=> z; rewrite /there /out !big1 // => A _; rewrite z ?mul0r. Qed.

Lemma early_there j i : (i < retain)%N -> there j i = 0 /\ out j i = 0.
Proof. by move=> ir; apply: none_there => A; exact: apart_early. Qed.

Lemma late_there j i : (j + retain < i)%N -> there j i = 0 /\ out j i = 0.
Proof. by move=> ji; apply: none_there => A; exact: apart_late. Qed.

Lemma u_ge0 i : 0 <= u i. Proof. exact: unlucky_ge0. Qed.
Lemma v_ge0 i : 0 <= v i. Proof. by apply: sumr_ge0 => B _; exact: fills_ge0. Qed.

Lemma arrivals_below n N : (n + retain <= N)%N -> arrivals n <= model_arrivals N.
Proof.
move=> nN; rewrite /arrivals (@by_state (fun j i => there j i * v i) n N nN) => [|j i ir|j i ji]; first last.
- by have [-> _] := late_there ji; rewrite mul0r.
- by have [-> _] := early_there j ir; rewrite mul0r.
apply: ler_sum => i ri; rewrite -mulr_suml mulrC ler_wpmul2l ?v_ge0 //; apply: le_trans (stay_below _ _) _.
by rewrite -[leRHS]mul1r ler_wpmul2r ?left_le1 // invr_ge0 ltW ?leaves_gt0.
Qed.

Lemma negatives_above n N : (0 < n)%N -> (1 - N%:R / (n%:R * (1 - pr))) * model_negatives N <= negatives n.
Proof.
move=> n0; pose L := maxn N (n + retain); have nL : (n + retain <= L)%N by exact: leq_maxr.
have n0' : (0 : rat) < n%:R by rewrite ltr0n.
rewrite /negatives (@by_state (fun j i => (out j i - (1 - pr) * there j i) * u i) n L nL) => [|j i ir|j i ji];
  first last.
- by have [-> ->] := late_there ji; rewrite mulr0 subrr mul0r.
- by have [-> ->] := early_there j ir; rewrite mulr0 subrr mul0r.
have term (i : nat) : \sum_(j < n) (out j i - (1 - pr) * there j i) * u i = u i * (left n i - (1 - pr) * stay n i).
  by rewrite -mulr_suml sumrB -mulr_sumr mulrC.
under eq_bigr => i _ do rewrite term.
have each (i : nat) : (retain <= i)%N ->
    u i * (left n i * (pr * tail i / leaves i)) <= u i * (left n i - (1 - pr) * stay n i).
  move=> ri; rewrite ler_wpmul2l ?u_ge0 //; apply: (@le_trans _ _ (left n i - (1 - pr) * (left n i / leaves i))).
    rewrite (_ : _ - _ = left n i * (1 - (1 - pr) / leaves i)); last by identity.
    rewrite ler_wpmul2l ?left_ge0 // ler_subr_addr -mulrDl.
    by rewrite addrC divff // gt_eqF // leaves_gt0.
  by rewrite ler_add2l ler_opp2 ler_wpmul2l ?stay_below // ltW.
have p0 i : 0 <= pr * tail i / leaves i.
  apply: divr_ge0; last exact: ltW (leaves_gt0 i).
  by apply: mulr_ge0; [case/andP: pr01 | exact: sumr_ge0].
pose term_ i := u i * (pr * tail i) / leaves i.
rewrite /model_negatives (big_ord_widen_cond L (fun i => (retain <= i)%N) term_ (leq_maxl _ _)) /term_.
rewrite mulr_sumr [leRHS](bigID (fun i : 'I_L => (i < N)%N)) /= ler_paddr //.
  apply: sumr_ge0 => i /andP[ri _]; apply: le_trans (each i ri).
  by apply: mulr_ge0 (u_ge0 i) (mulr_ge0 (left_ge0 n i) (p0 i)).
apply: ler_sum => i /andP[ri iN]; apply: le_trans (each i ri).
rewrite -[u i * _ / _]mulrA mulrCA ler_wpmul2l ?u_ge0 // ler_wpmul2r // ler_subl_addr -ler_subl_addl.
rewrite invfM mulrCA ler_pdivl_mull //; apply: le_trans (left_most n ri) _.
by rewrite ler_wpmul2r ?invr_ge0 ?(ltW c0) // ler_nat.
Qed.

Lemma model_negatives_ge0 N : 0 <= model_negatives N.
Proof.
apply: sumr_ge0 => i _; apply: divr_ge0; last exact: ltW (leaves_gt0 i).
by apply: mulr_ge0 (u_ge0 i) _; apply: mulr_ge0; [case/andP: pr01 | exact: sumr_ge0].
Qed.

Lemma model_below (a b : rat) : 0 < a -> converges arrivals a -> converges negatives b ->
  forall e, 0 < e -> exists N0, forall N, (N0 <= N)%N -> model_negatives N / model_arrivals N <= b / a + e.
Proof.
move=> a0 lima limb e e0;
have below N : model_negatives N <= b.
  rewrite leNgt; apply/negP => lt; set m := model_negatives N in lt.
  pose g := (m - b) / 2%:R; have g0 : 0 < g by rewrite mulr_gt0 // subr_gt0.
  have [n1 near] := limb g g0.
  have [n2] : exists n2 : nat, N%:R / (1 - pr) * m / g < n2%:R.
    exists (Num.bound (N%:R / (1 - pr) * m / g)); apply: archi_boundP.
    apply: divr_ge0 (ltW g0); apply: mulr_ge0 (model_negatives_ge0 N); apply: divr_ge0; [exact: ler0n | exact: ltW].
  rewrite ltr_pdivr_mulr // => small; pose n := (n1 + n2).+1.
  have n0 : (0 : rat) < n%:R by rewrite ltr0n.
  have := near n; rewrite /n ltnW ?ltnS ?leq_addr // => /(_ isT); rewrite -/n => /ltr_normlW.
  rewrite ltNge; case/negP; apply: (@le_trans _ _ (m - g - b)).
    rewrite (_ : m - g - b = g) // -[LHS]addrAC; apply/eqP; rewrite subr_eq /g -mulrDl -mulr2n -mulr_natr mulfK //.
  rewrite ler_add2r; apply: le_trans (negatives_above N (ltn0Sn (n1 + n2))).
  rewrite -/n -/m mulrBl mul1r ler_add2l ler_opp2.
  rewrite (_ : _ * m = N%:R / (1 - pr) * m / n%:R); last by rewrite invfM [n%:R^-1 * _]mulrC mulrA mulrAC.
  rewrite ler_pdivr_mulr //; apply: le_trans (ltW small) _; rewrite [leRHS]mulrC ler_wpmul2r ?(ltW g0) //.
  by rewrite ler_nat /n leqW // leq_addl.
have b0 : 0 <= b by apply: le_trans (below 0%N); exact: model_negatives_ge0.
have r0 : 0 <= b / a by rewrite divr_ge0 // ltW.
have s0 : 0 < b / a + e by exact: ltr_paddl.
pose g := a * e / (b / a + e); have g0 : 0 < g by rewrite divr_gt0 // mulr_gt0.
have [n near] := lima g g0; exists (n + retain)%N => N nN.
have big : a - g < model_arrivals N.
  apply: lt_le_trans (arrivals_below nN); have := near n (leqnn n); rewrite distrC => /ltr_normlW.
  by rewrite ltr_subl_addl -ltr_subl_addr.
have ag : a - g = b / (b / a + e).
  apply: (mulIf (lt0r_neq0 s0)); rewrite mulrBl /g !divfK ?gt_eqF //.
  by rewrite mulrDr mulrCA divff ?gt_eqF // mulr1 addrK.
have pos : 0 < model_arrivals N by apply: le_lt_trans big; rewrite ag divr_ge0 // ltW.
rewrite ler_pdivr_mulr //; apply: le_trans (below N) _.
by rewrite mulrC -ler_pdivr_mulr // -ag ltW.
Qed.
End Stays.

Hypotheses (sM : (sigma < M)%N) (k0 : (0 < k)%N) (kM : distinct -> (k <= M)%N) (ks : retain -> (k <= sigma)%N).
Local Notation hash := (levels.hash M k distinct).
Local Notation places := (@levels.places M k distinct).
Local Notation weight := (@repeats.weight D M k distinct pr q d).
Local Notation after := (@repeats.after D M k sigma distinct retain).
Local Notation overflows := (@repeats.overflows D M k sigma distinct).

Let M0 : (0 < M)%N := leq_ltn_trans (leq0n _) sM.
Let h0 : (#|hash|%:R : rat) != 0.
Proof.
rewrite pnatr_eq0 -lt0n; move: kM; rewrite /levels.hash; case: distinct => km.
  by rewrite card_ord card_items bin_gt0 km.
by rewrite card_ffun !card_ord expn_gt0 M0.
Qed.
Let w0 v : 0 <= weight v. Proof. exact: weight_ge0. Qed.
Let w1 : \sum_v weight v = 1. Proof. exact: (weight_sum pr sM kM q1 d1). Qed.

(* The hash of the next cycle is independent of the rest of the event. *)
Lemma mean_next_hash (f : bool * 'I_D -> hash -> rat) (g : hash -> rat) :
  chains.mean weight (fun v => f v.1 v.2.1 * g v.2.2) = chains.mean weight (fun v => f v.1 v.2.1) * recycling.mean g.
Proof.
rewrite (mean_events pr q d M0 kM) /chains.mean /repeats.weight.
rewrite -(pair_bigA _ (fun a (h : hash * hash) => chance pr q d a / (#|hash|%:R * #|hash|%:R) * (f a h.1 * g h.2))) /=.
rewrite mulr_suml; apply: eq_bigr => a _.
rewrite -(pair_bigA _ (fun e e' => chance pr q d a / (#|hash|%:R * #|hash|%:R) * (f a e * g e'))) /=.
rewrite /recycling.mean; under eq_bigr => e _ do rewrite -mulr_sumr -mulr_sumr.
rewrite -mulr_sumr -mulr_suml; set S := \sum_e f a e; set G := \sum_e g e.
by rewrite -[RHS]mulrA mulf_div -[LHS]mulrA; congr (_ * _); rewrite mulrC.
Qed.

(* Where a cycle begins: the disabled ranks are independent of the bits. *)
Definition entered (a : bool * 'I_D) : {set 'I_D} := if retain then disables set0 a else set0.
Definition kept (e : hash) : {set 'I_M} := if retain then places e else set0.

Lemma fills_kept B : fills k sigma distinct retain B = recycling.mean (fun e => (kept e == B)%:R).
Proof.
have := ks; rewrite /kept; case: retain => /= [ks' | _]; last first.
  by rewrite /recycling.mean sumr_const -[X in X / _]mulr_natr mulfK // eq_sym.
rewrite (bigD1 set0) //= eqxx mul1r big1 ?addr0 => [|C /negbTE ->]; last by rewrite mul0r.
case: leqP => Bs; rewrite ?mul1r ?mul0r; first by apply: recycling.eq_mean => e; rewrite set0U.
rewrite /recycling.mean big1 ?mul0r // => e _; case: eqP => // eB; move: Bs.
by rewrite ltnNge -eB (leq_trans (few_places e)) // ks'.
Qed.

Lemma begins_apart pi : preserved weight after pi -> exists first : {set 'I_D} -> rat,
  [/\ forall A, 0 <= first A, \sum_A first A = 1, forall A, (retain < #|A|)%N -> first A = 0 &
      forall A B, begins weight after overflows pi (A, B) = first A * fills k sigma distinct retain B].
Proof.
move=> pp; have o0 := often_gt0 w0 w1 (ends_once retain sM k0 kM pr01 q0 q1 d0 d1) pp; have [pi0 _ _] := pp.
pose ends x A : rat := chains.mean weight (fun v => (overflows x v && (entered v.1 == A))%:R).
exists (fun A => (\sum_x pi x * ends x A) / often weight overflows pi); split=> [A | | A big | A B].
- apply: divr_ge0 (ltW o0); apply: sumr_ge0 => x _; apply: mulr_ge0 => //.
  by apply: cycles.mean_ge0 => // v; exact: ler0n.
- rewrite -mulr_suml exchange_big /=; apply: canLR (mulfK (lt0r_neq0 o0)) _; rewrite mul1r.
  apply: eq_bigr => x _; rewrite -mulr_sumr; congr (_ * _); rewrite /ends /chains.mean exchange_big.
  apply: eq_bigr => v _ /=; rewrite -mulr_sumr; congr (_ * _).
  rewrite (bigD1 (entered v.1)) //= eqxx andbT big1 ?addr0 // => A; rewrite eq_sym => /negbTE ->.
  by rewrite andbF.
- rewrite big1 ?mul0r // => x _; rewrite /ends /chains.mean big1 ?mulr0 // => v _.
  case: eqP => [e | _]; last by rewrite andbF mulr0.
  move: big; rewrite -e /entered; case: retain => /=; last by rewrite cards0.
  by rewrite ltnNge (leq_trans (disables_more _ _)) // cards0.
rewrite mulrAC /cycles.begins; congr (_ / _); rewrite mulr_suml; apply: eq_bigr => x _; rewrite -mulrA; congr (_ * _).
rewrite fills_kept /ends /renews.
pose f a e : rat := ((sigma < #|@repeats.filled D M k distinct x (a, (e, e))|)%N && (entered a == A))%:R.
rewrite (chains.eq_mean weight (g := fun v => f v.1 v.2.1 * (kept v.2.2 == B)%:R)) => [|v].
  by rewrite (mean_next_hash f (fun e => (kept e == B)%:R)); congr (_ * _); apply: chains.eq_mean => v.
rewrite /f /repeats.after -/(overflows x (v.1, (v.2.1, v.2.1))).
have -> : overflows x (v.1, (v.2.1, v.2.1)) = overflows x v by [].
case: (overflows x v); rewrite ?mul0r //= /entered /kept; case: retain; rewrite xpair_eqE.
  by case: (_ == A); rewrite ?mul0r ?mul1r.
by case: (_ == A); rewrite ?mul0r ?mul1r.
Qed.

Section Cycle.
Variables (pi : repeats.state D M -> rat) (first : {set 'I_D} -> rat).
Hypothesis apart_ : forall A B, begins weight after overflows pi (A, B) = first A * fills k sigma distinct retain B.

Lemma comes_arrivals n : \sum_(j < n) repeats.comes k sigma distinct retain pr q d pi j =
  arrivals first n.
Proof.
apply: eq_bigr => j _; rewrite /repeats.comes.
pose F A B := finds weight after overflows (begins weight after overflows pi) j (A, B).
rewrite (eq_bigr (fun x => F x.1 x.2)) => [|[A B] _] //; rewrite -(pair_bigA _ F) /= /F.
under eq_bigr => A _ do under eq_bigr => B _ do rewrite (joint_of_filter pr q d M0 kM apart_).
under eq_bigr => A _ do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => i _ /=.
rewrite /there mulr_suml; apply: eq_bigr => A _; rewrite /fit mulr_sumr; apply: eq_bigr => B _.
by rewrite jointE.
Qed.

Lemma mean_negative A B : chains.mean weight (@negative D M k distinct (A, B)) =
  pr * unrecorded q A * (1 - lucky k distinct B).
Proof.
pose f (a : bool * 'I_D) (e : hash) : rat := [&& a.1, a.2 \notin A & ~~ (places e \subset B)]%:R.
rewrite -[LHS]/(chains.mean weight (fun v => f v.1 v.2.1)) (mean_events pr q d M0 kM).
have one a : recycling.mean (f a) = (a.1 && (a.2 \notin A))%:R * (1 - lucky k distinct B).
  have all : recycling.mean (fun _ : hash => 1) = 1 by rewrite /recycling.mean sumr_const divff.
  rewrite -[X in _ * (X - _)]all /lucky /inside /recycling.mean -mulrBl mulrA -sumrB; congr (_ / _).
  rewrite mulr_sumr; apply: eq_bigr => e _.
  by rewrite /f andbA; case: (a.1 && (a.2 \notin A)); case: (_ \subset _); rewrite ?mul0r ?mul1r ?subr0 ?subrr.
under eq_bigr => a _ do rewrite one mulrA.
rewrite -mulr_suml; congr (_ * _); rewrite -/(chains.mean _ _) chances /=.
rewrite [X in _ + _ * X]big1 ?mulr0 ?addr0 => [|r _]; last by rewrite mulr0.
congr (_ * _); rewrite /unrecorded [RHS]big_mkcond; apply: eq_bigr => r _.
by case: (r \in A); rewrite ?mulr1 ?mulr0.
Qed.

Lemma comes_negatives n : \sum_(j < n) repeats.is_negative k sigma distinct retain pr q d pi j =
  negatives first n.
Proof.
apply: eq_bigr => j _; rewrite /repeats.is_negative.
pose F A B := finds weight after overflows (begins weight after overflows pi) j (A, B) *
  chains.mean weight (@negative D M k distinct (A, B)).
rewrite (eq_bigr (fun x => F x.1 x.2)) => [|[A B] _] //; rewrite -(pair_bigA _ F) /=.
under eq_bigr => A _ do
  under eq_bigr => B _ do rewrite /F mean_negative (joint_of_filter pr q d M0 kM apart_) mulr_suml.
under eq_bigr => A _ do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => i _ /=.
rewrite /out /there [(1 - pr) * _]mulr_sumr -sumrB mulr_suml; apply: eq_bigr => A _.
rewrite [RHS]mulr_sumr; apply: eq_bigr => B _.
by rewrite jointE /adds; set x := apart _ _ _ _ _ _ _ _; set y := fills _ _ _ _ _; set z := lucky _ _ _; identity.
Qed.
End Cycle.

(* Dozier-FN, section 4.2.1, for the four filters, with p_r < 1 and wherever new messages enter: the Markov model with
   (5), in which the recorded messages are the most popular ones, has at most the false-negative rate of the filter. The
   rate of the model is the limit of the rate of its first N states. *)
Theorem markov_lower_bound : exists rate K : rat,
  (forall n x, `|total weight after (@negative D M k distinct) n x - n%:R * rate| <= K) /\
  forall e, 0 < e -> exists N0, forall N, (N0 <= N)%N ->
    model_negatives N / model_arrivals N <= rate + e.
Proof.
have [[pi pp] _] := @negatives_of_cycle D M k sigma distinct retain pr q d sM k0 kM pr01 q0 q1 d0 d1.
have [_ [a [b [K [a0 lima limb long]]]]] := negatives_by_arrival sM k0 kM pr01 q0 q1 d0 d1 pp.
have [first [f0 f1 small same]] := begins_apart pp.
exists (b / a), K; split=> //.
have limA : converges (arrivals first) a.
  by move=> e e0; have [n0 near] := lima e e0; exists n0 => n; rewrite -(comes_arrivals same); exact: near.
have limB : converges (negatives first) b.
  by move=> e e0; have [n0 near] := limb e e0; exists n0 => n; rewrite -(comes_negatives same); exact: near.
exact: (model_below f0 f1 small a0 limA limB).
Qed.
End LowerBound.
