import { Injectable } from '@nestjs/common';
import {
  type Connection,
  ConnectionDirectory,
  type ConnectionTest,
  ConnectionTestRepository,
  provisionBy,
  type SetupLink,
  type TestResult,
} from '../../connection/index.js';
import { AuditTrail, RoleService } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { BrowserBinding } from '../flow/browser-binding.js';
import { FlowRepository } from '../flow/flow.repository.js';
import { type StartedFlow, StartService } from '../flow/start.service.js';
import { FLOW_LIFETIME_SECONDS, type FlowState, UnusableState } from '../flow/state/state.js';
import { type ProvenProfile, SignInError } from '../providers/provider.js';
import { stepsOfError, stepsOfProfile } from './test-steps.js';

/** A started test. */
export interface StartedTest {
  readonly testId: string;
  readonly authorizationUrl: string;
}

interface Starter {
  /** Null for the holder of a set-up link. */
  readonly createdBy: UserId | null;
  /** The person, or the set-up link. */
  readonly actorId: UserId;
  readonly browser: BrowserBinding | undefined;
}

/** Verdict on the callback of a test: what was proven, or why nothing was. */
type Checked = { readonly profile: ProvenProfile } | { readonly error: unknown };

/**
 * Runs sign-ins that test the settings of a connection. They leave no session, account or
 * membership of the person who signs in at the provider.
 */
@Injectable()
export class TestSignInService {
  constructor(
    private readonly database: Database,
    private readonly starts: StartService,
    private readonly connections: ConnectionDirectory,
    private readonly tests: ConnectionTestRepository,
    private readonly flows: FlowRepository,
    private readonly roles: RoleService,
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
    const connection = await this.connections.findForShare(tenantId, connectionId);
    if (!connection) throw new AppError('not-found');
    return this.begin(connection, { createdBy: actorId, actorId, browser });
  }

  /**
   * Starts a test for the holder of a set-up link.
   * @throws {AppError} as {@link start}; not-found if the link has no connection
   */
  startByLink({ id, tenantId, connectionId }: SetupLink, browser?: BrowserBinding): Promise<StartedTest> {
    return this.database.transaction(async () => {
      const connection = connectionId && (await this.connections.findForShare(tenantId, connectionId));
      if (!connection) throw new AppError('not-found');
      return this.begin(connection, { createdBy: null, actorId: id as UserId, browser });
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

  private async begin(
    connection: Connection,
    { createdBy, actorId, browser }: Starter,
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
    const test = await this.tests.findOf(tenantId, connectionId, testId);
    if (!test) throw new AppError('not-found');
    return test;
  }

  /**
   * Records the result of a test.
   * @returns the fragment for the page that started it
   * @throws {UnusableState} if the flow has ended before
   */
  finish(testId: string, { kind, flowId }: FlowState, checked: Checked): Promise<{ readonly test: string }> {
    return this.database.transaction(async () => {
      if (!(await this.flows.complete(flowId, FLOW_LIFETIME_SECONDS))) throw new UnusableState();
      const test = await this.tests.find(testId);
      const connection = test && (await this.connections.find(test.connectionId));
      if (!test || !connection) throw new UnusableState();
      const result = await this.judge(connection, await this.unlessReplayed(kind, checked));
      const passed = result.steps.every(({ verdict }) => verdict !== 'failed');
      if (!(await this.tests.finish(test, passed, result))) throw new UnusableState();
      return { test: testId };
    });
  }

  private async unlessReplayed(kind: string, checked: Checked): Promise<Checked> {
    if ('error' in checked || (await this.flows.consumeOnce(kind, checked.profile))) return checked;
    return { error: new SignInError('invalid_response') };
  }

  private async judge(connection: Connection, checked: Checked): Promise<TestResult> {
    if ('error' in checked)
      return { steps: stepsOfError(connection.kind, checked.error), attributes: {}, roles: [] };
    const { profile } = checked;
    const { attributes = {} } = profile;
    const { outcome, roleIds } = provisionBy(connection.provisioning, connection.rules, profile);
    const isAdded = connection.provisioning.justInTime && outcome === 'admitted';
    const roles = isAdded ? await this.roles.findKeys(connection.tenantId, roleIds) : [];
    return { steps: stepsOfProfile(connection, profile, { outcome, roles }), attributes, roles };
  }
}
