/* The ring of eight Gaussians, and the standard normal that is its public law. */

/* Points on a side of a picture. */
export const SIZE = 121;
export const MODES = 8;
export const RADIUS = 4;
const VARIANCE = 0.25;

/* Return the log-density of the ring. */
function logTarget(x, y) {
  const exponents = Array.from({ length: MODES }, (_, mode) => {
    const angle = (2 * Math.PI * mode) / MODES;
    const dx = x - RADIUS * Math.cos(angle);
    const dy = y - RADIUS * Math.sin(angle);
    return -(dx * dx + dy * dy) / (2 * VARIANCE);
  });
  const top = Math.max(...exponents);
  const sum = exponents.reduce((all, item) => all + Math.exp(item - top), 0);
  return top + Math.log(sum / (MODES * 2 * Math.PI * VARIANCE));
}

/* Return log P and log Q0 at the points of a picture, row by row from above. */
export function ringLogs(side) {
  const target = new Float64Array(SIZE * SIZE);
  const reference = new Float64Array(SIZE * SIZE);
  for (let place = 0; place < SIZE * SIZE; place += 1) {
    const x = side * ((2 * (place % SIZE)) / (SIZE - 1) - 1);
    const y = side * (1 - (2 * Math.floor(place / SIZE)) / (SIZE - 1));
    target[place] = logTarget(x, y);
    reference[place] = -(x * x + y * y) / 2 - Math.log(2 * Math.PI);
  }
  return { target, reference };
}
