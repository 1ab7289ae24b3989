import { appendFile, cp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { NEXT_MIGRATION } from '../../support/next-migration.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const MIGRATION = `export class Next9999999999999 {
  async up(runner) { await runner.query(${JSON.stringify(NEXT_MIGRATION)}); }
  async down() {}
}
`;

/**
 * The next release: the same program with one migration more. Lies in the checkout, so that it
 * finds its dependencies.
 */
export class NextRelease {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<NextRelease> {
    const folder = temporaryFolder('next-release', 'results');
    await cp('dist', folder, { recursive: true });
    const index = join(folder, 'migrations', 'index.js');
    await writeFile(join(folder, 'migrations', 'next.js'), MIGRATION);
    await appendFile(
      index,
      "\nimport { Next9999999999999 } from './next.js';\nmigrations.push(Next9999999999999);\n",
    );
    return new NextRelease(folder);
  }

  /** Path of the program, which is not bundled. */
  get program(): string {
    return relative('.', join(this.folder, 'src', 'main.js'));
  }

  /** Path of the command line, likewise. */
  get commandLine(): string {
    return relative('.', join(this.folder, 'src', 'cli', 'main.js'));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
