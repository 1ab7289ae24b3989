import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Returns the processes that a process has started: the workers of a service. */
export function workersOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

/**
 * Returns the processor time of a process and its workers, with all their threads, in
 * microseconds; 0 if the system does not report it.
 */
export function cpuTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const own = ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
    return workersOf(pid).reduce((sum, worker) => sum + cpuTimeOf(worker), own);
  } catch {
    return 0;
  }
}
