import '../../src/app.module.js';
import { errorCodes, errorRow } from '../../src/platform/errors/index.js';
import { expectWritten, table } from '../support/generated.js';

it('docs/errors.md lists every error that a module declares', () => {
  const rows = errorCodes().map((code) => {
    const { status, detail, remedy } = errorRow(code);
    return [`\`/errors/${code}\``, String(status), detail, remedy];
  });
  expectWritten('docs/errors.md', 'errors', table(['type', 'status', 'what it means', 'what to do'], rows));
});
