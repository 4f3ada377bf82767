(* Recycling filters of one phase in the long run: k independent or k distinct positions, and a filter that retains the
   last message or does not. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic claims machine recycling levels chains.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Four.
Variables (M k sigma : nat) (distinct retain : bool).
Hypotheses (sM : (sigma < M)%N) (k0 : (0 < k)%N) (kM : distinct -> (k <= M)%N) (ks : retain -> (k <= sigma)%N).
Implicit Types (A B : {set 'I_M}) (x y : 'I_M).

Local Notation hash := (hash M k distinct).
Local Notation places := (@levels.places M k distinct).

(* All hashes are equally likely. A message changes the bits as machine.v says. *)
Definition likely (e : hash) : rat := #|hash|%:R^-1.
Definition takes B (e : hash) : {set 'I_M} := next sigma retain B (places e).

Let M0 : (0 < M)%N. Proof. exact: leq_ltn_trans sM. Qed.

Lemma hashes_gt0 : (0 < #|hash|)%N.
Proof.
move: kM; rewrite /hash; case: distinct => km; first by rewrite card_ord card_items bin_gt0 km.
by rewrite card_ffun !card_ord expn_gt0 M0.
Qed.

Lemma likely_ge0 e : 0 <= likely e. Proof. by rewrite invr_ge0 ler0n. Qed.

Lemma likely_sum : \sum_e likely e = 1.
Proof. by rewrite sumr_const -[_ *+ _]mulr_natr mulVf // pnatr_eq0 -lt0n hashes_gt0. Qed.

(* The rate in a state of b bits, Dozier-FP (17). *)
Definition rho b : rat := if distinct then 'C(b, k)%:R / 'C(M, k)%:R else (b%:R / M%:R) ^+ k.

Lemma rho_mean B : chains.mean likely (fun e => (places e \subset B)%:R) = rho #|B|.
Proof.
rewrite /chains.mean -mulr_sumr mulrC /likely /rho /levels.places /hash; case: distinct.
  exact: (sets_inside k B).
exact: (throws_inside k B).
Qed.

Lemma step_to B e : connect (leads likely takes) B (takes B e).
Proof.
apply: connect1; rewrite /leads /step /chains.mean (bigD1 e) //= eqxx mulr1 ltr_spaddl //.
  by rewrite invr_gt0 ltr0n hashes_gt0.
by rewrite sumr_ge0 // => d _; rewrite mulr_ge0 ?likely_ge0 ?ler0n.
Qed.

(* Some message sets y and otherwise only bits of B, if B has enough bits. *)
Lemma one_more B y : (distinct -> (k <= #|B|.+1)%N) -> y \notin B -> exists e : hash, y \in places e /\ places e \subset y |: B.
Proof.
rewrite /levels.places /hash; case: distinct => kB yB.
  have /card_gt0P[D] : (0 < #|[set D : {set 'I_M} | D \subset B & #|D| == k.-1]|)%N.
    by rewrite cards_draws bin_gt0 -ltnS prednK // kB.
  rewrite inE => /andP[DB /eqP Dk]; have yD : y \notin D by apply: contra yB; exact: (subsetP DB).
  have Bk : y |: D \in items M k by rewrite inE cardsU1 Dk yD add1n prednK.
  exists (enum_rank_in Bk (y |: D)); rewrite /numbered enum_rankK_in //; split; [exact: setU11 | exact: setUS].
exists [ffun=> y]; split; first by apply/imsetP; exists (Ordinal k0); rewrite ?ffunE.
by apply/subsetP => u /imsetP[i _ ->]; rewrite ffunE setU11.
Qed.

Lemma size_distinct (e : hash) : distinct -> #|places e| = k.
Proof.
move: e; rewrite /levels.places /hash; case: distinct => // e _.
by have := enum_valP e; rewrite inE => /eqP.
Qed.

Lemma grows B A : (distinct -> (k <= #|B|.+1)%N) -> B \subset A -> (#|B| <= sigma)%N -> (sigma <= #|A|)%N ->
  exists B', [/\ connect (leads likely takes) B B', B \subset B', B' \subset A & #|B'| = sigma].
Proof.
move=> kB BA Bs sA; have [d] := ubnP (sigma - #|B|); elim: d B kB BA Bs => // d IH B kB BA Bs; rewrite ltnS => le.
have [full | part] := eqVneq #|B| sigma; first by exists B.
have {part} lt : (#|B| < sigma)%N by rewrite ltn_neqAle part.
have /card_gt0P[y] : (0 < #|A :\: B|)%N by rewrite cardsD (setIidPr BA) subn_gt0 (leq_trans lt).
rewrite inE => /andP[yB yA]; have [e [ye sub]] := one_more kB yB.
have u : B :|: places e = y |: B.
  by apply/eqP; rewrite eqEsubset subUset subsetUr sub subUset sub1set inE ye orbT subsetUl.
have more : #|y |: B| = #|B|.+1 by rewrite cardsU1 yB.
have n : takes B e = y |: B by rewrite /takes /next /recycles u more ltnNge lt.
have [|| | |B' [c s1 s2 s3]] := IH (y |: B).
- by rewrite more => /kB /leqW.
- by rewrite subUset sub1set yA.
- by rewrite more.
- by rewrite more subnSK.
exists B'; split=> //; last exact: subset_trans (subsetUr _ _) s1.
by apply: connect_trans c; rewrite -n; exact: step_to.
Qed.

Lemma empty_home : ~~ retain -> forall B, connect (leads likely takes) B set0.
Proof.
move=> /negbTE ret B; have /card_gt0P[e0 _] := hashes_gt0; have [d] := ubnP (sigma - #|B|); elim: d B => // d IH B; rewrite ltnS => le.
have [lt | big] := leqP #|B| sigma; last first.
  have <- : takes B e0 = set0; last exact: step_to.
  by rewrite /takes /next /recycles ret (leq_trans big) // subset_leq_card // subsetUl.
have [e out] : exists e, ~~ (places e \subset B).
  have [y yB] : exists y, y \notin B.
    have /card_gt0P[y] : (0 < #|~: B|)%N by rewrite card_setC_ord subn_gt0 (leq_ltn_trans lt).
    by rewrite inE; exists y.
  move: kM; rewrite /levels.places /hash; case: distinct => km.
    by apply: (@sets_leave M k sigma) => //; exact: km.
  exact: (@throws_leave M k sigma).
case rec: (recycles sigma B (places e)).
  have <- : takes B e = set0 by rewrite /takes /next rec ret.
  exact: step_to.
have n : takes B e = B :|: places e by rewrite /takes /next rec.
apply: connect_trans (step_to B e) _; rewrite n; apply: IH.
have more : (#|B| < #|B :|: places e|)%N.
  by rewrite proper_card // properEneq subsetUl andbT; apply: contra out => /eqP->; exact: subsetUr.
have {}rec : (#|B :|: places e| <= sigma)%N by rewrite leqNgt; apply/negbT.
by apply: leq_trans le; apply: ltn_sub2l => //; exact: leq_trans more rec.
Qed.

Lemma some_home : exists z, forall B, connect (leads likely takes) B z.
Proof.
have [e0 _] : exists e0 : hash, true by have /card_gt0P[e0] := hashes_gt0; exists e0.
case ret: retain; last by exists set0; apply: empty_home; rewrite ret.
have kss := ks ret.
have few (e : hash) : (#|places e| <= k)%N by exact: few_places.
have [z z0] : exists z, z \in places e0.
  apply/set0Pn; move: e0; rewrite /levels.places /hash; case: distinct => e.
    by have := enum_valP e; rewrite inE -card_gt0 => /eqP->.
  by apply/set0Pn; exists (e (Ordinal k0)); apply/imsetP; exists (Ordinal k0).
exists (places e0) => B.
have clear (Y : {set 'I_M}) : (distinct -> (k <= #|Y|.+1)%N) -> (#|Y| <= sigma)%N -> z \notin Y -> connect (leads likely takes) Y (places e0).
  move=> kY Ys zY; have [| |B' [c _ B'z B's]] := @grows Y (~: [set z]) kY _ Ys.
  - by rewrite subsetC sub1set inE.
  - by rewrite card_setC_ord cards1 subn1 -ltnS prednK.
  apply: connect_trans c _; have <- : takes B' e0 = places e0; last exact: step_to.
  rewrite /takes /next /recycles ret (_ : (sigma < _)%N) // -B's proper_card // properE subsetUl /=.
  apply/subsetPn; exists z; first by rewrite inE z0 orbT.
  by apply/negP => /(subsetP B'z); rewrite !inE eqxx.
set B1 := takes B e0; apply: connect_trans (step_to B e0) _; rewrite -/B1.
have B1s : (#|B1| <= sigma)%N by apply: never_above; rewrite (leq_trans (few e0)) ?orbT.
have B1k : distinct -> (k <= #|B1|.+1)%N.
  move=> di; rewrite leqW // -(size_distinct e0 di) subset_leq_card // /B1 /takes /next ret.
  by case: ifP => _ //; exact: subsetUr.
have [zB1 | zB1] := boolP (z \in B1); last exact: clear.
have [|B2 [c B12 _ B2s]] := grows B1k (subsetT B1) B1s; first by rewrite cardsT card_ord ltnW.
apply: connect_trans c _.
have [y yB2] : exists y, y \notin B2.
  have /card_gt0P[y] : (0 < #|~: B2|)%N by rewrite card_setC_ord subn_gt0 B2s.
  by rewrite inE; exists y.
have zB2 : z \in B2 by exact: (subsetP B12).
have less : #|B2 :\ z|.+1 = sigma by rewrite -B2s [RHS](cardsD1 z) zB2.
have [| |e [ye sub]] := @one_more (B2 :\ z) y; first by rewrite less.
  by rewrite inE (negbTE yB2) andbF.
have zy : z != y by apply: contraNneq yB2 => <-.
have ze : z \notin places e by apply/negP => /(subsetP sub); rewrite !inE eqxx (negbTE zy).
apply: connect_trans (step_to B2 e) _; have -> : takes B2 e = places e.
  rewrite /takes /next /recycles ret (_ : (sigma < _)%N) // -B2s proper_card // properE subsetUl /=.
  by apply/subsetPn; exists y; rewrite // inE ye orbT.
apply: clear ze; last exact: leq_trans (few e) kss.
by move=> di; rewrite leqW // size_distinct.
Qed.

(* Dozier-FP (18), for the four filters: there is a distribution of the set bits that messages preserve. Let pi_i be its
   probability of i set bits. From any bits on, n new messages have in the mean n times the sum of pi_i rho(i) false
   positives, with an error of at most a constant. *)
Theorem rate_of_states :
  (exists pi, preserved likely takes pi) /\
  forall pi, preserved likely takes pi -> let number i := \sum_(B : {set 'I_M} | #|B| == i) pi B in
    \sum_(i < sigma.+1) number i = 1 /\
    exists C : rat, forall n B,
      `|total likely takes (fun B e => (places e \subset B)%:R) n B - n%:R * \sum_(i < sigma.+1) number i * rho i| <= C.
Proof.
split; first exact: (chain_preserves takes likely_ge0 likely_sum set0).
move=> pi pp number; have [pi0 pi1 st] := pp.
have above B : (sigma < #|B|)%N -> pi B = 0.
  move=> big; rewrite -st big1 // => A _; apply/eqP; rewrite mulf_eq0; apply/orP; right.
  rewrite /step /chains.mean big1 // => e _; case: eqP => [|_]; last by rewrite mulr0.
  move=> n; have : (#|takes A e| <= sigma)%N; last by rewrite n leqNgt big.
  apply: never_above; case ret: retain => //=; exact: leq_trans (few_places e) (ks ret).
have sums (f : nat -> rat) : \sum_(i < sigma.+1) number i * f i = \sum_B pi B * f #|B|.
  rewrite [RHS](bigID (fun B => (#|B| <= sigma)%N)) /= [X in _ = _ + X]big1 ?addr0 => [|B]; last first.
    by rewrite -ltnNge => /above ->; rewrite mul0r.
  rewrite [RHS](partition_big (fun B : {set 'I_M} => inord #|B| : 'I_sigma.+1) predT) //=.
  apply: eq_bigr => i _; rewrite mulr_suml; apply: eq_big => [B | B /eqP -> //].
  apply/eqP/andP => [Bi | [Bs /eqP <-]]; last by rewrite inordK.
  have Bs : (#|B| <= sigma)%N by rewrite Bi -ltnS ltn_ord.
  by split=> //; rewrite -val_eqE /= inordK // Bi.
split; first by rewrite -pi1 (eq_bigr (fun i : 'I_sigma.+1 => number i * 1)) => [|i _]; rewrite ?mulr1 // (sums (fun=> 1)); apply: eq_bigr => B _; rewrite mulr1.
have [z reach] := some_home.
have [C le] := chain_long_run likely_ge0 likely_sum reach (fun B e => (places e \subset B)%:R) pp.
exists C => n B; have := le n B; rewrite sums; under [X in n%:R * X]eq_bigr => A _ do rewrite rho_mean.
exact.
Qed.
End Four.
