import { Injectable } from '@nestjs/common';
import {
  type Connection,
  ConnectionDirectory,
  ConnectionTestRepository,
  provisionBy,
  type TestResult,
} from '../../connection/index.js';
import { RoleService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { FlowRepository } from '../flow/flow.repository.js';
import { FLOW_LIFETIME_SECONDS, type FlowState, UnusableState } from '../flow/state/state-store.js';
import { type ProvenProfile, SignInError } from '../providers/provider.js';
import { stepsOfError, stepsOfProfile } from './test-steps.js';

/** Verdict on the callback of a test: what was proven, or why nothing was. */
type CallbackResult = { readonly profile: ProvenProfile } | { readonly error: unknown };

/** Judges sign-ins that test the settings of a connection. */
@Injectable()
export class TestEndService {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly tests: ConnectionTestRepository,
    private readonly connections: ConnectionDirectory,
    private readonly roles: RoleService,
  ) {}

  /**
   * Records the result of a test.
   * @returns the fragment for the page that started it
   * @throws {UnusableState} if the flow has ended before
   */
  finish(
    testId: string,
    { kind, flowId }: FlowState,
    checked: CallbackResult,
  ): Promise<{ readonly test: string }> {
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

  private async unlessReplayed(kind: string, checked: CallbackResult): Promise<CallbackResult> {
    if ('error' in checked || (await this.flows.consumeOnce(kind, checked.profile))) return checked;
    return { error: new SignInError('invalid_response') };
  }

  private async judge(connection: Connection, checked: CallbackResult): Promise<TestResult> {
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
