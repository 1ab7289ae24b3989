import { readFileSync } from 'node:fs';
import { DockerfileParser, type Copy, type Instruction } from 'dockerfile-ast';

/** A stage of a Dockerfile. */
interface Stage {
  readonly instructions: readonly Instruction[];
}

/** The instructions of a Dockerfile. */
export class Dockerfile {
  readonly stages: readonly Stage[];

  constructor(readonly text: string) {
    const file = DockerfileParser.parse(text);
    const starts = file.getFROMs();
    this.stages = starts.map((from, index) => ({
      instructions: file.getInstructions().filter((instruction) => {
        const { line } = instruction.getRange().start;
        const next = starts[index + 1]?.getRange()?.start.line ?? Infinity;
        return line > from.getRange().start.line && line < next;
      }),
    }));
  }

  static read(): Dockerfile {
    return new Dockerfile(readFileSync('Dockerfile', 'utf8'));
  }

  /** What its last stage says by this word. */
  last(word: string): Instruction[] {
    return (this.stages.at(-1)?.instructions ?? []).filter((one) => one.getInstruction() === word);
  }

  /** The words of a command that needs no shell. */
  static wordsOf(instruction: Instruction | undefined): string[] {
    const text = instruction?.getRawArgumentsContent() ?? '';
    return JSON.parse(text.slice(text.indexOf('['))) as string[];
  }

  /** The environment that the image sets. */
  get environment(): Record<string, string> {
    const pairs = this.last('ENV').flatMap((env) => (env.getRawArgumentsContent() ?? '').split(/\s+/));
    return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
  }
}

/** What an instruction says by `--name=`. */
export function flagOf(instruction: Copy, name: string): string | null {
  return (
    instruction
      .getFlags()
      .find((flag) => flag.getName() === name)
      ?.getValue() ?? null
  );
}

/** Where a COPY is from, and what it takes: paths in the checkout, or those of another stage. */
export function sourcesOf(instruction: Copy): { stage: string | null; sources: string[] } {
  const words = instruction.getArguments().map((word) => word.getValue());
  return { stage: flagOf(instruction, 'from'), sources: words.slice(0, -1) };
}
