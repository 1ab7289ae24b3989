import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import { createOneTimeToken, hashOneTimeToken } from '../platform/crypto/index.js';
import { AppError } from '../platform/errors/index.js';
import { cookieOf } from '../platform/web/index.js';
import { FLOW_LIFETIME_SECONDS, type FlowState } from './flow/state/state-store.js';

const OTHER_SITE =
  'is required for a page of another site: the browser does not keep the cookie of this sign-in';

/** A one-time token. */
const VALUE = /^[\w-]{43}$/;

interface BoundBrowser {
  readonly cookie: string;
  /** Goes into the state of the flow. */
  readonly binding: BrowserBinding;
}

/**
 * Sets and reads the cookie that binds an external sign-in that ends in tokens to the browser that
 * started it (ADR 15). Its value is random. All flows of a browser share one cookie, so that two
 * tabs do not overwrite each other's; it expires after ten minutes.
 */
@Injectable()
export class BrowserCookie {
  private readonly wanted: boolean;
  /** False over plain http (local development): browsers may refuse Secure and `__Host-` there. */
  private readonly secure: boolean;
  private readonly name: string;

  constructor(@Inject(SETTINGS) { EXTERNAL_BROWSER_BINDING: binding, PUBLIC_URL: url }: Settings) {
    this.wanted = binding === 'cookie';
    this.secure = url.startsWith('https:');
    this.name = this.secure ? '__Host-gatehouse-browser' : 'gatehouse-browser';
  }

  /**
   * Binds a flow to the browser of the request, by its cookie or a new one for {@link give}.
   * @returns undefined for a flow with a code challenge, which needs no cookie
   * @throws {AppError} validation-error on `codeChallenge` for a page of another site: the browser
   * drops a Lax cookie in a cross-site response, so the flow could not end
   */
  bind(request: Request, codeChallenge?: string): BoundBrowser | undefined {
    if (!this.wanted || codeChallenge !== undefined) return undefined;
    if (request.headers['sec-fetch-site'] === 'cross-site')
      throw AppError.violation('codeChallenge', OTHER_SITE);
    return this.bindAlways(request);
  }

  /**
   * Binds a flow without a code challenge, such as the test of a connection. A page of another site
   * gets a cookie too, which its browser drops: the flow then ends with an error.
   */
  bindAlways(request: Request): BoundBrowser | undefined {
    if (!this.wanted) return undefined;
    const cookie = this.valueIn(request) ?? createOneTimeToken().plainToken;
    const binding = { browser: hashOf(cookie), ...(isBrowser(request) && { begunByBrowser: true as const }) };
    return { cookie, binding };
  }

  /** Sets the cookie, or extends the one that the browser has. */
  give(response: Response, { cookie }: BoundBrowser): void {
    response.cookie(this.name, cookie, {
      httpOnly: true,
      sameSite: 'lax', // browsers omit Strict cookies when a provider redirects them
      secure: this.secure,
      path: '/',
      maxAge: FLOW_LIFETIME_SECONDS * 1_000,
    });
  }

  /** Identifies the browser of a request. */
  read(request: Request): Browser {
    const value = this.valueIn(request);
    return {
      bound: this.wanted,
      hash: value === null ? null : hashOf(value),
      isBrowser: isBrowser(request),
    };
  }

  private valueIn(request: Request): string | null {
    const value = cookieOf(request, this.name);
    return value !== undefined && VALUE.test(value) ? value : null;
  }
}

/**
 * Tells whether a browser sent the request. Browsers send Fetch Metadata over https and to
 * localhost, and no page can suppress it; old browsers, and all over plain http, send their
 * User-Agent alone. Only a program can leave out both, and login CSRF needs a browser.
 */
function isBrowser({ headers }: Request): boolean {
  return headers['sec-fetch-site'] !== undefined || headers['user-agent']?.startsWith('Mozilla/') === true;
}

function hashOf(value: string): string {
  return hashOneTimeToken(value).toString('base64url');
}

/** The browser that started a flow, as recorded in the flow's state. */
export type BrowserBinding = Pick<FlowState, 'browser' | 'begunByBrowser'>;

/** The browser that a request comes from. */
export interface Browser {
  /** Whether this deployment binds flows to the browser that started them. */
  readonly bound: boolean;
  /** Hash of its cookie. */
  readonly hash: string | null;
  /** False for a request that identifies itself as a program: login CSRF needs a person. */
  readonly isBrowser: boolean;
}

/**
 * Tells whether a callback may end its flow in this browser (ADR 15). A flow with a code challenge
 * is bound by its verifier, and a flow that links by the caller who redeems its link code. Others
 * are bound by the cookie if a browser started them or ends them: those that end in tokens, and
 * tests of connections, whose result would tell its starter the attributes of another person.
 */
export function mayEndInBrowser(state: FlowState, { bound, hash, isBrowser }: Browser): boolean {
  const boundOtherwise = [state.codeChallenge, state.link].some((one) => one !== undefined);
  const needsCookie = bound && !boundOtherwise && (isBrowser || state.begunByBrowser === true);
  return !needsCookie || (hash !== null && hash === state.browser);
}
