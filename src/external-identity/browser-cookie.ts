import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import { createOneTimeToken, hashOneTimeToken } from '../platform/crypto/index.js';
import { AppError } from '../platform/errors/index.js';
import type { Browser, BrowserBinding } from './flow/browser-binding.js';
import { FLOW_LIFETIME_SECONDS } from './flow/state.js';

const OTHER_SITE =
  'is required for a page of another site, whose browser does not keep the cookie of this sign-in';

interface BoundBrowser {
  /** The value of the cookie. */
  readonly cookie: string;
  /** What the state says of it. */
  readonly binding: BrowserBinding;
}

/**
 * The cookie by which a browser is known again at the end of an external sign-in that gives tokens
 * (ADR 15). It says nothing of anybody and is good for the flows of ten minutes: one for all of
 * them, so that two tabs do not take it from each other.
 */
@Injectable()
export class BrowserCookie {
  private readonly wanted: boolean;
  /**
   * Browsers take the prefix with Secure alone, and that over plain http from this machine only, if
   * at all.
   */
  private readonly secure: boolean;
  private readonly name: string;
  private readonly pattern: RegExp;

  constructor(@Inject(SETTINGS) { EXTERNAL_BROWSER_BINDING: binding, PUBLIC_URL: url }: Settings) {
    this.wanted = binding === 'cookie';
    this.secure = url.startsWith('https:');
    this.name = this.secure ? '__Host-gatehouse-browser' : 'gatehouse-browser';
    this.pattern = new RegExp(`(?:^|; *)${this.name}=([\\w-]{43})(?:;|$)`);
  }

  /**
   * What binds a flow to the browser of the request: its cookie, or a new one for {@link give}. A
   * flow with a code challenge needs none.
   * @throws {AppError} validation-error on `codeChallenge` for a page of another site: its browser
   * drops a Lax cookie, so the flow could not end
   */
  bind(request: Request, codeChallenge?: string): BoundBrowser | undefined {
    if (!this.wanted || codeChallenge !== undefined) return undefined;
    if (request.headers['sec-fetch-site'] === 'cross-site')
      throw AppError.violation('codeChallenge', OTHER_SITE);
    const cookie = this.valueIn(request) ?? createOneTimeToken().plainToken;
    const binding = { browser: hashOf(cookie), ...(isBrowser(request) && { begunByBrowser: true as const }) };
    return { cookie, binding };
  }

  /** Gives the browser its cookie, or renews the one that it has. */
  give(response: Response, { cookie }: BoundBrowser): void {
    response.cookie(this.name, cookie, {
      httpOnly: true,
      sameSite: 'lax', // Strict would not be there when a provider sends the browser back
      secure: this.secure,
      path: '/',
      maxAge: FLOW_LIFETIME_SECONDS * 1_000,
    });
  }

  /** What the request says of its browser. */
  read(request: Request): Browser {
    const value = this.valueIn(request);
    return {
      bound: this.wanted,
      hash: value === null ? null : hashOf(value),
      isBrowser: isBrowser(request),
    };
  }

  private valueIn({ headers: { cookie = '' } }: Request): string | null {
    return this.pattern.exec(cookie)?.[1] ?? null;
  }
}

/**
 * Browsers send Fetch Metadata, which no page can suppress, to https and to this machine; over
 * plain http, and where they are old, their name is left. Only a person's own program can leave out
 * both, and that has nobody to mislead.
 */
function isBrowser({ headers }: Request): boolean {
  return headers['sec-fetch-site'] !== undefined || headers['user-agent']?.startsWith('Mozilla/') === true;
}

function hashOf(value: string): string {
  return hashOneTimeToken(value).toString('base64url');
}
