import type { Command as Parser, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Name under which the completion makes the commands known to the shell. */
const NAME = 'gatehouse';

/** A command as completion needs it. */
interface Words {
  readonly name: string;
  readonly description: string;
  readonly options: readonly Option[];
  readonly choices: readonly string[];
}

/**
 * Returns a script for the shell that defines `gatehouse`, if unknown, and its completion.
 * @param file the program, from the working directory
 */
export function completionOf(shell: Shell, program: Parser, file: string): string {
  const commands = program.commands.map((command): Words => ({
    name: command.name(),
    description: command.description(),
    options: command.options,
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  }));
  return { bash, zsh, fish }[shell](commands, file);
}

const wordsOf = ({ options, choices }: Words): string =>
  [...choices, ...options.map(({ long }) => long), '--help'].join(' ');

/** Quotes for a shell, within single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Runs in the folder of the checkout, as npm does, which passes on the caller's as INIT_CWD. */
const definition = (file: string): string => `command -v ${NAME} >/dev/null ||
  ${NAME}() { (export INIT_CWD="$PWD"; cd ${quoted(process.cwd())} && ${quoted(process.execPath)} ${quoted(file)} "$@"); }`;

function bash(commands: readonly Words[], file: string): string {
  const cases = commands.map(
    (command) => `    ${quoted(command.name)}) words=${quoted(wordsOf(command))} ;;`,
  );
  return `# Completion for bash: source this file
${definition(file)}
_${NAME}() {
  local current words
  local -a typed
  read -ra typed <<<"\${COMP_LINE:0:COMP_POINT}."
  current=\${typed[-1]%.}
  if [[ \${typed[-2]} == --file ]]; then compopt -o default; return; fi
  if ((\${#typed[@]} == 2)); then
    words=${quoted(commands.map(({ name }) => name).join(' '))}
  else case \${typed[1]} in
${cases.join('\n')}
  esac fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  # A colon separates words of bash: replace only what follows the last one.
  [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${current%:*}":}")
}
complete -F _${NAME} ${NAME}
`;
}

function zsh(commands: readonly Words[], file: string): string {
  const described = (name: string, description: string) =>
    quoted(`${name.replaceAll(':', '\\:')}:${description}`);
  const names = commands.map(({ name, description }) => `    ${described(name, description)}`);
  const cases = commands.map(({ name, options, choices }) => {
    const candidates = [
      ...choices.map((choice) => quoted(choice)),
      ...options.map(({ long, description }) => described(long ?? '', description)),
    ];
    return `    ${quoted(name)}) candidates=(${candidates.join(' ')}) ;;`;
  });
  return `# Completion for zsh: source this file
${definition(file)}
_${NAME}() {
  local -a commands candidates
  commands=(
${names.join('\n')}
  )
  if ((CURRENT == 2)); then _describe command commands; return; fi
  if [[ \${words[CURRENT-1]} == --file ]]; then _files; return; fi
  case \${words[2]} in
${cases.join('\n')}
  esac
  _describe option candidates
}
compdef _${NAME} ${NAME}
`;
}

function fish(commands: readonly Words[], file: string): string {
  const lines = commands.flatMap(({ name, description, options, choices }) => {
    const after = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c ${NAME} -n __fish_use_subcommand -a ${quoted(name)} -d ${fishQuoted(description)}`,
      ...choices.map((choice) => `complete -c ${NAME} ${after} -a ${quoted(choice)}`),
      ...options.map(
        ({ long = '', description: says, required }) =>
          `complete -c ${NAME} ${after} -l ${long.slice(2)}${required ? ' -r' : ''}${long === '--file' ? ' -F' : ''} -d ${fishQuoted(says)}`,
      ),
    ];
  });
  return `# Completion for fish: source this file
type -q ${NAME}; or function ${NAME}
  INIT_CWD=$PWD sh -c 'cd "$0" && exec "$@"' ${fishQuoted(process.cwd())} ${fishQuoted(process.execPath)} ${fishQuoted(file)} $argv
end
complete -c ${NAME} -f
${lines.join('\n')}
`;
}

/** Quotes for fish, whose single quotes take a backslash. */
const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
