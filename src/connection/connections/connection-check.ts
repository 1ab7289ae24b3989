import { Injectable } from '@nestjs/common';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { checkCertificate, type CheckedCertificate } from '../certificates/certificate-check.js';
import type { ConnectionKind, OidcSettings, SamlSettings } from './connection.js';
import type { ConnectionSettingsDto } from './dto/connection.dto.js';

/** Checked settings by OpenID Connect. */
export interface GivenOidc {
  readonly kind: 'oidc';
  readonly settings: Pick<OidcSettings, 'issuer' | 'clientId' | 'scopes' | 'claims' | 'acrValues'>;
  /** Undefined if it does not change. */
  readonly clientSecret: string | undefined;
}

/** Checked settings by SAML. */
export interface GivenSaml {
  readonly kind: 'saml';
  readonly settings: Pick<SamlSettings, 'entityId' | 'ssoUrl' | 'nameIdFormat' | 'attributes'>;
  /** Undefined if they do not change. */
  readonly certificates: readonly CheckedCertificate[] | undefined;
}

export type GivenSettings = GivenOidc | GivenSaml;

/** Issuers of Microsoft Entra ID that sign for every customer of it, and templates. */
const OF_MANY_CUSTOMERS = /\/(?:common|organizations|consumers)(?:\/|$)|[{}]/i;

/** Checks the settings of connections. */
@Injectable()
export class ConnectionCheck {
  constructor(private readonly http: CustomerHttp) {}

  /**
   * Checks settings, which complete those that a connection has.
   * @param current settings of the connection; undefined for a new one
   * @throws {AppError} validation-error on `settings.<field>`
   */
  check(
    kind: ConnectionKind,
    given: ConnectionSettingsDto,
    current: Partial<OidcSettings & SamlSettings> | undefined,
  ): GivenSettings {
    const isNew = current === undefined;
    const { certificates: _, ...fields } = { ...current, ...withoutUndefined(given) };
    const merged: Merged = fields;
    const violations: Violation[] = [];
    const refuse = (field: string, message: string | null) => {
      if (message !== null) violations.push({ propertyPath: `settings.${field}`, message });
    };
    const need = (field: keyof typeof merged): string => {
      const value = merged[field];
      if (typeof value === 'string' && value !== '') return value;
      refuse(field, 'is required');
      return '';
    };
    const checked =
      kind === 'oidc'
        ? this.checkOidc(merged, isNew, need, refuse)
        : this.checkSaml(given, merged, isNew, need, refuse);
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return checked;
  }

  private checkOidc(
    { scopes = [], claims = {}, acrValues = [], clientSecret }: Merged,
    isNew: boolean,
    need: (field: keyof Merged) => string,
    refuse: (field: string, message: string | null) => void,
  ): GivenOidc {
    const issuer = need('issuer');
    if (issuer !== '') refuse('issuer', this.findIssuerFault(issuer));
    if (isNew) need('clientSecret');
    return {
      kind: 'oidc',
      settings: { issuer, clientId: need('clientId'), scopes, claims, acrValues },
      clientSecret,
    };
  }

  private checkSaml(
    { certificates }: ConnectionSettingsDto,
    { nameIdFormat = null, attributes = {} }: Merged,
    isNew: boolean,
    need: (field: keyof Merged) => string,
    refuse: (field: string, message: string | null) => void,
  ): GivenSaml {
    const ssoUrl = need('ssoUrl');
    if (ssoUrl !== '') refuse('ssoUrl', this.http.findFault(ssoUrl));
    if (isNew && certificates === undefined) refuse('certificates', 'is required');
    const read = certificates?.map((pem, n) => {
      const checked = checkCertificate(pem);
      if ('fault' in checked) refuse(`certificates[${n}]`, checked.fault);
      return checked;
    });
    return {
      kind: 'saml',
      settings: { entityId: need('entityId'), ssoUrl, nameIdFormat, attributes },
      certificates: read?.filter((one) => 'sha256' in one),
    };
  }

  private findIssuerFault(issuer: string): string | null {
    if (OF_MANY_CUSTOMERS.test(issuer)) return 'must be the issuer of one customer, without a template';
    const fault = this.http.findFault(issuer);
    return fault ?? (issuer.includes('?') ? 'must have no query' : null);
  }
}

/** Settings of both kinds, given or current. */
type Merged = { readonly clientSecret?: string } & Partial<
  Omit<OidcSettings, 'clientAuthentication'> & Omit<SamlSettings, 'certificates'>
>;

function withoutUndefined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}
