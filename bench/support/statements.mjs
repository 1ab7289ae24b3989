import { readFile } from 'node:fs/promises';

/** Environment of a service that makes PostgreSQL log its statements with their parameters. */
export const LOGGED = {
  PGOPTIONS: [
    'log_statement=all',
    'log_min_messages=log',
    'log_parameter_max_length=-1',
    'log_error_verbosity=default',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' '),
};

const ENTRY = /^\d{4}-\d\d-\d\d \S+ \w+ \[\d+\] (LOG|DETAIL): {2}/;
const STATEMENT = /^(?:statement|execute [^:]*): (.*)$/s;
const PARAMETER = /\$(\d+) = (NULL|'(?:[^']|'')*')/g;
/** Statements of the job worker, which runs at any time. */
const OF_THE_WORKER = /_private_|graphile_worker"?\."?get_job|graphile_worker\.(?!add_job)|^(?:un)?listen /i;

/**
 * Records the statements of the service during `work` from PostgreSQL's log, so that the peer runs
 * the same SQL, also after changes of the code.
 * @returns text and parameters of each statement; parameters are texts or null
 */
export async function statementsDuring(logFile, work) {
  const before = (await readFile(logFile, 'utf8')).length;
  await work();
  return parse((await readFile(logFile, 'utf8')).slice(before));
}

function parse(log) {
  const statements = [];
  for (const { kind, text } of entriesOf(log)) {
    if (kind === 'DETAIL') statements.at(-1).parameters = parametersOf(text);
    else statements.push({ sql: STATEMENT.exec(text)?.[1].replaceAll(/\s+/g, ' ').trim(), parameters: [] });
  }
  return statements.filter(({ sql }) => sql !== undefined && !OF_THE_WORKER.test(sql));
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
