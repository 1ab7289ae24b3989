import { resolve } from 'node:path';

/** An option of a command, as commander writes it: `--client-id <id>`, or `--json` for a flag. */
export interface CommandOption {
  readonly flags: string;
  readonly description: string;
  readonly required?: boolean;
  /** Whether it may be given several times. */
  readonly repeatable?: boolean;
  /** Field of the service that it fills, as violations name it; by default its name. */
  readonly field?: string;
}

/** Options that were given, by name in camel case. */
export type Options = Readonly<Record<string, string | string[] | boolean | undefined>>;

/** Options of every list. */
export const PAGE_OPTIONS: readonly CommandOption[] = [
  { flags: '--limit <number>', description: 'items of a page, 1 to 100; 50 by default' },
  { flags: '--cursor <cursor>', description: 'the next page: nextCursor of the previous one' },
];

export const ACCOUNT: CommandOption = {
  flags: '--account <address|id>',
  description: 'address or id of the account',
  required: true,
};

export const PERSONAL_DATA: CommandOption = {
  flags: '--personal-data',
  description: 'print addresses and names as well',
};

export const ORGANIZATION: CommandOption = {
  flags: '--organization <id>',
  description: 'id of the organization',
  required: true,
};

/** npm runs scripts in the folder of the checkout, and passes on the caller's. */
export function inCallersFolder(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? '', path);
}
