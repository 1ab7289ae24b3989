import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Project {
  readonly testMatch: readonly string[];
  readonly testPathIgnorePatterns: readonly string[];
}

const load = createRequire(resolve('package.json'));
delete process.env['TEST_LONG_FOLLOWS']; // of .ci/run; the last test of these sets it

/** The specs that a configuration of Jest runs. */
function specsOf(config: string): Set<string> {
  const loaded = load(resolve(config)) as Project & { readonly projects?: readonly Project[] };
  return new Set((loaded.projects ?? [loaded]).flatMap(specsOfProject));
}

function specsOfProject({ testMatch, testPathIgnorePatterns }: Project): string[] {
  const ignored = testPathIgnorePatterns.map((pattern) => new RegExp(pattern.replace('<rootDir>', '')));
  const found = globSync(testMatch.map((pattern) => pattern.replace('<rootDir>/', '')));
  return found.filter((path) => !ignored.some((pattern) => pattern.test(`/${path}`)));
}

/** The files of specs, in any folder of the repository. */
const all = globSync('**/*.spec.ts', {
  exclude: (path) => /(^|\/)(node_modules|dist|\.[^/]+)$/.test(path),
});
const short = specsOf('jest.config.cjs');
const quick = specsOf('test/jest.quick.config.cjs');
const browser = specsOf('test/jest.browser.config.cjs');
const long = specsOf('test/jest.long.config.cjs');
const unit = specsOf('test/jest.unit.config.cjs');
const faults = specsOf('test/faults/jest.config.cjs');

