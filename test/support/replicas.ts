import { randomBytes } from 'node:crypto';
import { temporaryFolder } from './temporary-folder.js';
import { createDatabase, TestApp } from './test-app.js';

/** Two replicas of the service on one database. */
export class Replicas {
  private turn = 0;

  private constructor(
    readonly app: TestApp,
    readonly other: TestApp,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<Replicas> {
    const shared = {
      DATABASE_URL: await createDatabase(),
      ROOT_SECRET: randomBytes(32).toString('base64'),
      DATA_DIR: temporaryFolder('replicas'), // either may send the mails
      ...settings,
    };
    return new Replicas(await TestApp.start(shared), await TestApp.start(shared));
  }

  /** Runs the requests at the same time, on one replica and the other in turn. */
  parallel<T>(count: number, request: (app: TestApp, n: number) => Promise<T>): Promise<T[]> {
    return Promise.all(
      Array.from({ length: count }, (_, n) => request((this.turn += 1) % 2 ? this.app : this.other, n)),
    );
  }

  async stop(): Promise<void> {
    await this.other.app.close(); // the mails of both are in the folder that the next line removes
    await this.app.stop();
  }
}
