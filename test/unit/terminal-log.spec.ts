import { stripVTControlCharacters } from 'node:util';
import { readable, terminalLog } from '../../src/platform/observability/terminal-log.js';

const time = new Date(2026, 0, 2, 3, 4, 5).getTime();
const shown = (line: object) =>
  stripVTControlCharacters(readable(JSON.stringify({ level: 30, time, pid: 1, hostname: 'a', ...line })));

describe('The log at a terminal', () => {
  it('has time, level, message and fields', () => {
    expect(shown({ context: 'Jobs', msg: 'job failed', task: 'mail', attempts: 3 })).toBe(
      '03:04:05 info  job failed task="mail" attempts=3\n',
    );
  });

  it('shows the stack of an error below it', () => {
    expect(shown({ level: 50, msg: 'failed', err: { message: 'x', stack: 'Error: x\n    at y' } })).toBe(
      '03:04:05 error failed\nError: x\n    at y\n',
    );
  });

  it('shows lines without a message, and levels without a name', () => {
    expect(shown({ level: 35, status: 200 })).toBe('03:04:05 35    status=200\n');
  });

  it('passes on no control characters', () => {
    const line = { level: 30, time, msg: 'a\u001B[2Jb', field: '\u001B[2J', err: { stack: 'c\u009B2J' } };
    const text = readable(JSON.stringify(line));
    expect([text.includes('\u001B[2J'), text.includes('\u009B')]).toEqual([false, false]);
  });

  it('writes each line at once', () => {
    const write = jest.fn();
    terminalLog({ write } as unknown as NodeJS.WritableStream).write(JSON.stringify({ level: 30, time }));
    expect(write).toHaveBeenCalledWith(expect.stringContaining('info'));
  });
});
