/** Other end of a channel between two processes: `process`, or a worker of `node:cluster`. */
export interface Port {
  send(message: object, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Question {
  readonly id: number;
  readonly question: string;
  readonly argument: unknown;
}

type Message =
  | Question
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

type Work = (argument: never) => unknown;

/** Questions and answers between two processes of a replica. */
export class Channel {
  private readonly works = new Map<string, Work>();
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>();
  private lastId = 0;

  constructor(private readonly port: Port) {
    port.on('message', (message) => this.receive(message as Message));
  }

  /** Defines how this process answers a question of the other one. */
  answer(question: string, work: Work): void {
    this.works.set(question, work);
  }

  /**
   * Asks the other process.
   * @throws if the other process failed to answer, or has ended
   */
  ask<T>(question: string, argument: unknown = null): Promise<T> {
    const id = (this.lastId += 1);
    const waiting = Promise.withResolvers<unknown>();
    this.waiting.set(id, waiting);
    this.send({ id, question, argument });
    return waiting.promise as Promise<T>;
  }

  /** Fails all questions that wait: the other process has ended. */
  close(): void {
    for (const id of this.waiting.keys()) this.fail(id, 'The process has ended.');
  }

  private receive(message: Message): void {
    if ('question' in message) this.work(message).catch(() => undefined);
    else if ('failure' in message) this.fail(message.id, message.failure);
    else {
      this.waiting.get(message.id)?.resolve(message.answer);
      this.waiting.delete(message.id);
    }
  }

  private async work({ id, question, argument }: Question): Promise<void> {
    try {
      const work = this.works.get(question);
      if (!work) throw new Error(`The process has no answer to ${question}.`);
      this.send({ id, answer: await work(argument as never) });
    } catch (error) {
      this.send({ id, failure: error instanceof Error ? error.message : 'unknown error' });
    }
  }

  private send(message: Message): void {
    this.port.send(message, (error) => {
      if (error) this.fail(message.id, error.message);
    });
  }

  private fail(id: number, reason: string): void {
    this.waiting.get(id)?.reject(new Error(reason));
    this.waiting.delete(id);
  }
}
