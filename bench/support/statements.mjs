import { readFile } from 'node:fs/promises';

/** Makes a connection's statements appear in PostgreSQL's log, with their parameters. For the environment of a service. */
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
/** The worker's own, which looks for jobs whenever it likes. */
const OF_THE_WORKER = /_private_|graphile_worker"?\."?get_job|graphile_worker\.(?!add_job)|^(?:un)?listen /i;

/**
 * The statements that the service made while `work` went on, from the server's log: what is measured beside it is then the same SQL, whatever becomes
 * of the code.
 * @returns of each its text and its parameters, null or as text
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

/** An entry's further lines are indented. */
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
