import { readFile } from 'node:fs/promises';
import pg from 'pg';

/**
 * Settings of a database with which PostgreSQL logs statements with their parameters: a service
 * that starts has startup options of its own, and reads none from `PGOPTIONS`.
 */
const LOGGED = {
  log_statement: 'all',
  log_min_messages: 'log',
  log_parameter_max_length: '-1',
  log_error_verbosity: 'default',
};

/** Has PostgreSQL log the statements of connections that begin during `work`. */
export async function logged({ query, databaseUrl }, work) {
  const database = pg.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
  for (const [name, value] of Object.entries(LOGGED))
    await query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
  try {
    return await work();
  } finally {
    await query(`ALTER DATABASE ${database} RESET ALL`);
  }
}

const ENTRY = /^\d{4}-\d\d-\d\d \S+ \w+ \[\d+\] (LOG|DETAIL): {2}/;
const STATEMENT = /^(?:statement|execute [^:]*): (.*)$/s;
const PARAMETER = /\$(\d+) = (NULL|'(?:[^']|'')*')/g;
/** Statements of the job worker and of the audit trail's chain, which run at any time. */
const IN_THE_BACKGROUND =
  /_private_|graphile_worker"?\."?get_job|graphile_worker\.(?!add_job)|^(?:un)?listen |\baudit_(?:cursors|entries|chains)\b|\be\.xid\b/i;

/**
 * Records the statements of the service during `work` from PostgreSQL's log, so that the peer runs
 * the same SQL, also after changes of the code.
 * @returns text and parameters of each statement; parameters are texts or null
 * @throws if there is none
 */
export async function statementsDuring(logFile, work) {
  const before = (await readFile(logFile, 'utf8')).length;
  await work();
  const statements = parse((await readFile(logFile, 'utf8')).slice(before));
  if (statements.length === 0) throw new Error(`${logFile} has no statement of these requests.`);
  return statements;
}

function parse(log) {
  const statements = [];
  for (const { kind, text } of entriesOf(log)) {
    if (kind === 'DETAIL') statements.at(-1).parameters = parametersOf(text);
    else statements.push({ sql: STATEMENT.exec(text)?.[1].replaceAll(/\s+/g, ' ').trim(), parameters: [] });
  }
  return statements.filter(({ sql }) => sql !== undefined && !IN_THE_BACKGROUND.test(sql));
}

/** Continuation line of a log entry: indented. */
function entriesOf(log) {
  const entries = [];
  for (const line of log.split('\n')) {
    const [head, kind] = ENTRY.exec(line) ?? [];
    if (kind) entries.push({ kind, text: line.slice(head.length) });
    else if (entries.length > 0) entries.at(-1).text += `\n${line}`;
  }
  return entries;
}

function parametersOf(text) {
  return [...text.matchAll(PARAMETER)].map(([, , value]) =>
    value === 'NULL' ? null : value.slice(1, -1).replaceAll("''", "'"),
  );
}
