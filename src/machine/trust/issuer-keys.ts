import { Injectable } from '@nestjs/common';
import type { JSONWebKeySet } from 'jose';
import { RecentlyUsed } from '../../platform/memory/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { ClientKeys } from '../clients/client-keys.js';

const TTL_MS = 3_600_000;
const MAX_ISSUERS = 1_000;

interface KnownIssuer {
  readonly jwksUri: Promise<string>;
  readonly readAt: number;
}

/** Finds the keys of issuers that customers trust, by their metadata (OpenID Discovery 1.0). */
@Injectable()
export class IssuerKeys {
  private readonly issuers = new RecentlyUsed<KnownIssuer>(TTL_MS, MAX_ISSUERS);

  constructor(
    private readonly http: CustomerHttp,
    private readonly keys: ClientKeys,
  ) {}

  /**
   * @param again read the key set again, because a key was not found
   * @throws {Error} if metadata or keys cannot be read, or name another issuer
   */
  async find(issuer: string, again = false): Promise<JSONWebKeySet> {
    const known = this.issuers.get(issuer);
    if (known && Date.now() - known.readAt < TTL_MS) {
      const uri = await known.jwksUri.catch(() => null);
      if (uri !== null) return this.keys.find(uri, again);
    }
    const jwksUri = this.http.shared(() => this.http.together(() => this.discover(issuer)));
    this.issuers.set(issuer, { jwksUri, readAt: Date.now() });
    return this.keys.find(await jwksUri, again);
  }

  private async discover(issuer: string): Promise<string> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await this.http.fetch(url, { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`The metadata answered ${response.status}.`);
    const { issuer: named, jwks_uri: jwksUri } = (await response.json()) as Record<string, unknown>;
    if (named !== issuer || typeof jwksUri !== 'string')
      throw new Error('The metadata is of another issuer.');
    return jwksUri;
  }
}
