// Writes docs/openapi.json and the types of the client from the built service: a part of the build.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { typesOf } from '../client/scripts/types-of.mjs';
import { describeApi } from '../dist/src/describe-api.js';

const document = JSON.parse(await describeApi());
write('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
write('client/src/generated/openapi.ts', await typesOf(document));

/** Leaves a file as it is that would not change, so that nothing is built from it again. */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
