/* The tail of a walk of m steps, up with probability (k+1)/N and down with k/N, as in
   mollified.privacy.lattice_walk: a sum over equidistant angles of the tilted walk. A
   walk is {up, down, stay, drift, m}. */

/* What is left out is smaller by this power of e. */
const MARGIN = 40;

/* Return the logarithm of the moment of a step at a tilt s, and the tilted step. */
function moment(walk, s) {
  const up = walk.up * Math.exp(s);
  const down = walk.down * Math.exp(-s);
  const total = up + walk.stay + down;
  const half = Math.sinh(s / 2);
  const above = 2 * (walk.up + walk.down) * half * half + walk.drift * Math.sinh(s);
  return {
    log: above > -0.5 ? Math.log1p(above) : Math.log(total),
    moves: (up + down) / total,
    drift: (up - down) / total,
  };
}

/* Return the tilt at which the walk has the mean v. */
function saddle(walk, v) {
  const t = v / walk.m;
  const still = t * walk.stay;
  const root = Math.sqrt(still * still + 4 * walk.up * walk.down * (1 - t) * (1 + t));
  if (t < 0) {
    return Math.log(2 * walk.down * (1 + t)) - Math.log(root - still);
  }
  return Math.log(still + root) - Math.log(2 * walk.up * (1 - t));
}

/* Return the standard deviation of a walk of such steps. */
function spread({ m }, step) {
  return Math.sqrt(Math.max(m * (step.moves - step.drift * step.drift), 0));
}

/* Tell whether all but nothing of the walk lies above the start. */
function liesAbove(walk, start, lam) {
  if (start >= walk.m * walk.drift) {
    return false;
  }
  const low = Math.min(Math.max(saddle(walk, start), -lam), 0);
  return low < 0 && walk.m * moment(walk, low).log - low * start < -MARGIN;
}

/* Return how many angles the circle has, and of how many the terms count. */
function anglesOf(walk, step, s, start) {
  const sd = spread(walk, step);
  const depth = Math.max(s * start - walk.m * step.log, 0);
  const reach = Math.sqrt(2 * MARGIN + 20) * sd + MARGIN + 20;
  const angles = Math.ceil(Math.max(2 * reach, (MARGIN + depth + 20) / s));
  const half = Math.floor(angles / 2);
  const decay = walk.m * 2 * Math.max(1 - step.moves, 0) * step.moves;
  const need = 2 * (MARGIN + 10 + Math.log1p(1 / s) + Math.log1p(sd));
  if (decay <= need / 1.9) {
    return { angles, used: half };
  }
  const enough = Math.ceil((Math.acos(1 - need / decay) * angles) / (2 * Math.PI));
  return { angles, used: Math.min(half, enough) };
}

/* Return the real part of a quotient of complex numbers, turned by an angle. */
function turnedQuotient([a, b], [u, v], turn) {
  const size = u * u + v * v;
  const p = (a * u + b * v) / size;
  const q = (b * u - a * v) / size;
  return Math.cos(turn) * p - Math.sin(turn) * q;
}

/* Return the term of an angle: the weights of the tail over two geometric series. */
function term(walk, step, theta, { s, start, gap, lam }) {
  const half = 2 * Math.pow(Math.sin(theta / 2), 2);
  const sin = Math.sin(theta);
  const real = -step.moves * half;
  const imaginary = step.drift * sin;
  const square = 2 * real + real * real + imaginary * imaginary;
  const fall = 0.5 * walk.m * Math.log1p(Math.max(square, -1));
  const turn = walk.m * Math.atan2(imaginary, 1 + real) - theta * start;
  const x = Math.exp(-s);
  const y = Math.exp(-s - lam);
  const weight = Math.exp(-lam) * Math.expm1(Math.max(gap + lam, 0)) * x;
  const above = [-Math.expm1(gap) + weight * Math.cos(theta), -weight * sin];
  /* (1 - x e^(-i theta)) (1 - y e^(-i theta)), each factor without cancellation at
     theta = 0 */
  const [c, d] = [-Math.expm1(-s) + x * half, x * sin];
  const [e, f] = [-Math.expm1(-s - lam) + y * half, y * sin];
  const below = [c * e - d * f, c * f + d * e];
  return Math.exp(fall) * turnedQuotient(above, below, turn);
}

/* Return the sum over v >= start of P[W = v] (1 - e^(gap - lam (v - start))). */
export function walkTail(walk, start, gap, lam) {
  const { m } = walk;
  if (start === m) {
    return Math.exp(m * Math.log(walk.up)) * -Math.expm1(gap);
  }
  if (liesAbove(walk, start, lam)) {
    return 1;
  }
  const plain = moment(walk, 0);
  const distance = spread(walk, plain) + Math.max(m * plain.drift - start, 0);
  const s = Math.max(saddle(walk, start + 0.5), 2 / (1 + distance));
  const step = moment(walk, s);
  const { angles, used } = anglesOf(walk, step, s, start);
  let sum = 0;
  for (let at = 0; at <= used; at += 1) {
    const theta = (2 * Math.PI * at) / angles;
    const isPair = at && 2 * at !== angles;
    sum += (isPair ? 2 : 1) * term(walk, step, theta, { s, start, gap, lam });
  }
  return Math.max(sum / angles, 0) * Math.exp(m * step.log - s * start);
}
