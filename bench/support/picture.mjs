import { goalOf, meets, short } from './report.mjs';

const ROW = 34;
const TOP = 40;
const LABEL = 400;
const BAR = 320;
const GOAL = LABEL + BAR / 2;
const WIDTH = 1000;
const FONT = 'font-family="system-ui, sans-serif" font-size="13"';

/**
 * Returns a row's result relative to its goal: 1 is the goal, more is better; cut at a factor of
 * four.
 */
function progressOf({ goal, ratio, ours }) {
  const value = ratio ?? ours;
  const times = goal.atLeast === undefined ? goal.atMost / value : value / goal.atLeast;
  return Math.max(-1, Math.min(1, Math.log2(times) / 2));
}

function barOf(row, index) {
  const y = TOP + index * ROW;
  const label = `<text x="${LABEL - 12}" y="${y + 19}" text-anchor="end">${escape(labelOf(row))}</text>`;
  if (row.left) return `${label}<text x="${GOAL + 8}" y="${y + 19}" fill="#777">${escape(row.left)}</text>`;
  const end = GOAL + (progressOf(row) * BAR) / 2;
  const value = row.ratio === undefined ? `${short(row.ours)} ${row.unit}` : `${short(row.ratio)} ×`;
  return [
    label,
    `<rect x="${Math.min(GOAL, end)}" y="${y + 6}" width="${Math.max(2, Math.abs(end - GOAL))}" height="18" fill="${meets(row) ? '#2f855a' : '#c05621'}"/>`,
    `<text x="${LABEL + BAR + 12}" y="${y + 19}">${escape(value)} <tspan fill="#777">(${escape(goalOf(row))})</tspan></text>`,
  ].join('');
}

const labelOf = ({ name, against }) => (against === undefined ? name : `${name} / ${against}`);
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Draws the rows with a goal as an SVG, with a line for it; results right of it are better. */
export function pictureOf(measured, caption) {
  const rows = measured.filter(({ goal }) => goal);
  const height = TOP + rows.length * ROW + 36;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ${FONT} fill="#222">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${GOAL}" y="24" text-anchor="middle" font-weight="bold">goal</text>`,
    ...rows.map(barOf),
    `<line x1="${GOAL}" x2="${GOAL}" y1="${TOP - 8}" y2="${TOP + rows.length * ROW}" stroke="#222" stroke-dasharray="4 3"/>`,
    `<text x="12" y="${height - 12}" fill="#777" font-size="12">${escape(caption)}</text>`,
    '</svg>\n',
  ].join('\n');
}
