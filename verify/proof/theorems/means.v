(* Means of choices: C(X, r)/C(m, r) is at least as large in the mean as at the mean of X, by Chebyshev's inequality.

   X is the number of places that are set. That r given places are set makes more of them likely to be. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences size search.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Chebyshev: the mean of a product is at least the product of the means, where both factors grow together. *)
Lemma chebyshev (T : finType) (F : pred T) (f g : T -> rat) : (forall s t, 0 <= (f s - f t) * (g s - g t)) ->
  (\sum_(s in F) f s) * (\sum_(s in F) g s) <= #|F|%:R * \sum_(s in F) f s * g s.
Proof.
move=> together; rewrite big_distrlr /=; set cross := \sum_(s in F) _.
have same : #|F|%:R * (\sum_(s in F) f s * g s) = \sum_(s in F) \sum_(t in F) f s * g s.
  by rewrite mulr_natl -sumrMnl; apply: eq_bigr => s _; rewrite sumr_const.
have same' : #|F|%:R * (\sum_(s in F) f s * g s) = \sum_(s in F) \sum_(t in F) f t * g t.
  by rewrite mulr_natl -sumr_const.
have cross' : cross = \sum_(s in F) \sum_(t in F) f t * g s by rewrite /cross exchange_big.
have : 0 <= \sum_(s in F) \sum_(t in F) (f s - f t) * (g s - g t) by apply: sumr_ge0 => s _; apply: sumr_ge0.
have -> : \sum_(s in F) \sum_(t in F) (f s - f t) * (g s - g t) =
    (#|F|%:R * (\sum_(s in F) f s * g s) - cross) + (#|F|%:R * (\sum_(s in F) f s * g s) - cross).
  rewrite {1}same {1}cross' same' /cross -!sumrB -big_split /=; apply: eq_bigr => s _.
  rewrite -!sumrB -big_split /=; apply: eq_bigr => t _.
  by rewrite mulrBl !mulrBr opprB addrACA [RHS]addrACA; congr (_ + _); exact: addrC.
by rewrite -mulr2n pmulrn_lge0 // subr_ge0.
Qed.

Section Choices.
Variables (T : finType) (F : pred T) (X : T -> nat) (m : nat).
Hypothesis some : (0 < #|F|)%N.
Let mu : rat := (\sum_(s in F) (X s)%:R) / #|F|%:R.
Let F0 : (0 : rat) < #|F|%:R. Proof. by rewrite ltr0n. Qed.

Lemma next_choice (x r : nat) : ('C(x, r.+1))%:R * r.+1%:R = ('C(x, r))%:R * (x%:R - r%:R) :> rat.
Proof.
have [rx | xr] := leqP r x; first by rewrite -natrB // -!natrM mulnC mul_bin_left mulnC.
by rewrite !bin_small ?mul0r // leqW.
Qed.

(* The mean of C(X, r)/C(m, r) is at least the product over i < r of (mu - i)/(m - i), mu the mean of X. *)
Lemma mean_choices r : (r <= m)%N -> r.-1%:R <= mu ->
  \prod_(i < r) ((mu - i%:R) / (m%:R - i%:R)) <= (\sum_(s in F) ('C(X s, r))%:R / ('C(m, r))%:R) / #|F|%:R.
Proof.
elim: r => [|r IH] rm rmu; first by rewrite big_ord0 (eq_bigr (fun=> 1)) ?sumr_const ?divff ?gt_eqF // => s _; rewrite !bin0 divr1.
have below : r%:R <= mu by [].
have up : (\prod_(i < r) ((mu - i%:R) / (m%:R - i%:R)) <= (\sum_(s in F) ('C(X s, r))%:R / ('C(m, r))%:R) / #|F|%:R).
  by apply: IH; [exact: ltnW | apply: le_trans below; rewrite ler_nat leq_pred].
have mr : (0 : rat) < m%:R - r%:R by rewrite subr_gt0 ltr_nat.
have Cr : (0 : rat) < ('C(m, r))%:R by rewrite ltr0n bin_gt0 ltnW.
rewrite big_ord_recr /=; apply: (@le_trans _ _ ((\sum_(s in F) ('C(X s, r))%:R / ('C(m, r))%:R) / #|F|%:R * ((mu - r%:R) / (m%:R - r%:R)))).
  by rewrite ler_wpmul2r //; apply: divr_ge0; [rewrite subr_ge0 | exact: ltW].
have step s : ('C(X s, r.+1))%:R / ('C(m, r.+1))%:R = (('C(X s, r))%:R * ((X s)%:R - r%:R)) / (('C(m, r))%:R * (m%:R - r%:R)) :> rat.
  rewrite -!next_choice invfM mulrACA divff ?mulr1 // pnatr_eq0 //.
rewrite [in leRHS](eq_bigr _ (fun s _ => step s)) -!mulr_suml invfM.
have -> : mu - r%:R = (\sum_(s in F) ((X s)%:R - r%:R)) / #|F|%:R.
  by rewrite sumrB sumr_const mulrBl -/mu -[r%:R *+ _]mulr_natr mulfK ?gt_eqF.
set A := \sum_(s in F) _; set B := \sum_(s in F) _; set D := \sum_(s in F) _.
have cheb : A * B <= #|F|%:R * D.
  apply: chebyshev => s t; rewrite opprD opprK addrACA [- r%:R + _]addrC subrr addr0.
  have [st|/ltnW ts] := leqP (X s) (X t).
    by rewrite mulr_le0 // subr_le0 ler_nat // leq_bin2l.
  by rewrite mulr_ge0 // subr_ge0 ler_nat // leq_bin2l.
have -> : A / ('C(m, r))%:R / #|F|%:R * (B / #|F|%:R / (m%:R - r%:R)) = (A * B) / #|F|%:R * (('C(m, r))%:R^-1 / (m%:R - r%:R)) / #|F|%:R.
  rewrite -!mulrA; congr (_ * _); rewrite [#|F|%:R^-1 * (B * _)]mulrCA [LHS]mulrCA; congr (_ * _).
  by rewrite [LHS]mulrCA; congr (_ * (_ * _)); exact: mulrC.
by rewrite ler_pmul2r ?invr_gt0 // ler_pmul2r ?mulr_gt0 ?invr_gt0 // ler_pdivr_mulr // [D * _]mulrC.
Qed.
End Choices.

(* Classic filters: the rate is at least the product over i < k of (mu - i)/(m - i), where mu = m (1 - (1 - k/m)^n). *)
Theorem classic_sharp m k n : (0 < n)%N -> (0 < k)%N -> (k <= m)%N ->
  \prod_(i < k) ((m%:R * (1 - (1 - k%:R / m%:R) ^+ n) - i%:R) / (m%:R - i%:R)) <= classic_rate m k n k.
Proof.
move=> n0 k0 km; have m0 : (0 < m)%N by apply: leq_trans km.
have cards : #|@states m k n| = ('C(m, k) ^ n)%N by exact: card_states.
rewrite -(mean_filled n km m0) classic_mean -cards; apply: mean_choices => //; first by rewrite cards expn_gt0 bin_gt0 km.
rewrite cards ler_pdivl_mulr ?ltr0n ?expn_gt0 ?bin_gt0 ?km // -cards mulr_natr -sumr_const; apply: ler_sum => s /ffun_onP sF.
rewrite ler_nat (leq_trans (leq_pred k)) //; have := sF (Ordinal n0); rewrite inE => /eqP <-.
by apply: subset_leq_card; exact: (bigcup_sup (Ordinal n0)).
Qed.

(* Classic filters with one item: the rate is 1/C(m, k). *)
Theorem classic_one_item m k : (k <= m)%N -> classic_rate m k 1 k = ('C(m, k))%:R^-1.
Proof.
move=> km; have C0 : ('C(m, k))%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
rewrite classic_mean expn1 (eq_bigr (fun=> ('C(m, k))%:R^-1)) => [|s /ffun_onP sF].
  by rewrite sumr_const card_states expn1 -[X in X / _]mulr_natl divff // mul1r.
have := sF ord0; rewrite inE /filled big_ord1 => /eqP ->.
by rewrite binn mul1r.
Qed.

(* The number of ways to choose k of m grows with k up to the middle. *)
Theorem choices_rise m k : (k.*2 < m)%N -> ('C(m, k) <= 'C(m, k.+1))%N.
Proof.
move=> k2; rewrite -(leq_pmul2l (ltn0Sn k)) mul_bin_left leq_mul2r; apply/orP; right.
by rewrite ltn_subRL addnn.
Qed.
