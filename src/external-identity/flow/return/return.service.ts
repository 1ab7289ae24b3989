import { Injectable, Logger } from '@nestjs/common';
import { describeCause, toAppError } from '../../../platform/errors/index.js';
import type { Client } from '../../../platform/web/index.js';
import { type ErrorReason, SIGN_IN_ERRORS, SignInError } from '../../providers/provider.js';
import type { Verdict } from '../callback-verification.js';
import { FlowConnections, healthErrorOf } from '../flow-connections.js';
import { FlowMetrics, wordOf } from '../flow-metrics.js';
import { TestEndService } from '../../tests/test-end.service.js';
import type { Outcome } from '../external-entry.js';
import { SignInService } from '../sign-in.service.js';
import { UnusableState, type FlowState } from '../state/state-store.js';

/** Ends flows: returns the browser to the page that started the flow, with the outcome. */
@Injectable()
export class ReturnService {
  private readonly logger = new Logger('ExternalSignIn');

  constructor(
    private readonly signIns: SignInService,
    private readonly metrics: FlowMetrics,
    private readonly connections: FlowConnections,
    private readonly tests: TestEndService,
  ) {}

  /**
   * Ends a flow by the verdict on its callback.
   * @param requestId id of the request in the log
   * @returns the address to send the browser to, with tokens, a code or an error in its fragment
   * @throws {UnusableState} if the flow has ended before
   */
  async addressAfter(verdict: Verdict, client: Client, requestId: string): Promise<string> {
    if ('location' in verdict) return verdict.location;
    const { state, token } = verdict.received;
    const outcome = await this.metrics.counted(state.kind, () => this.outcomeOf(verdict, client, requestId));
    this.metrics.ended(state.kind, wordOf(outcome));
    const fragment = new URLSearchParams({ ...outcome, state: token });
    return `${state.returnUri}#${fragment.toString()}`;
  }

  private async outcomeOf(
    verdict: Exclude<Verdict, { readonly location: string }>,
    client: Client,
    requestId: string,
  ): Promise<Outcome> {
    const { state } = verdict.received;
    if (state.testId !== undefined) return this.tests.finish(state.testId, state, verdict);
    try {
      if ('error' in verdict) throw verdict.error;
      const outcome = await this.signIns.finish(state, verdict.profile, client);
      const { connectionId: id } = state;
      if (id !== undefined && outcome['error'] === undefined)
        await this.recordHealth(id, () => this.connections.recordSignIn(id, verdict.profile));
      if (id !== undefined && outcome['error'] === 'account_exists')
        await this.recordHealth(id, () => this.connections.recordError(id, 'account_exists'));
      return outcome;
    } catch (error) {
      if (error instanceof UnusableState) throw error;
      const reason = error instanceof SignInError ? error.reason : ownReasonOf(error, state);
      const { kind, connectionId } = state;
      this.report({ requestId, kind, ...(connectionId !== undefined && { connectionId }), reason }, error);
      if (connectionId === undefined) this.metrics.refused(reason);
      else
        await this.recordHealth(connectionId, () =>
          this.connections.recordError(connectionId, healthErrorOf(error) ?? reason),
        );
      if (connectionId !== undefined && reason === 'groups_incomplete')
        await this.recordHealth(connectionId, () => this.connections.recordIncompleteGroups(connectionId));
      return { error: reason, error_description: SIGN_IN_ERRORS[reason] };
    }
  }

  /** A failure to record must not replace the outcome, which the person waits for. */
  private async recordHealth(connectionId: string, record: () => Promise<void>): Promise<void> {
    await record().catch((error: unknown) => {
      this.logger.error({ connectionId, cause: describeCause(error) }, 'health of a connection not recorded');
    });
  }

  private report(what: object, error: unknown): void {
    const message = 'external sign-in failed';
    if (error instanceof SignInError) this.logger.warn({ ...what, cause: describe(error.cause) }, message);
    else this.logger.error({ ...what, cause: describeCause(error) }, message);
  }
}

/** @returns the reason for an error of this service and not of the provider */
function ownReasonOf(error: unknown, { link }: FlowState): ErrorReason {
  const { code } = toAppError(error);
  if (code === 'unauthenticated' && link) return 'link_refused'; // the account was erased
  return ['unauthenticated', 'unavailable'].includes(code) ? 'temporarily_unavailable' : 'server_error';
}

/** Describes an error for the log, without the claims and addresses in errors of libraries. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return 'none';
  const { name, message, code, check } = cause as Error & { code?: unknown; check?: unknown };
  const which = check ?? code;
  const said = message.replace(/\S+@\S+/g, '(address)').slice(0, 200);
  return `${name}${typeof which === 'string' ? ` ${which}` : ''}: ${said}`;
}
