import { Injectable } from '@nestjs/common';
import {
  type Connection,
  ConnectionDirectory,
  type ConnectionTest,
  ConnectionTestRepository,
  type SetupLink,
} from '../../connection/index.js';
import { AuditTrail } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { BrowserBinding } from '../browser-cookie.js';
import { type StartedFlow, StartService } from '../flow/start.service.js';

/** A started test. */
export interface StartedTest {
  readonly testId: string;
  readonly authorizationUrl: string;
}

/**
 * Starts sign-ins that test the settings of a connection. They leave no session, account or
 * membership of the person who signs in at the provider.
 */
@Injectable()
export class TestSignInService {
  constructor(
    private readonly database: Database,
    private readonly starts: StartService,
    private readonly connections: ConnectionDirectory,
    private readonly tests: ConnectionTestRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Starts a test.
   * @param browser set if the test has to end in the browser that started it
   * @throws {AppError} not-found; unavailable if the provider does not respond
   */
  async start(
    tenantId: TenantId,
    actorId: UserId,
    connectionId: string,
    browser?: BrowserBinding,
  ): Promise<StartedTest> {
    const connection = (await this.connections.findForShare(tenantId, connectionId)) ?? AppError.notFound();
    return this.begin(connection, actorId, actorId, browser);
  }

  /**
   * Starts a test for the holder of a set-up link.
   * @throws {AppError} as {@link start}; not-found if the link has no connection
   */
  startByLink({ id, tenantId, connectionId }: SetupLink, browser?: BrowserBinding): Promise<StartedTest> {
    return this.database.transaction(async () => {
      const connection = connectionId && (await this.connections.findForShare(tenantId, connectionId));
      if (!connection) throw new AppError('not-found');
      return this.begin(connection, id as UserId, null, browser);
    });
  }

  /**
   * Finds a test of the connection of a set-up link.
   * @throws {AppError} not-found also for the test of a member, whose attributes it has
   */
  async getByLink({ tenantId, connectionId }: SetupLink, testId: string): Promise<ConnectionTest> {
    const test = await this.get(tenantId, connectionId ?? '', testId);
    if (test.createdBy !== null) throw new AppError('not-found');
    return test;
  }

  /**
   * @param actorId the person, or the set-up link
   * @param createdBy null for a set-up link
   */
  private async begin(
    connection: Connection,
    actorId: UserId,
    createdBy: UserId | null,
    browser?: BrowserBinding,
  ): Promise<StartedTest> {
    const testId = await this.tests.begin(connection, createdBy);
    const { authorizationUrl }: StartedFlow = await this.starts.startTest(connection, testId, browser);
    await this.audit.record({
      actorId,
      tenantId: connection.tenantId,
      action: 'connection.test-started',
      subject: `iam/connections/${connection.id}`,
    });
    return { testId, authorizationUrl };
  }

  /** @throws {AppError} not-found for a test of another connection, and one that has expired */
  async get(tenantId: TenantId, connectionId: string, testId: string): Promise<ConnectionTest> {
    return (await this.tests.findOf(tenantId, connectionId, testId)) ?? AppError.notFound();
  }
}
