// Installs VitePress and builds the site: npm run docs:site.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FILES } from './docs-site/pages.mjs';

const SITE = 'scripts/docs-site';
const COPIES = join(SITE, 'copies');

step('npm', [
  'ci',
  '--prefix',
  SITE,
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
]);
await rm(COPIES, { recursive: true, force: true });
for (const file of [...FILES, 'docs/images', 'bench/results']) await copy(file, file);
await copy('portal/public/favicon.svg', 'public/favicon.svg');
const vitepress = join(SITE, 'node_modules/vitepress/bin/vitepress.js');
step(process.execPath, [vitepress, 'build', SITE]);
await rm(COPIES, { recursive: true });
process.stdout.write(
  `The site is in ${SITE}/dist: serve it as it is, or look at it by\n  npx vite preview --outDir ${SITE}/dist\n`,
);

/** @param path among the copies */
async function copy(from, path) {
  await mkdir(join(COPIES, dirname(path)), { recursive: true });
  await cp(from, join(COPIES, path), { recursive: true });
}

function step(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
