import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type Environment } from './app.module.js';
import { configureApp } from './configure-app.js';
import { readExtras } from './extras/index.js';
import type { TeamModule } from './options.js';
import { newAdapter } from './platform/web/index.js';
import { ServiceLogger } from './platform/observability/index.js';

export { Draining } from './platform/health/index.js';
export { logUnhandledRejection } from './platform/observability/index.js';

/**
 * Creates the application without listening.
 * @param modules of other teams
 * @throws if the modules do not fit together
 */
export async function createApp(
  environment: Environment,
  modules: readonly TeamModule[] = [],
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.for(environment, [...(await readExtras(environment.settings.EXTRAS)), ...modules]),
    newAdapter(),
    { bodyParser: false, bufferLogs: true, abortOnError: false },
  );
  app.useLogger(app.get(ServiceLogger));
  try {
    configureApp(app);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}
