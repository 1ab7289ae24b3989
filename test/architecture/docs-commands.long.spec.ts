import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { BuiltService } from '../support/built-service.js';
import { describeWith } from '../support/tools.js';

/**
 * Marks of command blocks: "```sh run" is run here; "```sh shown: why" cannot be run; "```sh
 * <path>" quotes a file, which quoted-code.spec.ts checks.
 */
const BLOCK = /^```sh(.*)\n([\s\S]*?)\n```$/gm;
const documents = globSync(['README.md', 'docs/**/*.md']).map((document) => ({
  document,
  blocks: [...readFileSync(document, 'utf8').matchAll(BLOCK)].map(([, mark = '', code = '']) => ({
    mark: mark.trim(),
    code,
  })),
}));
const runnable = documents.filter(({ blocks }) => blocks.some(({ mark }) => mark === 'run'));
const shown = documents.flatMap(({ document, blocks }) =>
  blocks
    .filter(({ mark }) => mark.startsWith('shown'))
    .map(({ mark, code }) => ({ document, reason: mark.replace(/^shown:?\s*/, ''), code })),
);

describe('The commands of the documents', () => {
  it('are run, quoted from a file, or marked with a reason', () => {
    const unmarked = documents.flatMap(({ document, blocks }) =>
      blocks
        .filter(({ mark }) => mark !== 'run' && !mark.startsWith('shown') && !existsSync(mark))
        .map(({ mark }) => `${document}: ${mark}`),
    );
    expect(unmarked).toEqual([]);
  });

  it.each(shown)('$document gives a reason for not running: $code', ({ reason }) => {
    expect(reason).not.toBe('');
  });
});

describeWith(['bash', 'curl', 'openssl'], 'The commands of', () => {
  it.each(runnable)('$document succeed in order', async ({ blocks }) => {
    const service = await BuiltService.start({ LOG_LEVEL: 'info' });
    await service.register('you@example.com'); // whom the documents speak to
    const { DATA_DIR = '' } = service.environment;
    const HOME = DATA_DIR; // what is written there goes with it
    const script = blocks
      .filter(({ mark }) => mark === 'run')
      .map(({ code }) => code)
      .join('\n')
      .replaceAll('http://localhost:3000', service.url)
      .replaceAll('.data/', `${DATA_DIR}/`);
    try {
      const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
        env: { ...process.env, ...service.environment, HOME },
      });
      const type = async () =>
        running.child.stdin?.end(script.includes('read -r token') ? await mailedToken(service) : '');
      await Promise.all([running, type()]);
    } finally {
      await service.stop();
    }
  });
});

/**
 * Returns what a person would copy from the development mailbox, which this service does not have.
 */
async function mailedToken(service: BuiltService): Promise<string> {
  return `${await service.mailedToken('ada@example.com')}\n`;
}
