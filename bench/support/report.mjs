/** Checks whether a row meets its goal: by its ratio, if it has one. */
export function meets({ goal, ratio, ours }) {
  const value = ratio ?? ours;
  return value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity);
}

/** Formats a number with three significant digits. */
export function short(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

/** Formats a goal: `at least 8 ×`, `at most 10 ms`. */
export function goalOf({ goal, ratio, unit }) {
  const [word, value] = goal.atLeast === undefined ? ['at most', goal.atMost] : ['at least', goal.atLeast];
  return `${word} ${value} ${ratio === undefined ? unit : '×'}`;
}

const HEAD = ['case', 'measured', 'against', '', 'ratio', 'goal', ''];

function cellsOf(row) {
  if (row.left) return [row.name, '', '', '', '', goalOf(row), row.left];
  const { name, ours, theirs, against = '', unit, ratio, goal } = row;
  return [
    name,
    `${short(ours)} ${unit}`,
    against,
    theirs === undefined ? '' : `${short(theirs)} ${unit}`,
    ratio === undefined ? '' : `${short(ratio)} ×`,
    ...(goal ? [goalOf(row), meets(row) ? 'met' : 'MISSED'] : ['', '']),
  ];
}

/** Formats the rows as a Markdown table. */
export function tableOf(rows) {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(lines[0]), rule, ...lines.slice(1).map(line)].join('\n');
}
