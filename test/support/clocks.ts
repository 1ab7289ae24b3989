const LIBRARIES = `/usr/lib/${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch as 'x64']}-linux-gnu`;
/** The C library a second time, for its allocator: others ask the time before libfaketime knows it. */
const FAKETIME = `${LIBRARIES}/faketime/libfaketime.so.1:${LIBRARIES}/libc.so.6`;
const COMMON = { LD_PRELOAD: FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' };

/** The environment of a program whose clock is off by so many seconds. */
export function clockOff(seconds: number): Record<string, string> {
  return { ...COMMON, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s` };
}

/** The environment of a program for which it is always as late as the file says, in UTC. */
export function clockFrom(file: string): Record<string, string> {
  return { ...COMMON, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', TZ: 'UTC' };
}
