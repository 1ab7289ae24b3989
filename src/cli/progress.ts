/**
 * Line on stderr that says what a person waits for. Shows nothing if stderr is no terminal, whose
 * reader would get every step.
 */
export class Progress {
  private shown = false;

  constructor(private readonly stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) {}

  /** Replaces the line. */
  show(line: string): void {
    if (!this.stream.isTTY) return;
    this.stream.write(`\r\u001b[K${line}`);
    this.shown = true;
  }

  /** Removes the line, before other output. */
  clear(): void {
    if (this.shown) this.stream.write('\r\u001b[K');
    this.shown = false;
  }
}
