import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../platform/config/index.js';
import { createOneTimeToken, hashOneTimeToken } from '../platform/crypto/index.js';
import type { Browser } from './flow/callback.service.js';
import { FLOW_LIFETIME_SECONDS } from './flow/state.js';

/**
 * The cookie by which a browser is known again at the end of a sign-in elsewhere, where the deployment wants it (security bar EXT-1). It says
 * nothing of anybody and is good for the flows of ten minutes: one for all of them, so that two tabs do not take it from each other.
 */
@Injectable()
export class BrowserCookie {
  private readonly wanted: boolean;
  /** Browsers take the prefix with Secure alone, and that in the clear from nowhere but this machine, if at all. */
  private readonly secure: boolean;
  private readonly name: string;
  private readonly pattern: RegExp;

  constructor(@Inject(SETTINGS) { EXTERNAL_BROWSER_BINDING: binding, PUBLIC_URL: url }: Settings) {
    this.wanted = binding === 'cookie';
    this.secure = url.startsWith('https:');
    this.name = this.secure ? '__Host-gatehouse-browser' : 'gatehouse-browser';
    this.pattern = new RegExp(`(?:^|; *)${this.name}=([\\w-]{43})(?:;|$)`);
  }

  /** Gives the browser one, or the one it has for longer. Answers its hash; undefined where browsers are not bound. */
  give(request: Request, response: Response): string | undefined {
    if (!this.wanted) return undefined;
    const value = this.valueIn(request) ?? createOneTimeToken().plainToken;
    response.cookie(this.name, value, {
      httpOnly: true,
      sameSite: 'lax', // Strict would not be there when a provider sends the browser back
      secure: this.secure,
      path: '/',
      maxAge: FLOW_LIFETIME_SECONDS * 1_000,
    });
    return hashOf(value);
  }

  /** By what the browser is known again. */
  read(request: Request): Browser {
    const value = this.valueIn(request);
    return { bound: this.wanted, hash: value === null ? null : hashOf(value) };
  }

  private valueIn({ headers: { cookie = '' } }: Request): string | null {
    return this.pattern.exec(cookie)?.[1] ?? null;
  }
}

function hashOf(value: string): string {
  return hashOneTimeToken(value).toString('base64url');
}
