import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { ProviderKeys } from '../keys/provider-keys.js';
import { addressesFor } from './provider-addresses.js';
import type { SamlClient } from './saml-client.js';
import { SamlClientResponse } from './saml-client.dto.js';

/** Presents clients with what they are to know of this service. */
@Injectable()
export class SamlClientResponses {
  constructor(
    private readonly keys: ProviderKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async of(app: SamlClient): Promise<SamlClientResponse> {
    const { clientId } = app.client;
    const addresses = addressesFor(this.settings.PUBLIC_URL, clientId);
    return SamlClientResponse.from(app, addresses, await this.keys.list(clientId));
  }
}
