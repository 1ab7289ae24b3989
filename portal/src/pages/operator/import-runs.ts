import { useSyncExternalStore } from 'react';
import { ProblemError, type components } from '@gatehouse/client';
import { gatehouse } from '../../session/gatehouse.ts';
import { readPart } from './import-part.ts';
import { refreshAll } from './operator-queries.ts';
import { inBackground } from '../../session/in-background.ts';

type Report = components['schemas']['ImportResponse'];
type RefusedLine = Report['errors'][number];

/** Maximum number of refused lines whose reasons a run keeps: some megabytes. All are counted. */
const MAX_REFUSED = 100_000;

/** An import that was begun in this tab. */
export interface ImportRun extends Readonly<Omit<Report, 'errors' | 'invited'>> {
  readonly id: number;
  /** Names the import in the history, from the first part to the last. */
  readonly runId: string;
  readonly file: File;
  readonly isDryRun: boolean;
  /** Whether it invites people whose address is not verified. */
  readonly invites: boolean;
  readonly invited: number;
  readonly state: 'running' | 'stopped' | 'done' | 'failed';
  /** Whether it stops after the part that the service works on. */
  readonly isStopping: boolean;
  /** Bytes and lines of the file that the service has read. */
  readonly position: number;
  readonly lines: number;
  /** By number of the line in the file. */
  readonly refused: readonly RefusedLine[];
  /** Why it has failed. */
  readonly error: unknown;
}

/** Characters of the name of a file that the service takes. */
const MAX_FILE_NAME = 200;

const NOTHING = {
  imported: 0,
  invited: 0,
  unchanged: 0,
  failed: 0,
  refused: [],
  position: 0,
  lines: 0,
} as const;
const RUNNING = { state: 'running', isStopping: false, error: null } as const;

/** Newest first. Outside of the page, so that imports go on while another page is shown. */
let runs: readonly ImportRun[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** The imports of this tab, newest first. */
export const useImportRuns = (): readonly ImportRun[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => runs,
  );

/** Begins the import of a file. */
export function beginImport(file: File, isDryRun: boolean, invites: boolean): void {
  lastId += 1;
  const id = lastId;
  setRuns([{ id, runId: newUlid(), file, isDryRun, invites, ...RUNNING, ...NOTHING }, ...runs]);
  inBackground(work(id));
}

/** Sends the part at which the import has ended once more, and those after it. */
export function continueImport(id: number): void {
  change(id, RUNNING);
  inBackground(work(id));
}

/** Stops the import after the part that the service works on. */
export const stopImport = (id: number): void => change(id, { isStopping: true });

/** Sends part after part: the service imports each within its request. */
async function work(id: number): Promise<void> {
  for (let run = findRun(id); run?.state === 'running'; run = findRun(id))
    if (run.position >= run.file.size) change(id, { state: 'done' });
    else if (run.isStopping) change(id, { state: 'stopped' });
    else await sendPart(run);
  await refreshAll();
}

async function sendPart({ id, runId, file, isDryRun, invites, position }: ImportRun): Promise<void> {
  try {
    const { bytes, lines, end } = await readPart(file, position);
    const { data } = await gatehouse.post('/api/v1/operator/imports', {
      params: {
        query: {
          dryRun: isDryRun ? 'true' : 'false',
          ...(invites && { invite: 'true' as const }),
          runId,
          ...(file.name !== '' && { fileName: file.name.slice(0, MAX_FILE_NAME) }),
        },
      },
      headers: { 'content-type': 'application/x-ndjson' },
      body: '', // of which the next line makes the bytes: as a text, damaged ones would be replaced
      bodySerializer: () => bytes,
    });
    const run = findRun(id);
    if (run) change(id, { ...addReport(run, data), position: end, lines: run.lines + lines });
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'too-many-requests') await pause(error);
    else change(id, { state: 'failed', error });
  }
}

function addReport(run: ImportRun, { imported, invited = 0, unchanged, failed, errors }: Report) {
  const refused = errors.map(({ line, reason }) => ({ line: run.lines + line, reason }));
  return {
    imported: run.imported + imported,
    invited: run.invited + invited,
    unchanged: run.unchanged + unchanged,
    failed: run.failed + failed,
    refused: [...run.refused, ...refused].slice(0, MAX_REFUSED),
  };
}

/** Waits until the rate limit lets a request through: a large file has more parts than a minute. */
const pause = ({ retryAfterSeconds }: ProblemError) =>
  new Promise((resolve) => setTimeout(resolve, (retryAfterSeconds ?? 1) * 1_000));

const ULID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Makes an id as the service has them: a time, and 80 random bits. */
function newUlid(): string {
  const time = Array.from({ length: 10 }, (_, n) => ULID_DIGITS[Math.floor(Date.now() / 32 ** (9 - n)) % 32]);
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => ULID_DIGITS[byte % 32]);
  return [...time, ...random].join('');
}

const findRun = (id: number): ImportRun | undefined => runs.find((run) => run.id === id);

const change = (id: number, fields: Partial<ImportRun>): void =>
  setRuns(runs.map((run) => (run.id === id ? { ...run, ...fields } : run)));

function setRuns(next: readonly ImportRun[]): void {
  runs = next;
  listeners.forEach((listener) => listener());
}

gatehouse.on('signed-out', () => setRuns([])); // the next person must not see them
addEventListener('beforeunload', (event) => {
  if (runs.some(({ state }) => state === 'running')) event.preventDefault();
});
