import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in megabytes. */
export const residentOf = (pid) => statusOf(pid, 'VmRSS');

/** Returns the part of it that belongs to no file, as the pages of Node's program do. */
export const anonymousOf = (pid) => statusOf(pid, 'RssAnon');

function statusOf(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
  return (Number(kibibytes) * 1024) / 1e6;
}
