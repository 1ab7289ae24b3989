import { readFileSync } from 'node:fs';

/** What the apps of test/interop need besides the software that is tried. */
const TOOLS = [
  '@angular/common',
  '@angular/compiler',
  '@angular/core',
  '@angular/platform-browser',
  '@fastify/cookie',
  '@hapi/hapi',
  '@hono/node-server',
  'esbuild',
  'express',
  'express-session',
  'fastify',
  'passport',
  'rxjs',
];

it('docs/apps/README.md names the software of test/interop at its versions', () => {
  const page = readFileSync('docs/apps/README.md', 'utf8');
  const file = readFileSync('test/interop/software/package.json', 'utf8');
  const { dependencies } = JSON.parse(file) as { dependencies: Record<string, string> };
  const tried = Object.entries(dependencies).filter(([name]) => !TOOLS.includes(name));
  // An alias has the name of the package before the version.
  const missing = tried.filter(([, version]) => !page.includes(version.replace(/^npm:.+@/, '')));
  expect(tried.length).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});
