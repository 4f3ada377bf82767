(* Popularities of which one dominates the other (Dozier-FN, section 4.2.4 and appendix D). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard means popularity cycles.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Draws.
Variable T : finType.
Implicit Types (a b f : T -> rat) (L : seq (T -> rat)) (S : {set T}) (g : nat -> rat) (x y i j : T) (n K : nat).

(* The mean of g of the number of distinct messages in S and one draw from each popularity of L. *)
Fixpoint draws L g S : rat := if L is a :: L' then \sum_y a y * draws L' g (y |: S) else g #|S|.

Definition sinks g : Prop := forall n, g n.+1 <= g n.
Definition nonnegative a : Prop := forall x, 0 <= a x.
Definition all_nonnegative L : Prop := forall r, nonnegative (nth (fun=> 0) L r).

Lemma sinks_le g n n' : sinks g -> (n <= n')%N -> g n' <= g n.
Proof. by move=> fg /subnK <-; elim: (n' - n)%N => //= d IH; apply: le_trans IH; rewrite addSn. Qed.

Lemma draws_sink L g S x : all_nonnegative L -> sinks g -> draws L g (x |: S) <= draws L g S.
Proof.
move=> + fg; elim: L S => [|a L IH] S L0 /=; first by apply: sinks_le; rewrite // subset_leq_card // subsetUr.
by apply: ler_sum => y _; rewrite ler_wpmul2l ?(L0 0%N) // setUCA IH // => r; exact: (L0 r.+1).
Qed.

(* Another draw, of a more popular message, leaves the number of distinct messages smaller. *)
Lemma draws_swap L g S i j : all_nonnegative L -> sinks g -> (forall r, nth (fun=> 0) L r j <= nth (fun=> 0) L r i) ->
  i \notin S -> j \notin S -> draws L g (j |: S) <= draws L g (i |: S).
Proof.
move=> + fg; have [-> // | ij] := eqVneq i j; elim: L S => [|a L IH] S L0 ji iS jS /=; first by rewrite !cardsU1 iS jS.
have {}IH (U : {set T}) : i \notin U -> j \notin U -> draws L g (j |: U) <= draws L g (i |: U).
  by apply: IH => r; [exact: (L0 r.+1) | exact: (ji r.+1)].
have L1 : all_nonnegative L by move=> r; exact: (L0 r.+1).
have /= a0 := L0 0%N; have /= aji := ji 0%N.
rewrite (bigD1 i) // (bigD1 j) /= 1?eq_sym // [leRHS](bigD1 i) // [X in _ <= _ + X](bigD1 j) /= 1?eq_sym //.
rewrite !addrA; apply: ler_add; last first.
  apply: ler_sum => y /andP[yi yj]; rewrite ler_wpmul2l // setUCA [X in _ <= draws _ _ X]setUCA.
  by rewrite IH // !inE negb_or 1?[i == y]eq_sym 1?[j == y]eq_sym ?yi ?yj.
have ii : i |: (i |: S) = i |: S by rewrite setUA setUid.
have jj : j |: (j |: S) = j |: S by rewrite setUA setUid.
rewrite ii jj [j |: (i |: S)]setUCA.
have h1 := IH S iS jS; have h2 := draws_sink (i |: S) j L1 fg; rewrite setUCA in h2.
set R := draws L g (i |: (j |: S)) in h2 *; move: (draws L g (i |: S)) (draws L g (j |: S)) h1 h2 => u v vu Ru.
rewrite -subr_ge0 (_ : _ - _ = (a i - a j) * (u - R) + a j * (u - v)); last by identity.
by apply: addr_ge0; apply: mulr_ge0; rewrite ?subr_ge0.
Qed.

Lemma draws_rot a L g S : draws (rcons L a) g S = draws (a :: L) g S.
Proof.
elim: L S => [|b L IH] S //; rewrite rcons_cons [LHS]/=.
under eq_bigr => y _ do rewrite IH /= mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => z _.
by rewrite mulrCA setUCA.
Qed.

Definition sorted_by S a b f : Prop :=
  (forall x y, x \in S -> f y <= f x) /\ (forall x y, x \notin S -> y \notin S -> a y <= a x -> b y <= b x -> f y <= f x).

(* If b has at least the mean of a for all functions that do not grow from a message to one that is less popular by both,
   where those in S come first, then n draws from b give fewer distinct messages. *)
Lemma draws_above n a b g S : nonnegative a -> nonnegative b -> sinks g ->
  (forall f, sorted_by S a b f -> \sum_y a y * f y <= \sum_y b y * f y) -> draws (nseq n a) g S <= draws (nseq n b) g S.
Proof.
move=> a0 b0 fg more; suff h m : draws (nseq n a ++ nseq m b) g S <= draws (nseq (n + m) b) g S.
  by have := h 0%N; rewrite cats0 addn0.
elim: n m => [|n IH] m //; rewrite addSnnS; apply: le_trans (IH m.+1).
have -> : nseq m.+1 b = rcons (nseq m b) b by rewrite -cats1 -[m.+1]addn1 nseqD.
rewrite -rcons_cat draws_rot [leLHS]/=; set L := nseq n a ++ nseq m b.
have nthE r : nth (fun=> 0) L r = a \/ nth (fun=> 0) L r = b \/ nth (fun=> 0) L r = fun=> 0.
  by rewrite /L nth_cat !nth_nseq size_nseq; case: ltnP => _; [left | case: ifP => _; right; [left | right]].
have L0 : all_nonnegative L by move=> r x; case: (nthE r) => [-> | [-> | ->]].
apply: (more (fun y => draws L g (y |: S))); split=> [x y xS | x y xS yS axy bxy].
  by rewrite [x |: S](setUidPr _) ?sub1set // draws_sink.
by apply: draws_swap => // r; case: (nthE r) => [-> | [-> | ->]].
Qed.
End Draws.

(* The message i is among the first K distinct ones if it comes while at most K - 1 others have come. *)
Section First.
Variables (T : finType) (q : T -> rat) (c : rat) (i : T).
Hypotheses (q0 : nonnegative q) (q1 : \sum_x q x = 1) (c01 : 0 < c <= 1) (qi : 0 < q i).
Implicit Types (S : {set T}) (f : {set T} -> rat) (x y : T) (K N : nat).

Lemma sample01 K S f : (forall B, 0 <= f B <= 1) -> 0 <= sample q K S f <= 1.
Proof.
move=> f01; elim: K S => [|K IH] S //=; apply/andP; split.
  by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?divr_ge0 ?(rest_ge0 q0) //; case/andP: (IH (x |: S)).
have [z | z] := eqVneq (rest q S) 0; first by rewrite big1 ?ler01 // => x _; rewrite z invr0 mulr0 mul0r.
rewrite -[leRHS](divff z) {2}/rest mulr_suml; apply: ler_sum => x _.
by rewrite ler_pimulr ?divr_ge0 ?(rest_ge0 q0) //; case/andP: (IH (x |: S)).
Qed.

(* A draw is of i with the probability c q_i, and of another message with c times its popularity. Other draws are of no
   message; here they are of i, because i is in S wherever these draws are used. *)
Definition others y : rat := if y == i then 1 - c else c * q y.
Definition comes N g S : rat := \sum_(n < N) draws (nseq n others) g S.

Let c0 : 0 < c. Proof. by case/andP: c01. Qed.

Lemma others_ge0 : nonnegative others.
Proof. by move=> y; rewrite /others; case: eqP => _; [rewrite subr_ge0; case/andP: c01 | rewrite mulr_ge0 // ltW]. Qed.

Lemma others_sum : c * q i + \sum_y others y = 1.
Proof.
rewrite (bigD1 i) //= /others eqxx (eq_bigr (fun y => c * q y)) => [|y /negbTE -> //].
have e : q i + \sum_(y | y != i) q y = 1 by rewrite -q1 [RHS](bigD1 i).
by rewrite addrCA -mulr_sumr -mulrDr e mulr1 subrK.
Qed.

Lemma comesS N g S : comes N.+1 g S = g #|S| + \sum_y others y * comes N g (y |: S).
Proof.
rewrite /comes big_ord_recl /=; congr (_ + _); rewrite exchange_big /=; apply: eq_bigr => y _.
by rewrite mulr_sumr.
Qed.

Definition within K (n : nat) : rat := (n <= K)%N%:R.

Lemma comes_late N K S : (K < #|S|)%N -> comes N (within K) S = 0.
Proof.
elim: N S => [|N IH] S lt; first by rewrite /comes big_ord0.
rewrite comesS /within leqNgt lt add0r big1 // => y _; rewrite IH ?mulr0 //.
by apply: leq_trans lt _; rewrite subset_leq_card // subsetUr.
Qed.

Lemma has_i S K : (K + #|S| <= #|support q :|: S|)%N -> i \in S -> sample q K S (fun B => (i \in B)%:R) = 1.
Proof. by move=> le iS; apply: (sample_const q0 le) => B SB _; rewrite (subsetP SB). Qed.

(* The probability that i is among the next K distinct messages after S. It comes with the N-th draw or before, or no draw
   of N is of i. *)
Lemma comes_near N K S : i \notin S -> (K + #|S| <= #|support q :|: S|)%N ->
  0 <= sample q K S (fun B => (i \in B)%:R) - c * q i * comes N (within (K + #|S|)) (i |: S) <= (1 - c * q i) ^+ N.
Proof.
elim: N K S => [|N IH] K S iS le.
  by rewrite /comes big_ord0 mulr0 subr0 expr0 sample01 // => B; case: (i \in B); rewrite ?lexx ?ler01.
case: K le => [|K] le.
  rewrite comes_late ?mulr0 ?subr0 ?add0n ?cardsU1 ?iS //= (negbTE iS) lexx exprn_ge0 //.
  rewrite subr_ge0 -others_sum ler_addl sumr_ge0 // => y _; exact: others_ge0.
pose inc K S := sample q K S (fun B => (i \in B)%:R); pose u S := comes N (within (K.+1 + #|S|)) (i |: S).
have r0 : 0 < rest q S by rewrite /rest (bigD1 i) //= ltr_paddr // sumr_ge0.
have r1 : rest q S = 1 - \sum_(y in S) q y.
  by rewrite -q1 [in RHS](bigID (mem S)) /= addrAC subrr add0r.
have first : inc K.+1 S * rest q S = q i + \sum_(x | (x \notin S) && (x != i)) q x * inc K (x |: S).
  rewrite /inc /= mulr_suml (bigD1 i) //= has_i ?support_more ?inE ?eqxx // mulr1 divfK ?gt_eqF //; congr (_ + _).
  by apply: eq_bigr => x _; rewrite mulrAC divfK ?gt_eqF.
have next : comes N.+1 (within (K.+1 + #|S|)) (i |: S) =
    1 + (1 - c + c * \sum_(y in S) q y) * u S + \sum_(x | (x \notin S) && (x != i)) c * q x * comes N (within (K + #|x |: S|)) (i |: (x |: S)).
  have small : (#|i |: S| <= K.+1 + #|S|)%N by rewrite cardsU1 iS leq_add2r.
  rewrite comesS {1}/within small -[RHS]addrA; congr (_ + _).
  rewrite (bigID (mem S)) /= [X in _ + X](bigD1 i) //= addrA; congr (_ + _).
    rewrite /others eqxx setUA setUid -/(u S) [RHS]mulrDl addrC; congr (_ + _).
    rewrite [c * (\sum_(y in S) q y)]mulr_sumr [RHS]mulr_suml; apply: eq_bigr => y yS; rewrite (negbTE (memPn iS y yS)).
    by rewrite [y |: _](setUidPr _) // sub1set !inE yS orbT.
  apply: eq_bigr => x /andP[xS xi]; rewrite /others (negbTE xi) cardsU1 xS addnCA addnA add1n; congr (_ * comes _ _ _).
  exact: setUCA.
have gap : inc K.+1 S - c * q i * comes N.+1 (within (K.+1 + #|S|)) (i |: S) =
    (1 - c + c * \sum_(y in S) q y) * (inc K.+1 S - c * q i * u S) +
    \sum_(x | (x \notin S) && (x != i)) c * q x * (inc K (x |: S) - c * q i * comes N (within (K + #|x |: S|)) (i |: (x |: S))).
  rewrite (eq_bigr (fun x => c * (q x * inc K (x |: S)) - c * q i * (c * q x * comes N (within (K + #|x |: S|)) (i |: (x |: S))))).
    rewrite sumrB -!mulr_sumr next; move: first; rewrite r1.
    set A := \sum_(x | _) q x * _; set B := \sum_(x | _) c * q x * _; set s := \sum_(y in S) _; move: (inc K.+1 S) (u S) => I U h.
    have -> : A = I * (1 - s) - q i by rewrite h addrAC subrr add0r.
    identity.
  by move=> x _; move: (inc K (x |: S)) (comes _ _ _) => I C; identity.
rewrite -/(inc K.+1 S) gap; set w := 1 - c + _; have cc : c <= 1 by case/andP: c01.
have w0 : 0 <= w by rewrite addr_ge0 ?subr_ge0 // mulr_ge0 ?(ltW c0) // sumr_ge0.
have /andP[lo hi] := IH K.+1 S iS le; apply/andP; split.
  apply: addr_ge0; first exact: mulr_ge0.
  apply: sumr_ge0 => x /andP[xS xi]; have := q0 x; rewrite le_eqVlt => /orP[/eqP <- | qx]; first by rewrite mulr0 mul0r.
  have ix : i \notin x |: S by rewrite !inE negb_or eq_sym xi.
  by apply: mulr_ge0; [exact: mulr_ge0 (ltW c0) (ltW qx) | case/andP: (IH K (x |: S) ix (support_more xS le))].
apply: (@le_trans _ _ (w * (1 - c * q i) ^+ N + \sum_(x | (x \notin S) && (x != i)) c * q x * (1 - c * q i) ^+ N)).
  apply: ler_add; first exact: ler_wpmul2l.
  apply: ler_sum => x /andP[xS xi]; have := q0 x; rewrite le_eqVlt => /orP[/eqP <- | qx]; first by rewrite mulr0 !mul0r.
  have ix : i \notin x |: S by rewrite !inE negb_or eq_sym xi.
  by apply: ler_wpmul2l; [exact: mulr_ge0 (ltW c0) (ltW qx) | case/andP: (IH K (x |: S) ix (support_more xS le))].
rewrite -mulr_suml -mulrDl exprS le_eqVlt (_ : w + _ = 1 - c * q i) ?eqxx // /w -mulr_sumr -addrA -mulrDr.
have e : q i + ((\sum_(y in S) q y) + \sum_(x | (x \notin S) && (x != i)) q x) = 1.
  by rewrite -q1 [RHS](bigID (mem S)) /= [X in _ = _ + X](bigD1 i) //= addrCA.
rewrite (_ : \sum_(y in S) q y + _ = 1 - q i); last by rewrite -e addrAC subrr add0r.
by rewrite mulrBr mulr1 addrA subrK.
Qed.
End First.

Section Dominated.
Variables (T : finType) (q x : T -> rat) (top : pred T).
Hypotheses (q0 : nonnegative q) (x0 : forall y, 0 < x y) (q1 : \sum_y q y = 1) (x1 : \sum_y x y = 1).
Hypotheses (up : forall y, top y -> x y <= q y) (down : forall y, ~~ top y -> q y <= x y).
Hypothesis order : forall y z, ~~ top y -> top z -> x y <= x z.
Implicit Types (y z i j : T) (f : T -> rat) (K : nat).

Lemma threshold f : (forall y z, ~~ top y -> top z -> f y <= f z) ->
  exists t, forall y, if top y then t <= f y else f y <= t.
Proof.
move=> lt; suff [t [low high]] : exists t, (forall y, y \in enum T -> ~~ top y -> f y <= t) /\ (forall z, top z -> t <= f z).
  by exists t => y; case: ifP => ty; [exact: high | apply: low; rewrite ?mem_enum ?ty].
elim: (enum T) => [|y s [t [low high]]].
  exists (- \sum_z `|f z|); split=> // z _; rewrite ler_oppl (bigD1 z) //= ler_paddr ?sumr_ge0 //.
  by rewrite -normrN ler_norm.
have [ty | ty] := boolP (top y).
  by exists t; split=> // w; rewrite inE => /orP[/eqP -> | ws tw]; [rewrite ty | exact: low].
exists (Num.max t (f y)); split=> [w | z tz]; last by rewrite le_maxl high //= lt.
by rewrite inE le_maxr => /orP[/eqP -> _ | ws tw]; [rewrite lexx orbT | rewrite low].
Qed.

Lemma dominated_means f : (forall y z, ~~ top y -> top z -> f y <= f z) -> \sum_y x y * f y <= \sum_y q y * f y.
Proof.
move=> /threshold[t mid]; have sums w : \sum_y w y * f y = \sum_y w y * (f y - t) + (\sum_y w y) * t.
  by rewrite mulr_suml -big_split /=; apply: eq_bigr => y _; rewrite -mulrDr subrK.
rewrite !sums q1 x1 ler_add2r; apply: ler_sum => y _; have := mid y.
by case: ifP => ty ft; [rewrite ler_wpmul2r ?subr_ge0 ?up | rewrite ler_wnmul2r ?subr_le0 ?down ?ty].
Qed.

Lemma ordered_means f S : S = set0 -> sorted_by S x q f -> \sum_y x y * f y <= \sum_y q y * f y.
Proof.
move=> -> [_ sorted]; apply: dominated_means => y z ty tz; apply: sorted; rewrite ?inE ?order //.
by rewrite (le_trans (down ty)) // (le_trans (order ty tz)) // up.
Qed.

Let x0' : nonnegative x. Proof. by move=> y; exact: ltW. Qed.

(* Dozier-FN, Lemma 5 and Corollary 4 of appendix D: let the popularity q be at least x for the messages in top, and at most
   x for the others, which are no more popular than those in top. Let K be at most the number of messages that can come. Then
   each message in top is among the first K distinct ones with at least the probability that it has for x. *)
Theorem included_more K i : (K <= #|support q|)%N -> top i -> included x K i <= included q K i.
Proof.
move=> le ti; have xi := x0 i; have qi := lt_le_trans xi (up ti).
pose c := x i / q i; have c0 : 0 < c by rewrite divr_gt0.
have c1 : c <= 1 by rewrite ler_pdivr_mulr // mul1r up.
have cq : c * q i = x i by rewrite divfK ?gt_eqF.
have c01 : 0 < c <= 1 by rewrite c0.
have d01 : 0 < (1 : rat) <= 1 by rewrite ltr01 lexx.
set a := others x 1 i; set b := others q c i.
have fewer n g : sinks g -> draws (nseq n a) g [set i] <= draws (nseq n b) g [set i].
  move=> fg; apply: draws_above => //; try exact: others_ge0.
  move=> f [first sorted]; have [y z ty tz | t mid] := @threshold f.
    have [-> | zi] := eqVneq z i; first by apply: first; rewrite inE.
    have yi : y != i by apply: contraNneq ty => ->.
    have tail := order ty tz; apply: sorted; rewrite ?inE // /a /b /others (negbTE yi) (negbTE zi); first by rewrite !mul1r.
    by rewrite ler_pmul2l // (le_trans (down ty)) // (le_trans tail) // up.
  pose h y := f y - t; have sums w : \sum_y w y * f y = \sum_y w y * h y + (\sum_y w y) * t.
    by rewrite mulr_suml -big_split /=; apply: eq_bigr => y _; rewrite /h -mulrDr subrK.
  have sa : \sum_y a y = 1 - x i by have := others_sum 1 i x1; rewrite mul1r => e; rewrite -[in RHS]e addrAC subrr add0r.
  have sb : \sum_y b y = 1 - x i by have := others_sum c i q1; rewrite cq => e; rewrite -[in RHS]e addrAC subrr add0r.
  rewrite !sums sa sb ler_add2r; have hi : 0 <= h i by have := mid i; rewrite ti subr_ge0.
  have each y : y != i -> a y * h y - (1 - c) * x y * h i <= b y * h y.
    move=> yi; rewrite /a /b /others (negbTE yi) mul1r ler_subl_addr -subr_ge0.
    rewrite [leRHS](_ : _ = c * ((q y - x y) * h y) + (1 - c) * x y * (h i - h y)); last by move: (q y) (x y) (h y) (h i) => *; identity.
    have hy : h y <= h i by rewrite ler_add2r first // inE.
    apply: addr_ge0; last by apply: mulr_ge0; rewrite ?subr_ge0 // mulr_ge0 ?subr_ge0.
    apply: mulr_ge0; first exact: ltW.
    by have := mid y; case: ifP => ty ft; [rewrite mulr_ge0 ?subr_ge0 ?up | rewrite mulr_le0 ?subr_le0 ?down ?ty].
  rewrite (bigD1 i) //= [leRHS](bigD1 i) //= {1}/a {1}/b /others eqxx subrr mul0r add0r.
  have := ler_sum (index_enum T) (fun y (yi : y != i) => each y yi).
  move=> h2; apply: le_trans (ler_add (lexx ((1 - c) * h i)) h2).
  rewrite sumrB addrCA ler_addl subr_ge0 -mulr_suml -mulr_sumr mulrAC; apply: ler_pimulr.
    by apply: mulr_ge0 => //; rewrite subr_ge0.
  by rewrite -x1 [leRHS](bigD1 i) //= ler_addr ltW.
have le' : (K <= #|support x|)%N by rewrite (all_come x0) (leq_trans le) // max_card.
have near w d (w0 : nonnegative w) (w1 : \sum_y w y = 1) (d1 : 0 < d <= 1) (wi : 0 < w i) (lw : (K <= #|support w|)%N) N :
    0 <= included w K i - d * w i * comes w d i N (within K) [set i] <= (1 - d * w i) ^+ N.
  have := @comes_near T w d i w0 w1 d1 wi N K set0; rewrite inE cards0 addn0 !setU0 => h; exact: h.
rewrite -subr_le0 leNgt; apply/negP => gap.
have r01 : 0 <= 1 - x i < 1.
  by rewrite subr_ge0 ltr_subl_addr ltr_addl xi andbT -x1 (bigD1 i) //= ler_addl sumr_ge0.
have [N small] := powers_vanish 1 r01 gap.
have /andP[_ hx] := near x 1 x0' x1 d01 xi le' N; have /andP[hq _] := near q c q0 q1 c01 qi le N.
rewrite !mul1r cq in hx hq small; have hc : comes x 1 i N (within K) [set i] <= comes q c i N (within K) [set i].
  by apply: ler_sum => n _; apply: fewer => m; rewrite ler_nat; case: leqP => // mK; rewrite (leq_trans _ mK).
move: small; rewrite ltNge => /negP; apply; apply: le_trans hx.
by rewrite ler_add2l ler_opp2 (le_trans (ler_wpmul2l (ltW xi) hc)) // -subr_ge0.
Qed.

(* The probability that a message drawn from the popularity w is none of K distinct ones that were sampled before. *)
Definition unrecorded_after (w : T -> rat) K : rat := \sum_y w y * missed w K set0 y.

Lemma unrecorded_included w K : nonnegative w -> \sum_y w y = 1 -> (K <= #|support w|)%N ->
  unrecorded_after w K = 1 - \sum_y w y * included w K y.
Proof.
move=> w0 w1 le; rewrite -w1 -sumrB; apply: eq_bigr => y _.
by rewrite (included_or_missed w0) // mulrBr mulr1 opprB addrCA subrr addr0.
Qed.

Lemma included_ge0 w K y : nonnegative w -> 0 <= included w K y.
Proof.
move=> w0; have f01 (B : {set T}) : 0 <= ((y \in B)%:R : rat) <= 1 by case: (y \in B); rewrite ?lexx ?ler01.
by have /andP[] := sample01 w0 K set0 f01.
Qed.

Lemma none_left w K S j : nonnegative w -> (#|support w :|: S| < K + #|S|)%N -> missed w K S j = 0.
Proof.
move=> w0; elim: K S => [|K IH] S; first by rewrite ltnNge subset_leq_card // subsetUr.
move=> lt; rewrite /missed /= big1 // => y yS; have := w0 y; rewrite le_eqVlt => /orP[/eqP <- | wy]; first by rewrite !mul0r.
rewrite -/(missed w K (y |: S) j) IH ?mulr0 // more // addnS (leq_trans _ lt) // ltnS.
by rewrite subset_leq_card // setUCA subUset sub1set !inE wy subxx.
Qed.

Hypothesis flat : forall y z, ~~ top y -> ~~ top z -> x y = x z.

(* Dozier-FN, Theorem 6 of appendix D, in every state. *)
Lemma unrecorded_less K : unrecorded_after q K <= unrecorded_after x K.
Proof.
have [le | lt] := leqP K #|support q|; last first.
  rewrite [leLHS]big1 => [|y _]; last by rewrite none_left ?mulr0 // setU0 cards0 addn0.
  by apply: sumr_ge0 => y _; rewrite mulr_ge0 // missed_ge0.
have lex : (K <= #|support x|)%N by rewrite (all_come x0) (leq_trans le) // max_card.
have more := included_more le.
rewrite !unrecorded_included // ler_add2l ler_opp2.
have p0 y : 0 <= included x K y := included_ge0 K y x0'.
have [y0 low | none] := pickP (fun y => ~~ top y); last first.
  apply: ler_sum => y _; have ty : top y by have := none y; move/negbFE.
  by apply: ler_pmul => //; [exact: up | exact: more].
pose n : rat := #|[pred y | ~~ top y]|%:R; have n0 : 0 < n by rewrite ltr0n; apply/card_gt0P; exists y0.
pose A := \sum_(y | ~~ top y) q y; pose l := A / n; pose r := included x K y0.
have An : A = l * n by rewrite divfK ?gt_eqF.
have Al : A <= x y0 * n.
  rewrite mulr_natr -sumr_const; apply: ler_sum => y ty; rewrite (flat low ty); exact: down.
have l1 : l <= x y0 by rewrite ler_pdivr_mulr.
have lowx y : ~~ top y -> included x K y = r.
  move=> ty; have e := flat ty low; apply/eqP; rewrite eq_le.
  by rewrite !(popular_first x0) ?e ?lexx // -(all_come x0).
have highx y : top y -> r <= included x K y by move=> ty; rewrite (popular_first x0) ?order // -(all_come x0).
have cheb : l * (\sum_(y | ~~ top y) included q K y) <= \sum_(y | ~~ top y) q y * included q K y.
  rewrite /l mulrAC ler_pdivr_mulr // [leRHS]mulrC; have := @chebyshev T [pred y | ~~ top y] q (included q K).
  rewrite -/n => h; apply: h => s t; case: (lerP (q s) (q t)) => [st | /ltW ts].
    by rewrite mulr_le0 // subr_le0 // !(included_or_missed q0) // ler_add2l ler_opp2 popular_missed ?inE.
  by rewrite mulr_ge0 // subr_ge0 // !(included_or_missed q0) // ler_add2l ler_opp2 popular_missed ?inE.
have total w : nonnegative w -> (K <= #|support w|)%N -> \sum_(y | ~~ top y) included w K y = K%:R - \sum_(y | top y) included w K y.
  by move=> w0 lw; rewrite -(samples_total w0 lw) [in RHS](bigID top) /= addrAC subrr add0r.
rewrite (bigID top) [leRHS](bigID top) /=.
apply: (@le_trans _ _ (\sum_(y | top y) q y * included q K y + l * (\sum_(y | ~~ top y) included q K y))); last by rewrite ler_add2l.
rewrite total // mulrBr addrCA mulr_sumr -sumrB.
apply: (@le_trans _ _ (l * K%:R + \sum_(y | top y) (q y - l) * included x K y)); last first.
  rewrite ler_add2l; apply: ler_sum => y ty; rewrite -mulrBl; apply: ler_wpmul2l (more y ty).
  by rewrite subr_ge0 (le_trans l1) // (le_trans (order low ty)) // up.
under [X in _ <= _ + X]eq_bigr do rewrite mulrBl.
rewrite sumrB -mulr_sumr addrCA -mulrBr -total //.
have -> : \sum_(y | ~~ top y) included x K y = n * r by rewrite (eq_bigr (fun=> r) lowx) sumr_const mulr_natl.
have -> : \sum_(y | ~~ top y) x y * included x K y = x y0 * n * r.
  rewrite (eq_bigr (fun=> x y0 * r)) => [|y ty]; last by rewrite lowx // (flat ty low).
  by rewrite sumr_const -mulrA mulrCA mulr_natl.
have gain : (\sum_(y | top y) (q y - x y)) * r <= \sum_(y | top y) (q y - x y) * included x K y.
  by rewrite mulr_suml; apply: ler_sum => y ty; rewrite ler_wpmul2l ?subr_ge0 ?up ?highx.
have e : \sum_(y | top y) (q y - x y) = x y0 * n - l * n.
  have qA : \sum_(y | top y) q y = 1 - A by rewrite -q1 [in RHS](bigID top) /= addrK.
  have xA : \sum_(y | top y) x y = 1 - x y0 * n.
    rewrite -x1 [in RHS](bigID top) /= [X in _ + X - _](eq_bigr (fun=> x y0)) => [|y ty]; last exact: flat.
    by rewrite sumr_const mulr_natr addrK.
  by rewrite sumrB qA xA -An; move: (x y0) => u; identity.
move: gain; rewrite e (eq_bigr (fun y => q y * included x K y - x y * included x K y)) => [|y _]; last by rewrite mulrBl.
have rearrange (a b u v : rat) : (u * n - v * n) * r <= a - b -> b + u * n * r <= a + v * (n * r).
  rewrite -subr_ge0 => gain; rewrite -subr_ge0 (_ : _ - _ = a - b - (u * n - v * n) * r) //; identity.
by rewrite sumrB; exact: rearrange.
Qed.
End Dominated.
