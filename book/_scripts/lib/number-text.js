/* Numbers and their texts. */

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const SMALL = 1e-3;
const LARGE = 1e6;

/* Read `0.3`, `2/3` or `4 log 2`; anything else is NaN. */
export function parsed(text) {
  const match = /^(-?[\d.]+(?:e-?\d+)?)(?:\/(\d+))?( log 2)?$/.exec(text.trim());
  if (!match) {
    return NaN;
  }
  const [, above, below, log] = match;
  return (Number(above) / Number(below || 1)) * (log ? Math.LN2 : 1);
}

/* Return a power of ten. */
export function power(exponent) {
  const signs = [...String(exponent)].map(
    (sign) => RAISED["0123456789-".indexOf(sign)],
  );
  return `10${signs.join("")}`;
}

/* Return a text with the sign that mathematics has for minus. */
export function withMinus(text) {
  return text.replace("-", "−");
}

/* Tell whether there is no number, where a formula says nothing. */
export function isNothing(value) {
  return value === null || value === undefined;
}

/* Return a number with four digits behind the point, or as a power of ten where it is
   small or large; `whole` rounds. */
export function shown(value, whole) {
  if (isNothing(value) || isNaN(value)) {
    return "–";
  }
  if (whole) {
    return Math.round(value).toLocaleString("en");
  }
  const size = Math.abs(value);
  if (value !== 0 && (size < SMALL || size >= LARGE)) {
    const [digits, exponent] = value.toExponential(3).split("e");
    return `${digits} · ${power(Number(exponent))}`.replace(/^-/, "−");
  }
  return value.toFixed(4).replace(/^-/, "−");
}
