import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { Argument, Command as Parser, CommanderError, Option } from 'commander';
import type { Command } from './command.js';
import { GROUPS } from './commands/index.js';
import { completionOf, SHELLS, type Shell } from './completion.js';
import type { Options } from './options.js';

/** The program of this repository, and how a checkout runs it. */
const MAIN = 'dist/bundle/src/cli/main.js';
const SCRIPT = { file: 'scripts/cli.mjs', call: 'npm run cli --' };

const JSON_OPTION = new Option('--json', 'print JSON in a terminal too; a pipe or file always gets JSON');

/** What the arguments ask for: a command, or a text to print. */
export type Parsed = { readonly command: Command; readonly options: Options } | { readonly text: string };

/** Arguments that name no command or do not fit it; the message is for their author. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Parses the arguments of the command line.
 * @param file the program, which help and completion name: another team's has its own
 * @throws {UsageError} for an unknown command or option, or a missing option
 */
export function parseCommand(args: readonly string[], file = MAIN): Parsed {
  let parsed: Parsed | undefined;
  let help = '';
  const program = newProgram(relative('', file), (result) => (parsed = result));
  for (const parser of [program, ...program.commands])
    parser.exitOverride().configureOutput({
      writeOut: (text) => (help += text),
      writeErr: (text) => (help += text),
      outputError: () => undefined,
    });
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text: `${help.trimEnd()}\n` };
    if (error.code === 'commander.help') throw new UsageError(help.trimEnd());
    throw new UsageError(advised(error, program, args[0]));
  }
  if (!parsed) throw new Error('The parser chose no command.');
  return parsed;
}

/** Returns the option that fills a field, with its value, to name what was wrong. */
export function flagOf(command: Command, options: Options, propertyPath: string): string {
  const [, field = '', index] = /^(\w+)(?:\[(\d+)\])?/.exec(propertyPath) ?? [];
  for (const { flags, field: filled } of command.options ?? []) {
    const option = new Option(flags);
    if (field !== (filled ?? option.attributeName())) continue;
    const value = options[option.attributeName()];
    const item = index !== undefined && Array.isArray(value) ? value[Number(index)] : undefined;
    return [option.long, ...(item === undefined ? [] : [item])].join(' ');
  }
  return propertyPath;
}

function newProgram(file: string, found: (parsed: Parsed) => void): Parser {
  const inCheckout = file === MAIN && existsSync(SCRIPT.file);
  const program = new Parser(inCheckout ? SCRIPT.call : `node ${file}`)
    .usage('<command> [options]')
    .description("The operators' commands of Gatehouse. They use the settings of the service.")
    .helpOption('--help', 'show this, or the options of a command')
    .helpCommand(false)
    .configureHelp({
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map((argument) => `<${argument.name()}>`)].join(' '),
    });
  const commands = GROUPS.flatMap(({ title, commands: all }) => all.map((command) => ({ title, command })));
  for (const { title, command } of commands) {
    const parser = program
      .command(command.name)
      .helpGroup(`${title}:`)
      .usage(usageOf(command))
      .description(command.description)
      .helpOption('--help', 'show this');
    for (const option of optionsOf(command)) parser.addOption(option);
    parser.action((options: Options) => {
      requireAll(command, options, parser);
      found({ command, options });
    });
  }
  program
    .command('completion')
    .helpGroup('Shell:')
    .description('print the completion of these commands for a shell')
    .helpOption('--help', 'show this')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => found({ text: completionOf(shell, program, file) }));
  return program;
}

function optionsOf({ options = [] }: Command): Option[] {
  const declared = options.map(({ flags, description, repeatable = false }) => {
    const option = new Option(flags, repeatable ? `${description}; can be repeated` : description);
    return repeatable ? option.argParser<string[]>((value, values = []) => [...values, value]) : option;
  });
  return [...declared, JSON_OPTION];
}

const requiredOf = ({ options = [] }: Command) => options.filter(({ required }) => required);

/** Names the required options, then what else there is. */
function usageOf(command: Command): string {
  return [...requiredOf(command).map(({ flags }) => flags), '[options]'].join(' ');
}

/** Checked after unknown options, of which one may stand in place of a required one. */
function requireAll(command: Command, options: Options, parser: Parser): void {
  const missing = requiredOf(command)
    .filter(({ flags }) => options[new Option(flags).attributeName()] === undefined)
    .map(({ flags }) => flags);
  if (missing.length > 0) parser.error(`error: missing ${missing.join(', ')}`);
}

/** Returns commander's message, with a second line that says how to go on. */
function advised({ message, code }: CommanderError, program: Parser, name: string | undefined): string {
  const said = message.replace(/^error: /, '');
  if (said.includes('\n')) return said;
  const command = program.commands.find((one) => one.name() === name);
  if (!command) return `${said}\n(All commands: ${program.name()} --help)`;
  const flags = command.options.map(({ long }) => long).join(', ');
  return code === 'commander.unknownOption'
    ? `${said}\n(Options of ${command.name()}: ${flags})`
    : `${said}\n(More: ${program.name()} ${command.name()} --help)`;
}
