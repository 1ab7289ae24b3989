import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requireSharedPackages } from '../../src/shared-packages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('The packages that a program shares with the service', () => {
  let folder: string;
  let program: string;
  beforeEach(() => {
    folder = temporaryFolder('shared');
    program = join(folder, 'dist', 'main.js');
    mkdirSync(join(folder, 'node_modules', '@nestjs'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const installed = (name: string) => join(folder, 'node_modules', name);

  it('may be missing in the program, linked, or found by the process itself', () => {
    expect(() => requireSharedPackages(program)).not.toThrow();
    symlinkSync(resolve('node_modules/rxjs'), installed('rxjs'));
    expect(() => requireSharedPackages(program)).not.toThrow();
    expect(() => requireSharedPackages()).not.toThrow();
  });

  it.each(['@nestjs/common', 'typeorm', 'reflect-metadata'])('must not be a second copy of %s', (name) => {
    mkdirSync(installed(name));
    cpSync(`node_modules/${name}/package.json`, join(installed(name), 'package.json'));
    expect(() => requireSharedPackages(program)).toThrow(
      new RegExp(
        `^There are two copies of ${name}: ${folder}.* Depend on ${name} [\\d.]+, as gatehouse does`,
      ),
    );
  });
});
