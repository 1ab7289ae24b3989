/** @service separate */
import { Logger } from '@nestjs/common';
import { MAX_STATEMENTS, nameOf, prepared } from '../../src/platform/database/connection/prepared.js';

describe('Statements that are marked to be prepared', () => {
  it('are reported once, and sent without a name, beyond the bound', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const texts = Array.from({ length: MAX_STATEMENTS + 2 }, (_, n) => prepared(`SELECT ${n}`));
    const names = texts.map(nameOf);
    expect(names.slice(MAX_STATEMENTS)).toEqual([undefined, undefined]);
    expect(new Set(names.slice(0, MAX_STATEMENTS)).size).toBe(MAX_STATEMENTS);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`${MAX_STATEMENTS} statements`)]]);
  });
});
