/** A stated chance and whether it came true. */
export interface GradedChance {
  readonly chance: number;
  readonly right: boolean;
}

export interface CalibratedChance {
  readonly value: number;
  /** 95 %. */
  readonly interval: readonly [low: number, high: number];
}

/**
 * Beta calibration (Kull, Silva Filho and Flach): logit q = a ln s - b ln(1 - s) + c, fitted by maximum a posteriori. The prior is the
 * identity (a = b = 1, c = 0): with few outcomes the stated chances stay, with many the outcomes decide. The interval is that of the
 * normal approximation at the maximum.
 */
export function fitBetaCalibration(outcomes: readonly GradedChance[]): (chance: number) => CalibratedChance {
  let weights: Vector = IDENTITY;
  let covariance: Matrix = invert(PRECISION);
  for (let step = 0; step < MAX_STEPS; step++) {
    const { gradient, hessian } = derivatives(outcomes, weights);
    covariance = invert(hessian);
    const newton = times(covariance, gradient);
    // A full step may overshoot where the curve is flat.
    const scale = Math.min(1, 1 / Math.max(...newton.map(Math.abs)));
    const change = newton.map((part) => scale * part);
    weights = weights.map((weight, i) => weight - change[i]!) as unknown as Vector;
    if (change.every((part) => Math.abs(part) < 1e-9)) break;
  }
  return (chance) => {
    const x = features(chance);
    const centre = dot(weights, x);
    const spread = 1.96 * Math.sqrt(Math.max(0, dot(x, times(covariance, x))));
    return {
      value: sigmoid(centre),
      interval: [sigmoid(centre - spread), sigmoid(centre + spread)],
    };
  };
}

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

const IDENTITY: Vector = [1, 1, 0];
/** How firmly the prior holds: slopes within about one half, the intercept within about one. */
const PRECISION: Matrix = [
  [4, 0, 0],
  [0, 4, 0],
  [0, 0, 1],
];
const MAX_STEPS = 100;

function features(chance: number): Vector {
  const s = Math.min(1 - 1e-6, Math.max(1e-6, chance));
  return [Math.log(s), -Math.log1p(-s), 1];
}

function derivatives(outcomes: readonly GradedChance[], weights: Vector) {
  const off = weights.map((weight, i) => weight - IDENTITY[i]!) as unknown as Vector;
  const gradient = [...times(PRECISION, off)];
  const hessian = PRECISION.map((row) => [...row]);
  for (const { chance, right } of outcomes) {
    const x = features(chance);
    const q = sigmoid(dot(weights, x));
    for (let i = 0; i < 3; i++) {
      gradient[i]! += (q - Number(right)) * x[i]!;
      for (let j = 0; j < 3; j++) hessian[i]![j]! += q * (1 - q) * x[i]! * x[j]!;
    }
  }
  return { gradient: gradient as unknown as Vector, hessian: hessian as unknown as Matrix };
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (matrix: Matrix, vector: Vector): Vector =>
  matrix.map((row) => dot(row, vector)) as unknown as Vector;

/** By cofactors; the prior keeps the matrix positive definite. */
function invert([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const scale = 1 / (a * A + b * B + c * C);
  return [
    [A * scale, (c * h - b * i) * scale, (b * f - c * e) * scale],
    [B * scale, (a * i - c * g) * scale, (c * d - a * f) * scale],
    [C * scale, (b * g - a * h) * scale, (a * e - b * d) * scale],
  ];
}
