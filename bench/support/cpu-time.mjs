import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** What a process has used of the processor since its start, in microseconds, of all its threads. Zero where the system does not say. */
export function cpuTimeOf(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}
