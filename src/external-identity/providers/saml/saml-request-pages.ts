import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { html } from '../../../platform/api/index.js';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { type Locale, textIn } from '../../../platform/messages/index.js';
import { framedPage, PAGE_STYLE, pagePolicy } from '../../../platform/web/index.js';
import { FLOW_LIFETIME_SECONDS, UnusableState } from '../../flow/state/state.js';
import '../../linking/identity.messages.js';
import type { SamlRequest } from './saml-library.js';

/** A form that brings a request to a provider. */
export interface RequestForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Content of the parameter, sealed. */
interface SealedRequest extends SamlRequest {
  /** Address of the page, which belongs to one connection. */
  readonly page: string;
  /** In milliseconds. */
  readonly expiresAt: number;
}

const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;

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
 * Returns a page that posts a form: by its script, or by a button without scripts.
 * @param home address of the portal's first page; null without the portal
 */
export function requestPage({ action, fields }: RequestForm, locale: Locale, home: string | null): string {
  const text = textIn(locale);
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const form = html`<form method="post" action="${action}">
    ${inputs}<button class="button">${text('identity.page.to-provider.continue')}</button>
  </form>`;
  const frame = {
    locale,
    title: text('identity.page.to-provider.title'),
    lead: text('identity.page.to-provider.lead'),
    home,
  };
  // The policy has the hash of the script as it is: escaped, it would be another.
  return framedPage(frame, `${form.source}<script>${SCRIPT}</script>`);
}

/**
 * Returns the content security policy of the page. `https:`, because browsers apply `form-action`
 * to the redirects of the provider too, which often lead to another host.
 */
export const requestPagePolicy = (action: string, home: string | null): string =>
  pagePolicy({
    scripts: [SCRIPT_SOURCE, ...(home === null ? [] : ["'self'"])],
    styles: [PAGE_STYLE],
    forms: [new URL(action).origin, 'https:'],
  });
