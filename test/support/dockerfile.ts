import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { DockerfileParser, type Copy, type Instruction, type JSONInstruction } from 'dockerfile-ast';

/** A stage of a Dockerfile. */
interface Stage {
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

/** A Dockerfile, and what an image of it would hold. */
export class Dockerfile {
  readonly stages: readonly Stage[];

  constructor(readonly text: string) {
    const file = DockerfileParser.parse(text);
    const starts = file.getFROMs();
    this.stages = starts.map((from, index) => ({
      name: from.getBuildStage(),
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

  /**
   * Carries out the stages in clean folders, with this machine's npm in place of the image's. Answers the folder of the last one, which
   * stands for the working directory of the image.
   */
  async build(): Promise<{ folder: string; remove(): void }> {
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
    const folderOf = (stage: string) => join(home, stage);
    for (const [index, { name, instructions }] of this.stages.entries()) {
      const folder = folderOf(name ?? String(index));
      mkdirSync(folder, { mode: 0o755 });
      for (const instruction of instructions) {
        if (instruction.getInstruction() === 'COPY') copy(instruction as Copy, folder, folderOf);
        if (instruction.getInstruction() === 'RUN') await shell(instruction as JSONInstruction, folder);
      }
    }
    const remove = () => rmSync(home, { recursive: true, force: true });
    return { folder: folderOf(this.stages.at(-1)?.name ?? String(this.stages.length - 1)), remove };
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

function copy(instruction: Copy, folder: string, folderOf: (stage: string) => string): void {
  const { stage, sources } = sourcesOf(instruction);
  const target = instruction.getArguments().at(-1)?.getValue() ?? '';
  for (const source of sources) {
    const from = stage === null ? source : join(folderOf(stage), source.replace(/^\/[^/]+\//, ''));
    const to = target.endsWith('/') ? join(folder, target, basename(source)) : join(folder, target);
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

async function shell(instruction: JSONInstruction, folder: string): Promise<void> {
  const command = (instruction.getRawArgumentsContent() ?? '')
    .replace(/^(?:--\S+\s+)+/, '')
    .replaceAll('\\\n', '');
  const { PATH, HOME } = process.env;
  await promisify(execFile)('/bin/sh', ['-ec', command], {
    cwd: folder,
    env: { ...process.env, PATH, HOME },
  });
}
