(* Filters that recycle by the number of messages (Dozier-FP, section III), and counts of false positives (section II-E). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import sequences standard classic steps claims machine recycling.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Dozier-FP, section II-E: a cycle is the sequence of its arrivals, and the set of the messages that were false positives
   at their first arrival. Over any number of cycles, count-first is at most count-each and at most count-instance. *)
Theorem count_first_least (T : eqType) (cycles : seq (seq T * pred T)) :
  let sum f := \sum_(c <- cycles) \sum_(i <- undup c.1) f i (c.2 i) (count_mem i c.1) : rat in
  let all := sum (fun _ _ eta => eta%:R) in
  let first := sum (fun _ F _ => (F : bool)%:R) / all in
  let each := sum (fun _ F eta => (F * eta)%N%:R) / all in
  let instance := sum (fun _ F _ => (F : bool)%:R) / sum (fun _ _ _ => 1) in
  first <= each /\ first <= instance.
Proof.
move=> sum all first each instance.
have le f g : (forall i (F : bool) eta, (0 < eta)%N -> f i F eta <= g i F eta) -> sum f <= sum g.
  move=> fg; apply: ler_sum => c _; rewrite big_seq [leRHS]big_seq; apply: ler_sum => i.
  by rewrite mem_undup -has_pred1 has_count; exact: fg.
have ge f : (forall i (F : bool) eta, 0 <= f i F eta) -> 0 <= sum f.
  by move=> f0; apply: sumr_ge0 => c _; apply: sumr_ge0.
split.
  apply: ler_wpmul2r; first by rewrite invr_ge0 ge // => *; exact: ler0n.
  by apply: le => i F eta eta0; rewrite ler_nat; case: F; rewrite ?mul1n.
set ones := sum (fun _ _ _ => 1); have o0 : 0 <= ones by apply: ge => *; exact: ler01.
have oa : ones <= all by apply: le => i F eta eta0; rewrite ler1n.
have f0 : 0 <= sum (fun _ (F : bool) _ => F%:R) by apply: ge => *; exact: ler0n.
have fo : sum (fun _ (F : bool) _ => F%:R) <= ones by apply: le => i F eta _; case: F.
rewrite /first /instance -/ones; have [z | ne] := eqVneq ones 0.
  by rewrite (_ : sum _ = 0) ?mul0r //; apply/eqP; rewrite eq_le f0 -z fo.
by apply: ler_wpmul2l => //; rewrite lef_pinv ?posrE ?(lt_le_trans _ oa) // lt_neqAle eq_sym ne.
Qed.

Section Bounded.
Variables (P E : finType) (places : E -> {set P}).
Implicit Types (A B : {set P}) (g : {set P} -> rat).
Hypothesis some : (0 < #|E|)%N.

(* The mean of g over the bits after i more messages; and after i more messages that set a bit, if each message that sets
   no bit is left out. *)
Fixpoint after_messages i g B : rat := if i is i'.+1 then mean (fun e => after_messages i' g (B :|: places e)) else g B.
Fixpoint after_setting i g B : rat :=
  if i is i'.+1 then mean (fun e => (~~ (places e \subset B))%:R * after_setting i' g (B :|: places e)) / (1 - inside places B) else g B.

(* P(F_i = 1) for i + 1 in place of i: the message after i messages of a cycle sets no bit. And p_i, for i + 1 in place of
   i: the message after i messages that set a bit sets no bit. *)
Definition positive_after i : rat := after_messages i (inside places) set0.
Definition match_after i : rat := after_setting i (inside places) set0.

(* The false positives among some new messages, for the oracle's filter, which recycles after each N messages of a cycle.
   It has the bits B after j messages of a cycle. *)
Fixpoint oracle_positives (N : nat) B (j : nat) (later : seq E) : rat :=
  if later is e :: rest then (places e \subset B)%:R +
    (if j.+1 == N then oracle_positives N set0 0%N rest else oracle_positives N (B :|: places e) j.+1 rest) else 0.

