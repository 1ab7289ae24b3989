import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Settings, SETTINGS } from '../config/index.js';

const IDLE_CHECK_MS = 200;
/** Whoever has not said by then what they want, or not taken the answer, is cut off. */
const LAGGARD_MS = 15_000;

/** The time between being told to end and ending: nobody who was sent here may find the door shut. */
@Injectable()
export class Draining {
  private begun = false;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether the service is about to end: it serves as ever, but is not to be sent anything new. */
  get active(): boolean {
    return this.begun;
  }

  /**
   * Asks every client to close its connection with the next answer. Resolves when load balancers have had the time to notice (DRAIN_SECONDS);
   * closing the application then waits for what is under way, and this for nobody longer than {@link LAGGARD_MS}.
   */
  async run(): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    this.begun = true;
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
    await sleep(this.settings.DRAIN_SECONDS * 1_000);
    // An answer that was under way before has left its connection open, and the server would wait for that.
    setInterval(() => (server.listening ? undefined : server.closeIdleConnections()), IDLE_CHECK_MS).unref();
    setTimeout(() => server.closeAllConnections(), LAGGARD_MS).unref();
  }
}
