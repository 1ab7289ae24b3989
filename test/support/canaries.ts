import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceClient } from './test-app.js';

const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

/**
 * Returns the base64 characters that this value alone decides when it begins `offset` bytes into a
 * group of three.
 */
function base64At(text: string, offset: number): string {
  const bytes = Buffer.from(text);
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return whole.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
}

/** Returns a value in every encoding that a dump is likely to contain. */
function formsOf(canary: string): string[] {
  return [canary, canary.toLowerCase()].flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
    ...[0, 1, 2].map((offset) => base64At(text, offset)),
    hash('sha256', text),
    hash('md5', text),
  ]);
}

/**
 * Returns the names of the values that occur in a text, whatever their letter case or base64
 * alphabet.
 */
export function found(canaries: Record<string, string>, text: string): string[] {
  const plain = (form: string) => form.toLowerCase().replaceAll('-', '+').replaceAll('_', '/');
  const haystack = plain(text);
  return Object.entries(canaries)
    .filter(([, canary]) => formsOf(canary).some((form) => haystack.includes(plain(form))))
    .map(([name]) => name);
}

/**
 * Returns every row of every table in every schema that is not PostgreSQL's own, as pg_dump prints
 * them (binary as hex).
 */
export async function dump(service: ServiceClient): Promise<string> {
  const tables = await service.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) =>
      service.sql<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${name} t`),
    ),
  );
  return rows.flatMap((some, n) => some.map(({ row }) => `${tables[n]?.name} ${row}`)).join('\n');
}

/** Returns names and contents of all files in a folder. */
export async function readFolder(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return [...names, ...files].join('\n');
}
