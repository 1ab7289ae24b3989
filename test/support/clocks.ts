const LIBRARIES = `/usr/lib/${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch as 'x64']}-linux-gnu`;
/** With the allocator of the C library: others read the clock before libfaketime is ready. */
const FAKETIME = `${LIBRARIES}/faketime/libfaketime.so.1:${LIBRARIES}/libc.so.6`;
const COMMON = { LD_PRELOAD: FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' };

/** Environment of a program whose clock is off by this many seconds. */
export function clockOff(seconds: number): Record<string, string> {
  return { ...COMMON, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s` };
}

/** Environment of a program whose clock shows the time in the file, in UTC. */
export function clockFrom(file: string): Record<string, string> {
  return { ...COMMON, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', TZ: 'UTC' };
}
