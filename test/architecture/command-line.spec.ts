import { COMMANDS } from '../../src/cli/commands/index.js';
import { expectWritten, table } from '../support/generated.js';

it('docs/command-line.md describes every command with its options', () => {
  const lines = COMMANDS.flatMap(({ name, description, options = [] }) => {
    const rows = options.map(({ flags, description: says, required = false, repeatable = false }) => [
      `\`${flags}\``,
      `${says}${repeatable ? '; can be repeated' : ''}`,
      required ? 'yes' : '',
    ]);
    return [
      `### ${name}`,
      '',
      `${description.replace(/^./, (letter) => letter.toUpperCase())}.`,
      '',
      ...(rows.length > 0 ? [...table(['option', 'meaning', 'required'], rows), ''] : []),
    ];
  });
  expectWritten('docs/command-line.md', 'commands', lines.slice(0, -1));
});
