import { createHash, createHmac } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/index.js';
import { createOneTimeToken, hashOneTimeToken, KeyDerivation } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  newId,
  type Client,
  type Principal,
  type SessionId,
  type UserId,
} from '../../platform/http/index.js';
import { SessionService, type GrantView, type TokenResponse } from '../../session/index.js';
import { LinkingService } from '../linking/linking.service.js';
import {
  SignInError,
  type CallbackParameters,
  type ExternalProvider,
  type Kind,
  type ProvenProfile,
  type ProviderFlow,
} from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { FlowMetrics, wordOf } from './flow-metrics.js';
import { FlowRepository } from './flow.repository.js';
import { ReturnUris } from './return-uris.js';
import { SIGN_IN_ERRORS } from './sign-in-error.js';
import { StateCodec, type FlowState } from './state.js';

export const FLOW_LIFETIME_SECONDS = 600;
const CODE_LIFETIME_SECONDS = 60;
/** The person did not want to: in the words of RFC 6749 section 4.1.2.1, and in Apple's. */
const CANCELLED = ['access_denied', 'user_cancelled_authorize'];

/** A started flow, for the client that sends the browser on its way. */
export interface StartedFlow {
  readonly id: string;
  readonly kind: Kind;
  readonly authorizationUrl: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly returnUri: string;
}

/** What the returning page gets in the fragment of its address. */
type Outcome = Readonly<Record<string, string>>;

type Ended =
  | { readonly grant: GrantView; readonly outcome?: never }
  | { readonly grant?: never; readonly outcome: Outcome };

/** Sign-in elsewhere, from the start to the page that the browser returns to (contract section 6). */
@Injectable()
export class FlowService {
  private readonly logger = new Logger('ExternalSignIn');

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly states: StateCodec,
    private readonly returnUris: ReturnUris,
    private readonly flows: FlowRepository,
    private readonly linking: LinkingService,
    private readonly sessions: SessionService,
    private readonly database: Database,
    private readonly keys: KeyDerivation,
    private readonly metrics: FlowMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Begins a flow. Whatever the callback needs is signed into the state or derived from the flow's id; only where the protocol has no room
   * for a state is it written down.
   * @param link who adds an identity to their account, in place of signing in
   * @throws {AppError} validation-error for an unknown kind or a return address off the list; not-found for a kind that is not configured
   */
  async start(
    kind: string,
    {
      returnUri,
      codeChallenge,
    }: { returnUri?: string | null | undefined; codeChallenge?: string | undefined },
    link?: Principal,
  ): Promise<StartedFlow> {
    const provider = this.providers.get(kind);
    const state: FlowState = {
      kind: provider.kind,
      flowId: newId(),
      returnUri: this.returnUris.require(returnUri),
      expiresAt: Math.floor(Date.now() / 1000) + FLOW_LIFETIME_SECONDS,
      ...(codeChallenge !== undefined && { codeChallenge }),
      ...(link && { link: { userId: link.userId, sessionId: link.sessionId } }),
    };
    const token = this.states.encode(state);
    const travelling = provider.stateKeyParameter === undefined ? token : await this.keep(token, link);
    const flow = this.flowOf(state, travelling);
    const authorizationUrl = await provider.start(flow).catch((error: unknown) => {
      throw new AppError('unavailable', {
        detail: SIGN_IN_ERRORS.provider_unavailable,
        retryAfterSeconds: 5,
        cause: error,
      });
    });
    this.metrics.started(provider.kind);
    return {
      id: state.flowId,
      kind: provider.kind,
      authorizationUrl: authorizationUrl.href,
      state: token,
      redirectUri: flow.redirectUri,
      returnUri: state.returnUri,
    };
  }

  /**
   * The end of a flow: the address to send the browser to, with tokens, a code or an error in its fragment.
   * @throws {AppError} validation-error on `state` when it is not ours, too old, another kind's or used: then there is nowhere safe to go
   */
  async finish(
    kind: string,
    parameters: CallbackParameters,
    byForm: boolean,
    client: Client,
  ): Promise<string> {
    const provider = this.providers.get(kind);
    return this.conclude(provider, parameters, byForm, client).catch((error: unknown) => {
      if (error instanceof AppError) this.metrics.ended(provider.kind, 'unusable_state');
      throw error;
    });
  }

