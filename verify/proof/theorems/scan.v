(* The rates for all numbers of positions between two, each from the one before; and a lower bound of classic rates.

   As in large.v, the numbers are whole numbers of 2^-s. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search means cases decimals figures examples large figure7 figure9.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma near_scaled s v a b (y e : rat) : 0 < rat_of_N b -> rat_of_N a <= rat_of_N b -> 0 <= e -> near s v y e ->
  near s (a * v / b)%num (rat_of_N a / rat_of_N b * y) (e + 1).
Proof.
move=> b0 ab e0 [lo hi]; have [below over] := quotient (a * v) b0; rewrite ratM in below over.
have part : rat_of_N (whole s) * (rat_of_N a / rat_of_N b * y) * rat_of_N b = rat_of_N a * (rat_of_N (whole s) * y).
  by rewrite mulrCA mulrAC divfK ?gt_eqF.
have a0 := rat_ge0 a; split; rewrite -(ler_pmul2r b0) part.
  by apply: le_trans below _; apply: ler_wpmul2l.
apply: le_trans (ler_wpmul2l a0 hi) _; rewrite mulrDr [e + 1]addrC addrA mulrDl.
by apply: ler_add over _; rewrite mulrC ler_wpmul2l.
Qed.

(* Standard filters. *)
Section Standard.
Variables (s : N) (m n : nat).
Hypothesis m_positive : (0 < m)%N.
Let part j : rat := ((m - j)%:R / m%:R) ^+ n.

Definition standard_terms (u : N) (k : nat) (r v : seq N) : seq (N * N) :=
  [seq standard_term u k (nth 0%num r j, nth 0%num v j) | j <- iota 0 k.+1].

Lemma terms_enclosed u k r v : (forall j, (j <= k)%N -> rat_of_N (nth 0%num r j) = subsets_hit m k j) ->
  (forall j, (j <= k)%N -> near s (nth 0%num v j) (part j ^+ k) (k%:R * 2%:R)) ->
  enclosed (standard_scale s m k) (whole u) (standard_terms u k r v) (rate m (n * k) k).
Proof.
move=> rE vE _ _; set D := _ / _; pose t j := subsets_hit m k j / (m ^ k)%:R * part j ^+ k.
have := @alternateP D (standard_terms u k r v) t; rewrite size_map size_iota -(rate_sum n k m_positive); apply=> i ik.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
by apply: standard_termP => //; [exact: unit_power (part_le1 i m_positive) | exact: rE | exact: vE].
Qed.

Definition next_parts (v : seq N) : seq N :=
  [seq (raised (bin_of_nat (m - j)) n * nth 0%num v j / raised (bin_of_nat m) n)%num | j <- iota 0 (size v)].

Lemma next_parts_near v k j : (j < size v)%N -> near s (nth 0%num v j) (part j ^+ k) (k%:R * 2%:R) ->
  near s (nth 0%num (next_parts v) j) (part j ^+ k.+1) (k.+1%:R * 2%:R).
Proof.
move=> jv near_j; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
have M0 : 0 < rat_of_N (raised (bin_of_nat m) n) by rewrite ratX rat_nat exprn_gt0 ?ltr0n.
have le : rat_of_N (raised (bin_of_nat (m - j)) n) <= rat_of_N (raised (bin_of_nat m) n).
  by rewrite !ratX !rat_nat ler_expn2r ?nnegrE ?ler0n // ler_nat leq_subr.
have e0 : (0 : rat) <= k%:R * 2%:R by rewrite mulr_ge0 ?ler0n.
have [lo hi] := near_scaled M0 le e0 near_j; have e : rat_of_N (raised (bin_of_nat (m - j)) n) / rat_of_N (raised (bin_of_nat m) n) = part j.
  by rewrite !ratX !rat_nat -expr_div_n.
rewrite e -exprS in lo hi; split=> //; apply: le_trans hi _; rewrite ler_add2l.
by rewrite -[k.+1]addn1 natrD mulrDl ler_add2l mul1r ler1n.
Qed.

(* From k on: test the terms, for k and the numbers after it. *)
Fixpoint scan (u : nat -> N) (test : nat -> N -> N -> seq (N * N) -> bool) (k left : nat) (r v : seq N) : bool :=
  test k (standard_scale s m k) (whole (u k)) (standard_terms (u k) k r v) &&
  (if left is l.+1 then scan u test k.+1 l (next_row m 0 0%num r) (next_parts v) else true).

Definition first_parts (k most : nat) : seq N := [seq powered s (base s m n j) k | j <- iota 0 most.+1].

Lemma scanP u test k left r v most i : (k + left <= most)%N -> size v = most.+1 -> r = row m k ->
  (forall j, (j <= most)%N -> near s (nth 0%num v j) (part j ^+ k) (k%:R * 2%:R)) -> scan u test k left r v -> (k <= i <= k + left)%N ->
  exists d e l, enclosed d e l (rate m (n * i) i) /\ test i d e l.
Proof.
elim: left k r v => [|left IH] k r v km vs rE near_v /= /andP[now rest] /andP[ki ik].
  have iE : i = k by apply/eqP; rewrite eqn_leq ki andbT -[k]addn0.
  rewrite iE; do 3 eexists; split; last exact: now.
  apply: terms_enclosed => j jk; first by rewrite rE rowP.
  by apply: near_v; rewrite (leq_trans jk) // -[k]addn0.
have [iE | ne] := eqVneq i k.
  rewrite iE; do 3 eexists; split; last exact: now.
  apply: terms_enclosed => j jk; first by rewrite rE rowP.
  by apply: near_v; rewrite (leq_trans jk) // (leq_trans _ km) // leq_addr.
apply: (IH k.+1 (next_row m 0 0%num r) (next_parts v)) => //.
- by rewrite addSnnS.
- by rewrite size_map size_iota.
- by rewrite rE.
- by move=> j jm; apply: next_parts_near; rewrite ?vs ?ltnS //; exact: near_v.
by rewrite addSnnS ik andbT ltn_neqAle eq_sym ne.
Qed.

Definition standard_scan (u : nat -> N) (test : nat -> N -> N -> seq (N * N) -> bool) (k left : nat) : bool :=
  scan u test k left (row m k) (first_parts k (k + left)).

Lemma standard_scanP u test k left i : standard_scan u test k left -> (k <= i <= k + left)%N ->
  exists d e l, enclosed d e l (rate m (n * i) i) /\ test i d e l.
Proof.
apply: (scanP (most := (k + left)%N)) => // [|j jm]; first by rewrite size_map size_iota.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
by have := powered_near k (unit_power n (part_le1 j m_positive)) (@ler01 _) (base_near s n j m_positive).
Qed.
End Standard.

(* Classic filters: the number p is the power of the share of the sets of k places that leave out j given places. *)
Fixpoint shares_from (s : N) (m n k j : nat) (left : nat) (p c : N) : seq (N * N) :=
  (c * p, c * bin_of_nat j)%num ::
  if left is l.+1 then shares_from s m n k j.+1 l (raised (bin_of_nat (m - j - k)) n * p / raised (bin_of_nat (m - j)) n)%num
    (c * bin_of_nat (k - j) / bin_of_nat j.+1)%num
  else [::].
Definition shares_list (s : N) (m n k : nat) : seq (N * N) := shares_from s m n k 0 k (whole s) 1%num.

Section Classic.
Variables (s : N) (m n k : nat).
Hypothesis km : (k <= m)%N.
Let share j : rat := 'C(m - j, k)%:R / 'C(m, k)%:R.

Lemma next_power_near j p : (j < m)%N -> near s p (share j ^+ n) j%:R ->
  near s (raised (bin_of_nat (m - j - k)) n * p / raised (bin_of_nat (m - j)) n)%num (share j.+1 ^+ n) j.+1%:R.
Proof.
move=> jm near_p; have J0 : (0 : rat) < (m - j)%:R by rewrite ltr0n subn_gt0.
have M0 : 0 < rat_of_N (raised (bin_of_nat (m - j)) n) by rewrite ratX rat_nat exprn_gt0.
have le : rat_of_N (raised (bin_of_nat (m - j - k)) n) <= rat_of_N (raised (bin_of_nat (m - j)) n).
  by rewrite !ratX !rat_nat ler_expn2r ?nnegrE ?ler0n // ler_nat leq_subr.
have := near_scaled M0 le (ler0n _ j) near_p.
have -> : rat_of_N (raised (bin_of_nat (m - j - k)) n) / rat_of_N (raised (bin_of_nat (m - j)) n) * share j ^+ n = share j.+1 ^+ n.
  rewrite !ratX !rat_nat -expr_div_n -exprMn; congr (_ ^+ _); apply: (mulIf (lt0r_neq0 J0)).
  by rewrite (@next_share m k j jm) mulrAC divfK ?gt_eqF // mulrC.
by rewrite -mulrSr.
Qed.

Lemma shares_fromP l j p i : (j + l = k)%N -> near s p (share j ^+ n) j%:R -> (i <= l)%N ->
  let c := nth (0, 0)%num (shares_from s m n k j l p (bin_of_nat 'C(k, j))) i in
  let y := 'C(k, j + i)%:R * share (j + i) ^+ n in
  rat_of_N c.1 <= rat_of_N (whole s) * y /\ rat_of_N (whole s) * y <= rat_of_N c.1 + rat_of_N c.2.
Proof.
have here j' p' : near s p' (share j' ^+ n) j'%:R -> let y := 'C(k, j')%:R * share j' ^+ n in
    rat_of_N (bin_of_nat 'C(k, j') * p')%num <= rat_of_N (whole s) * y /\
    rat_of_N (whole s) * y <= rat_of_N (bin_of_nat 'C(k, j') * p')%num + rat_of_N (bin_of_nat 'C(k, j') * bin_of_nat j')%num.
  by move=> [lo hi] /=; rewrite !ratM !rat_nat mulrCA -mulrDr; split; apply: ler_wpmul2l; rewrite ?ler0n.
elim: l j p i => [|l IH] j p [|i] //= jl pn il; try by rewrite addn0; exact: here.
have jk : (j < k)%N by rewrite -jl addnS ltnS leq_addr.
have jm := leq_trans jk km; rewrite next_subsets // -addSnnS; apply: IH => //; first by rewrite addSnnS.
exact: next_power_near.
Qed.

Lemma size_shares j l p c : size (shares_from s m n k j l p c) = l.+1.
Proof. by elim: l j p c => //= l IH j p c; rewrite IH. Qed.

Lemma shares_enclosed : enclosed (whole s) 1 (shares_list s m n k) (classic_rate m k n k).
Proof.
move=> _ _; have -> : rat_of_N 1 = 1 by [].
pose t j := 'C(k, j)%:R * share j ^+ n.
have := @alternateP (rat_of_N (whole s)) (shares_list s m n k) t; rewrite size_shares divr1.
have -> : classic_rate m k n k = \sum_(i < k.+1) (-1) ^+ i * t i.
  by rewrite classic_difference //; apply: eq_bigr => i _; rewrite mulrCA.
apply=> i ik; have := @shares_fromP k 0 (whole s) i (add0n _); rewrite bin0 add0n; apply=> //.
have C0 : ('C(m, k)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n binomial.bin_gt0.
by rewrite /near /share subn0 divff // addr0 expr1n mulr1.
Qed.
End Classic.

(* The product over i of (mu - i)/(m - i), from below, where M is at most mu in whole numbers of 2^-s. *)
Fixpoint product (s M : N) (m i left : nat) (p : N) : N :=
  if left is l.+1 then product s M m i.+1 l (N.shiftr (p * (M - bin_of_nat i * whole s)) s / bin_of_nat (m - i))%num else p.

Lemma rat_sub a b (x : rat) : 0 <= x -> rat_of_N a - rat_of_N b <= x -> rat_of_N (a - b)%num <= x.
Proof.
move=> x0 le; have [ab | ba] := N.lt_ge_cases a b; first by have /N.sub_0_le -> := N.lt_le_incl a b ab.
by apply: le_trans le; rewrite ler_subr_addr -ratD N.sub_add.
Qed.

Lemma productP s M m i l p (mu : rat) : (i + l <= m)%N -> (i + l)%:R <= mu + 1 -> rat_of_N M <= rat_of_N (whole s) * mu ->
  rat_of_N (product s M m i l p) <= rat_of_N p * \prod_(j < l) ((mu - (i + j)%:R) / (m%:R - (i + j)%:R)).
Proof.
move=> im imu Mmu; elim: l i p im imu => [|l IH] i p im imu /=; first by rewrite big_ord0 mulr1.
have D0 := whole_gt0 s; rewrite -addSnnS in im imu; apply: le_trans (IH _ _ im imu) _.
rewrite big_ord_recl addn0 mulrA.
have -> : \prod_(j < l) ((mu - (i.+1 + j)%:R) / (m%:R - (i.+1 + j)%:R)) = \prod_(j < l) ((mu - (i + lift ord0 j)%:R) / (m%:R - (i + lift ord0 j)%:R)) :> rat.
  by apply: eq_bigr => j _; rewrite lift0 addSnnS.
apply: ler_wpmul2r.
  apply: prodr_ge0 => j _; rewrite lift0 -addSnnS; have lt : (i.+1 + j < i.+1 + l)%N by rewrite ltn_add2l.
  apply: divr_ge0; rewrite subr_ge0; last by rewrite ler_nat (leq_trans (ltnW lt)).
  by rewrite -(ler_add2r 1) -mulrSr (le_trans _ imu) // ler_nat.
have lt : (i < m)%N by rewrite (leq_trans _ im) // ltnS leq_addr.
have q0 : 0 < rat_of_N (bin_of_nat (m - i)) by rewrite rat_nat ltr0n subn_gt0.
have [low _] := quotient (N.shiftr (p * (M - bin_of_nat i * whole s)) s) q0.
have [low2 _] := quotient (p * (M - bin_of_nat i * whole s)) D0; rewrite -N.shiftr_div_pow2 -/(whole s) in low2.
have mi : m%:R - i%:R = rat_of_N (bin_of_nat (m - i)) by rewrite rat_nat natrB // ltnW.
rewrite mi mulrA ler_pdivl_mulr //; apply: le_trans low _; rewrite -(ler_pmul2r D0); apply: le_trans low2 _.
rewrite ratM -mulrA; apply: ler_wpmul2l; first exact: rat_ge0.
have mu_i : 0 <= mu - i%:R.
  by rewrite subr_ge0 -(ler_add2r 1) -mulrSr (le_trans _ imu) // ler_nat leq_addr.
apply: rat_sub; first by rewrite mulr_ge0 // ltW.
by rewrite ratM rat_nat mulrBl [mu * _]mulrC ler_add2r.
Qed.

(* The mean number of set bits with n items of k places, from below. *)
Definition mean_below (s : N) (m n k : nat) : N := (bin_of_nat m * (whole s - (base s m n k + 1)))%num.

Lemma mean_belowP s m a k n (mu : rat := m%:R * (1 - (1 - k%:R / m%:R) ^+ n)) : (0 < a)%N -> (a <= n)%N -> (0 < k)%N -> (k <= m)%N ->
  rat_of_N (mean_below s m a k) <= rat_of_N (whole s) * mu /\ k%:R <= mu.
Proof.
move=> a0 an k0 km; have m0 := leq_trans k0 km; have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have x01 := share01k km m0; have [x0 x1] := andP x01; have falls e : (e <= n)%N -> (1 - k%:R / m%:R) ^+ n <= (1 - k%:R / m%:R : rat) ^+ e.
  by move=> en; apply: ler_wiexpn2l.
split; last first.
  have := falls 1%N (leq_trans a0 an); rewrite expr1 => le.
  have -> : k%:R = m%:R * (1 - (1 - k%:R / m%:R)) :> rat by rewrite subKr mulrCA divff ?mulr1 // gt_eqF.
  by rewrite ler_pmul2l // ler_add2l ler_opp2.
have [_ hi] := base_near s a k m0; have xE : (m - k)%:R / m%:R = 1 - k%:R / m%:R :> rat by rewrite natrB // mulrBl divff // gt_eqF.
rewrite xE in hi; rewrite /mean_below ratM rat_nat mulrCA ler_pmul2l //; have D0 := whole_gt0 s.
have y01 := unit_power n x01; apply: rat_sub; first by rewrite mulr_ge0 ?(ltW D0) // subr_ge0; case/andP: y01.
rewrite ratD mulrBr mulr1 ler_add2l ler_opp2; apply: le_trans hi; rewrite ler_pmul2l //; exact: falls.
Qed.

Definition product_below (s : N) (m n k : nat) : N := product s (mean_below s m n k) m 0 k (whole s).

Lemma product_belowP s m a k n : (0 < a)%N -> (a <= n)%N -> (0 < k)%N -> (k <= m)%N ->
  rat_of_N (product_below s m a k) <= rat_of_N (whole s) * classic_rate m k n k.
Proof.
move=> a0 an k0 km; have [Mmu kmu] := mean_belowP s a0 an k0 km.
have kmu1 : k%:R <= m%:R * (1 - (1 - k%:R / m%:R) ^+ n) + 1 :> rat by rewrite (le_trans kmu) // ler_addl.
apply: le_trans (productP (i := 0) (l := k) (whole s) _ _ Mmu) _; rewrite ?add0n //.
rewrite ler_pmul2l ?whole_gt0 //; apply: le_trans (classic_sharp (leq_trans a0 an) k0 km).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => j _; rewrite add0n.
Qed.

(* Bounds of some of the rates, in whole numbers of 2^-w. *)
Definition bounds := seq (nat * (N * N)).
Definition given (b : bounds) (k : nat) : option (N * N) := ohead [seq r.2 | r <- b & r.1 == k].
Definition rate_test (w : N) (b : bounds) (top : N) (k : nat) (d e : N) (l : seq (N * N)) : bool :=
  if given b k is Some (lo, hi) then between d e l (dyadic lo w) (dyadic hi w) else above_case (dyadic top w) d e l.

Definition known (w : N) (b : bounds) (top : N) (k : nat) (f : rat) : Prop :=
  if given b k is Some (lo, hi) then as_rat (dyadic lo w) < f /\ f <= as_rat (dyadic hi w) else as_rat (dyadic top w) < f.

Lemma rate_testP w b top k d e l f : enclosed d e l f -> rate_test w b top k d e l -> known w b top k f.
Proof. by rewrite /rate_test /known => enc; case: given => [[lo hi] | test]; [exact: betweenP | exact: above_caseP enc test]. Qed.

(* The number best is the only best number of positions. *)
Definition best_test (b : bounds) (top : N) (best : nat) : bool :=
  if given b best is Some (lo, hi) then (hi <=? top)%num && all (fun r => (r.1 == best) || (top <=? r.2.1)%num) b else false.

Lemma dyadic_le w a c : (a <=? c)%num -> as_rat (dyadic a w) <= as_rat (dyadic c w).
Proof. by move=> ac; rewrite /as_rat ler_wpmul2r ?invr_ge0 ?rat_ge0 ?rat_le. Qed.

Lemma givenP b k r : given b k = Some r -> (k, r) \in b.
Proof.
rewrite /given; elim: b => //= -[j q] b IH; case: (eqVneq j k) => [-> [->] | _ /IH]; first by rewrite mem_head.
by rewrite in_cons orbC => ->.
Qed.

Lemma bestP w b top best j (f g : rat) : best_test b top best -> known w b top best f ->
  known w b top j g \/ as_rat (dyadic top w) < g -> j != best -> f < g.
Proof.
rewrite /best_test /known; case: (given b best) => [[lo hi]|] // /andP[/(dyadic_le w) hi_top /allP others] [_ f_hi] other ne.
apply: le_lt_trans (le_trans f_hi hi_top) _; case: other => //; case e : (given b j) => [[lo' hi']|] //.
have := others _ (givenP e); rewrite /= (negbTE ne) /= => /(dyadic_le w) top_lo [lo_g _].
exact: le_lt_trans top_lo lo_g.
Qed.

Lemma reach_below (F : nat -> Prop) (test : nat -> nat -> bool) K most k : (forall a b j, test a b -> (a <= j <= b)%N -> F j) ->
  reach test (fun a => K <= a)%N most 1 -> (0 < k)%N -> (k < K)%N -> F k.
Proof.
move=> inner reached k0 kK; suff : (K <= k)%N \/ F k by case=> //; rewrite leqNgt kK.
apply: (reachP (P := fun k => (K <= k)%N \/ F k) _ _ reached k0) => [a b j test_b ab | a j Ka aj].
  by right; exact: inner test_b ab.
by left; exact: leq_trans aj.
Qed.

(* A classic rate is above the case c, by its lower bound. *)
Definition product_test (s : N) (c : N * N) (m n k : nat) : bool :=
  [&& (0 < k <= m)%N, (0 <? c.2)%num & (c.1 * whole s <? product_below s m n k * c.2)%num].

Lemma product_testP s c m n k : (0 < n)%N -> product_test s c m n k -> as_rat c < classic_rate m k n k.
Proof.
move=> n0 /and3P[/andP[k0 km] /rat_gt0 c0 /rat_lt]; rewrite !ratM => lt.
have D0 := whole_gt0 s; rewrite /as_rat ltr_pdivr_mulr // -(ltr_pmul2r D0); apply: lt_le_trans lt _.
by rewrite mulrAC ler_pmul2r // mulrC product_belowP.
Qed.

Definition classic_test (s : N) (c : N * N) (m n a b : nat) : bool :=
  if (m < a)%N then true else if a == 0%N then false else if classic_range_test2 s c m n a b then true
  else if a == b then product_test s c m n a else false.

Lemma classic_testP s c m n a b j : (0 < n)%N -> classic_test s c m n a b -> (a <= j <= b)%N -> (j <= m)%N -> as_rat c < classic_rate m j n j.
Proof.
move=> n0 test ab jm; move: test; rewrite /classic_test; case: ifP => [ma _ | _].
  by move: (leq_trans ma (leq_trans (proj1 (andP ab)) jm)); rewrite ltnn.
case: posnP => // a0; case: ifP => [test _ | _]; first exact: classic_range_test2P n0 a0 jm test ab.
case: eqP => // e test; move: ab; rewrite -e -eqn_leq => /eqP <-; exact: product_testP n0 test.
Qed.

(* The tests of standard filters, and what they say. *)
Lemma standard_found s s' u w b top m n k left most most' j (c := dyadic top w) : (0 < m)%N -> standard_scan s m n u (rate_test w b top) k left ->
  reach (standard_range_test s' c m n) (fun a => k <= a)%N most 1 ->
  reach (standard_range_test s' c m n) (fun a => (0 < a)%N && standard_tail_test s' c m n a) most' (k + left).+1 -> (0 < j)%N ->
  if (k <= j <= k + left)%N then known w b top j (rate m (n * j) j) else as_rat c < rate m (n * j) j.
Proof.
move=> m0 scanned below beyond j0; have range a a' i := @standard_range_testP s' c m n a a' i m0.
case: ifP => [kj | out]; first by have [d [e [l [enc test]]]] := standard_scanP m0 scanned kj; exact: rate_testP enc test.
have [kj | jk] := leqP k j; last exact: reach_below range below j0 jk.
have over : ((k + left).+1 <= j)%N by move: out; rewrite kj /= => /negbT; rewrite -ltnNge.
apply: (reachP (P := fun i => as_rat c < rate m (n * i) i) range _ beyond over).
by move=> a i /andP[a0 test] ai; exact: standard_tail_testP m0 a0 test ai.
Qed.

Lemma classic_found s s' w b top m n k left most most' j (c := dyadic top w) : (0 < n)%N -> (k + left <= m)%N ->
  all (fun i => rate_test w b top i (whole s) 1 (shares_list s m n i)) (iota k left.+1) ->
  reach (classic_test s' c m n) (fun a => k <= a)%N most 1 -> reach (classic_test s' c m n) (fun a => m < a)%N most' (k + left).+1 ->
  (0 < j <= m)%N -> if (k <= j <= k + left)%N then known w b top j (classic_rate m j n j) else as_rat c < classic_rate m j n j.
Proof.
move=> n0 km scanned below beyond /andP[j0 jm]; pose F i := (i <= m)%N -> as_rat c < classic_rate m i n i.
have range a a' i : classic_test s' c m n a a' -> (a <= i <= a')%N -> F i by move=> test ai im; exact: classic_testP n0 test ai im.
case: ifP => [kj | out].
  have := allP scanned j; rewrite mem_iota addnS ltnS => /(_ kj); exact: rate_testP (@shares_enclosed s m n j jm).
have [kj | jk] := leqP k j; last exact: (reach_below range below j0 jk).
have over : ((k + left).+1 <= j)%N by move: out; rewrite kj /= => /negbT; rewrite -ltnNge.
apply: (reachP (P := F) range _ beyond over) => // a i ma ai im.
by move: (leq_trans ma (leq_trans ai im)); rewrite ltnn.
Qed.
