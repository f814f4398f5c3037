"""Reference of the ranking by the lead (docs: how sure). NumPy only. rows: (n, d) arrays, one per embedder; tr, te: row numbers for fitting and for evaluation.
score(X, tr, te, fam=None, control=None) -> everything the answer needs; correlate(), worth(), combine(), advice() below."""
import numpy as np
HANDS, C, INFO, CLIP_S, CLIP_T, INFLATE, COPY = 32, 3., .03, 3., 5., 1.2, .95

def prepare(x, tr):
    x = np.asarray(x, float); s = x[tr].std(0); k = s > 1e-9; z = (x[:, k] - x[tr][:, k].mean(0)) / s[k]
    u, v = np.clip(z, -CLIP_S, CLIP_S), np.clip(z, -CLIP_T, CLIP_T); u = u - u[tr].mean(0); v = v - v[tr].mean(0)
    ut = u[tr]; n = len(tr); G = ut.T @ ut; q = np.sqrt(np.maximum(np.diag(G), 1e-12)); mult = (np.abs(G / q / q[:, None]) ** 16).sum(1)          # how many times a column is there
    u = u / np.sqrt(mult); ut = u[tr]
    if ut.shape[1] <= n: ev, Q = np.linalg.eigh(ut.T @ ut / n)
    else:                                                              # more columns than rows: the same from the n x n Gram
        g, A = np.linalg.eigh(ut @ ut.T / n); k = g > 1e-10 * g[-1]; ev = g[k]; Q = ut.T @ A[:, k] / np.sqrt(n * ev)
    ev, Q = ev[::-1].clip(0), Q[:, ::-1]; k = ev > 1e-6 * ev[0]; return dict(v=v, ev=ev[k], z=u @ Q[:, k])   # components, largest first

