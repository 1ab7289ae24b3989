import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from './secret.js';
import type { Settings } from './settings.js';

const MIN_BYTES = 32;

/**
 * Loads the root secret: ROOT_SECRET, else a generated one stored in `DATA_DIR` with mode 0600.
 * @throws {Error} if the stored one is damaged: keys derived from it would be lost or predictable
 */
export async function loadRootSecret(settings: Settings): Promise<Secret<Buffer>> {
  if (settings.ROOT_SECRET !== undefined) return settings.ROOT_SECRET;
  await mkdir(settings.DATA_DIR, { recursive: true });
  const file = join(settings.DATA_DIR, 'root-secret');
  if (!existsSync(file)) await createSecretFile(file);
  const bytes = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (bytes.length < MIN_BYTES) throw new Error(`${file} is damaged: it holds less than ${MIN_BYTES} bytes.`);
  return new Secret(bytes);
}

/**
 * Creates the file atomically, by a hard link to a draft: a full disk leaves no empty secret, and
 * concurrent starts read the same one.
 */
async function createSecretFile(file: string): Promise<void> {
  const draft = `${file}.draft-${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(draft, randomBytes(MIN_BYTES).toString('base64'), { mode: 0o600 });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
