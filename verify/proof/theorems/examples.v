(* Burns' example of filters with 64 bits and four items: the best numbers of positions and the lowest rates.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search cases natural decimals figures.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma bin_lt (a b : N) : (a < b)%num -> (nat_of_bin a < nat_of_bin b)%N.
Proof. by move=> /N.le_succ_l; rewrite -N.add_1_l => /bin_le; rewrite nat_of_add_bin. Qed.

Definition lt_case (c d : N * N) : bool := [&& (0 <? c.2)%num, (0 <? d.2)%num & (c.1 * d.2 <? d.1 * c.2)%num].

Lemma lt_caseP c d : lt_case c d -> rat_of_N c.1 / rat_of_N c.2 < rat_of_N d.1 / rat_of_N d.2.
Proof.
case/and3P=> /bin_gt0 c0 /bin_gt0 d0 /N.ltb_lt/bin_lt; rewrite !nat_of_mul_bin => lt.
by rewrite ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n // /rat_of_N -!natrM ltr_nat.
Qed.

Lemma complement (p q : N) : (p <= q)%num -> (0 < nat_of_bin q)%N ->
  rat_of_N (q - p)%num / rat_of_N q = 1 - rat_of_N p / rat_of_N q.
Proof.
move=> pq q0; have -> : rat_of_N (q - p)%num = rat_of_N q - rat_of_N p.
  by rewrite /rat_of_N -[in RHS](N.sub_add _ _ pq) nat_of_add_bin natrD addrK.
by rewrite mulrBl divff // gt_eqF // /rat_of_N ltr0n.
Qed.

(* The share (1 - 1/m)^r of the sequences of r throws that leave out a bit is at most p/q. *)
Definition share_test (m r : nat) (p q : N) : bool :=
  (0 <? q)%num && (raised (bin_of_nat m.-1) r * q <=? p * raised (bin_of_nat m) r)%num.

Lemma share_testP m r p q : (0 < m)%N -> share_test m r p q -> (1 - m%:R^-1) ^+ r <= rat_of_N p / rat_of_N q.
Proof.
move=> m0 /andP[/bin_gt0 q0 /N.leb_le/bin_le]; rewrite !nat_of_mul_bin !raisedE !bin_of_natK => le.
have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have -> : 1 - m%:R^-1 = (m.-1)%:R / m%:R :> rat.
  by rewrite -subn1 natrB // mulrBl divff ?gt_eqF // mul1r.
rewrite expr_div_n -!natrX ler_pdivr_mulr ?ltr0n ?expn_gt0 ?m0 // mulrAC ler_pdivl_mulr ?ltr0n //.
by rewrite /rat_of_N -!natrM ler_nat.
Qed.

(* For a <= k <= b the rate is above that of the case c, because (1 - 1/m)^(n a) <= p/q. *)
Definition range_test (c : N * N) (m n a b : nat) (p q : N) : bool :=
  [&& share_test m (n * a) p q, (p <=? q)%num & lt_case c (raised (q - p)%num b, raised q b)].

Lemma range_testP c m n a b p q k : (0 < m)%N -> range_test c m n a b p q -> (a <= k <= b)%N ->
  rat_of_N c.1 / rat_of_N c.2 < rate m (n * k) k.
Proof.
move=> m0 /and3P[test /N.leb_le pq /lt_caseP /= lt] akb; have y_le := share_testP m0 test.
case/andP: test => /bin_gt0 q0 _; have Q0 : 0 < rat_of_N q by rewrite /rat_of_N ltr0n.
apply: lt_le_trans lt _; apply: le_trans (standard_range n m0 akb).
have -> : rat_of_N (raised (q - p)%num b) / rat_of_N (raised q b) = (1 - rat_of_N p / rat_of_N q) ^+ b.
  by rewrite -complement // /rat_of_N !raisedE !natrX -expr_div_n.
have /andP[x0 x1] := share01 m0.
rewrite ler_expn2r ?nnegrE ?ler_add2l ?ler_opp2 // subr_ge0 ?exprn_ile1 //.
by rewrite ler_pdivr_mulr // mul1r /rat_of_N ler_nat bin_le.
Qed.

Lemma falls (z : rat) K k : 0 <= z -> K.+1%:R * z <= K%:R -> (0 < K)%N -> (K <= k)%N -> k%:R * z ^+ k <= K%:R * z ^+ K.
Proof.
move=> z0 zK K0; have z1 : z <= 1.
  by rewrite -(ler_pmul2l (_ : (0 : rat) < K.+1%:R)) ?ltr0n // mulr1 (le_trans zK) // ler_nat.
move=> le; rewrite -(subnKC le); elim: (k - K)%N => [|d IH]; first by rewrite addn0.
apply: le_trans IH; rewrite addnS exprS mulrA ler_wpmul2r ?exprn_ge0 //.
rewrite -addSn natrD mulrDl natrD ler_add //.
by rewrite ler_pimulr ?ler0n.
Qed.

(* For K <= k the rate is above that of the case c, because (1 - 1/m)^(n K) <= p/q. *)
Definition tail_test (c : N * N) (m n K : nat) (p q : N) : bool :=
  [&& share_test m (n * K) p q, (bin_of_nat K * p <=? q)%num, (bin_of_nat K.+1 * raised (bin_of_nat m.-1) n <=? bin_of_nat K * raised (bin_of_nat m) n)%num
    & lt_case c ((q - bin_of_nat K * p)%num, q)].

Lemma tail_testP c m n K p q k : (0 < m)%N -> (0 < K)%N -> tail_test c m n K p q -> (K <= k)%N ->
  rat_of_N c.1 / rat_of_N c.2 < rate m (n * k) k.
Proof.
move=> m0 K0 /and4P[test /N.leb_le pq /N.leb_le/bin_le steps /lt_caseP /= lt] Kk; have y_le := share_testP m0 test.
case/andP: test => /bin_gt0 q0 _; have Q0 : 0 < rat_of_N q by rewrite /rat_of_N ltr0n.
have /andP[x0 x1] := share01 m0; set x := 1 - _ in x0 x1 y_le.
apply: lt_le_trans lt _; apply: le_trans (bloom_below (n * k) m0 k).
apply: le_trans (bernoulli k _); last by rewrite exprn_ge0 ?exprn_ile1.
have -> : rat_of_N (q - bin_of_nat K * p)%num / rat_of_N q = 1 - K%:R * (rat_of_N p / rat_of_N q).
  by rewrite complement // /rat_of_N nat_of_mul_bin bin_of_natK natrM mulrA.
rewrite ler_add2l ler_opp2 -/x; apply: le_trans (_ : K%:R * x ^+ (n * K) <= _); last by rewrite ler_wpmul2l ?ler0n.
rewrite !exprM; apply: falls => //; first by rewrite exprn_ge0.
have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have -> : x = (m.-1)%:R / m%:R by rewrite /x -subn1 natrB // mulrBl divff ?gt_eqF // mul1r.
rewrite expr_div_n mulrA ler_pdivr_mulr ?exprn_gt0 // -!natrX -!natrM ler_nat.
by move: steps; rewrite !nat_of_mul_bin !raisedE !bin_of_natK.
Qed.

(* The number k of positions is the only best one. *)
Definition best_standard (m n k : nat) : Prop :=
  (0 < k)%N /\ forall j, (0 < j)%N -> j != k -> rate m (n * k) k < rate m (n * j) j.
Definition best_classic (m n k : nat) : Prop :=
  (0 < k <= m)%N /\ forall j, (0 < j <= m)%N -> j != k -> classic_rate m k n k < classic_rate m j n j.

Definition best_in (f : nat -> N * N) (k : nat) (js : seq nat) : bool :=
  let c := f k in all (fun j => (j == k) || lt_case c (f j)) js.

Lemma best_inP f k a n j : best_in f k (iota a n) -> (a <= j < a + n)%N -> j != k ->
  rat_of_N (f k).1 / rat_of_N (f k).2 < rat_of_N (f j).1 / rat_of_N (f j).2.
Proof. by move=> /allP/(_ j); rewrite mem_iota => test jn ne; have := test jn; rewrite (negbTE ne) => /lt_caseP. Qed.

Lemma standard64_1 : best_in (standard_case 64 4) 10 (iota 1 19). Proof. vm_cast_no_check isT. Qed.
Lemma standard64_2 : range_test (standard_case 64 4 10) 64 4 20 21 284%num 1000%num. Proof. vm_cast_no_check isT. Qed.
Lemma standard64_3 : range_test (standard_case 64 4 10) 64 4 22 25 251%num 1000%num. Proof. vm_cast_no_check isT. Qed.
Lemma standard64_4 : range_test (standard_case 64 4 10) 64 4 26 33 195%num 1000%num. Proof. vm_cast_no_check isT. Qed.
Lemma standard64_5 : range_test (standard_case 64 4 10) 64 4 34 57 118%num 1000%num. Proof. vm_cast_no_check isT. Qed.
Lemma standard64_6 : range_test (standard_case 64 4 10) 64 4 58 120 27%num 1000%num. Proof. vm_cast_no_check isT. Qed.
Lemma standard64_7 : tail_test (standard_case 64 4 10) 64 4 120 1%num 1000%num. Proof. vm_cast_no_check isT. Qed.

Lemma best64_standard : best_standard 64 4 10.
Proof.
split=> // j j0 ne.
have [le | gt] := leqP j 19.
  by rewrite !standard_cases; apply: (best_inP standard64_1) ne; rewrite j0.
rewrite standard_cases.
have [le1 | gt1] := leqP j 21.
  by apply: (@range_testP _ 64 _ _ _ _ _ _ isT standard64_2); rewrite gt.
have [le2 | gt2] := leqP j 25.
  by apply: (@range_testP _ 64 _ _ _ _ _ _ isT standard64_3); rewrite gt1.
have [le3 | gt3] := leqP j 33.
  by apply: (@range_testP _ 64 _ _ _ _ _ _ isT standard64_4); rewrite gt2.
have [le4 | gt4] := leqP j 57.
  by apply: (@range_testP _ 64 _ _ _ _ _ _ isT standard64_5); rewrite gt3.
have [le5 | gt5] := leqP j 120.
  by apply: (@range_testP _ 64 _ _ _ _ _ _ isT standard64_6); rewrite gt4.
by apply: (@tail_testP _ 64 _ 120 _ _ _ isT isT standard64_7); exact: ltnW.
Qed.

(* A binomial coefficient and a falling factorial, as binary numbers. *)
Fixpoint binom (n k : nat) : N :=
  match n, k with _, 0%N => 1%num | 0%N, _ => 0%num | n'.+1, k'.+1 => (binom n' k + binom n' k')%num end.
Definition falling (x k : nat) : N := foldr (fun i p => bin_of_nat (x - i) * p)%num 1%num (iota 0 k).

Lemma binomE n k : binom n k = 'C(n, k) :> nat.
Proof. by elim: n k => [|n IH] [|k] //=; rewrite nat_of_add_bin !IH binS. Qed.

Lemma fallingE x k : falling x k = (x ^_ k)%N :> nat.
Proof.
rewrite ffact_prod -(big_mkord xpredT (fun i => x - i)%N) /index_iota subn0 /falling.
elim: (iota 0 k) => [|i s IH]; first by rewrite big_nil.
by rewrite big_cons /= nat_of_mul_bin IH bin_of_natK.
Qed.

(* The terms of Burns (60) with an odd j, or with an even j, times the denominator of the rate. *)
Definition terms (m n k : nat) (b : bool) : N :=
  foldr (fun j s => if odd j == b then binom k j * raised (falling (m - j) k) n + s else s)%num 0%num (iota 0 k.+1).

Lemma termsE m n k b : (terms m n k b)%:R = \sum_(j < k.+1 | odd j == b) 'C(k, j)%:R * ((m - j) ^_ k)%:R ^+ n :> rat.
Proof.
rewrite -(big_mkord (fun j => odd j == b) (fun j => 'C(k, j)%:R * ((m - j) ^_ k)%:R ^+ n)) /index_iota subn0 /terms.
elim: (iota 0 k.+1) => [|j s IH]; first by rewrite big_nil.
rewrite big_cons [foldr _ _ _]/=; case: ifP => _ //.
by rewrite nat_of_add_bin nat_of_mul_bin natrD natrM IH raisedE fallingE binomE natrX.
Qed.

Definition classic_terms (m n k : nat) : N * N := (terms m n k false - terms m n k true, raised (falling m k) n)%num.

Lemma classic_termsE m n k : (k <= m)%N -> (terms m n k true <=? terms m n k false)%num ->
  classic_rate m k n k = rat_of_N (classic_terms m n k).1 / rat_of_N (classic_terms m n k).2.
Proof.
move=> km /N.leb_le le; rewrite classic_difference //.
have F0 : (0 : rat) < (m ^_ k)%:R by rewrite ltr0n ffact_gt0.
have -> : rat_of_N (classic_terms m n k).1 = (terms m n k false)%:R - (terms m n k true)%:R.
  by rewrite /rat_of_N -[in RHS](N.sub_add _ _ le) nat_of_add_bin natrD addrK.
rewrite !termsE {1}/rat_of_N raisedE fallingE natrX mulrBl !mulr_suml.
rewrite (bigID (fun j : 'I_k.+1 => odd j == false)) /=; congr (_ + _); last rewrite -sumrN.
  apply: eq_bigr => j /eqP e; rewrite -signr_odd e expr0 mul1r -mulrA -expr_div_n; congr (_ * _ ^+ n).
  rewrite -!bin_ffact !natrM -mulf_div divff ?mulr1 // pnatr_eq0 -lt0n fact_gt0 //.
apply: eq_big => [j | j]; first by case: (odd j).
case e : (odd j) => // _; rewrite -signr_odd e expr1 mulN1r mulrN -mulrA -expr_div_n; congr (- (_ * _ ^+ n)).
by rewrite -!bin_ffact !natrM -mulf_div divff ?mulr1 // pnatr_eq0 -lt0n fact_gt0.
Qed.

(* For a <= k <= b the classic rate is above that of the case c. *)
Definition classic_range_test (c : N * N) (m n a b : nat) : bool :=
  let q := raised (bin_of_nat m) n.-1 in let p := raised (bin_of_nat (m - a)) n.-1 in
  (p <=? q)%num && lt_case c (raised (q - p)%num b, raised q b).

Lemma classic_range_testP c m n a b k : (0 < n)%N -> (0 < a)%N -> (k <= m)%N -> classic_range_test c m n a b -> (a <= k <= b)%N ->
  rat_of_N c.1 / rat_of_N c.2 < classic_rate m k n k.
Proof.
move=> n0 a0 km; rewrite /classic_range_test; set p := raised (bin_of_nat (m - a)) _; set q := raised (bin_of_nat m) _.
move=> /andP[/N.leb_le pq /lt_caseP lt] akb; have [ak _] := andP akb; have k0 := leq_trans a0 ak; have m0 := leq_trans k0 km.
apply: lt_le_trans lt _; apply: le_trans (classic_range _ _ n0 k0 akb) => //.
have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have q0 : (0 < q)%N by rewrite /q raisedE bin_of_natK expn_gt0 m0.
have -> : (1 - a%:R / m%:R) ^+ n.-1 = rat_of_N p / rat_of_N q.
  rewrite /rat_of_N /p /q !raisedE !bin_of_natK !natrX -expr_div_n natrB ?(leq_trans ak) //.
  by rewrite mulrBl divff // gt_eqF.
by rewrite -complement // /rat_of_N /= !raisedE !natrX -expr_div_n.
Qed.

Lemma classic64_1 : all (fun k => terms 64 4 k true <=? terms 64 4 k false)%num (iota 1 20). Proof. vm_cast_no_check isT. Qed.
Lemma classic64_2 : best_in (classic_terms 64 4) 9 (iota 1 20). Proof. vm_cast_no_check isT. Qed.
Lemma classic64_3 : classic_range_test (classic_terms 64 4 9) 64 4 21 21. Proof. vm_cast_no_check isT. Qed.
Lemma classic64_4 : classic_range_test (classic_terms 64 4 9) 64 4 22 23. Proof. vm_cast_no_check isT. Qed.
Lemma classic64_5 : classic_range_test (classic_terms 64 4 9) 64 4 24 27. Proof. vm_cast_no_check isT. Qed.
Lemma classic64_6 : classic_range_test (classic_terms 64 4 9) 64 4 28 38. Proof. vm_cast_no_check isT. Qed.
Lemma classic64_7 : classic_range_test (classic_terms 64 4 9) 64 4 39 64. Proof. vm_cast_no_check isT. Qed.

Lemma best64_classic : best_classic 64 4 9.
Proof.
have value k : (0 < k <= 20)%N -> classic_rate 64 k 4 k = rat_of_N (classic_terms 64 4 k).1 / rat_of_N (classic_terms 64 4 k).2.
  move=> /andP[k0 k20]; apply: classic_termsE; first exact: leq_trans k20 _.
  by apply: (allP classic64_1); rewrite mem_iota k0.
split=> // j /andP[j0 jm] ne; rewrite (value 9%N isT).
have [le | gt] := leqP j 20.
  have jn : (0 < j <= 20)%N by rewrite j0.
  by rewrite (value j jn); apply: (best_inP classic64_2) ne; rewrite j0.
have [le1 | gt1] := leqP j 21.
  by apply: (@classic_range_testP _ 64 4 21 _ _ isT isT jm classic64_3); rewrite gt.
have [le2 | gt2] := leqP j 23.
  by apply: (@classic_range_testP _ 64 4 22 _ _ isT isT jm classic64_4); rewrite gt1.
have [le3 | gt3] := leqP j 27.
  by apply: (@classic_range_testP _ 64 4 24 _ _ isT isT jm classic64_5); rewrite gt2.
have [le4 | gt4] := leqP j 38.
  by apply: (@classic_range_testP _ 64 4 28 _ _ isT isT jm classic64_6); rewrite gt3.
by apply: (@classic_range_testP _ 64 4 39 _ _ isT isT jm classic64_7); rewrite gt4.
Qed.

Definition start_a : N := (10 ^ 20 - 10 ^ 20 * 76873 / (10 ^ 4 * 2 ^ 20) - 1)%num.
Lemma big_D : (0 <? 10 ^ 20)%num. Proof. by vm_compute. Qed.
Lemma big_P : (0 <? 2000000)%num. Proof. by vm_compute. Qed.
Lemma small_p : (0 <? 919)%num. Proof. by vm_compute. Qed.
Definition start_b : N := (10 ^ 20 + 10 ^ 20 * 76862 / (10 ^ 4 * 2 ^ 20))%num.

Lemma example64_1 : (let v := 69 * 100 + 31 in let w := 100 * 100 in [&& 0 <? w, 0 <? 10000 & 76862 * (w * w) <=? 16 * (v * v) * 10000])%num. Proof. by vm_compute. Qed.
Lemma example64_2 : (let v := (69 * 100 + 31) * 100 + 49 in let w := 100 * 100 * 100 in [&& 0 <? w, 0 <? 10000 & 16 * (v * v) * 10000 <=? 76873 * (w * w)])%num. Proof. by vm_compute. Qed.
Lemma example64_3 : [&& (0 <? 10 ^ 20)%num, (0 <? 10000)%num & (start_a * (twice 20 * 10000) + 10 ^ 20 * 76873 <=? 10 ^ 20 * (twice 20 * 10000))%num]. Proof. by vm_compute. Qed.
Lemma example64_4 : (917 * 10 ^ 20 <=? squares (10 ^ 20) 20 start_a * 2000000)%num. Proof. by vm_compute. Qed.
Lemma example64_5 : [&& (0 <? 10 ^ 20)%num, (0 <? 10000)%num & (start_b * (twice 20 * 10000) <=? 10 ^ 20 * (twice 20 * 10000) + 10 ^ 20 * 76862)%num]. Proof. by vm_compute. Qed.
Lemma example64_6 : (2000000 * 10 ^ 20 <=? squares (10 ^ 20) 20 start_b * 919)%num. Proof. by vm_compute. Qed.
Lemma example64_7 : (let b := bin_of_nat 1109 in let P := raised 10 2 in let w := 100 * 100 in let v := 16 * (69 * 100 + 31) in let w' := 100 * 100 * 100 in let v' := 16 * ((69 * 100 + 31) * 100 + 49) in [&& 0 <? w, 0 <? w', (2 * b) * w <=? (2 * P) * v + w & (2 * P) * v' <=? (2 * b) * w' + w'])%num. Proof. by vm_compute. Qed.
Lemma example64_8 : (let b := bin_of_nat 459 in let P := raised 10 6 in [&& 0 <? 2000000, 0 <? 2000000, (2 * b) * 2000000 <=? (2 * P) * 917 + 2000000 & (2 * P) * 919 <=? (2 * b) * 2000000 + 2000000])%num. Proof. by vm_compute. Qed.
Lemma example64_9 : (terms 64 4 9 true <=? terms 64 4 9 false)%num. Proof. by vm_compute. Qed.
Lemma example64_10 : (terms 64 4 11 true <=? terms 64 4 11 false)%num. Proof. by vm_compute. Qed.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Let pos := exp_gt0 expD above.
Let L := ln 2%:R.

Lemma within (x : R) (p e : nat) (v w v' w' : N) (b := bin_of_nat p) (P := raised 10 e) :
  (nat_of_bin v)%:R / (nat_of_bin w)%:R <= x -> x <= (nat_of_bin v')%:R / (nat_of_bin w')%:R ->
  [&& (0 <? w)%num, (0 <? w')%num, ((2 * b) * w <=? (2 * P) * v + w)%num & ((2 * P) * v' <=? (2 * b) * w' + w')%num] ->
  `|x - p%:R / (10 ^ e)%:R| <= (2 * 10 ^ e)%:R^-1.
Proof.
move=> lo hi /and4P[/bin_gt0 w0 /bin_gt0 w0' /N.leb_le/bin_le low /N.leb_le/bin_le high].
have W0 : (0 : R) < (nat_of_bin w)%:R by rewrite ltr0n.
have W0' : (0 : R) < (nat_of_bin w')%:R by rewrite ltr0n.
have two : nat_of_bin 2%num = 2%N by [].
move: low high; rewrite !(nat_of_add_bin, nat_of_mul_bin) two /b /P raisedE !bin_of_natK -!(ler_nat R) !(natrD, natrM).
have T0 : (0 : R) < (10 ^ e)%:R by rewrite ltr0n expn_gt0.
move: (10 ^ e)%:R T0 => T T0 low high; have D0 : 0 < 2%:R * T by rewrite mulr_gt0 ?ltr0n.
have -> : x - p%:R / T = (2%:R * T * x - 2%:R * p%:R) / (2%:R * T).
  rewrite mulrBl [_ * x]mulrC mulfK ?gt_eqF //; congr (_ - _).
  by rewrite -mulf_div divff ?mul1r // pnatr_eq0.
rewrite normrM normfV (gtr0_norm D0) ler_pdivr_mulr // mulVf ?gt_eqF // ler_norml ler_subl_addl ler_subr_addr addrC ler_subl_addr.
apply/andP; split.
  rewrite -(ler_pmul2r W0) [leRHS]mulrDl mul1r; apply: le_trans low _; rewrite ler_add2r -[leRHS]mulrA (ler_pmul2l D0).
  by rewrite -ler_pdivr_mulr.
rewrite -(ler_pmul2r W0') [leRHS]mulrDl mul1r; apply: (le_trans _ high); rewrite -[leLHS]mulrA (ler_pmul2l D0).
by rewrite -ler_pdivl_mulr.
Qed.

Lemma square_low (v w v2 w2 : N) (l : R) : (nat_of_bin v)%:R / (nat_of_bin w)%:R <= l ->
  [&& (0 <? w)%num, (0 <? w2)%num & (v2 * (w * w) <=? 16 * (v * v) * w2)%num] ->
  (nat_of_bin v2)%:R / (nat_of_bin w2)%:R <= 16%:R * (l * l).
Proof.
move=> le /and3P[/bin_gt0 w0 /bin_gt0 w20 /N.leb_le/bin_le]; rewrite !nat_of_mul_bin -(ler_nat R) !natrM => num.
have W0 : (0 : R) < (nat_of_bin w)%:R by rewrite ltr0n.
have W20 : (0 : R) < (nat_of_bin w2)%:R by rewrite ltr0n.
move: le; rewrite ler_pdivr_mulr // => le; rewrite ler_pdivr_mulr // -(ler_pmul2r (mulr_gt0 W0 W0)).
apply: le_trans num _; rewrite [leRHS]mulrAC ler_pmul2r // -mulrA ler_pmul2l ?ltr0n // mulrACA.
by apply: ler_pmul; rewrite ?ler0n.
Qed.

Lemma square_high (v w v2 w2 : N) (l : R) : 0 <= l -> l <= (nat_of_bin v)%:R / (nat_of_bin w)%:R ->
  [&& (0 <? w)%num, (0 <? w2)%num & (16 * (v * v) * w2 <=? v2 * (w * w))%num] ->
  16%:R * (l * l) <= (nat_of_bin v2)%:R / (nat_of_bin w2)%:R.
Proof.
move=> l0 le /and3P[/bin_gt0 w0 /bin_gt0 w20 /N.leb_le/bin_le]; rewrite !nat_of_mul_bin -(ler_nat R) !natrM => num.
have W0 : (0 : R) < (nat_of_bin w)%:R by rewrite ltr0n.
have W20 : (0 : R) < (nat_of_bin w2)%:R by rewrite ltr0n.
move: le; rewrite ler_pdivl_mulr // => le; rewrite ler_pdivl_mulr // -(ler_pmul2r (mulr_gt0 W0 W0)).
apply: le_trans num; rewrite mulrAC ler_pmul2r // -mulrA ler_pmul2l ?ltr0n // mulrACA.
by apply: ler_pmul; rewrite ?mulr_ge0 // ltW.
Qed.

Lemma sixteen_low (v w : N) (l : R) : (nat_of_bin v)%:R / (nat_of_bin w)%:R <= l ->
  (nat_of_bin (16 * v)%num)%:R / (nat_of_bin w)%:R <= 16%:R * l.
Proof. by move=> le; rewrite nat_of_mul_bin natrM -mulrA ler_pmul2l ?ltr0n. Qed.

Lemma sixteen_high (v w : N) (l : R) : l <= (nat_of_bin v)%:R / (nat_of_bin w)%:R ->
  16%:R * l <= (nat_of_bin (16 * v)%num)%:R / (nat_of_bin w)%:R.
Proof. by move=> le; rewrite nat_of_mul_bin natrM -mulrA ler_pmul2l ?ltr0n. Qed.

Lemma exp_low (D : N) j (a v w : N) (q : R) : (0 < nat_of_bin D)%N -> (0 < nat_of_bin w)%N ->
  (nat_of_bin a)%:R <= (nat_of_bin D)%:R * (1 + q / (2 ^ j)%:R) -> (v * D <=? squares D j a * w)%num ->
  (nat_of_bin v)%:R / (nat_of_bin w)%:R <= exp q.
Proof.
move=> D0 w0 start /N.leb_le/bin_le; rewrite !nat_of_mul_bin -(ler_nat R) !natrM => le.
have d0 : (0 : R) < (nat_of_bin D)%:R by rewrite ltr0n.
have W0 : (0 : R) < (nat_of_bin w)%:R by rewrite ltr0n.
rewrite ler_pdivr_mulr // -(ler_pmul2r d0) (le_trans le) // mulrAC ler_pmul2r // mulrC.
exact: (scaled expD above).
Qed.

Lemma exp_high (v w : N) (q : R) : (0 < nat_of_bin v)%N -> (0 < nat_of_bin w)%N ->
  (nat_of_bin w)%:R / (nat_of_bin v)%:R <= exp q -> exp (- q) <= (nat_of_bin v)%:R / (nat_of_bin w)%:R.
Proof.
move=> v0 w0 le; rewrite (expN expD above) -[leRHS]invf_div lef_pinv ?posrE ?pos //.
by rewrite divr_gt0 ?ltr0n.
Qed.

Lemma start_high (D : N) j (a p P : N) : [&& (0 <? D)%num, (0 <? P)%num & (a * (twice j * P) <=? D * (twice j * P) + D * p)%num] ->
  (nat_of_bin a)%:R <= (nat_of_bin D)%:R * (1 + (nat_of_bin p)%:R / (nat_of_bin P)%:R / (2 ^ j)%:R) :> R.
Proof.
move=> /and3P[/bin_gt0 D0 /bin_gt0 P0 /N.leb_le le].
have T0 : (0 : R) < (2 ^ j)%:R by rewrite ltr0n expn_gt0.
have P0' : (0 : R) < (nat_of_bin P)%:R by rewrite ltr0n.
rewrite -(ler_pmul2r (mulr_gt0 T0 P0')).
have := bin_le le; rewrite nat_of_add_bin !nat_of_mul_bin twice_power -(ler_nat R) !(natrD, natrM) => le'.
by rewrite (le_trans le') // -[leRHS]mulrA clear ?gt_eqF // divfK ?gt_eqF // mulrDr.
Qed.

Lemma start_low (D : N) j (a p P : N) : [&& (0 <? D)%num, (0 <? P)%num & (a * (twice j * P) + D * p <=? D * (twice j * P))%num] ->
  (nat_of_bin a)%:R <= (nat_of_bin D)%:R * (1 + - ((nat_of_bin p)%:R / (nat_of_bin P)%:R) / (2 ^ j)%:R) :> R.
Proof.
move=> /and3P[/bin_gt0 D0 /bin_gt0 P0 /N.leb_le le].
have T0 : (0 : R) < (2 ^ j)%:R by rewrite ltr0n expn_gt0.
have P0' : (0 : R) < (nat_of_bin P)%:R by rewrite ltr0n.
rewrite -(ler_pmul2r (mulr_gt0 T0 P0')).
have := bin_le le; rewrite nat_of_add_bin !nat_of_mul_bin twice_power -(ler_nat R) !(natrD, natrM) => le'.
rewrite -ler_subr_addr in le'; rewrite (le_trans le') // -[leRHS]mulrA clear ?gt_eqF //.
by rewrite mulNr divfK ?gt_eqF // mulrBr.
Qed.

(* Burns, the example with m = 64 and n = 4: (m/n) ln 2 is 11.09, and (1 - e^(-nk/m))^k is 4.59e-4 there. The standard
   filter has the lowest rate at k = 10 only, and this rate is 6.15e-4. The classic filter has the lowest rate at k = 9
   only, and this rate is 4.55e-4. At k = 11 the rates are 6.25e-4 and 4.85e-4. All numbers are rounded. *)
Theorem example64 :
  let k0 : R := 64%:R / 4%:R * ln 2%:R in
  let E := exp (k0 * ln (1 - exp (- (4%:R * k0 / 64%:R)))) in
  [/\ `|k0 - 1109%:R / (10 ^ 2)%:R| <= (2 * 10 ^ 2)%:R^-1 /\ `|E - 459%:R / (10 ^ 6)%:R| <= (2 * 10 ^ 6)%:R^-1,
      best_standard 64 4 10 /\ rounds (rate 64 (4 * 10) 10) 615 6,
      best_classic 64 4 9 /\ rounds (classic_rate 64 9 4 9) 455 6
    & rounds (rate 64 (4 * 11) 11) 625 6 /\ rounds (classic_rate 64 11 4 11) 485 6].
Proof.
move=> k0 E.
have k0E : k0 = 16%:R * L by rewrite /k0 (_ : 64 = 16 * 4)%N // natrM mulfK // pnatr_eq0.
have [lo0 hi0] := ln2_digits expD above lnK; rewrite -/L in lo0 hi0.
have lo : (nat_of_bin (69 * 100 + 31)%num)%:R / (nat_of_bin (100 * 100)%num)%:R <= L.
  by rewrite nat_of_add_bin !nat_of_mul_bin.
have hi : L <= (nat_of_bin ((69 * 100 + 31) * 100 + 49)%num)%:R / (nat_of_bin (100 * 100 * 100)%num)%:R.
  by rewrite !(nat_of_add_bin, nat_of_mul_bin).
clear lo0 hi0.
have L0 : 0 <= L by apply: le_trans lo; rewrite divr_ge0 ?ler0n.
have half : 1 - 2%:R^-1 = 2%:R^-1 :> R.
  by apply/eqP; rewrite subr_eq -mulr2n -[_^-1 *+ 2]mulr_natl divff // pnatr_eq0.
have EE : E = exp (- (16%:R * (L * L))).
  have arg : 4%:R * k0 / 64%:R = L.
    by rewrite k0E mulrA -natrM mulrAC divff ?mul1r // pnatr_eq0.
  by rewrite /E arg (expN expD above) lnK ?ltr0n // half (lnV expD above lnK) ?ltr0n // -/L k0E mulrN -mulrA.
have low1 := square_low lo example64_1; have high1 := square_high L0 hi example64_2.
have low2 : (nat_of_bin 917%num)%:R / (nat_of_bin 2000000%num)%:R <= E.
  rewrite EE; apply: le_trans (_ : exp (- (nat_of_bin 76873%num)%:R / (nat_of_bin 10000%num)%:R) <= _); last first.
    by rewrite (exp_le expD above) // mulNr ler_opp2.
  rewrite mulNr; exact: (exp_low (bin_gt0 big_D) (bin_gt0 big_P) (start_low example64_3) example64_4).
have high2 : E <= (nat_of_bin 919%num)%:R / (nat_of_bin 2000000%num)%:R.
  rewrite EE; apply: (le_trans (y := exp (- ((nat_of_bin 76862%num)%:R / (nat_of_bin 10000%num)%:R)))); last first.
    exact: (exp_high (bin_gt0 small_p) (bin_gt0 big_P) (exp_low (bin_gt0 big_D) (bin_gt0 small_p) (start_high example64_5) example64_6)).
  by rewrite (exp_le expD above) // ler_opp2.
have low3 : (nat_of_bin (16 * (69 * 100 + 31))%num)%:R / (nat_of_bin (100 * 100)%num)%:R <= k0.
  rewrite k0E; exact: (sixteen_low lo).
have high3 : k0 <= (nat_of_bin (16 * ((69 * 100 + 31) * 100 + 49))%num)%:R / (nat_of_bin (100 * 100 * 100)%num)%:R.
  rewrite k0E; exact: (sixteen_high hi).
split.
- by split; [exact: within low3 high3 example64_7 | exact: within low2 high2 example64_8].
- split; first exact: best64_standard.
  by rewrite standard_cases; apply: rounds_case; vm_compute.
- split; first exact: best64_classic.
  by rewrite (@classic_termsE 64 4 9 isT example64_9); apply: rounds_case; vm_compute.
- split; first by rewrite standard_cases; apply: rounds_case; vm_compute.
  by rewrite (@classic_termsE 64 4 11 isT example64_10); apply: rounds_case; vm_compute.
Qed.
End Exponential.
