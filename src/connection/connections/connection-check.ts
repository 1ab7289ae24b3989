import { Injectable } from '@nestjs/common';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { checkCertificate, type CheckedCertificate } from '../certificates/certificate-check.js';
import type { ConnectionKind, OidcSettings, SamlSettings } from './connection.js';
import { type Metadata, readMetadata, type ReadMetadata } from '../metadata/metadata.js';
import type { ConnectionSettingsDto } from './connection.dto.js';

/** Checked settings by OpenID Connect. */
export interface GivenOidc {
  readonly kind: 'oidc';
  readonly settings: OidcSettings;
  /** Undefined if it does not change; null if it is removed. */
  readonly clientSecret: string | null | undefined;
}

/** Checked settings by SAML. */
export interface GivenSaml {
  readonly kind: 'saml';
  readonly settings: Omit<SamlSettings, 'certificates' | 'metadataValidUntil'>;
  /** Undefined if they do not change. */
  readonly certificates: readonly CheckedCertificate[] | undefined;
  /** Metadata that was read; null if the settings were entered by hand. */
  readonly metadata: Metadata | null;
}

export type GivenSettings = GivenOidc | GivenSaml;

/** Issuers of Microsoft Entra ID that sign for every customer of it, and templates. */
const OF_MANY_CUSTOMERS = /\/(?:common|organizations|consumers)(?:\/|$)|[{}]/i;

/** Checks the settings of connections. */
@Injectable()
export class ConnectionCheck {
  constructor(private readonly http: CustomerHttp) {}

  /**
   * Checks settings, which complete those that a connection has. Metadata replaces what it names.
   * @param current settings of the connection; undefined for a new one
   * @param fetched metadata at the URL of the settings, or why it could not be read
   * @throws {AppError} validation-error on `settings.<field>`
   */
  check(
    kind: ConnectionKind,
    given: ConnectionSettingsDto,
    current: Partial<OidcSettings & SamlSettings> | undefined,
    fetched: ReadMetadata | null = null,
  ): GivenSettings {
    const isNew = current === undefined;
    const { certificates: _, ...fields } = { ...current, ...withoutUndefined(given) };
    const violations: Violation[] = [];
    const refuse = (field: string, message: string | null) => {
      if (message !== null) violations.push({ propertyPath: `settings.${field}`, message });
    };
    const metadata = kind === 'saml' ? this.readMetadata(given, fetched, refuse) : null;
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    const merged: Merged = {
      ...fields,
      ...(metadata && {
        entityId: metadata.entityId,
        ssoUrl: metadata.ssoUrl,
        ssoBinding: metadata.ssoBinding,
        sloUrl: given.sloUrl ?? metadata.sloUrl,
      }),
    };
    const need = (field: keyof typeof merged): string => {
      const value = merged[field];
      if (typeof value === 'string' && value !== '') return value;
      refuse(field, 'is required');
      return '';
    };
    const checked =
      kind === 'oidc'
        ? this.checkOidc(given, merged, current, need, refuse)
        : this.checkSaml(given, merged, metadata, isNew, need, refuse);
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return checked;
  }

  private checkOidc(
    { clientSecret }: ConnectionSettingsDto,
    {
      scopes = [],
      claims = {},
      acrValues = [],
      trustedAudiences = [],
      clientAuthentication = 'client_secret',
    }: Merged,
    current: Partial<OidcSettings> | undefined,
    need: (field: keyof Merged) => string,
    refuse: (field: string, message: string | null) => void,
  ): GivenOidc {
    const issuer = need('issuer');
    if (issuer !== '') refuse('issuer', this.findIssuerFault(issuer));
    const isByKey = clientAuthentication === 'private_key_jwt';
    if (isByKey && clientSecret !== undefined)
      refuse('clientSecret', 'must not be given beside private_key_jwt');
    // A secret is sent to the issuer that it was given for, and to no other.
    const keepsSecret = current?.issuer === issuer && current.clientAuthentication !== 'private_key_jwt';
    if (!isByKey && !keepsSecret) need('clientSecret');
    return {
      kind: 'oidc',
      settings: {
        issuer,
        clientId: need('clientId'),
        clientAuthentication,
        scopes,
        claims,
        acrValues,
        trustedAudiences,
      },
      clientSecret: isByKey ? null : clientSecret,
    };
  }

  private checkSaml(
    { certificates, entityId, ssoUrl: givenUrl, sloUrl: givenSlo, metadata: text }: ConnectionSettingsDto,
    {
      ssoBinding = 'redirect',
      nameIdFormat = null,
      attributes = {},
      signRequests = true,
      wantEncryptedAssertions = false,
      authnInstantMaxAge,
      metadataUrl = null,
      sloUrl = null,
    }: Merged,
    metadata: Metadata | null,
    isNew: boolean,
    need: (field: keyof Merged) => string,
    refuse: (field: string, message: string | null) => void,
  ): GivenSaml {
    // What is entered by hand is not replaced by the metadata of the day.
    const isByHand = [certificates, entityId, givenUrl, text].some((value) => value !== undefined);
    const ssoUrl = need('ssoUrl');
    if (ssoUrl !== '') refuse('ssoUrl', this.http.findFault(ssoUrl));
    if (typeof givenSlo === 'string') refuse('sloUrl', this.http.findFault(givenSlo));
    if (isNew && certificates === undefined && !metadata) refuse('certificates', 'is required');
    const read = certificates?.map((pem, n) => {
      const checked = checkCertificate(pem);
      if ('fault' in checked) refuse(`certificates[${n}]`, checked.fault);
      return checked;
    });
    return {
      kind: 'saml',
      settings: {
        entityId: need('entityId'),
        ssoUrl,
        ssoBinding,
        sloUrl: sloUrl !== null && this.http.findFault(sloUrl) === null ? sloUrl : null,
        metadataUrl: isByHand ? null : metadataUrl,
        nameIdFormat,
        attributes,
        signRequests,
        wantEncryptedAssertions,
        authnInstantMaxAge,
      },
      certificates: metadata?.certificates ?? read?.filter((one) => 'sha256' in one),
      metadata,
    };
  }

  /** Reads the metadata that the settings contain or name. One source of them is allowed. */
  private readMetadata(
    { metadata, metadataUrl, entityId, ssoUrl, ssoBinding, certificates }: ConnectionSettingsDto,
    fetched: ReadMetadata | null,
    refuse: (field: string, message: string | null) => void,
  ): Metadata | null {
    const isByUrl = typeof metadataUrl === 'string';
    if (metadata === undefined && !isByUrl) return null;
    const field = isByUrl ? 'metadataUrl' : 'metadata';
    if (isByUrl && metadata !== undefined) refuse('metadata', 'must not be given beside metadataUrl');
    for (const [name, value] of Object.entries({ entityId, ssoUrl, ssoBinding, certificates }))
      if (value !== undefined) refuse(name, `must not be given beside ${field}`);
    const read = isByUrl ? fetched : readMetadata(metadata ?? '', Date.now());
    if (read && !('fault' in read)) return read;
    refuse(field, read?.fault ?? 'could not be read');
    return null;
  }

  private findIssuerFault(issuer: string): string | null {
    if (OF_MANY_CUSTOMERS.test(issuer)) return 'must be the issuer of one customer, without a template';
    const fault = this.http.findFault(issuer);
    return fault ?? (issuer.includes('?') ? 'must have no query' : null);
  }
}

/** Settings of both kinds, given or current. */
type Merged = { readonly clientSecret?: string; readonly metadata?: string } & Partial<
  OidcSettings & Omit<SamlSettings, 'certificates'>
>;

function withoutUndefined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}
