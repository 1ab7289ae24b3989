import { applyDecorators, type CustomDecorator, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AnyQuery, FormBody, Public } from '../../platform/api/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { DpopNonces, DpopProofs } from '../../session/index.js';
import { headerValuesOf, parametersOf } from '../../platform/web/index.js';
import { toAppError } from '../../platform/errors/index.js';
import { TOKEN_LIMIT } from '../openid.limits.js';
import { OAuthError } from './oauth-error.js';

/** Parameters of a request, each once. */
export type Parameters = Readonly<Record<string, string>>;

/**
 * Answers a request of a client in the form of OAuth (RFC 6749 sections 5.1 and 5.2).
 * @param answer takes the Authorization header; undefined without one
 */
export async function answerOAuth(
  request: Request,
  response: Response,
  answer: (authorization: string | undefined) => Promise<object | null>,
  status = 200,
): Promise<void> {
  try {
    const authorization = headerValuesOf(request, 'authorization');
    if (authorization.length > 1) throw new OAuthError('invalid_request', 'Send one Authorization header.');
    const body = await answer(authorization[0]);
    if (body === null) response.status(status).end();
    else send(response, status, body);
  } catch (error) {
    const refusal = error instanceof OAuthError ? error : malformed(error);
    if (refusal.status === 401) response.setHeader('WWW-Authenticate', challengeOf(refusal));
    send(response, refusal.status, { error: refusal.code, error_description: refusal.description });
  }
}

/**
 * Returns the challenge of a 401, with the reason, because openid-client shows it in place of the
 * body. RFC 7617 section 2: clients ignore parameters that they do not know.
 */
function challengeOf({ code, description }: OAuthError): string {
  const reason = description.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return `Basic realm="Gatehouse", error="${code}", error_description="${reason}"`;
}

/**
 * Returns the refusal of a text that the database cannot hold, such as one with a NUL.
 * @throws any other error
 */
function malformed(error: unknown): OAuthError {
  if (toAppError(error).code !== 'validation-error') throw error;
  return new OAuthError('invalid_request', 'A parameter has a character that is not allowed.');
}

/** Sends JSON directly: Express would read its settings and parse the type that it has just set. */
function send(response: Response, status: number, body: object): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

/** An assertion or a hint is the largest of the parameters. */
const MAX_FORM_BYTES = 16_384;

/** Takes a form of OAuth, of which {@link oauthParametersOf} returns the parameters. */
export function OAuthForm(): CustomDecorator {
  return FormBody(MAX_FORM_BYTES);
}

/** An endpoint of forms of OAuth, at which clients authenticate themselves. */
export const OAuthEndpoint = () =>
  applyDecorators(
    OAuthForm(),
    Public('the client authenticates itself'),
    AnyQuery('unknown parameters are ignored (RFC 6749 section 3.2)'),
    StrictLimit(TOKEN_LIMIT),
  );

/**
 * Returns the parameters of a request of OAuth. One without a value counts as omitted, and none
 * counts if any is repeated (RFC 6749 section 3.1).
 */
export function oauthParametersOf(request: Request): Parameters {
  const parameters = parametersOf(request);
  if (!Object.values(parameters).includes('')) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/** A key that a client has proved. */
export interface ProvenKey {
  /** Thumbprint. */
  readonly jkt: string;
  readonly alg: string;
}

/** Proofs of possession in requests of clients (RFC 9449 sections 5 and 10.1). */
@Injectable()
export class RequestProof {
  constructor(
    private readonly proofs: DpopProofs,
    private readonly nonces: DpopNonces,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Verifies the proof of a request, which must have a nonce. Sends the nonce for the next one.
   * @returns null without a proof
   * @throws {OAuthError} invalid_dpop_proof; use_dpop_nonce
   */
  async find(request: Request, response: Response): Promise<ProvenKey | null> {
    const headers = headerValuesOf(request, 'dpop');
    if (headers.length === 0) return null;
    response.setHeader('DPoP-Nonce', this.nonces.current());
    const url = this.settings.PUBLIC_URL + request.path;
    const verdict = await this.proofs.verify(headers, { method: request.method, url, needsNonce: true });
    if ('fault' in verdict) throw new OAuthError(verdict.fault, verdict.reason);
    return verdict;
  }
}
