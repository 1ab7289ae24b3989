/** Ends a condition, outside of parentheses. */
const END =
  /^(?:AND|OR|RETURNING|ORDER|GROUP|HAVING|LIMIT|OFFSET|FOR|UNION|FROM|ON|AS|THEN|WHEN|ELSE|END|SET|DO)\b/i;
/** Before a word of the condition itself. */
const GOES_ON = /\bDISTINCT\s+$|\bBETWEEN\s+\S+\s+$/;
const STATEMENT = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE)\b/;
const CONDITION = /^\s*\w+(?:\.\w+)? (?:=|<>|<|>|<=|>=|IN|IS) ?\S/;
const LOCK =
  /\s*\bFOR (?:NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)(?: OF \w+(?:, \w+)*)?(?: SKIP LOCKED| NOWAIT)?/g;

/**
 * Returns the variants of a statement, or of a condition, each of which breaks it at one place: a
 * condition that always holds, no lock, the other end of two, a bound that includes its end.
 * Parameters stay, since PostgreSQL refuses a statement that does not use one.
 */
export function breakSql(sql: string): string[] {
  const isStatement = STATEMENT.test(sql);
  if (!isStatement && !CONDITION.test(sql)) return [];
  return [
    ...conditions(sql, isStatement).map(([from, to]) =>
      replace(sql, from, to, `(${sql.slice(from, to)} OR TRUE)`),
    ),
    ...each(sql, LOCK, ''),
    ...each(sql, /\bleast\(/g, 'greatest('),
    // The very instant of a time is not worth a test.
    ...each(sql, / > (?!now\(\)|\$?\w+ - |clock)(?=\$?\w)/g, ' >= '),
    ...each(sql, / < (?!now\(\)|\$?\w+ - |clock)(?=\$?\w)/g, ' <= '),
  ];
}

/** Places of the operands of WHERE and AND, from inclusive to exclusive. */
function conditions(sql: string, isStatement: boolean): (readonly [number, number])[] {
  const starts = [...sql.matchAll(/\b(WHERE|AND)\s+/g)]
    .filter(({ index }) => !GOES_ON.test(sql.slice(0, index)))
    .map(({ index, 0: word }) => index + word.length);
  return (isStatement ? starts : [0, ...starts]).map((from) => [from, endOfCondition(sql, from)] as const);
}

function endOfCondition(sql: string, from: number): number {
  let depth = 0;
  let end = from;
  for (; end < sql.length; end++) {
    if (sql[end] === '(') depth += 1;
    if (sql[end] === ')' && --depth < 0) break;
    if (depth > 0) continue;
    if (sql[end] === ',' || sql[end] === ';') break;
    const before = sql.slice(from, end);
    if (/\s$/.test(before) && END.test(sql.slice(end)) && !GOES_ON.test(before)) break;
  }
  return from + sql.slice(from, end).trimEnd().length;
}

function each(sql: string, pattern: RegExp, by: string): string[] {
  return [...sql.matchAll(pattern)].map(({ index, 0: found }) =>
    replace(sql, index, index + found.length, by),
  );
}

function replace(sql: string, from: number, to: number, by: string): string {
  return sql.slice(0, from) + by + sql.slice(to);
}