describe('Spec files', () => {
  it('are each run by npm test, test:browser, test:long or test:faults', () => {
    expect(all.length).toBeGreaterThan(100);
    const commands = [quick, browser, long, faults];
    expect(all.filter((path) => !commands.some((specs) => specs.has(path)))).toEqual([]);
  });

  it('are run by npm test, or by test:browser where they open a browser', () => {
    const source = (path: string) => readFileSync(path, 'utf8');
    const opening = [...short].filter((path) => /\b(?:CHROMIUM|PortalBrowser)\b/.test(source(path)));
    expect([...browser].filter((path) => short.has(path)).toSorted()).toEqual(
      opening.filter((path) => path !== 'test/architecture/spec-files.spec.ts').toSorted(),
    );
    expect([...short].filter((path) => quick.has(path) === browser.has(path))).toEqual([]);
  });

  it('are run again by npm run test:long where they have a long form', () => {
    const both = all.filter((path) =>
      readFileSync(path, 'utf8').match(/from '(?:\.\.\/)+support\/long\.js'/),
    );
    expect([...quick].filter((path) => long.has(path)).toSorted()).toEqual(
      both.filter((path) => path !== 'test/architecture/spec-files.spec.ts' && !browser.has(path)).toSorted(),
    );
  });

  it('are left by npm test to npm run test:long within .ci/run where both run them, and no others', () => {
    const program = `process.stdout.write(JSON.stringify(require('./test/jest.quick.config.cjs')))`;
    const env = { ...process.env, TEST_LONG_FOLLOWS: '1' };
    const printed = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env });
    const run = new Set(specsOfProject(JSON.parse(printed) as Project));
    const left = [...quick].filter((path) => !run.has(path));
    expect(left.toSorted()).toEqual([...quick].filter((path) => long.has(path)).toSorted());
    expect(left.length).toBeGreaterThan(10);
    expect(readFileSync('.ci/run', 'utf8')).toContain(
      'if changed "$long"; then export TEST_LONG_FOLLOWS=1; fi\n',
    );
  });

  it('are run by npm test as well where npm run test:unit runs them', () => {
    expect(unit.size).toBeGreaterThan(5);
    expect([...unit].filter((path) => !short.has(path))).toEqual([]);
  });

  it('are there by each name that npm run mutation knows', () => {
    const program = `import { missingSpecs, PARTS } from './test/mutation/parts.mjs';
      console.log(JSON.stringify([...PARTS.map(({ specs }) => missingSpecs(specs)).flat(), ...missingSpecs(['unit/{crypto,none}'])]))`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual(['unit/none']);
  });

  it('load the sources for themselves where they declare, mock or replace what later ones would meet', () => {
    const lasting =
      /^(?:@EventType\(|declare(?:Errors|Messages)\(|.*new (?:Network|Strict)Bucket\(|.*jest\.(?:mock|doMock)\('[./]+src|.*useFakeTimers\()/m;
    const source = (path: string) => readFileSync(path, 'utf8');
    const found = all.filter((path) => path.startsWith('test/') && lasting.test(source(path)));
    expect(found).toContain('test/unit/declared-errors.spec.ts');
    expect(found.filter((path) => !source(path).startsWith('/** @service separate */'))).toEqual([]);
  });

  it('and their helpers make temporary folders in one place, which removes them', () => {
    const sources = globSync('{test,client/test,react/test}/**/*.{ts,tsx,mjs,cjs}');
    const making = sources.filter((path) => /\bmkdtemp(?:Sync)?\(/.test(readFileSync(path, 'utf8')));
    expect(making).toEqual(['test/support/temporary-folder.ts']);
  });

  it('are run by .ci/run, long ones and browsers with them', () => {
    const commands = ['.ci/run', '.ci/long']
      .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
      .map((line) => line.split(' || again ')[0]?.replace(/^ *within \d+m /, ''));
    expect(commands).toEqual(
      expect.arrayContaining(['npm test', 'npm run test:browser', '.ci/long "$@"', 'npm run test:long']),
    );
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['test']).toBe('node scripts/test.mjs');
    expect(scripts['test:browser']).toBe('node scripts/test.mjs --config test/jest.browser.config.cjs');
    expect(scripts['test:long']).toBe('node scripts/test.mjs --config test/jest.long.config.cjs');
  });
});

/** Whether `.ci/run BASE` runs long tests, and those of faults, after a change of the file. */
function longPartsOf(file: string): readonly [long: boolean, faults: boolean] {
  const script =
    'source .ci/steps HEAD; changed "$long" && echo long; changed "$faults" && echo faults; true';
  const folder = temporaryFolder('ci');
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho ${file}\n`, { mode: 0o755 });
  const PATH = `${folder}:${process.env['PATH']}`;
  const printed = execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return [/^long$/m.test(printed), /^faults$/m.test(printed)];
}

describe('.ci/run', () => {
  it.each([
    ['package-lock.json', true, true],
    ['test/portal/dev.long.spec.ts', true, false],
    ['test/faults/at-01-codes.spec.ts', false, true],
    ['src/openid/token/token.controller.ts', true, false],
    ['src/iam/accounts/account.repository.ts', true, false],
    ['src/webhook/delivery/delivery-engine.ts', false, true],
    ['src/main.ts', true, true],
    ['portal/src/main.tsx', false, false],
    ['docs/README.md', false, false],
  ])('after a change of %s runs long tests: %s, faults: %s', (file, ...parts) => {
    expect(longPartsOf(file)).toEqual(parts);
  });
});

describe('npm run test:changed', () => {
  const examples = [
    ['src/iam/organizations/tenants/tenant.service.ts', 'test/e2e/organizations/tenant-races.spec.ts'],
    ['src/session/sessions/logout.service.ts', 'test/e2e/session/sessions.spec.ts'],
    ['src/connection/setup/setup-link.repository.ts', 'test/e2e/connection/connection-attacks.spec.ts'],
    ['src/connection/setup/setup-link.repository.ts', 'test/portal/setup-links.spec.ts'],
    ['src/platform/crypto/hkdf.ts', 'test/unit/crypto.spec.ts'],
    ['test/support/redis.ts', 'test/e2e/platform/shared-limits.spec.ts'],
    ['test/e2e/platform/cors.spec.ts', 'test/e2e/platform/cors.spec.ts'],
    ['client/src/index.ts', 'client/test/session.spec.ts'],
    ['client/src/tabs.ts', 'client/test/tenants.spec.ts'],
    ['portal/src/main.tsx', 'test/portal/journey.spec.ts'],
  ] as const;
  const UNNAMED = 'src/bootstrap.ts';
  /** Chosen specs by changed file. */
  let chosen: Record<string, string[]>;
  beforeAll(() => {
    const changed = JSON.stringify([...new Set(examples.map(([path]) => path)), UNNAMED]);
    const script = `import { choose } from './scripts/changed-specs.mjs';
      console.log(JSON.stringify(Object.fromEntries(${changed}.map((path) => [path, choose([path])]))))`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    chosen = JSON.parse(printed) as Record<string, string[]>;
  });

  it.each(examples)('runs, for %s, %s among others, but not all', (changed, spec) => {
    expect(chosen[changed]).toContain(spec);
    expect(chosen[changed]?.length).toBeLessThan(short.size / 2);
  });

  it('runs all where a source has no spec that is named after it', () => {
    expect(chosen[UNNAMED]?.toSorted()).toEqual([...short].toSorted());
  });
});
