(* Differences of any order, of numbers of any field that contains the rationals, such as the complex numbers, and
   Stirling's numbers of the second kind. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences size search claims occupancy laws.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Stirling's number S(n, i). *)
Fixpoint stirling2 (n i : nat) : nat :=
  if n is n'.+1 then if i is i'.+1 then (i * stirling2 n' i + stirling2 n' i')%N else 0 else (i == 0)%N.

Lemma stirling2_small n i : (n < i)%N -> stirling2 n i = 0%N.
Proof. by elim: n i => [|n IH] [|i] //= ni; rewrite !IH ?muln0 // ltnW. Qed.

Lemma stirling2_diag n : stirling2 n n = 1%N.
Proof. by elim: n => [|n IH] //=; rewrite stirling2_small // muln0 IH. Qed.

Lemma stirling2_gt0 n i : (0 < i)%N -> (i <= n)%N -> (0 < stirling2 n i)%N.
Proof.
elim: n i => [|n IH] [|i] //= _; rewrite ltnS leq_eqVlt => /orP[/eqP -> | lt]; first by rewrite stirling2_diag addn_gt0 orbT.
by rewrite addn_gt0 muln_gt0 IH.
Qed.

Section Field.
Variable R : numFieldType.
Implicit Types (x z : R) (f g : R -> R) (h : nat -> R).

Definition falling x (j : nat) : R := \prod_(i < j) (x - i%:R).
Definition choose x (k : nat) : R := falling x k / k`!%:R.
Definition back f : R -> R := fun x => f x - f (x - 1).
Definition forward f : R -> R := fun x => f (x + 1) - f x.

Lemma natr1 (n : nat) : n%:R + 1 = n.+1%:R :> R. Proof. by rewrite -addn1 natrD. Qed.

Lemma fallingS x j : falling x j.+1 = falling x j * (x - j%:R).
Proof. by rewrite /falling big_ord_recr. Qed.

Lemma falling_first x j : falling x j.+1 = x * falling (x - 1) j.
Proof.
rewrite /falling big_ord_recl subr0; congr (_ * _); apply: eq_bigr => i _.
by rewrite lift0 -add1n natrD opprD addrA.
Qed.

Lemma back_choose x k : choose x k.+1 - choose (x - 1) k.+1 = choose (x - 1) k.
Proof.
have F0 e : (e`!%:R : R) != 0 by rewrite pnatr_eq0 -lt0n fact_gt0.
have K0 : (k.+1%:R : R) != 0 by rewrite pnatr_eq0.
rewrite /choose -mulrBl falling_first fallingS [x * _]mulrC -mulrBr factS natrM invfM mulrA; congr (_ / _).
have -> : x - (x - 1 - k%:R) = k.+1%:R by rewrite -[_ - 1 - _]addrA -opprD opprB addrCA subrr addr0 -[k.+1]add1n natrD.
by rewrite mulfK.
Qed.

(* Burns (7): the difference of order i of C(x, k) is C(x - i, k - i), for any number x. *)
Theorem difference_of_choices i k x : iter i back (choose^~ k) x = if (i <= k)%N then choose (x - i%:R) (k - i) else 0.
Proof.
elim: i x => [|i IH] x; first by rewrite subr0 subn0.
rewrite iterS /back !IH; have [ik | ki] := leqP i k; last by rewrite subr0 ltnNge (ltnW ki).
have xi : x - 1 - i%:R = x - i%:R - 1 by rewrite addrAC.
have xS : x - i.+1%:R = x - i%:R - 1 by rewrite -natr1 opprD addrA.
rewrite xi xS; case: ltnP => [lt | ki]; first by rewrite -(subnSK lt) back_choose.
by rewrite (_ : k - i = 0)%N ?(eqP ki) // /choose /falling !big_ord0 subrr.
Qed.

