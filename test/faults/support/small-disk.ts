import { execFile, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/temporary-folder.js';

const run = promisify(execFile);
const CHUNK = Buffer.alloc(64 * 1024, 1);

/** A volume of a few hundred megabytes that the test can fill. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** Whether this machine lets the test mount a volume. */
  static get possible(): boolean {
    const folder = temporaryFolder('mount');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
      execFileSync('umount', [folder], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  static async of(megabytes: number): Promise<SmallDisk> {
    const folder = temporaryFolder('disk');
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  /** Fills the volume to the last byte. */
  async fill(): Promise<void> {
    const file = await open(this.ballast, 'a');
    try {
      for (;;) await file.writeFile(CHUNK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  /** Frees the space again. */
  async relieve(): Promise<void> {
    await rm(this.ballast, { force: true });
  }

  async remove(): Promise<void> {
    await run('umount', ['-l', this.folder]);
    await rm(this.folder, { recursive: true, force: true });
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}
