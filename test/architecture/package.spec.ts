import { existsSync, globSync, readFileSync } from 'node:fs';
import { SERVICE } from '../support/built-service.js';

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;
const own = read('package.json');
const team = read('examples/shipments/package.json');

const imports = (files: string[]) =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|module) '([^.'][^']*)'/g)].map(([, name = '']) => name),
  );

/** What other repositories import. own-repository.long.spec.ts packs and uses it. */
describe('The package gatehouse', () => {
  it('exports what docs/own-repository.md lists, each from an index.ts', () => {
    const documented = [
      ...readFileSync('docs/own-repository.md', 'utf8').matchAll(/^\| `(gatehouse[^`]*)`/gm),
    ];
    const names = Object.keys(own.exports).filter((name) => name !== './package.json');
    expect(documented.map(([, name]) => name)).toEqual(names.map((name) => `gatehouse${name.slice(1)}`));
    for (const name of names) {
      const path = own.exports[name] ?? '';
      const folder = name === '.' ? '' : `(platform/)?${name.slice(2)}/`;
      expect(path).toMatch(new RegExp(`^\\./dist/src/${folder}index\\.js$`));
      expect(existsSync(path.replace('./dist/', '').replace(/js$/, 'ts'))).toBe(true);
    }
  });

  it('has as peers the packages of which there must be one copy, in one version', () => {
    const shared = ['@nestjs/', 'reflect-metadata', 'rxjs', 'typeorm'];
    const used = imports(
      globSync(['src/testing/**/*.ts', 'examples/{shipments,carrier-portal,old-shop}/**/*.ts']),
    );
    const needed = used.filter((name) => shared.some((prefix) => name.startsWith(prefix)));
    const types = '@nestjs/platform-express'; // a type alone, in the test kit
    expect(Object.keys(own.peerDependencies)).toEqual(
      expect.arrayContaining([...new Set(needed)].filter((name) => name !== types)),
    );
    for (const version of Object.values(own.peerDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const name of Object.keys(own.peerDependencies)) expect(own.dependencies).not.toHaveProperty(name);
  });

  it('is used by the example in the same version, with the same versions of what they share', () => {
    const versions: Record<string, string | undefined> = {
      ...own.dependencies,
      ...own.devDependencies,
      ...own.peerDependencies,
      gatehouse: own.version,
    };
    for (const [name, version] of Object.entries({ ...team.dependencies, ...team.devDependencies }))
      expect([name, version]).toEqual([name, versions[name]]);
    expect(team.allowScripts).toEqual({ ...team.allowScripts, ...pick(own.allowScripts, team.allowScripts) });
    expect(imports(globSync('examples/shipments/**/*.ts')).filter((name) => name.startsWith('src/'))).toEqual(
      [],
    );
  });

  it('runs with the options of node that the service has', () => {
    // The service reads source maps by src/source-maps.ts, which its own main.ts alone sets up.
    const start = ['node', '--enable-source-maps', ...SERVICE.with(-1, 'dist/src/main.js')];
    expect(team.scripts['start']).toBe(start.join(' '));
    const dockerfile = readFileSync('examples/shipments/Dockerfile', 'utf8');
    expect(dockerfile).toContain(`CMD ${JSON.stringify(start).replaceAll(',', ', ')}`);
  });
});

function pick<T>(values: Readonly<Record<string, T>>, keys: object): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key in keys));
}
