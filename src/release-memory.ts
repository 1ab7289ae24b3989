import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

/**
 * Returns memory that only the start needed to the operating system: a third of the process at that
 * time. V8 by itself keeps the heap that it grew to. Takes two collections, which block the process
 * for 270 ms together (measured). The `gc` function of V8 is exposed to a separate context only.
 */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  // Drops the code of functions that the collections find unused: most ran at the start only.
  for (const flag of ['--bytecode-old-age=1', '--flush-baseline-code']) setFlagsFromString(flag);
  collect?.({ type: 'major', flavor: 'last-resort' });
  for (const flag of ['--bytecode-old-age=6', '--no-flush-baseline-code']) setFlagsFromString(flag);
}

/**
 * Collects garbage often, and at first what only the start needed: for the service, and for a
 * command that works through many rows. V8 by itself lets the heap grow to four times what is in
 * use. A collection takes some 30 ms of each second of an import then (measured). During the start,
 * when nearly all that is allocated stays, it would take a tenth of the processor time (ADR 48).
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=30');
  releaseMemory();
}