Let E0 : (#|E|%:R : rat) != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Lemma mean_constant (c : rat) : mean (fun _ : E => c) = c.
Proof. by rewrite /mean sumr_const -[_ *+ _]mulr_natr mulfK. Qed.

Lemma mean_mono (f g : E -> rat) : (forall e, f e <= g e) -> mean f <= mean g.
Proof. by move=> fg; rewrite ler_wpmul2r ?invr_ge0 ?ler0n //; apply: ler_sum. Qed.

Lemma averageS T (f : {ffun 'I_T.+1 -> E} -> rat) : average f = mean (fun e => average (fun s => f (prepend (e, s)))).
Proof.
rewrite /average /mean -mulr_suml -mulrA -invfM -natrM -(sum_all _ f) big_sequences; congr (_ / _%:R).
  by apply: eq_big => [e|e _]; rewrite ?inE // sum_all.
by rewrite !card_ffun !card_ord expnSr.
Qed.

(* Dozier-FP (2), with any hashing: in c cycles of N new messages each, the oracle's filter has in the mean c times the sum
   of E[F_i] false positives, and so the rate is the sum divided by N. *)
Theorem oracle_rate N c : (0 < N)%N -> (0 < c)%N ->
  average (fun s : {ffun 'I_(c * N) -> E} => oracle_positives N set0 0%N (messages s)) = c%:R * (\sum_(i < N) positive_after i) /\
  average (fun s : {ffun 'I_(c * N) -> E} => oracle_positives N set0 0%N (messages s)) / (c * N)%:R = (\sum_(i < N) positive_after i) / N%:R.
Proof.
move=> N0 c0; pose run T B j := average (fun s : {ffun 'I_T -> E} => oracle_positives N B j (messages s)).
have runS T B j : run T.+1 B j = inside places B + mean (fun e => if j.+1 == N then run T set0 0%N else run T (B :|: places e) j.+1).
  rewrite /run averageS -mean_add; apply: eq_mean => e.
  rewrite /average (eq_bigr (fun s => (places e \subset B)%:R + (if j.+1 == N then oracle_positives N set0 0%N (messages s) else oracle_positives N (B :|: places e) j.+1 (messages s)))) => [|s _]; last by rewrite messages_prepend.
  rewrite big_split mulrDl sumr_const -[_ *+ _]mulr_natr mulfK; last first.
    by rewrite pnatr_eq0 card_ffun card_ord expn_eq0 negb_and -lt0n some.
  by congr (_ + _); case: ifP.
have cycle d T B j : (j + d.+1 = N)%N -> run (d.+1 + T)%N B j = \sum_(i < d.+1) after_messages i (inside places) B + run T set0 0%N.
  elim: d B j => [|d IH] B j e; rewrite addSn runS.
    by rewrite (_ : j.+1 == N) ?mean_constant ?big_ord1 // -e addn1.
  rewrite big_ord_recl /= -addrA; congr (_ + _); have -> : (j.+1 == N) = false.
    by rewrite -e addnS eqSS -[X in X == _]addn0 eqn_add2l.
  rewrite (eq_mean (g := fun e => \sum_(i < d.+1) after_messages i (inside places) (B :|: places e) + run T set0 0%N)) => [|x]; last first.
    by rewrite IH // addSnnS.
  by rewrite mean_add mean_constant; congr (_ + _); rewrite mean_sum.
have all : run (c * N)%N set0 0%N = c%:R * (\sum_(i < N) positive_after i).
  elim: c {c0} => [|c IH].
    rewrite mul0n mul0r /run /average big1 ?mul0r // => s _.
    by rewrite /messages (_ : enum 'I_0 = [::]) //; apply/size0nil; rewrite size_enum_ord.
  rewrite mulSn -{1}[N in (N + _)%N]prednK // cycle ?add0n ?prednK // IH -[c.+1]add1n natrD mulrDl mul1r //.
split=> //; rewrite -/(run (c * N)%N set0 0%N) all natrM invfM mulrACA divff ?mul1r // pnatr_eq0 -lt0n.
exact: c0.
Qed.

Lemma inside_mono A B : A \subset B -> inside places A <= inside places B.
Proof. by move=> AB; apply: mean_mono => e; rewrite ler_nat; case sub: (places e \subset A); rewrite // (subset_trans sub). Qed.

Lemma after_mono i g : (forall A B, A \subset B -> g A <= g B) -> forall A B, A \subset B -> after_messages i g A <= after_messages i g B.
Proof.
move=> up; elim: i => [|i IH] A B AB /=; first exact: up.
by apply: mean_mono => e; apply: IH; exact: setSU.
Qed.

Variables (sigma k : nat).
Hypothesis leaves : forall J : {set P}, (#|J| <= sigma)%N -> exists e, ~~ (places e \subset J).
Hypothesis few : forall e, (#|places e| <= k)%N.

Lemma setting_above i g : (forall A B, A \subset B -> g A <= g B) -> forall B, (#|B| + i.-1 * k <= sigma)%N ->
  after_messages i g B <= after_setting i g B.
Proof.
move=> up; elim: i => [|i IH] B le //=; set p := inside places B.
have p1 : 0 < 1 - p by rewrite subr_gt0 (inside_lt1 leaves) // (leq_trans _ le) // leq_addr.
pose h := after_messages i g; pose X := mean (fun e => (~~ (places e \subset B))%:R * h (B :|: places e)).
apply: (@le_trans _ _ (X / (1 - p))); last first.
  rewrite ler_pmul2r ?invr_gt0 //; apply: mean_mono => e; case: i IH le @h @X => [|i] IH le h X; first by [].
  rewrite ler_wpmul2l ?ler0n //; apply: IH; apply: leq_trans le => /=; rewrite mulSn addnA leq_add2r.
  by have [c _] := leq_card_setU B (places e); rewrite (leq_trans c) // leq_add2l.
have split_ : mean (fun e => h (B :|: places e)) = X + p * h B.
  rewrite mulrC -mean_scale -mean_add; apply: eq_mean => e; have [sub | _] := boolP (places e \subset B).
    by rewrite mul0r add0r mulr1 (setUidPl sub).
  by rewrite mul1r mulr0 addr0.
have low : (1 - p) * h B <= X.
  rewrite mulrC mulrBr mulr1 ler_subl_addr [h B * p]mulrC -split_ -[h B]mean_constant.
  by apply: mean_mono => e; apply: (after_mono i up); exact: subsetUl.
rewrite split_ ler_pdivl_mulr // mulrDl mulrBr mulr1 -addrA ger_addl addrC subr_le0 mulrAC -mulrA [X * p]mulrC.
by rewrite ler_wpmul2l // /p mean_ge0 // => e; rewrite ler0n.
Qed.

(* Dozier-FP, section III: p_i is at least P(F_i = 1), if the messages before cannot fill the filter. *)
Theorem matches_above i : (i.-1 * k <= sigma)%N -> positive_after i <= match_after i.
Proof. by move=> le; apply: setting_above; [exact: inside_mono | rewrite cards0]. Qed.
End Bounded.

(* Dozier-FP, section VII, by an example: with M = 3, k = 1 and the rate F = 5/12, (1) allows one message. The filter that
   recycles when more than one bit is set has the rate 1/5 and takes 5/2 messages per cycle. *)
Theorem worst_case_allows_fewer :
  let worst n : rat := 1 - (1 - 3%:R^-1) ^+ n in
  [/\ worst 1%N <= 5%:R / 12%:R, forall n, (1 < n)%N -> 5%:R / 12%:R < worst n,
      recycling_rate (@hits 3 1) 1 = 5%:R^-1 & capacity (@hits 3 1) 1 = 5%:R / 2%:R].
Proof.
move=> worst; pose p j : rat := (j%:R / 3%:R) ^+ 1.
have within (J : {set 'I_3}) : inside (@hits 3 1) J = p #|J| by exact: throws_inside.
have [cE fE] := @rate_in_closed_form 3 1 _ _ p within.
split.
- by [].
- move=> n n1; apply: (@lt_le_trans _ _ (worst 2%N)); first by [].
  by rewrite /worst ler_add2l ler_opp2 ler_wiexpn2l.
- by rewrite fE /seen !big_ord_recl !big_ord0; apply/eqP; vm_compute.
by rewrite cE /seen !big_ord_recl !big_ord0; apply/eqP; vm_compute.
Qed.
