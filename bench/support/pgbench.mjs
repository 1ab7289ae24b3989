import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sqlId } from './people.mjs';
import { pinned, PLACE } from './place.mjs';

const run = promisify(execFile);

/** Runs statements by pgbench in place of the service: on its cores, with as many clients. */
export class Pgbench {
  #folder;
  #environment;
  #defined;

  /**
   * @param statements recorded of one person; each run of the script uses another person
   * @param people number of people
   * @param own whether each client uses only the person with its own number
   * @param edit changes a line of the script
   * @param defined initial variables of every client
   */
  static async of(databaseUrl, statements, { people, own = false, edit = (line) => line, defined = {} }) {
    const pgbench = new Pgbench();
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    pgbench.#environment = {
      ...process.env,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: pathname.slice(1),
    };
    pgbench.#defined = Object.entries(defined).map(([name, value]) => `-D${name}=${value}`);
    pgbench.#folder = await mkdtemp(join(tmpdir(), 'gatehouse-pgbench-'));
    const lines = [
      `\\set n ${own ? ':client_id' : `random(0, ${people - 1})`}`,
      '\\set r random(1, 9000000000000000000)',
      ...statements.map(lineOf()).map(edit),
    ];
    await writeFile(pgbench.#file, `${lines.join('\n')}\n`);
    return pgbench;
  }

  /** @returns transactions per second, each of all the statements */
  async run({ connections, seconds }) {
    const words = ['-n', '-Mprepared', '-j1', `-c${connections}`, `-T${seconds}`, ...this.#defined];
    const [command, ...args] = pinned(PLACE.service, ['pgbench', ...words, '-f', this.#file]);
    const { stdout, stderr } = await run(command, args, { env: this.#environment });
    if (/aborted|ERROR/.test(stderr)) throw new Error(`pgbench failed: ${stderr}`);
    return { perSecond: Number(/^tps = ([\d.]+)/m.exec(stdout)[1]) };
  }

  forget() {
    return rm(this.#folder, { recursive: true });
  }

  get #file() {
    return join(this.#folder, 'script.sql');
  }
}

/**
 * Replaces the parameters of a statement: ids of the recorded person by those of person `n`, and
 * generated values by new ones.
 */
function lineOf() {
  const fresh = new Map();
  const numberOf = (value) => fresh.get(value) ?? fresh.set(value, fresh.size).get(value);
  return ({ sql, parameters }) =>
    `${sql.replaceAll(/\$(\d+)/g, (_, n) => expressionOf(parameters[n - 1], numberOf))};`;
}

function expressionOf(value, numberOf) {
  if (value === null) return 'NULL';
  const elements = elementsOf(value);
  if (elements)
    return `ARRAY[${elements.map((element) => expressionOf(element, numberOf)).join(', ')}]::text[]`;
  const [, kind] = /^01BENCH([A-Z])\d{18}$/.exec(value) ?? [];
  if (kind) return `(${sqlId(kind, /[TPQ]/.test(kind) ? ':n / 10' : ':n')})`;
  const digest = `sha256((:r::text || '/${numberOf(value)}')::bytea)`;
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(value))
    return `('01' || upper(substr(encode(${digest}, 'hex'), 1, 24)))`;
  const [, bytes] = /^\\x((?:[0-9a-f]{2})+)$/.exec(value) ?? [];
  if (bytes) return `substr(${digest}, 1, ${bytes.length / 2})`;
  if (/^p\d+@bench\.example$/.test(value)) return "('p' || :n || '@bench.example')";
  if (/^\d{1,9}$/.test(value)) return value; // not as a text, of which PostgreSQL would take the type within greatest()
  return literal(value);
}

/** Parses a PostgreSQL array of words or bytes into texts and nulls; null for another value. */
function elementsOf(value) {
  const [, inside] =
    /^\{((?:[\w./:-]+|"\\\\x[\da-f]+"|"[^"\\]*")(?:,(?:[\w./:-]+|"\\\\x[\da-f]+"|"[^"\\]*"))*)\}$/.exec(
      value,
    ) ?? [];
  return (
    inside
      ?.match(/[\w./:-]+|"[^"]*"/g)
      .map((element) => (element === 'NULL' ? null : element.replaceAll('"', '').replace('\\\\', '\\'))) ??
    null
  );
}

/** Escapes colons, which pgbench reads as the beginning of a variable, also within a text. */
const literal = (text) =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\072')}'`;