  private async conclude(
    provider: ExternalProvider,
    parameters: CallbackParameters,
    byForm: boolean,
    client: Client,
  ): Promise<string> {
    if (provider.answersByFormOnly === true && !byForm) throw unusableState();
    const travelled = parameters[provider.stateKeyParameter ?? 'state'] ?? '';
    const token = await this.tokenOf(provider, travelled);
    const state = this.states.decode(token);
    if (state?.kind !== provider.kind) throw unusableState();
    const outcome = await this.outcomeOf(state, travelled, parameters, client);
    const fragment = new URLSearchParams({ ...outcome, state: token });
    this.metrics.ended(provider.kind, wordOf(outcome));
    return `${state.returnUri}#${fragment.toString()}`;
  }

  private async outcomeOf(
    state: FlowState,
    travelled: string,
    parameters: CallbackParameters,
    client: Client,
  ): Promise<Outcome> {
    try {
      const provider = this.providers.get(state.kind);
      if (parameters['error'] !== undefined)
        throw new SignInError(CANCELLED.includes(parameters['error']) ? 'access_denied' : 'invalid_response');
      const profile = await provider.complete(this.flowOf(state, travelled), parameters);
      return await this.succeed(state, profile, client).catch((error: unknown) => {
        // Another browser of the same newcomer was first: what was made is undone, and now there is somebody to sign in as.
        if (isLostRace(error)) return this.succeed(state, profile, client);
        throw error;
      });
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      this.logger.warn(
        { kind: state.kind, reason: error.reason, cause: describe(error.cause) },
        'sign-in elsewhere failed',
      );
      return { error: error.reason, error_description: SIGN_IN_ERRORS[error.reason] };
    }
  }

  /** Stores a state under a key that is short enough to travel (SAML Bindings 3.4.3: 80 bytes). */
  private async keep(token: string, link: Principal | undefined): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    await this.flows.insertState(tokenHash, token, link?.userId ?? null, FLOW_LIFETIME_SECONDS);
    return plainToken;
  }

  private async tokenOf(provider: ExternalProvider, travelled: string): Promise<string> {
    if (provider.stateKeyParameter === undefined) return travelled;
    return (await this.flows.findState(hashOneTimeToken(travelled))) ?? '';
  }

  /** All or nothing: the flow is used, the identity linked and the session begun in one transaction. */
  private async succeed(state: FlowState, profile: ProvenProfile, client: Client): Promise<Outcome> {
    const { kind, flowId, link, codeChallenge } = state;
    const done = await this.database.transaction(async (): Promise<Ended> => {
      if (!(await this.flows.complete(flowId, FLOW_LIFETIME_SECONDS))) throw unusableState();
      if (
        profile.once &&
        !(await this.flows.consumeProof(proofHashOf(kind, profile.once.key), profile.once.until))
      )
        throw new SignInError('invalid_response', new Error('The proof has been used.'));
      if (link) {
        if (!(await this.sessions.isAlive(link.sessionId as SessionId)))
          throw new SignInError('link_refused');
        await this.linking.add(link.userId as UserId, kind, profile);
        return { outcome: { linked: kind } };
      }
      const userId = await this.linking.resolve(kind, profile);
      if (codeChallenge === undefined) return { grant: await this.sessions.begin(userId, [kind], client) };
      const { plainToken, tokenHash } = createOneTimeToken();
      await this.flows.insertCode(tokenHash, { userId, kind, codeChallenge }, CODE_LIFETIME_SECONDS);
      return { outcome: { code: plainToken } };
    });
    return done.grant ? fragmentOf(await this.sessions.tokensOf(done.grant)) : done.outcome;
  }

  private flowOf(state: FlowState, travelling: string): ProviderFlow {
    const [{ key }] = this.keys.subkeys('external-flow');
    const derive = (what: string) =>
      createHmac('sha256', key).update(`v1|${what}|${state.flowId}`).digest('base64url');
    return {
      id: state.flowId,
      redirectUri: `${this.settings.PUBLIC_URL}/api/iam/auth/external/${state.kind}/callback`,
      state: travelling,
      codeVerifier: derive('pkce'),
      nonce: derive('nonce'),
    };
  }
}

function proofHashOf(kind: Kind, key: string): Buffer {
  return createHash('sha256').update(`${kind}|${key}`).digest();
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

const unusableState = (): AppError =>
  AppError.violation('state', 'This sign-in has been used, has expired, or was not begun here. Start again.');

function isLostRace(error: unknown): boolean {
  return error instanceof SignInError && ['identity_taken', 'account_exists'].includes(error.reason);
}

/** What went wrong, for the operator: no claims and no addresses, which the errors of libraries carry along. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return 'none';
  const { name, message, code, check } = cause as Error & { code?: unknown; check?: unknown };
  const which = check ?? code;
  const said = message.replace(/\S+@\S+/g, '(address)').slice(0, 200);
  return `${name}${typeof which === 'string' ? ` ${which}` : ''}: ${said}`;
}
