/** One series of measurements. */
export interface Curve {
  readonly name: string;
  readonly unit: string;
  /** Seconds since the start, and the value. */
  readonly points: readonly (readonly [number, number])[];
  /** What the values are held to; drawn as a dashed line. */
  readonly bound?: number;
  /** Whether each value is of an event, and has nothing to do with the one before it. */
  readonly isOfEvents?: boolean;
}

const WIDTH = 760;
const HEIGHT = 120;
const LEFT = 64;
const GAP = 34;
const INK = '#6e7781';
const LINE = '#0969da';
const BOUND = '#bf3989';

/** Draws the curves below each other, each from zero, as an SVG for light and dark pages. */
export function drawCurves(title: string, curves: readonly Curve[]): string {
  const height = 30 + curves.length * (HEIGHT + GAP) + 10;
  const end = Math.max(1, ...curves.flatMap(({ points }) => points.map(([at]) => at)));
  const panels = curves.map((curve, n) => panel(curve, 30 + n * (HEIGHT + GAP), end)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" fill="${INK}">
<title>${title}</title>
<text x="${LEFT}" y="16" font-weight="bold">${title}</text>
${panels}
</svg>
`;
}

function panel({ name, unit, points, bound, isOfEvents }: Curve, top: number, end: number): string {
  const highest = Math.max(1, bound ?? 0, ...points.map(([, value]) => value)) * 1.1;
  const [floor, ceiling] = [top + 18 + HEIGHT - 18, top + 18];
  const x = (at: number) => (LEFT + (at / end) * (WIDTH - LEFT - 10)).toFixed(1);
  const y = (value: number) => (floor - (value / highest) * (floor - ceiling)).toFixed(1);
  const path = points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ');
  const dots = points.map(([at, value]) => `<circle cx="${x(at)}" cy="${y(value)}" r="3" fill="${LINE}"/>`);
  const line = `<polyline points="${path}" fill="none" stroke="${LINE}" stroke-width="1.5"/>`;
  const duration = end < 120 ? `${end.toFixed(0)} s` : `${(end / 60).toFixed(0)} min`;
  return [
    `<text x="${LEFT}" y="${top + 10}">${name}${unit && `, ${unit}`}</text>`,
    `<path d="M${LEFT} ${ceiling}V${floor}H${WIDTH - 10}" fill="none" stroke="${INK}" stroke-width="0.7"/>`,
    ...(Number(y(bound ?? 0)) < ceiling + 16 ? [] : [labelOf(Math.round(highest), ceiling)]),
    `<text x="${LEFT - 6}" y="${floor}" text-anchor="end">0</text>`,
    `<text x="${WIDTH - 10}" y="${floor + 13}" text-anchor="end">${duration}</text>`,
    ...(bound === undefined ? [] : lineOf(bound, y(bound))),
    ...(isOfEvents ? dots : [line]),
  ].join('\n');
}

const lineOf = (bound: number, y: string): string[] => [
  `<path d="M${LEFT} ${y}H${WIDTH - 10}" fill="none" stroke="${BOUND}" stroke-width="1" stroke-dasharray="5 4"/>`,
  labelOf(bound, Number(y), BOUND),
];

const labelOf = (value: number, y: number, colour = INK): string =>
  `<text x="${LEFT - 6}" y="${y + 4}" text-anchor="end" fill="${colour}">${value}</text>`;
