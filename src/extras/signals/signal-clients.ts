import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../platform/errors/index.js';
import { clientIpOf, headerValuesOf } from '../../platform/web/index.js';
import type { Client } from '../../client/index.js';
import { ClientAuthenticator, OAuthError } from '../../openid/index.js';

/** Authenticates receivers of security events: clients with a secret, by HTTP Basic. */
@Injectable()
export class SignalClients {
  constructor(private readonly clients: ClientAuthenticator) {}

  /** @throws {AppError} invalid-client */
  async require(request: Request): Promise<Client> {
    const [authorization, ...others] = headerValuesOf(request, 'authorization');
    if (authorization === undefined || others.length > 0) throw invalidClient();
    try {
      const client = await this.clients.require({}, authorization, clientIpOf(request));
      // A public client has proven nothing; a satellite is of another protocol.
      if (client.type === 'public' || client.satelliteCodes) throw invalidClient();
      return client;
    } catch (error) {
      throw error instanceof OAuthError ? invalidClient() : error;
    }
  }
}

const invalidClient = (): AppError =>
  new AppError('invalid-client', { headers: { 'WWW-Authenticate': 'Basic realm="Gatehouse"' } });
