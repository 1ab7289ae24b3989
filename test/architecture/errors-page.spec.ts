import { ERROR_CATALOGUE } from '../../src/platform/errors/catalogue.js';
import { expectWritten, table } from '../support/generated.js';

it('docs/errors.md lists every error of the catalogue', () => {
  const rows = Object.entries(ERROR_CATALOGUE).map(([code, { status, detail, remedy }]) => [
    `\`/errors/${code}\``,
    String(status),
    detail,
    remedy,
  ]);
  expectWritten('docs/errors.md', 'errors', table(['type', 'status', 'what it means', 'what to do'], rows));
});
