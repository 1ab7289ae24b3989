import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import { TokenIssuer, type TokenResponse } from '../../session/index.js';
import { LinkCodeService } from '../linking/link-code.service.js';
import { AccountProofNeeded } from '../linking/linking.service.js';
import { type ProvenProfile, SIGN_IN_ERRORS, SignInError } from '../providers/provider.js';
import { type Entry, ExternalEntry, type Outcome } from './external-entry.js';
import { ConnectionChanged } from './flow-connections.js';
import { FlowRepository } from './flow.repository.js';
import { FLOW_LIFETIME_SECONDS, UnusableState, type FlowState } from './state/state-store.js';

/** One for a concurrent erasure of the account, one for its concurrent creation. */
const MAX_LOST_RACES = 2;

/** Completes flows: issues tokens, an authorization code, or a link code. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly linkCodes: LinkCodeService,
    private readonly entry: ExternalEntry,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * Completes a flow. Tries again after a race with another browser of the same person.
   * @throws {SignInError} if the proof has been used, or the identity belongs to another account
   * @throws {UnusableState} if the flow has been completed before
   * @throws {AppError} unauthenticated if the account that links was erased; unavailable
   */
  finish(state: FlowState, profile: ProvenProfile, client: Client): Promise<Outcome> {
    return untilRaceIsWon(() =>
      this.succeed(state, profile, client).catch((error: unknown) => {
        if (error instanceof AccountProofNeeded) return this.askForProof(state, profile, error);
        throw error;
      }),
    );
  }

  /**
   * Ends a flow whose person has to prove the account first: in the tab that started it, by a
   * sign-in to the account. A flow without a challenge is bound to no tab, and only refused.
   */
  private async askForProof(
    { kind, connectionId, flowId, codeChallenge }: FlowState,
    profile: ProvenProfile,
    { userId, reason }: AccountProofNeeded,
  ): Promise<Outcome> {
    const refusal = { error: reason, error_description: SIGN_IN_ERRORS[reason] };
    if (codeChallenge === undefined || connectionId === undefined) return refusal;
    return this.database.transaction(async () => {
      if (!(await this.flows.complete(flowId, FLOW_LIFETIME_SECONDS))) throw new UnusableState();
      if (!(await this.flows.consumeOnce(kind, profile))) throw new SignInError('invalid_response');
      const { once: _consumed, attributes: _read, upstream: _ended, ...proven } = profile;
      const identity = { kind, connectionId, profile: proven };
      const code = await this.linkCodes.issueForProof(userId, identity, codeChallenge);
      return { ...refusal, link_code: code };
    });
  }

  /**
   * Marks the flow as completed, resolves the identity and starts the session or issues the code,
   * in one transaction.
   */
  private async succeed(state: FlowState, profile: ProvenProfile, client: Client): Promise<Outcome> {
    const { kind, flowId, link } = state;
    const done = await this.database.transaction(async (): Promise<Entry> => {
      if (!(await this.flows.complete(flowId, FLOW_LIFETIME_SECONDS))) throw new UnusableState();
      if (!(await this.flows.consumeOnce(kind, profile)))
        throw new SignInError('invalid_response', new Error('The proof has been used.'));
      if (link) {
        const { once: _consumed, attributes: _read, upstream: _ended, ...proven } = profile;
        return { outcome: { link_code: await this.linkCodes.issue(link, { kind, profile: proven }) } };
      }
      return this.entry.enter(state, profile, client);
    });
    return done.grant ? fragmentOf(await this.tokens.issue(done.grant)) : done.outcome;
  }
}

/**
 * Runs a sign-in in its transaction, and again after a race with another sign-in of the person: the
 * next try finds the account that the other one created, or erased.
 */
export async function untilRaceIsWon<T>(run: () => Promise<T>): Promise<T> {
  for (let lost = 0; ; lost += 1)
    try {
      return await run();
    } catch (error) {
      if (!isLostRace(error) || lost === MAX_LOST_RACES) throw error;
    }
}

/** Tells whether the account was created or erased concurrently, or the connection changed. */
function isLostRace(error: unknown): boolean {
  if (error instanceof ConnectionChanged) return true;
  if (error instanceof SignInError) return ['identity_taken', 'account_exists'].includes(error.reason);
  return error instanceof AppError && error.code === 'unauthenticated';
}

function fragmentOf(tokens: TokenResponse): Outcome {
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: tokens.tokenType,
    expires_in: String(tokens.expiresIn),
    session_id: tokens.sessionId,
  };
}
