import { readFileSync } from 'node:fs';

const { config } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * How the service is run, behind `node`: here, measured, and in the image. Left to itself the engine keeps three times what it uses after many callers; a
 * young generation of three times 8 MB in place of 16, and an old one that is collected when it has grown by three tenths, cost nothing that could be
 * measured (bench/README.md).
 */
export const SERVICE = config.service.split(' ');
