import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadRootSecret } from '../../src/platform/config/root-secret.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('The root secret generated at the first start', () => {
  let dataDir: string;
  const load = async () => (await loadRootSecret(readSettings({ DATA_DIR: dataDir }))).reveal();
  beforeEach(async () => {
    dataDir = temporaryFolder('secret');
  });

  it('is the same for fifty concurrent starts and later ones', async () => {
    const secrets = await Promise.all(Array.from({ length: 50 }, load));
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
    expect(secrets[0]).toHaveLength(32);
    expect(await load()).toEqual(secrets[0]);
    expect(await readdir(dataDir)).toEqual(['root-secret']);
    expect((await stat(join(dataDir, 'root-secret'))).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'c2hvcnQ='])('fails the start if it is damaged: %j', async (text) => {
    await writeFile(join(dataDir, 'root-secret'), text);
    await expect(load()).rejects.toThrow('damaged');
  });
});
