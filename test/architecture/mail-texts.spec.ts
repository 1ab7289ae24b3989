import '../../src/app.module.js';
import { listMailTexts } from '../../src/platform/mail/mail-texts.js';
import { textsOf } from '../../src/platform/messages/index.js';
import { expectWritten, table } from '../support/generated.js';

it('docs/mail-texts.md lists every text of a mail', () => {
  const english = textsOf('en');
  const rows = [...listMailTexts()]
    .filter(([kind]) => !kind.startsWith('shipment'))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, parts]) => [
      `\`${kind}\``,
      [...parts].map(([part, id]) => `\`${part}\`${placeholdersOf(english.get(id) ?? '')}`).join(', '),
    ]);
  expectWritten('docs/mail-texts.md', 'texts', table(['kind', 'texts and their placeholders'], rows));
});

function placeholdersOf(text: string): string {
  const names = [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => `\`{${name}}\``);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
