import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

const MESSAGES = 'portal/src/messages';

/** Runs the command on a copy of the texts. */
function list(change: (texts: Record<string, string>) => void) {
  const cwd = temporaryFolder('texts');
  cpSync(MESSAGES, join(cwd, MESSAGES), { recursive: true });
  symlinkSync(resolve('dist'), join(cwd, 'dist'));
  const file = join(cwd, MESSAGES, 'de.json');
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  change(texts);
  writeFileSync(file, JSON.stringify(texts));
  const { status, stdout } = spawnSync(process.execPath, [resolve('scripts/texts.mjs')], {
    cwd,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n') };
}

it('npm run texts fails for a text that a language lacks, and names it', () => {
  const before = list(() => undefined);
  const id = 'accept.as';
  const { status, lines } = list((texts) => Reflect.deleteProperty(texts, id));
  expect(status).toBe(1);
  expect(lines).toHaveLength(before.lines.length + 1);
  expect(lines).toContain(`${MESSAGES}/de.json: ${id}`);
});
