import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in megabytes. */
export function residentOf(pid) {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(kibibytes) * 1024) / 1e6;
}
