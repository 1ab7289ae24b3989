import { execFileSync } from 'node:child_process';
import { COMMANDS, GROUPS } from '../../src/cli/commands/index.js';
import { written } from '../../src/cli/output.js';
import { parseCommand, UsageError } from '../../src/cli/program.js';
import { Progress } from '../../src/cli/progress.js';
import { reasonOf } from '../../src/cli/reason.js';
import { AppError } from '../../src/platform/errors/index.js';
import '../../src/platform/api/index.js';
import { describeWith } from '../support/tools.js';

const refusal = (...words: string[]): string => {
  try {
    parseCommand(words);
    return 'none';
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
};
const textOf = (...words: string[]): string => {
  const parsed = parseCommand(words);
  return 'text' in parsed ? parsed.text : '';
};

it('says in English what is wrong with an option', () => {
  const command = {
    name: 'x',
    description: 'x',
    options: [{ flags: '--name <name>', description: 'x' }],
    run: async () => ({}),
  };
  const error = AppError.violation('name', { id: 'field.text', values: { min: 1, max: 100 } });
  expect(reasonOf(error, command, {})).toBe(
    '--name: must be a text of 1 to 100 characters without control characters, and not blank',
  );
});

describe('A command that loses the database', () => {
  const command = { name: 'x', description: 'x', run: async () => ({}) };
  const lost = new Error('Connection terminated unexpectedly');

  it.each([lost, new AppError('unavailable', { cause: lost })])(
    'says so, whatever reports it: %p',
    (error) => {
      expect(reasonOf(error, command, {})).toBe(
        'The database was lost (Connection terminated unexpectedly). What the command was about to do may be done: look before you run it again.',
      );
    },
  );

  it('names what kept it from the database, and what to do next', () => {
    const error = new AppError('unavailable', { cause: new Error('too many callers wait') });
    expect(reasonOf(error, { ...command, continues: true }, {})).toBe(
      'The service is temporarily unavailable (too many callers wait). Run the command again once the database is back: what is done stays, and nothing is done twice.',
    );
  });

  it('says that another run completes it, if it does', () => {
    expect(reasonOf(lost, { ...command, continues: true }, {})).toContain('Run the command again once');
    const completed = COMMANDS.filter(({ continues }) => continues).map(({ name }) => name);
    expect(completed).toEqual(['erasures:replay', 'people:import']);
  });

  it('says nothing of it where something else failed', () => {
    const error = Object.assign(new Error('no such file'), { code: 'ENOENT', path: '/people.ndjson' });
    expect(reasonOf(error, command, {})).toBe('no such file');
  });
});

describe('The arguments of the command line', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'\n(All commands: npm run cli -- --help)"],
    [['constructor'], "unknown command 'constructor'\n(All commands: npm run cli -- --help)"],
    [['keys:rotat'], "unknown command 'keys:rotat'\n(Did you mean keys:rotate?)"],
    [
      ['account:suspend', '--email', 'x'],
      "unknown option '--email'\n(Options of account:suspend: --account, --json)",
    ],
    [['operator:grant', '--acount', 'x'], "unknown option '--acount'\n(Did you mean --account?)"],
    [
      ['satellite:register', '--client-id', 'x'],
      'missing --name <name>\n(More: npm run cli -- satellite:register --help)',
    ],
    [
      ['operator:grant', '--account'],
      "option '--account <address|id>' argument missing\n(More: npm run cli -- operator:grant --help)",
    ],
    [
      ['keys:list', 'all'],
      "too many arguments for 'keys:list'. Expected 0 arguments but got 1: all.\n(More: npm run cli -- keys:list --help)",
    ],
    [
      ['completion', 'tcsh'],
      "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n(More: npm run cli -- completion --help)",
    ],
  ])('%j are refused with what is wrong and nothing else', (words, message) => {
    expect(refusal(...words)).toBe(message);
  });

  it('list every command without arguments', () => {
    for (const { name } of COMMANDS) expect(refusal()).toContain(`\n  ${name} `);
  });

  it('are listed under the heading of their group', () => {
    const help = refusal();
    const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
    expect(headings).toEqual(['Options', ...GROUPS.map(({ title }) => title), 'Shell']);
    expect(help.indexOf('partnership:end')).toBeGreaterThan(help.indexOf('Organizations:'));
  });

  it('give each command a help of its own', () => {
    for (const { name } of COMMANDS)
      expect(textOf(name, '--help')).toContain(`Usage: npm run cli -- ${name} `);
    expect(textOf('satellite:show', '--help')).toContain('--client-id <id>  client id of the satellite\n');
  });

  it('collect a repeated option', () => {
    expect(
      parseCommand(['satellite:set-scopes', '--client-id', 'x', '--scope', 'a', '--scope', 'b']),
    ).toMatchObject({ options: { clientId: 'x', scope: ['a', 'b'] } });
  });
});

