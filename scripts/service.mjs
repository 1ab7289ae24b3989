import { readFileSync } from 'node:fs';

const { config } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * Arguments of `node` for running the service: locally, in measurements, and in the image. By
 * default V8 keeps three times the memory it uses after many callers. A young generation of three
 * times 8 MB in place of 16 had no measurable cost, nor had an old one that is collected when it
 * has grown by three tenths, which src/service.ts sets after the start (bench/README.md).
 *
 * V8 has one thread next to the main one in place of four: while they mark what is in use, the
 * system shares a core among all of them, and the event loop had 4 ms of each 20.
 */
export const SERVICE = config.service.split(' ');

/** The operators' commands. */
export const CLI = config.cli;