def number_of_kinds(n): return n if n < 6 else max(min(8, max(5, 2 * n // 3)), min(16, 2 * n // 5))

def is_matrix(P, lam, tr, te):
    """IS(source -> target) per target dimension by ridge with penalty lam[source]; (m, T) and hands (HANDS, m, T)."""
    m = len(P); n = len(tr); off = np.cumsum([0] + [p["v"].shape[1] for p in P]); Y = np.hstack([p["v"] for p in P]); Yt, Ye = Y[tr], Y[te]; fl = np.exp(-2.)
    tot = (Yt ** 2).mean(0); sp = np.maximum(tot, fl); base = .5 * np.log(sp) + Ye ** 2 / (2 * sp); H = min(HANDS, len(te)); hb = np.arange(H) * len(te) // H; hn = np.diff(np.r_[hb, len(te)]); hand = []
    for p, l in zip(P, lam):
        ev, a = p["ev"], 1 / (p["ev"] + l); c = p["z"][tr].T @ Yt / n; fit = (2 * a - a * a * ev) @ c ** 2; df = 1 + (a * ev).sum()
        s2 = np.maximum((tot - fit).clip(0) / max(1 - df / n, .02) ** 2, fl)                 # leave-one-out residual variance, floored
        g = base - (.5 * np.log(s2) + (Ye - p["z"][te] @ (a[:, None] * c)) ** 2 / (2 * s2)); hand.append(np.add.reduceat(np.add.reduceat(g, hb, 0) / hn[:, None], off[:-1], 1) / np.diff(off))
    hand = np.array(hand).transpose(1, 0, 2); return np.einsum("hmt,h->mt", hand, hn / hn.sum()), hand

def shared(P, kind, fam, vote, tr, te):
    """Width R: shared dimensions, the sum over an embedder's whitened components of the R2 (>= 0) on rows not used for fitting from the voters of other kinds and families, joined."""
    m = len(P); n = len(tr); cap = max(4, min(64, 1024 // m)); B = [p["z"][:, :cap] / np.sqrt(p["ev"].sum()) for p in P]; out = np.zeros(m)
    for q in sorted({(kind[i], fam[i]) for i in range(m)}):
        me = [i for i in range(m) if (kind[i], fam[i]) == q]; o = [B[j] for j in range(m) if vote[j] and kind[j] != q[0] and fam[j] != q[1]]
        if not o: out[me] = [len(P[i]["ev"]) for i in me]; continue
        J = np.hstack(o); g, A = np.linalg.eigh(J[tr].T @ J[tr] / n); g = g.clip(0); Jt, Je = J[tr] @ A, J[te] @ A
        for i in me:
            W = P[i]["z"] / np.sqrt(P[i]["ev"]); b = Jt.T @ W[tr] / n
            out[i] = (1 - ((W[te] - Je @ (b / (g + .003 * g.sum())[:, None])) ** 2).mean(0) / (W[te] ** 2).mean(0)).clip(0).sum()
    return out

def related(M, hand):
    """True for the largest group of embedders joined by pairs with IS > max(.01, 4 standard errors), either way."""
    m = len(M); se = hand.std(0, ddof=1) / np.sqrt(len(hand)); e = M > np.maximum(.01, 4 * se); e = e | e.T; lab = np.arange(m)
    for _ in range(m):
        for i in range(m): lab[i] = min(lab[i], lab[e[i] | (np.arange(m) == i)].min())
    k = np.bincount(lab, minlength=m); return lab == k.argmax() if k.max() > 1 else np.ones(m, bool)

def copies(M):
    """First of the embedders that predict each other, both ways, at least COPY times as well as themselves; itself if there is none."""
    m = len(M); q = M / np.maximum(np.diag(M), 1e-9); e = np.minimum(q, q.T) >= COPY; lab = np.arange(m)
    for _ in range(m):
        for i in range(m): lab[i] = min(lab[i], lab[e[i] | (np.arange(m) == i)].min())
    return lab

def kinds(M, K):
    """Average linkage until K kinds remain. Distance: half lack of mutual predictability, half disagreement as judges (columns, double-centred)."""
    m = len(M); off = ~np.eye(m, dtype=bool); top = np.maximum(np.where(off, M, -9).max(0), 1e-9); S = np.clip(M / top, 0, 1); D = 1 - (S + S.T) / 2
    A = np.where(off, M, 0.); r, c, g = A.sum(1) / (m - 1), A.sum(0) / (m - 1), A.sum() / (m * (m - 1)); A[~off] = r + c - g
    E = A - A.mean(1, keepdims=True); E = E - E.mean(0); sd = np.sqrt((E ** 2).sum(0)); D = .5 * D + .5 * (1 - E.T @ E / np.maximum(np.outer(sd, sd), 1e-300)); D[~off] = 0
    G = [[i] for i in range(m)]
    while len(G) > K:
        d, a, b = min((D[np.ix_(G[a], G[b])].mean(), a, b) for a in range(len(G)) for b in range(a + 1, len(G))); G[a] += G.pop(b)
    lab = np.zeros(m, int)
    for k, q in enumerate(G): lab[q] = k
    return lab

def decide(x, hand, kind, fam=None, first=None, level=.95, draws=4000, seed=0):
    """x (m, m), hand (H, m, m); kind, fam: labels. A target judges two embedders unless it is of the kind or the named family of either.
    first (m): the embedder of which one is a copy (itself if none); copies neither judge nor count as opponents."""
    m = len(x); first = np.arange(m) if first is None else first; votes = first == np.arange(m); H = len(hand); rng = np.random.default_rng(seed); K = kind.max() + 1; new = K >= 5; off = ~np.eye(m, dtype=bool); own = off == 0
    if new: own = (kind[:, None] == kind) | (own if fam is None else fam[:, None] == fam)                  # (embedder, target)
    f = kind if new else np.arange(m); Z = np.eye(f.max() + 1)[f]; judge = (votes[:, None, None] & ~own.T[:, :, None] & ~own.T[:, None]).astype(float)      # (t, a, b)
    n = np.einsum("tk,tab->kab", Z, judge); nf = (n > 0).sum(0); w = judge / np.maximum(n, 1)[f] / np.maximum(nf, 1)   # every kind one vote
    d = (x[:, None] - x[None]).transpose(2, 0, 1); delta = (w * d).sum(0); psi = np.einsum("tk,tab->kab", Z, w * (d - delta)) * np.sqrt(nf / np.maximum(nf - 1, 1))
    e = (hand - hand.mean(0)).reshape(H * m, m) @ w.reshape(m, m * m); e = e.reshape(H, m, m, m); i = np.arange(m)
    rho = INFLATE * (e[:, i, i, :] - e[:, i, :, i].transpose(1, 2, 0)) / np.sqrt(H * (H - 1.))
    out = dict(delta=delta, lead=np.array([delta[i, votes & (first != first[i])].sum() / max((votes & (first != first[i])).sum(), 1) for i in range(m)]), kinds=K, scope="new" if new else "these")
    for scope in ("these", "new")[: 1 + new]:
        var = (rho ** 2).sum(0) + ((psi ** 2).sum(0) if scope == "new" else 0); nu = max(np.median(nf[off]) - 2, 1) if scope == "new" else H - 1.
        blind = off & (nf < (2 if scope == "new" else 1)); se = np.where(blind, np.inf, np.where(off, np.sqrt(var) + 1e-12, 1)); t = delta / se
        z = rng.standard_normal((draws, H)) @ rho.reshape(H, -1) + (rng.standard_normal((draws, len(psi))) @ psi.reshape(len(psi), -1) if scope == "new" else 0)
        z = z.reshape(draws, m, m) / np.sqrt(rng.chisquare(nu, draws) / nu)[:, None, None]; crit = np.quantile((z / se).max(1), level, axis=0)
        place = np.sort(1 + (np.where(off, np.where(blind, 9e9 * z, z) + delta, 0) > 0).sum(1), 0); one = np.quantile(np.abs(rng.standard_t(nu, 400000)), level)
        out[scope] = dict(se=np.where(off, se, 0), t=t, nu=nu, best=t.max(0) <= crit, separated=np.abs(t) > one, low=place[int((1 - level) / 2 * draws)], high=place[int((1 + level) / 2 * draws) - 1])
    return out

def score(X, tr, te, fam=None, control=None, **kw):
    """fam: names or None; control: True where pool.json says family 'control'."""
    P = [prepare(x, tr) for x in X]; m = len(P); control = np.zeros(m, bool) if control is None else np.asarray(control); info, ih = is_matrix(P, [INFO * p["ev"].sum() for p in P], tr, te)
    vote = ~control; i = np.where(vote)[0]; vote[i] = related(info[np.ix_(i, i)], ih[:, i][:, :, i]); i = np.where(vote)[0]; n = len(i)
    first = np.arange(m); first[i] = i[copies(info[np.ix_(i, i)])]; vote &= first == np.arange(m); r = np.where(vote)[0]; k = len(r)
    kind = np.full(m, -1); kind[r] = kinds(info[np.ix_(r, r)], number_of_kinds(k)); kind[i] = kind[first[i]]
    f = np.arange(m) if fam is None else np.unique(fam, return_inverse=True)[1]
    R = shared(P, kind, f, vote, tr, te); M, hand = is_matrix(P, [C * max(1, p["ev"].sum() / len(p["ev"])) for p in P], tr, te)
    s = np.ix_(i, i); g = np.searchsorted(i, first[i]); return dict(info=info, R=R, M=M, hand=hand, kind=kind, vote=vote, first=first, who=i, rank=decide(M[s], hand[:, i][:, :, i], kind[i], f[i], g, **kw), rank_info=decide(info[s], ih[:, i][:, :, i], kind[i], f[i], g, **kw))

def correlate(score, task, fam):
    """Spearman, number of independent embedders they are worth, two-sided p, 95 % interval; fam: families, else kinds (intraclass correlation of the ranks)."""
    from scipy import stats                                            # only for t and normal quantiles
    r = lambda v: np.array([((v < a).sum() + (v <= a).sum() + 1) / 2 for a in v]); f = np.unique(fam, return_inverse=True)[1]; n = len(f); k = np.bincount(f); F = len(k); x, y = r(np.asarray(score)), r(np.asarray(task)); x, y = x - x.mean(), y - y.mean()
    def icc(v):
        if F < 2 or F == n: return 0.
        m = np.bincount(f, v) / k; b = (k * m ** 2).sum() / (F - 1); w = ((v - m[f]) ** 2).sum() / (n - F); k0 = (n - (k ** 2).sum() / n) / (F - 1); return float(np.clip((b - w) / max(b + (k0 - 1) * w, 1e-12), 0, 1))
    B = np.eye(n) - 1 / n; same = f[:, None] == f; P, Q = (B @ np.where(np.eye(n) > 0, 1, np.where(same, icc(v), 0)) @ B for v in (x, y))
    ne = min(1 + np.trace(P) * np.trace(Q) / np.trace(P @ Q), n); rho = (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()); d = max(ne - 2, 1)
    p = 2 * stats.t.sf(abs(rho) * np.sqrt(d / max(1 - rho ** 2, 1e-12)), d); h = 1.959964 * np.sqrt((1 + rho ** 2 / 2) / max(ne - 3, 1)); a = np.arctanh(np.clip(rho, -.999999, .999999)); return dict(rho=rho, n=ne, p=p, low=np.tanh(a - h), high=np.tanh(a + h))

def normal_scores(v):
    from scipy import stats
    v = np.asarray(v, float); ok = ~np.isnan(v); out = np.full(len(v), np.nan); w = v[ok]; out[ok] = stats.norm.ppf([((w < a).sum() + (w <= a).sum()) / 2 / len(w) for a in w]); return out

def worth(lead, tasks):
    """How many labelled tasks the ranking is worth: mean Spearman q with a task, mean Spearman c between tasks; k tasks reach k c / sqrt(k + k(k-1) c)."""
    r = lambda v: np.array([((v < a).sum() + (v <= a).sum()) / 2 for a in v]); sp = lambda a, b: (lambda ok: np.corrcoef(r(a[ok]), r(b[ok]))[0, 1])(~np.isnan(a) & ~np.isnan(b))
    T = tasks.shape[1]; q = np.mean([sp(lead, tasks[:, t]) for t in range(T)]); c = np.mean([sp(tasks[:, a], tasks[:, b]) for a in range(T) for b in range(a)]); return dict(q=q, c=c, tasks=0. if q <= 0 else np.inf if c <= q * q else q * q * (1 - c) / (c * (c - q * q)))

def combine(lead, tasks, n0=2):
    """The ranking counts as n0 tasks: mean of normal scores, a missing task 0."""
    z = np.array([normal_scores(tasks[:, t]) for t in range(tasks.shape[1])]).T; return (np.nan_to_num(z).sum(1) + n0 * normal_scores(lead)) / (z.shape[1] + n0)

def advice(lead, best, k=5): return [j for j in np.argsort(-lead, kind="stable") if best[j]][:k]
