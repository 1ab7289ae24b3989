import { Injectable } from '@nestjs/common';
import { createOneTimeToken } from '../../platform/crypto/index.js';
import type { Client } from '../../platform/web/index.js';
import {
  AccountCodeRepository,
  FirstFactorService,
  type GrantView,
  type RequiredFactor,
} from '../../session/index.js';
import { type ProvenProfile, SIGN_IN_ERRORS } from '../providers/provider.js';
import { ExternalAccounts } from './external-accounts.js';
import type { FlowState } from './state/state-store.js';

const CODE_LIFETIME_SECONDS = 60;

/** Parameters in the fragment of the address that the browser returns to. */
export type Outcome = Readonly<Record<string, string>>;

/** A session that has started, or what the page is told instead. */
export type Entry =
  | { readonly grant: GrantView; readonly outcome?: never }
  | { readonly grant?: never; readonly outcome: Outcome };

/** Lets people in whom a provider has proven. */
@Injectable()
export class ExternalEntry {
  constructor(
    private readonly people: ExternalAccounts,
    private readonly firstFactors: FirstFactorService,
    private readonly codes: AccountCodeRepository,
  ) {}

  /**
   * Starts the session of a person, or issues a code for the page that has sent a challenge. Joins
   * the open transaction.
   * @throws as {@link ExternalAccounts.resolve}
   */
  async enter(
    { kind, connectionId, codeChallenge }: FlowState,
    profile: ProvenProfile,
    client: Client,
  ): Promise<Entry> {
    const { userId, proof } = await this.people.resolve({ kind, connectionId, profile });
    if (codeChallenge === undefined) {
      const first = { ...proof, method: kind };
      const { grant, required } = await this.firstFactors.proceedOf(userId, first, client);
      return grant ? { grant } : { outcome: needOf(required) };
    }
    const { plainToken, tokenHash } = createOneTimeToken();
    const code = { userId, sessionId: null, codeChallenge, content: proof };
    await this.codes.insert('external', tokenHash, code, CODE_LIFETIME_SECONDS);
    return { outcome: { code: plainToken } };
  }
}

/** Tells the page that started the flow to ask for the second factor. */
function needOf({ challenge, methods }: RequiredFactor): Outcome {
  return {
    error: 'second_factor_required',
    error_description: SIGN_IN_ERRORS.second_factor_required,
    challenge,
    methods: methods.join(' '),
  };
}
