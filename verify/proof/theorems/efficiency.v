(* Burns' efficiency and the entropy of a bit: statements with logarithms.

   The logarithm is any function log from the rationals to an ordered field with log (x y) = log x + log y, which grows;
   log x/log 2 is then the logarithm to base 2. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search claims occupancy laws moments strict.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Logarithm.
Variables (R : realFieldType) (log : rat -> R).
Hypothesis logM : forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y.
Hypothesis log_rises : forall x y, 0 < x -> x < y -> log x < log y.

Definition log2 (x : rat) : R := log x / log 2%:R.

(* The efficiency of a filter of m bits with n items and the rate f. *)
Definition efficiency (m : nat) (n : R) (f : rat) : R := - (n / m%:R) * log2 f.

Lemma log1 : log 1 = 0.
Proof. by have := logM ltr01 ltr01; rewrite mulr1 -[X in X = _ -> _]addr0 => /addrI. Qed.

Lemma logV x : 0 < x -> log x^-1 = - log x.
Proof.
move=> x0; apply/eqP; rewrite -addr_eq0 -logM ?invr_gt0 // mulVf ?log1 // gt_eqF //.
Qed.

Lemma logX x e : 0 < x -> log (x ^+ e) = e%:R * log x.
Proof.
move=> x0; elim: e => [|e IH]; first by rewrite log1 mul0r.
by rewrite exprS logM ?exprn_gt0 // IH mulrSr mulrDl mul1r addrC.
Qed.

Lemma log2_gt0 : 0 < log 2%:R.
Proof. by rewrite -log1 log_rises // ltr1n. Qed.

Lemma throws_gt0 m n : (0 < m)%N -> (0 : rat) < (m ^ n)%:R.
Proof. by move=> m0; rewrite ltr0n expn_gt0 m0. Qed.

(* Burns (69): the efficiency of a standard filter, by the mean of X^k. *)
Theorem standard_efficiency m n k : (0 < m)%N -> (0 < k)%N ->
  efficiency m n%:R (rate m (n * k) k) =
  n%:R * k%:R / m%:R * log2 m%:R -
    n%:R / m%:R * log2 ((\sum_(t : {ffun 'I_(n * k) -> 'I_m}) #|hits t|%:R ^+ k) / (m ^ (n * k))%:R).
Proof.
move=> m0 k0; rewrite /efficiency /log2 rate_by_moment -/(power_sum m (n * k) k).
have [-> | n0] := posnP n; first by rewrite mulr0n !(mul0r, oppr0, subr0).
have sum0 : 0 < power_sum m (n * k) k.
  rewrite lt_neqAle sumr_ge0 ?andbT => [|t _]; last by rewrite exprn_ge0 // ler0n.
  rewrite eq_sym; apply/eqP => /psumr_eq0P z; have := z (fun t _ => exprn_ge0 _ (ler0n _ _)) [ffun=> Ordinal m0] isT.
  move/eqP; rewrite expf_eq0 pnatr_eq0 => /andP[_]; apply/negP; rewrite cards_eq0; apply/set0Pn; exists (Ordinal m0).
  have nk : (0 < n * k)%N by rewrite muln_gt0 n0.
  by apply/imsetP; exists (Ordinal nk); rewrite ?ffunE.
set E := _ / (m ^ (n * k))%:R; have E0 : 0 < E by rewrite divr_gt0 ?throws_gt0.
rewrite logM ?invr_gt0 ?throws_gt0 // logV ?throws_gt0 // natrX logX ?ltr0n //.
have -> : n%:R * k%:R / m%:R = k%:R * (n%:R / m%:R) :> R by rewrite -mulrA mulrCA.
move: (n%:R / m%:R : R) => a.
by rewrite mulNr -mulrN -mulNr opprB mulrBl mulrBr; congr (_ - _); rewrite -!mulrA mulrCA.
Qed.

(* Burns (70): the efficiency of a classic filter, by the mean of C(X, k). *)
Theorem classic_efficiency m n k : (k <= m)%N ->
  efficiency m n%:R (classic_rate m k n k) =
  n%:R / m%:R * log2 'C(m, k)%:R -
    n%:R / m%:R * log2 ((\sum_(s in @classic.states m k n) 'C(#|filled s|, k)%:R) / #|@classic.states m k n|%:R).
Proof.
move=> km; rewrite /efficiency /log2; have [-> | n0] := posnP n; first by rewrite mulr0n !(mul0r, oppr0, subr0).
have C0 : (0 : rat) < 'C(m, k)%:R by rewrite ltr0n bin_gt0.
rewrite card_states classic_mean -mulr_suml; set S := \sum_(s in _) _; set T := ('C(m, k) ^ n)%:R : rat.
have T0 : (0 : rat) < T by rewrite ltr0n expn_gt0 bin_gt0 km.
have S0 : 0 < S.
  apply: (@lt_le_trans _ _ T); rewrite // /T /S -card_states -sumr_const; apply: ler_sum => s /ffun_onP sF.
  rewrite ler1n bin_gt0; have := sF (Ordinal n0); rewrite inE => /eqP <-.
  by apply: subset_leq_card; exact: (bigcup_sup (Ordinal n0)).
rewrite [S / _ / _]mulrAC logM ?invr_gt0 ?divr_gt0 // logV //; set a := n%:R / _.
by rewrite mulNr -mulrN -mulNr opprB mulrBl mulrBr.
Qed.

Lemma below_one m N : (0 < m)%N -> (0 < N)%N -> (0 : rat) < 1 - (1 - m%:R^-1) ^+ N.
Proof.
move=> m0 N0; have i0 : (0 : rat) < m%:R^-1 by rewrite invr_gt0 ltr0n.
have i1 : (m%:R^-1 : rat) <= 1 by rewrite invf_le1 ?ltr0n // ler1n.
rewrite subr_gt0 exprn_ilt1 //; first by rewrite -lt0n.
  by rewrite subr_ge0.
by rewrite ltr_subl_addr ltr_addl.
Qed.

Lemma one_position_standard m N : (0 < m)%N -> rate m N 1 = 1 - (1 - m%:R^-1) ^+ N.
Proof.
move=> m0; have M0 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
rewrite rate_by_moment expn1 /power_sum (eq_bigr (fun t : {ffun 'I_N -> 'I_m} => #|hits t|%:R)) => [|t _]; last by rewrite expr1.
by rewrite mean_of_hits // mulrAC divff // mul1r.
Qed.

(* Burns, the proof of Corollary 27: the efficiency of a standard filter with one position. *)
Theorem one_position_efficiency m n : (0 < m)%N -> (0 < n)%N ->
  efficiency m n%:R (rate m n 1) = log (((1 - (1 - m%:R^-1) ^+ n) ^+ n)^-1) / (m%:R * log 2%:R).
Proof.
move=> m0 n0; have a0 := below_one m0 n0.
rewrite /efficiency /log2 one_position_standard // logV ?exprn_gt0 // logX // invfM !mulNr.
by rewrite mulrACA.
Qed.

(* Theorem 26 of Burns, (71): of standard filters with the same N throws, N/k items of k positions each, that with fewer
   positions has the larger efficiency. *)
Theorem fewer_positions_more_efficient m N k : (1 < m)%N -> (1 < N)%N -> (0 < k)%N ->
  efficiency m (N%:R / k.+1%:R) (rate m N k.+1) < efficiency m (N%:R / k%:R) (rate m N k).
Proof.
move=> m2 N2 k0; have m0 := ltnW m2; have N0 := ltnW N2.
have M0 : (0 : R) < m%:R by rewrite ltr0n.
have f0 e : 0 < rate m N e.
  by apply: lt_le_trans (bloom_below _ _ _); rewrite ?exprn_gt0 ?below_one.
have := log_rises (exprn_gt0 _ (f0 k)) (fewer_positions_efficient m2 N2 k0); rewrite !logX //.
set a := log _; set b := log _ => ab.
have e x (y : R) : N%:R / x / m%:R * (y / log 2%:R) = N%:R / m%:R / log 2%:R * (y / x).
  by rewrite [LHS](AC (3*2) (((1*3)*5)*(4*2))).
rewrite /efficiency /log2 -/a -/b !mulNr ltr_opp2 !e ltr_pmul2l ?divr_gt0 ?ltr0n ?log2_gt0 //.
by rewrite ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n // [a * _]mulrC [b * _]mulrC.
Qed.

Lemma more_positions m N j : (1 < m)%N -> (1 < N)%N ->
  efficiency m (N%:R / j.+2%:R) (rate m N j.+2) < efficiency m N%:R (rate m N 1).
Proof.
move=> m2 N2; elim: j => [|j IH].
  by have := fewer_positions_more_efficient m2 N2 (ltn0Sn 0); rewrite divr1.
by apply: lt_trans IH; apply: (fewer_positions_more_efficient m2 N2 (ltn0Sn j.+1)).
Qed.

Lemma one_is_best m n k : (1 < m)%N -> (0 < n)%N -> (1 < k)%N -> efficiency m n%:R (rate m (n * k) k) < efficiency m (n * k)%:R (rate m (n * k) 1).
Proof.
move=> m2 n0 k2; have N2 : (1 < n * k)%N by rewrite (leq_trans k2) // leq_pmull.
have -> : n%:R = (n * k)%:R / k%:R :> R by rewrite natrM mulfK // pnatr_eq0 -lt0n ltnW.
by have := more_positions (k - 2) m2 N2; have -> : (k - 2).+2 = k by rewrite -addn2 subnK.
Qed.

(* The rate f with n items is less efficient than the rate g with n' items if the powers are in the other order. *)
Lemma less_efficient m n n' (f g : rat) : (0 < m)%N -> 0 < f -> 0 < g -> g ^+ n' < f ^+ n -> efficiency m n%:R f < efficiency m n'%:R g.
Proof.
move=> m0 f0 g0 lt; have M0 : (0 : R) < m%:R by rewrite ltr0n.
have := log_rises (exprn_gt0 _ g0) lt; rewrite !logX // => ll.
have e (x y : R) : x / m%:R * (y / log 2%:R) = (x * y) / (m%:R * log 2%:R) by rewrite invfM mulrACA.
by rewrite /efficiency /log2 !mulNr ltr_opp2 !e ltr_pmul2r // invr_gt0 mulr_gt0 ?log2_gt0.
Qed.

(* Bounds of -log2 f by powers of f. *)
Lemma log2_at_least f a b : 0 < f -> f ^+ b <= (2%:R ^+ a)^-1 -> a%:R <= b%:R * - log2 f.
Proof.
move=> f0 le; have L0 := log2_gt0.
have : log (f ^+ b) <= log (2%:R ^+ a)^-1.
  by move: le; rewrite le_eqVlt => /orP[/eqP -> // | lt]; apply/ltW/log_rises => //; exact: exprn_gt0.
rewrite logV ?exprn_gt0 // !logX // /log2 ler_oppr -mulrN => le'.
by rewrite mulrN mulrA -mulNr -mulrN ler_pdivl_mulr // mulrN.
Qed.

Lemma log2_at_most f a b : 0 < f -> (2%:R ^+ a)^-1 <= f ^+ b -> b%:R * - log2 f <= a%:R.
Proof.
move=> f0 le; have L0 := log2_gt0.
have : log (2%:R ^+ a)^-1 <= log (f ^+ b).
  by move: le; rewrite le_eqVlt => /orP[/eqP -> // | lt]; apply/ltW/log_rises => //; rewrite invr_gt0 exprn_gt0.
rewrite logV ?exprn_gt0 // !logX // /log2 ler_oppl -mulrN => le'.
by rewrite mulrN mulrA -mulNr -mulrN ler_pdivr_mulr // mulrN.
Qed.
End Logarithm.

(* Fan (11): the entropy of a bit, which has the values 1 and 0 with their shares of all sequences of throws, for any
   function log2. *)
Theorem entropy_of_bit (R : realFieldType) (log2 : rat -> R) m n k (x : 'I_m) :
  let p b : rat := #|[set t : {ffun 'I_(n * k) -> 'I_m} | (x \in hits t) == b]|%:R / #|{ffun 'I_(n * k) -> 'I_m}|%:R in
  let p' : rat := (1 - m%:R^-1) ^+ (n * k) in
  - (\sum_(b : bool) ratr (p b) * log2 (p b)) = - (ratr p' * log2 p' + ratr (1 - p') * log2 (1 - p')).
Proof.
move=> p p'; have m0 : (0 < m)%N by apply: leq_ltn_trans (ltn_ord x).
have pF : p false = p'.
  rewrite /p /p' -(bit_stays_zero (n * k) x) card_throws; congr (_%:R / _); apply: eq_card => t.
  by rewrite !inE; case: (x \in _).
have pT : p true = 1 - p'.
  have T0 : (#|{ffun 'I_(n * k) -> 'I_m}|%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n card_throws expn_gt0 m0.
  rewrite -pF /p -[X in X - _](divff T0) -mulrBl; congr (_ / _); apply/eqP; rewrite eq_sym subr_eq -natrD eqr_nat.
  rewrite -cardsT -(cardsID [set t : {ffun 'I_(n * k) -> 'I_m} | x \in hits t] setT); apply/eqP; congr (_ + _)%N.
    by apply: eq_card => t; rewrite !inE; case: (x \in _).
  by apply: eq_card => t; rewrite !inE; case: (x \in _).
by rewrite big_bool /= pF pT addrC.
Qed.
