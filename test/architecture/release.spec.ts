import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Manifest {
  readonly version: string;
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
const manifest = (folder: string, file: string) => JSON.parse(read(folder, file)) as Manifest;
const MANIFESTS = ['package.json', 'client/package.json', 'portal/package.json', 'react/package.json'];

/** Copies the files that name a number, as a repository. */
function repository(version: string): string {
  const folder = temporaryFolder('release');
  const named = execFileSync('git', ['grep', '-lIF', version], { encoding: 'utf8' }).trim().split('\n');
  for (const file of new Set([...named, 'CHANGELOG.md'])) cpSync(file, join(folder, file));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '-A'], { cwd: folder });
  return folder;
}

describe('A release', () => {
  const { version } = manifest('.', 'package.json');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const next = `${major}.${minor + 1}.0`;
  const release = (folder: string, ...args: string[]) =>
    spawnSync(process.execPath, [resolve('scripts/release.mjs'), ...args], { cwd: folder, encoding: 'utf8' });

  /** A repository with one entry since its last release. */
  function changed(): string {
    const folder = repository(version);
    const entry = '## Unreleased\n\n### Added\n\n- Seals.\n\n';
    const text = read(folder, 'CHANGELOG.md').replace(/^## Unreleased\n.*?(?=^## )/ms, entry);
    writeFileSync(join(folder, 'CHANGELOG.md'), text);
    return folder;
  }

  it('is the one number of service, clients and portal', () => {
    expect(MANIFESTS.map((file) => manifest('.', file).version)).toEqual(MANIFESTS.map(() => version));
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${version} - `);
  });

  it('heads the changes, and raises the number wherever a file names it', () => {
    const folder = changed();
    expect(release(folder, next)).toMatchObject({ status: 0, stderr: '' });
    const changelog = read(folder, 'CHANGELOG.md');
    expect(changelog).toMatch(/^## Unreleased\n\n## [\d.]+ - \d{4}-\d\d-\d\d\n\n### Added\n/m);
    expect(changelog).toContain(`\n## ${next} - `);
    expect(MANIFESTS.map((file) => manifest(folder, file).version)).toEqual(MANIFESTS.map(() => next));
    const archives = ['gatehouse-', 'gatehouse-client-', 'gatehouse-react-', 'gatehouse:', 'newTag: '];
    const names = [...archives, '@gatehouse/client": "', '@gatehouse/client": "^', '"gatehouse": "'];
    const left = execFileSync('git', ['grep', '-IhF', version, '--', ':!CHANGELOG.md'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(names.filter((name) => left.includes(name + version))).toEqual([]);
    const lock = JSON.parse(read(folder, 'package-lock.json')) as Manifest & {
      packages: Record<string, Manifest>;
    };
    const ours = ['', 'client', 'portal', 'react'].map((path) => lock.packages[path]?.version);
    expect([lock.version, ...ours]).toEqual(Array.from({ length: 5 }, () => next));
    const example = JSON.parse(read(folder, 'examples/clients/react/package-lock.json')) as typeof lock;
    const installed = ['client', 'react'].map((name) => example.packages[`node_modules/@gatehouse/${name}`]);
    expect(installed.map((entry) => entry?.version)).toEqual([next, next]);
    expect(read(folder, 'src/platform/api/docs/openapi-document.ts')).toContain(`VERSION = '${next}'`);
  });

  it('leaves the same number of other packages', () => {
    const folder = changed();
    const ofOthers = (file: string) =>
      Object.entries(
        (JSON.parse(read(file, 'package-lock.json')) as { packages: Record<string, Manifest> }).packages,
      )
        .filter(([path]) => path.startsWith('node_modules/'))
        .map(([path, { version: number }]) => [path, number]);
    const before = ofOthers(folder);
    release(folder, next);
    expect(before.length).toBeGreaterThan(100);
    expect(ofOthers(folder)).toEqual(before);
  });

  it.each([
    ['without a number', []],
    ['of something else than a number', ['v2']],
    ['of a number that is released', [version]],
    ['of a number before the last', ['0.9.9']],
  ])('is refused %s, and changes nothing', (_, args) => {
    const folder = changed();
    const before = read(folder, 'CHANGELOG.md');
    expect(release(folder, ...args).status).toBe(2);
    expect(read(folder, 'CHANGELOG.md')).toBe(before);
    expect(manifest(folder, 'package.json').version).toBe(version);
  });

  it('is refused without changes since the last', () => {
    const folder = changed();
    release(folder, next);
    const { status, stderr } = release(folder, `${major}.${minor + 2}.0`);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'CHANGELOG.md has nothing under "Unreleased".\n',
    });
  });
});
