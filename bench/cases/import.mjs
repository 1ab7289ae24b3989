import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI } from '../../scripts/service.mjs';
import { cpuTimeOf } from '../support/cpu-time.mjs';
import { populate } from '../support/people.mjs';
import { pinned, PLACE } from '../support/place.mjs';

const POLL_MS = 20;
/** Paced reads of people, during an import and without one. */
const READS = { connections: 4, paceMs: 20 };
const READERS = 100;
/** More people than an import creates in a second, so that it lasts as long as the reads. */
const MAX_PER_SECOND = 30_000;

/**
 * Measures the import of people with foreign password hashes by the command line. The run is
 * killed in the middle and repeated: no person may be missing or be there twice.
 */
export default async function importPeople(bench) {
  const sizes = { full: 1_000_000, quick: 100_000, smoke: 10_000 };
  const people = Number(process.env.BENCH_IMPORT ?? bench.of(sizes));
  const service = await bench.service();
  await service.stop(); // it has created the schema
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const file = join(folder, 'people.ndjson');
    await pipeline(Readable.from(linesOf(people)), createWriteStream(file));
    const [tenth, half] = [people / 10, people / 2];
    const killed = new Import(service, file);
    const began = await killed.reached(1);
    const firstTenth = await killed.reached(tenth);
    const middle = await killed.reached(half);
    await killed.kill();
    const before = await countOf(service);
    const resumed = new Import(service, file);
    const lastTenth = await resumed.reached(people - tenth);
    const ended = await resumed.reached(people);
    const report = await resumed.report();
    const expected = { imported: people - before, unchanged: before, failed: 0, errors: [] };
    const found = { there: await countOf(service), ...report };
    if (JSON.stringify(found) !== JSON.stringify({ there: people, ...expected }))
      throw new Error(`Imported ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}.`);
    const lines = people.toLocaleString('en');
    const beside = await readsBeside(bench, folder);
    const [ours, theirs] = [rate(tenth, lastTenth, ended), rate(tenth, began, firstTenth)];
    return [
      {
        name: `import of ${lines} people`,
        unit: 'accounts/s',
        goal: { atLeast: 5_000 },
        ours: rate(half, began, middle),
      },
      {
        name: 'import, the last tenth of the lines',
        against: 'the first tenth',
        unit: 'accounts/s',
        goal: { atLeast: 0.9 },
        ours,
        theirs,
        ratio: ours / theirs,
      },
      {
        name: 'import, accounts by a second of its core',
        unit: 'accounts/s',
        goal: { atLeast: 5_000 },
        ours: (half * 1e6) / (middle.cpu - began.cpu),
      },
      {
        name: 'import, memory added from the first tenth to the last line',
        unit: 'MB',
        goal: { atMost: 64 },
        ours: Math.max(0, middle.memory - firstTenth.memory, ended.memory - lastTenth.memory),
      },
      {
        name: 'read beside an import on the core of the database, p99',
        against: 'none',
        unit: 'ms',
        goal: { atMost: 2 },
        ...beside,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Reads of people by a running service while the command imports others into the same database,
 * against the same without. The command runs on the core of the database: on the service's,
 * the row would show how the system shares a core.
 */
async function readsBeside(bench, folder) {
  const service = await bench.service();
  await populate(service.query, { people: READERS });
  const tokens = await bench.tokensOf(service);
  const reads = await bench.load(
    Array.from({ length: READERS }, (_, n) => ({ path: '/api/v1/iam/me', token: tokens.access(n) })),
  );
  const how = { ...READS, seconds: bench.seconds };
  await bench.warm(() => reads.put(service, { connections: READS.connections, seconds: bench.seconds }));
  const lines = Math.ceil(MAX_PER_SECOND * bench.seconds);
  const file = join(folder, 'beside.ndjson');
  let first = 1;
  const { p99 } = await bench.paired(
    async () => {
      await pipeline(Readable.from(linesOf(lines, first)), createWriteStream(file));
      const running = new Import(service, file, PLACE.database);
      try {
        await running.reached(first);
        const during = await reads.put(service, how);
        if (running.hasEnded) throw new Error('The import ended before the reads.');
        return during;
      } finally {
        await running.kill();
        first += lines;
      }
    },
    () => reads.put(service, how),
  );
  await service.stop();
  return p99;
}

/** A run of the shipped command, by default on the core of the service. */
class Import {
  #service;
  #process;
  #ended;
  #output = '';

  constructor(service, file, where = PLACE.service) {
    this.#service = service;
    const command = [process.execPath, CLI, 'people:import', '--file', file];
    const [program, ...words] = pinned(where, command);
    const env = { ...process.env, DATABASE_URL: service.databaseUrl, ROOT_SECRET: service.rootSecret };
    this.#process = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process.stdout.on('data', (chunk) => (this.#output += chunk));
    this.#ended = once(this.#process, 'close');
  }

  /** Waits until a person of the file is there. Returns when, and what the run has used. */
  async reached(number) {
    for (;;) {
      const [found] = await this.#service.query('SELECT 1 FROM accounts WHERE email_key = $1', [
        addressOf(number),
      ]);
      const memory = await memoryOf(this.#process.pid);
      if (found) return { at: performance.now(), cpu: cpuTimeOf(this.#process.pid), memory };
      if (this.#process.exitCode !== null) throw new Error(`The import ended: ${this.#output}`);
      await sleep(POLL_MS);
    }
  }

  get hasEnded() {
    return this.#process.exitCode !== null;
  }

  async kill() {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  async report() {
    await this.#ended;
    return JSON.parse(this.#output);
  }
}

/** Addresses in no order, as in a file of another system: multiplied, the numbers are scattered. */
const addressOf = (number) => `${(Math.imul(number, 2_654_435_761) >>> 0).toString(36)}@import.example`;

/** People from a number on, each with a hash of bcrypt of its own. */
function* linesOf(people, first = 1) {
  for (let number = first; number < first + people; number += 1) {
    const digits = String(number).padStart(21, '0');
    const person = {
      externalId: `other-${number}`,
      email: addressOf(number),
      emailVerified: true,
      firstName: 'Ada',
      passwordHash: `$2b$10$${digits}.${digits}abcdefghij`,
    };
    yield `${JSON.stringify(person)}\n`;
  }
}

const rate = (accounts, from, to) => (accounts * 1000) / (to.at - from.at);

async function countOf({ query }) {
  const [{ count }] = await query('SELECT count(*)::int AS count FROM accounts');
  return count;
}

/** Returns the resident memory of a process in MB; 0 if the system does not report it. */
async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
