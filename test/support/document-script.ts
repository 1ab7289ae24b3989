import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { BuiltService } from './built-service.js';

/** A block of code of a document: "```sh run" has the mark "run". */
export interface Block {
  readonly language: string;
  readonly mark: string;
  readonly code: string;
}

/** Also in items of lists, which indent it. */
const BLOCK = /^( *)```(\w+)(.*)\n([\s\S]*?)\n\1```$/gm;

/**
 * Returns the blocks of code of a document.
 * @param until heading before which to end
 */
export function blocksOf(document: string, until?: string): Block[] {
  const text = readFileSync(document, 'utf8');
  const end = until === undefined ? text.length : text.indexOf(until);
  return [...text.slice(0, end).matchAll(BLOCK)].map(
    ([, indent = '', language = '', mark = '', code = '']) => ({
      language,
      mark: mark.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/**
 * Returns what a reader would type: commands, and files to save ("```js save ~/freight/api.mjs").
 */
export function scriptOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap(({ language, mark, code }) => {
      if (language === 'sh' && mark === 'run') return [code];
      return mark.startsWith('save ') ? [`cat > ${mark.slice(5)} <<'EOF'\n${code}\nEOF`] : [];
    })
    .join('\n');
}

/** Whether a document goes on in the terminal of docs/getting-started.md, with its variables. */
export function continuesGettingStarted(document: string): boolean {
  const script = scriptOf(blocksOf(document));
  return script.includes('$tenant') && !script.includes('tenant=');
}

/**
 * Runs a script of a document as a reader would, with a service at its address and a home of its
 * own. What it leaves in the background ends with it.
 * @param addresses in place of the document's
 * @param check runs after the script, while the programs that it started still run
 */
export async function runScript(
  script: string,
  service: BuiltService,
  addresses: Readonly<Record<string, string>> = {},
  check: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { DATA_DIR = '' } = service.environment;
  const replaced = Object.entries({
    'http://localhost:3000': service.url,
    '.data/': `${DATA_DIR}/`,
    ...addresses,
  });
  const typed = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), script);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${typed}\necho DONE\nread -r _`], {
    detached: true, // a group, which ends with all that it has started
    env: {
      ...process.env,
      npm_config_ignore_scripts: 'true', // packages are built
      npm_config_prefer_offline: 'true',
      ...service.environment,
      HOME: DATA_DIR, // what is written there goes with it
    },
  });
  let output = '';
  const isDone = new Promise<boolean>((settle) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('DONE')) settle(true);
      });
    child.once('exit', () => settle(false));
  });
  try {
    if (script.includes('read -r token'))
      child.stdin.write(`${await service.mailedToken('ada@example.com')}\n`);
    if (!(await isDone)) throw new Error(`The commands failed:\n${output}`);
    await check();
  } finally {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // all of it has ended
    }
  }
}
