import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Of the machine: once pinned, a process sees its own alone. */
export const CORES = availableParallelism();
const pins = CORES > 1 && spawnSync('taskset', ['-V']).status === 0;
const last = CORES - 1;

/** Which cores whom: the load never shares one with what it is put on. */
export const PLACE = {
  service: '0',
  database: CORES > 3 ? `1-${last - 1}` : String(last),
  load: String(last),
  all: `0-${last}`,
};

/** A command that runs on these cores alone, where there are any to choose from; as a session of its own, which Linux gives a fair share as a whole. */
export function pinned(where, command) {
  return pins ? ['setsid', 'taskset', '-c', where, ...command] : command;
}

/** Moves this process, and with it whatever it starts from now on. */
export function moveTo(where) {
  if (pins) execFileSync('taskset', ['-acp', where, String(process.pid)], { stdio: 'ignore' });
}
