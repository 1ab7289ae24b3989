import { existsSync, globSync } from 'node:fs';
import { BuiltService } from '../support/built-service.js';
import { blocksOf, continuesGettingStarted, runScript, scriptOf } from '../support/document-script.js';
import { describeWith } from '../support/tools.js';

/**
 * Marks of command blocks: "```sh run" is run here; "```sh shown: why" cannot be run; "```sh
 * <path>" quotes a file, which quoted-code.spec.ts checks. guides.long.spec.ts runs docs/guides,
 * and what continues Getting started.
 */
const documents = globSync(['README.md', 'docs/**/*.md']).map((document) => ({
  document,
  blocks: blocksOf(document).filter(({ language }) => language === 'sh'),
}));
const runnable = documents.filter(
  ({ document, blocks }) =>
    !document.startsWith('docs/guides/') &&
    !continuesGettingStarted(document) &&
    blocks.some(({ mark }) => mark === 'run'),
);
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
    try {
      await runScript(scriptOf(blocks), service);
    } finally {
      await service.stop();
    }
  });
});
