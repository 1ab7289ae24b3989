import { Injectable } from '@nestjs/common';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { type Locale, textIn } from '../../../platform/messages/index.js';
import { formPage, type PostedForm } from '../../../platform/web/index.js';
import { FLOW_LIFETIME_SECONDS, UnusableState } from '../../flow/state/state-store.js';
import '../../linking/identity.messages.js';
import type { SamlRequest } from './saml-library.js';

/** Content of the parameter, sealed. */
interface SealedRequest extends SamlRequest {
  /** Address of the page, which belongs to one connection. */
  readonly page: string;
  /** In milliseconds. */
  readonly expiresAt: number;
}

/** Addresses and markup of the pages that post requests to providers (SAML Bindings 3.5). */
@Injectable()
export class SamlRequestPages {
  private readonly sealer: Sealer;

  constructor(keys: KeyDerivation) {
    this.sealer = new Sealer(keys, 'saml-request');
  }

  /** Returns the address of a page with the request that it posts. */
  addressOf(page: string, request: SamlRequest): URL {
    const expiresAt = Date.now() + FLOW_LIFETIME_SECONDS * 1_000;
    const sealed = this.sealer.seal(JSON.stringify({ ...request, page, expiresAt } satisfies SealedRequest));
    const address = new URL(page);
    address.searchParams.set('request', Buffer.from(sealed, 'base64').toString('base64url'));
    return address;
  }

  /** @throws {UnusableState} if the request is forged, expired, or of another page */
  read(page: string, sealed: string): SamlRequest {
    const request = this.open(sealed);
    if (request?.page !== page || request.expiresAt <= Date.now()) throw new UnusableState();
    return request;
  }

  private open(sealed: string): SealedRequest | null {
    try {
      return JSON.parse(this.sealer.open(sealed)) as SealedRequest;
    } catch {
      return null;
    }
  }
}

/**
 * Returns a page that posts a request to a provider.
 * @param home address of the portal's first page; null without the portal
 */
export function requestPage(form: PostedForm, locale: Locale, home: string | null): string {
  const text = textIn(locale);
  const [title, lead] = [text('identity.page.to-provider.title'), text('identity.page.to-provider.lead')];
  return formPage(form, { locale, title, lead, home }, text('identity.page.to-provider.continue'));
}
