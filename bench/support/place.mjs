import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Cores of the machine, read before pinning: a pinned process sees only its own. */
export const CORES = availableParallelism();
const pins = CORES > 1 && spawnSync('taskset', ['-V']).status === 0;
const last = CORES - 1;

/** Cores of service, database and load: the load never shares one with the service. */
export const PLACE = {
  service: '0',
  database: CORES > 3 ? `1-${last - 1}` : String(last),
  load: String(last),
  all: `0-${last}`,
};

/**
 * Returns a command pinned to cores, if there are several; in its own session, which Linux
 * schedules as a group.
 */
export function pinned(where, command) {
  return pins ? ['setsid', 'taskset', '-c', where, ...command] : command;
}

/** Pins this process and the processes that it starts. */
export function moveTo(where) {
  if (pins) execFileSync('taskset', ['-acp', where, String(process.pid)], { stdio: 'ignore' });
}
