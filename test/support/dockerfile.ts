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

  /** Returns the arguments of this instruction in the last stage. */
  last(word: string): Instruction[] {
    return (this.stages.at(-1)?.instructions ?? []).filter((one) => one.getInstruction() === word);
  }

  /** Words of a command that needs no shell. */
  static wordsOf(instruction: Instruction | undefined): string[] {
    const text = instruction?.getRawArgumentsContent() ?? '';
    return JSON.parse(text.slice(text.indexOf('['))) as string[];
  }

  /** Environment that the image sets. */
  get environment(): Record<string, string> {
    const pairs = this.last('ENV').flatMap((env) => (env.getRawArgumentsContent() ?? '').split(/\s+/));
    return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
  }
}

/** Value of an option `--name=` of an instruction. */
export function flagOf(instruction: Copy, name: string): string | null {
  return (
    instruction
      .getFlags()
      .find((flag) => flag.getName() === name)
      ?.getValue() ?? null
  );
}

/** Source of a COPY, and its paths: in the checkout, or in another stage. */
export function sourcesOf(instruction: Copy): { stage: string | null; sources: string[] } {
  const words = instruction.getArguments().map((word) => word.getValue());
  return { stage: flagOf(instruction, 'from'), sources: words.slice(0, -1) };
}
