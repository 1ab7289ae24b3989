import { Inject, Injectable } from '@nestjs/common';
import type { RequestInit, Response } from 'undici';
import { type Settings, SETTINGS } from '../config/index.js';
import { Tracing } from '../observability/index.js';
import { hostOf, isForbiddenLiteral, refused } from './checked-lookup.js';
import { OutboundHttp } from './outbound-http.js';

/**
 * Sends requests to addresses that customers have named: by https only, and to no private address,
 * except for the hosts of `CONNECTION_TRUSTED_HOSTS`. Hosts that {@link OutboundHttp} trusts are
 * not trusted here: they are in the operator's settings, and a customer can name them.
 */
@Injectable()
export class CustomerHttp extends OutboundHttp {
  constructor(tracing: Tracing, @Inject(SETTINGS) settings: Settings) {
    super(tracing);
    for (const host of settings.CONNECTION_TRUSTED_HOSTS) this.trusted.add(host);
  }

  /** @returns why a URL cannot be reached, whatever its name resolves to; null if not */
  findFault(text: string): string | null {
    if (!URL.canParse(text)) return 'must be a URL';
    const url = new URL(text);
    const isTrusted = this.trusted.has(hostOf(url));
    if (url.protocol !== 'https:' && !(isTrusted && url.protocol === 'http:')) return 'must be https';
    if (url.username !== '' || url.password !== '') return 'must have no user or password';
    if (url.hash !== '') return 'must have no fragment';
    return isTrusted || !isForbiddenLiteral(hostOf(url)) ? null : 'must be a public address';
  }

  override async fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const address = new URL(url);
    const host = hostOf(address);
    if (address.protocol !== 'https:' && !this.trusted.has(host)) throw refused(host);
    return super.fetch(address, init);
  }
}
