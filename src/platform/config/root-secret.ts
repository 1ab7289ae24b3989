import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from './secret.js';
import type { Settings } from './settings.js';

/** The root secret: the configured one, else one that is made once and kept in `DATA_DIR` (mode 0600). */
export async function loadRootSecret(settings: Settings): Promise<Secret<Buffer>> {
  if (settings.ROOT_SECRET !== undefined) return settings.ROOT_SECRET;
  await mkdir(settings.DATA_DIR, { recursive: true });
  const file = join(settings.DATA_DIR, 'root-secret');
  try {
    await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return new Secret(Buffer.from(await readFile(file, 'utf8'), 'base64'));
}
