import { Inject } from '@nestjs/common';
import { LegacyDirectory, type LegacyPerson, type LegacyVerifier } from 'gatehouse/iam';
import { OutboundHttp } from 'gatehouse/outbound';

/** Where the old shop verifies passwords, and the key of this service there. */
export interface OldShopSettings {
  readonly url: string;
  readonly key: string;
}

export const OLD_SHOP = Symbol('oldShop');

/** A customer, as the old shop describes them. */
interface Customer {
  readonly id: number;
  readonly mail: string;
  readonly mailConfirmed: boolean;
  readonly name: string | null;
}

/** Asks the old shop about people who have not moved in yet. */
@LegacyDirectory()
export class OldShopDirectory implements LegacyVerifier {
  constructor(
    private readonly http: OutboundHttp,
    @Inject(OLD_SHOP) private readonly settings: OldShopSettings,
  ) {
    http.trust(settings.url);
  }

  async verify(email: string, password: string): Promise<LegacyPerson | null> {
    const { url, key } = this.settings;
    const response = await this.http.fetch(`${url}/verify-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ mail: email, password }),
    });
    if (response.status === 401) return null;
    if (response.status !== 200) throw new Error(`The old shop answered ${response.status}.`);
    const { id, mail, mailConfirmed, name } = (await response.json()) as Customer;
    return { externalId: `shop:${id}`, email: mail, emailVerified: mailConfirmed, firstName: name };
  }
}