describe('The output of the command line', () => {
  const page = {
    items: [
      { clientId: 'wiki', name: 'Wiki', scopes: ['a', 'b'], createdAt: new Date(0) },
      { clientId: 'help-centre', name: 'Help\u001b[2J\u202e', scopes: [], createdAt: new Date(0) },
    ],
    nextCursor: 'abc',
  };

  it('is one line of JSON for programs', () => {
    expect(written(page, {}, false)).toBe(`${JSON.stringify(page)}\n`);
  });

  it('is a table in a terminal, without the control characters of names', () => {
    expect(written(page, { columns: ['clientId', 'name', 'scopes', 'createdAt'] }, true)).toBe(
      [
        'CLIENT ID    NAME       SCOPES  CREATED AT',
        'wiki         Wiki       a b     1970-01-01T00:00:00.000Z',
        'help-centre  Help\u{FFFD}[2J\u{FFFD}  -       1970-01-01T00:00:00.000Z',
        'The next page: --cursor abc',
        '',
      ].join('\n'),
    );
    expect(written({ items: [], nextCursor: null }, {}, true)).toBe('None.\n');
  });

  it('is a line for each field of a single result, and a table of the objects in it', () => {
    const result = { accountId: '01K', suspendedAt: null, series: [{ count: 5, ended: true }] };
    expect(written(result, {}, true)).toBe(
      'ACCOUNT ID    01K\nSUSPENDED AT  -\nSERIES\nCOUNT  ENDED\n5      true\n',
    );
  });

  it('shows progress in a terminal alone, and removes it', () => {
    const linesOf = (isTTY: boolean) => {
      const write = jest.fn<boolean, [string]>(() => true);
      const progress = new Progress({ isTTY, write });
      progress.show('Loading ...');
      progress.clear();
      return write.mock.calls.flat();
    };
    expect(linesOf(false)).toEqual([]);
    expect(linesOf(true)).toEqual(['\r\u001b[KLoading ...', '\r\u001b[K']);
  });
});

/** Asks a shell what it would suggest, by its own functions. */
describeWith(['bash', 'fish', 'zsh'], 'Completion', () => {
  const bash = (line: string): string =>
    execFileSync('bash', [
      '-c',
      `${textOf('completion', 'bash')}\nCOMP_LINE="$1" COMP_POINT=\${#1} _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      line,
    ]).toString();
  const fish = (line: string): string =>
    execFileSync('fish', ['--no-config', '-c', `${textOf('completion', 'fish')}\ncomplete -C $argv`, line], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }).toString();

  it('suggests commands and their options in bash', () => {
    expect(bash('gatehouse keys:r')).toBe('rotate\n');
    for (const typed of ['sat', 'satellite'])
      expect(bash(`gatehouse ${typed}`).split('\n')).toContain('satellite:list');
    expect(bash('gatehouse satellite:show --c')).toBe('--client-id\n');
    expect(bash('gatehouse completion ')).toBe('bash\nzsh\nfish\n--help\n');
  });

  it('suggests commands and their options in fish', () => {
    expect(fish('gatehouse keys:r')).toMatch(/^keys:rotate\t/);
    expect(fish('gatehouse satellite:show --c')).toMatch(/^--client-id\t/);
    expect(fish('gatehouse completion b')).toBe('bash\n');
  });

  it('is a valid script of zsh that declares the function', () => {
    const script = `compdef() { print -r -- $1 $2; }\n${textOf('completion', 'zsh')}\nwhence -w _gatehouse gatehouse`;
    expect(execFileSync('zsh', ['-f', '-c', script]).toString()).toBe(
      '_gatehouse gatehouse\n_gatehouse: function\ngatehouse: function\n',
    );
  });

  it('defines a command that runs this checkout from any folder', () => {
    const script = (text: string) => `${text}\ncd /\ngatehouse keys:lst`;
    for (const [shell, ...options] of [
      ['bash', '-c'],
      ['fish', '--no-config', '-c'],
    ] as const)
      expect(() =>
        execFileSync(shell, [...options, script(textOf('completion', shell))], { stdio: 'pipe' }),
      ).toThrow('Did you mean keys:list?');
  });
});