Lemma pascal_sum h i : \sum_(j < i.+2) 'C(i.+1, j)%:R * h j = \sum_(j < i.+1) 'C(i, j)%:R * (h j + h j.+1).
Proof.
rewrite (eq_bigr (fun j : 'I_i.+1 => 'C(i, j)%:R * h j + 'C(i, j)%:R * h j.+1)) => [|j _]; last by rewrite mulrDr.
rewrite big_split /= big_ord_recl (eq_bigr (fun j : 'I_i.+1 => 'C(i, j.+1)%:R * h j.+1 + 'C(i, j)%:R * h j.+1)) => [|j _]; last first.
  by rewrite lift0 binS natrD mulrDl.
rewrite big_split /= addrA !bin0; congr (_ + _); rewrite [RHS]big_ord_recl bin0; congr (_ + _).
by rewrite [LHS]big_ord_recr /= bin_small // mul0r addr0.
Qed.

(* Burns, after (7): the difference of order i as a sum, for every f, and the forward difference of order i at a is the
   backward difference at a + i. *)
Theorem differences_as_sums i f x :
  iter i back f x = \sum_(j < i.+1) (-1) ^+ j * 'C(i, j)%:R * f (x - j%:R) /\ iter i forward f x = iter i back f (x + i%:R).
Proof.
split.
  rewrite (eq_bigr (fun j : 'I_i.+1 => 'C(i, j)%:R * ((-1) ^+ j * f (x - j%:R)))) => [|j _]; last by rewrite -mulrA mulrCA.
  elim: i x => [|i IH] x; first by rewrite big_ord1 bin0 expr0 subr0 !mul1r.
  rewrite (pascal_sum (fun j => (-1) ^+ j * f (x - j%:R))) iterS /back !IH -sumrB; apply: eq_bigr => j _.
  by rewrite -mulrBr exprS mulN1r mulNr -[j.+1%:R]natr1 [_%:R + 1]addrC opprD addrA.
elim: i x => [|i IH] x; first by rewrite addr0.
by rewrite !iterS /forward /back !IH -[i.+1%:R]natr1 addrA addrK addrAC.
Qed.

Lemma stirling_sum n h :
  \sum_(i < n.+2) (stirling2 n.+1 i)%:R * h i = \sum_(i < n.+1) (stirling2 n i)%:R * (i%:R * h i + h i.+1).
Proof.
rewrite big_ord_recl mul0r add0r (eq_bigr (fun i : 'I_n.+1 => (stirling2 n i.+1)%:R * (i.+1%:R * h i.+1) + (stirling2 n i)%:R * h i.+1)) => [|i _]; last first.
  by rewrite lift0 /= natrD mulrDl natrM -mulrA mulrCA.
rewrite [RHS](eq_bigr (fun i : 'I_n.+1 => (stirling2 n i)%:R * (i%:R * h i) + (stirling2 n i)%:R * h i.+1)) => [|i _]; last by rewrite mulrDr.
rewrite !big_split /=; congr (_ + _); rewrite big_ord_recr /= stirling2_small // mul0r addr0.
by rewrite [RHS]big_ord_recl mul0r mulr0 add0r.
Qed.

Lemma times_falling z i : z * falling z i = i%:R * falling z i + falling z i.+1.
Proof. by rewrite fallingS mulrBr [z * _]mulrC [i%:R * _]mulrC addrC subrK. Qed.

Lemma powers_as_falling z n : \sum_(i < n.+1) (stirling2 n i)%:R * falling z i = z ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite big_ord1 /falling big_ord0 mul1r.
rewrite (stirling_sum n (falling z)) exprS -IH mulr_sumr; apply: eq_bigr => i _.
by rewrite -times_falling mulrCA.
Qed.

Lemma difference_of_product f z j : z * (falling z j * f z - falling (z - 1) j * f (z - 1)) =
  j%:R * (falling z j * f z) + falling z j.+1 * back f z.
Proof. by rewrite mulrBr !mulrA -falling_first times_falling mulrDl -addrA -mulrBr. Qed.

(* Burns (11), for any number z. *)
Theorem stirling_moments n r z : (0 < n)%N ->
  \sum_(1 <= i < n.+1) (stirling2 n i)%:R * i%:R ^+ r * falling z i =
  \sum_(j < r.+1) (stirling2 r j)%:R * iter j back (fun x => x ^+ n) z * falling z j.
Proof.
move=> n0; pose T f x := x * back f x.
transitivity (iter r T (fun x => x ^+ n) z).
  transitivity (\sum_(i < n.+1) (stirling2 n i)%:R * i%:R ^+ r * falling z i).
    rewrite -(big_mkord predT (fun i => (stirling2 n i)%:R * i%:R ^+ r * falling z i)) [RHS]big_nat_recl //= big_add1 /=.
    by rewrite -[n in stirling2 n 0]prednK // !mul0r add0r.
  elim: r z => [|r IH] z; first by rewrite /= -powers_as_falling; apply: eq_bigr => i _; rewrite expr0 mulr1.
  rewrite iterS /T /back -!IH -sumrB mulr_sumr; apply: eq_bigr => i _.
  rewrite -mulrBr mulrCA; case: i => -[|i] lt /=; first by rewrite exprS /falling !big_ord0 subrr !(mulr0, mul0r).
  rewrite mulrBr -falling_first exprSr -!mulrA; congr (_ * (_ * _)).
  by rewrite times_falling addrK.
elim: r z => [|r IH] z; first by rewrite big_ord1 /falling big_ord0 mul1r mulr1.
rewrite iterS /T /back !IH -sumrB mulr_sumr.
rewrite (eq_bigr (fun j : 'I_r.+1 => (stirling2 r j)%:R * (j%:R * (falling z j * iter j back (fun x => x ^+ n) z) + falling z j.+1 * iter j.+1 back (fun x => x ^+ n) z))) => [|j _]; last first.
  by rewrite iterS -difference_of_product -!mulrA -mulrBr mulrCA; congr (_ * (_ * (_ - _))); exact: mulrC.
rewrite -(stirling_sum r (fun j => falling z j * iter j back (fun x => x ^+ n) z)).
by apply: eq_bigr => j _; rewrite -mulrA; congr (_ * _); exact: mulrC.
Qed.

(* Burns (27): A(m) is the sum over i of ff(m, i) a_i, if and only if a_m is the difference of order m of A at 0, divided
   by m!. *)
Theorem series_and_differences (A a : nat -> R) : let next (f : nat -> R) m := f m.+1 - f m in
  (forall m, A m = \sum_(i < m.+1) (m ^_ i)%:R * a i) <-> (forall m, a m = iter m next A 0%N / m`!%:R).
Proof.
move=> next; have F0 e : (e`!%:R : R) != 0 by rewrite pnatr_eq0 -lt0n fact_gt0.
have newton m (f : nat -> R) (x : nat) : f (x + m)%N = \sum_(i < m.+1) 'C(m, i)%:R * iter i next f x.
  elim: m x => [|m IH] x; first by rewrite big_ord1 bin0 mul1r addn0.
  rewrite (pascal_sum (fun i => iter i next f x)) addnS -addSn IH; apply: eq_bigr => i _.
  by rewrite iterS /next addrCA subrr addr0.
split=> [e m | e m]; last first.
  by rewrite -[m in A m]add0n newton; apply: eq_bigr => i _; rewrite e -bin_ffact natrM -mulrA [_ * (_ / _)]mulrC divfK.
suff d : iter m next A 0%N = m`!%:R * a m by rewrite d mulrC mulKf.
elim/ltn_ind: m => m IH; have := newton m A 0%N; rewrite add0n e !big_ord_recr /= binn mul1r ffactnn.
rewrite (eq_bigr (fun i : 'I_m => 'C(m, i)%:R * iter i next A 0%N)) => [/addrI <- //|i _].
by rewrite IH // mulrA -natrM bin_ffact.
Qed.
End Field.

(* Burns (48): the two cases of the estimate are the same number. *)
Theorem estimates_agree n x : (0 < x)%N -> (x <= n)%N ->
  x%:R + (stirling2 n x.-1)%:R / (stirling2 n x)%:R = (stirling2 n.+1 x)%:R / (stirling2 n x)%:R :> rat.
Proof.
case: x => // x x0 xn; have S0 : ((stirling2 n x.+1)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n stirling2_gt0.
by rewrite [stirling2 n.+1 x.+1]/= natrD mulrDl natrM mulfK.
Qed.

Lemma onto_stirling2 N i : onto N i = i`!%:R * (stirling2 N i)%:R.
Proof.
elim: N i => [|N IH] i.
  have := alternating [set: 'I_i]; rewrite (sum_by_size _ (fun j => (-1) ^+ j)) cardsT card_ord -cards_eq0 cardsT card_ord => e.
  rewrite /onto (eq_bigr (fun j : 'I_i.+1 => 'C(i, j)%:R * (-1) ^+ j)) => [|j _]; last by rewrite expn0 mulr1.
  by rewrite e /=; case: i {e} => [|i]; rewrite ?mulr0 ?mulr1.
rewrite onto_next; case: i => [|i]; first by rewrite mul0r mulr0.
rewrite /spread !IH [stirling2 N.+1 i.+1]/= natrD natrM mulrDr mulrDr; congr (_ + _); first by rewrite mulrCA.
by rewrite /before IH mulrA -natrM -factS.
Qed.

(* Burns, Table 1: the distribution and the mean of the number of bits that are set, in a classic filter and in a standard
   filter. *)
Theorem table_of_laws m n k i : (0 < m)%N ->
  [/\ (\sum_(s in @states m k n) (#|filled s| == i)%:R) / #|@states m k n|%:R =
        'C(m, i)%:R * nabla i (fun x => 'C(x, k)%:R ^+ n) i / 'C(m, k)%:R ^+ n :> rat,
      (k <= m)%N -> (\sum_(s in @states m k n) #|filled s|%:R) / #|@states m k n|%:R = m%:R * (1 - (1 - k%:R / m%:R) ^+ n) :> rat,
      #|[set t : {ffun 'I_(n * k) -> 'I_m} | #|hits t| == i]|%:R / (m ^ (n * k))%:R =
        (stirling2 (n * k) i)%:R * (m ^_ i)%:R / (m ^ (n * k))%:R :> rat
    & (\sum_(t : {ffun 'I_(n * k) -> 'I_m}) #|hits t|%:R) / (m ^ (n * k))%:R = m%:R * (1 - (1 - m%:R^-1) ^+ (n * k)) :> rat].
Proof.
move=> m0; split; last exact: mean_of_hits.
- have all x : choices (fun _ : 'I_n => k) x = 'C(x, k)%:R ^+ n by rewrite /choices prodr_const card_ord.
  have same : @states m k n =i @batches m n (fun=> k) by move=> s.
  by rewrite (eq_bigl _ _ same) (eq_card same) batches_law mulrA all (eq_nabla i i all).
- by move=> km; rewrite card_states; apply: mean_filled.
- by rewrite law_of_hits onto_stirling2 mulrA -natrM bin_ffact; congr (_ / _); exact: mulrC.
Qed.

(* Burns, the proof of Corollary 2: the sum of S(n, i) i^r ff(z, i) is a polynomial in z of degree n, and its value at m
   is m^n E[X^r]. *)
Theorem degree_of_moments n r : (0 < n)%N ->
  let f : {poly rat} := \sum_(i < n.+1) (stirling2 n i * i ^ r)%:R *: \prod_(j < i) ('X - j%:R%:P) in
  size f = n.+1 /\
  forall m, (0 < m)%N -> f.[m%:R] = (m ^ n)%:R * ((\sum_(t : {ffun 'I_n -> 'I_m}) #|hits t|%:R ^+ r) / (m ^ n)%:R).
Proof.
move=> n0 f; have sizes i : size (\prod_(j < i) ('X - j%:R%:P) : {poly rat}) = i.+1.
  by rewrite size_prod_XsubC /index_enum -enumT size_enum_ord.
split.
  rewrite /f big_ord_recr /= stirling2_diag mul1n; set top := _ *: _.
  have st : size top = n.+1 by rewrite /top size_scale ?sizes // pnatr_eq0 -lt0n expn_gt0 n0.
  rewrite addrC size_addl st // ltnS; apply: (leq_trans (size_sum _ _ _)); apply/bigmax_leqP => i _.
  by apply: (leq_trans (size_scale_leq _ _)); rewrite sizes.
move=> m m0; rewrite mulrC divfK; last by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
transitivity (\sum_(i < m.+1) 'C(m, i)%:R * (onto n i * i%:R ^+ r) : rat); last by apply/esym; exact: (sum_by_hits m n (fun x => x%:R ^+ r)).
rewrite /f horner_sum.
have value (i : nat) : ((stirling2 n i * i ^ r)%:R *: \prod_(j < i) ('X - j%:R%:P)).[m%:R] = 'C(m, i)%:R * (onto n i * i%:R ^+ r) :> rat.
  rewrite hornerZ horner_prod (eq_bigr (fun j : 'I_i => m%:R - j%:R)) => [|j _]; last by rewrite !hornerE.
  have -> : \prod_(j < i) (m%:R - j%:R) = (m ^_ i)%:R :> rat.
    have [im | mi] := leqP i m; last first.
      by rewrite ffact_small // (bigD1 (Ordinal mi)) //= subrr mul0r.
    rewrite ffact_prod natr_prod; apply: eq_bigr => j _; rewrite natrB //.
    by rewrite (leq_trans _ im) // ltnW.
  by rewrite onto_stirling2 -bin_ffact !natrM natrX [LHS](AC (2*2) (3*((4*1)*2))).
rewrite (eq_bigr _ (fun (i : 'I_n.+1) _ => value i)).
pose v i : rat := 'C(m, i)%:R * (onto n i * i%:R ^+ r).
have wide a b : (forall i, (a < i)%N -> v i = 0) -> (a <= b)%N -> \sum_(i < b.+1) v i = \sum_(i < a.+1) v i.
  move=> z ab; rewrite -!(big_mkord predT v) (big_cat_nat _ _ _ (leq0n a.+1)) //=.
  by rewrite [X in _ + X]big_nat_cond [X in _ + X]big1 ?addr0 // => i /andP[/andP[ai _] _]; exact: z.
have zn i : (n < i)%N -> v i = 0 by move=> ni; rewrite /v onto_stirling2 stirling2_small // !(mulr0, mul0r).
have zm i : (m < i)%N -> v i = 0 by move=> mi; rewrite /v bin_small // mul0r.
by have [mn | /ltnW nm] := leqP m n; [exact: wide zm mn | apply/esym; exact: wide zn nm].
Qed.
