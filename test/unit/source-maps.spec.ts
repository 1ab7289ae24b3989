import { execFileSync } from 'node:child_process';

/** Prints the stack traces of an error of the service, of one of Node, and of one with a cause. */
const PROGRAM = `
if (process.env.OWN) (await import('./dist/src/source-maps.js')).mapStackTraces();
const { readSettings } = await import('./dist/src/platform/config/index.js');
const { parseCommand } = await import('./dist/src/cli/program.js');
const stackOf = (work) => { try { work(); } catch (error) { return error.stack; } };
console.log(stackOf(() => readSettings({ PORT: 'none' })));
console.log(stackOf(() => parseCommand(['unknown'])));
console.log(stackOf(() => Buffer.alloc('none')));
console.log(await Promise.reject(new TypeError('later')).catch(({ stack }) => stack));
`;

function printed(options: readonly string[], OWN: string): string {
  const words = [...options, '--input-type=module', '-e', PROGRAM];
  const { PATH = '' } = process.env;
  return execFileSync(process.execPath, words, { encoding: 'utf8', env: { PATH, OWN } });
}

describe('Stack traces', () => {
  it('name the sources, as with the option of Node', () => {
    const traces = printed([], '1');
    expect(traces).toMatch(/at readSettings \(\/.*\/src\/platform\/config\/settings\.ts:\d+:\d+\)/);
    expect(traces).toContain('TypeError [ERR_INVALID_ARG_TYPE]: ');
    expect(traces).not.toContain('dist/src');
    expect(traces).toBe(printed(['--enable-source-maps'], ''));
  });
});
