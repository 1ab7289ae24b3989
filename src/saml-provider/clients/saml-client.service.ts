import { Injectable } from '@nestjs/common';
import { checkCertificate } from '../../connection/index.js';
import { type Client, type ClientData, ClientService, TenantClientService } from '../../client/index.js';
import { LINE_PATTERN, type TenantId, type UserId } from '../../kernel/index.js';
import { isPlainUrl } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { type NewKey, ProviderKeys } from '../keys/provider-keys.js';
import { DEFAULT_ATTRIBUTES, type SamlClient, type SamlSettings } from './saml-client.js';
import { MAX_CERTIFICATES, MAX_CONSUMERS } from './saml-client.dto.js';
import { SamlClientRepository } from './saml-client.repository.js';
import { readSpMetadata, type SpMetadata } from './sp-metadata.js';

/** What an administrator sets. Omitted fields have a default, or stay as they are. */
export type SamlChanges = { readonly [K in keyof SamlSettings]?: SamlSettings[K] | undefined } & {
  /** Metadata of the app, in place of what it says. */
  readonly metadata?: string | undefined;
  readonly backchannelLogoutUrl?: string | null | undefined;
};

type Registration = SamlChanges & { readonly name: string };

/** Where a client is managed: in its organization, or by operators, for whom this is null. */
type Manager = TenantId | null;

/** Metadata can have what a field of the API cannot. */
const LINE = new RegExp(LINE_PATTERN);

const DEFAULTS: SamlSettings = {
  entityId: '',
  consumers: [],
  certificates: [],
  requireSignedRequests: false,
  nameIdFormat: 'persistent',
  attributes: [...DEFAULT_ATTRIBUTES],
  logoutUrl: null,
  logoutBinding: null,
  idpInitiated: false,
  defaultRelayState: null,
};

/**
 * Registers clients that speak SAML, and changes their settings. They are clients of the registry,
 * by which they are listed, disabled and deleted. The caller has checked the permission before.
 */
@Injectable()
export class SamlClientService {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientService,
    private readonly tenantClients: TenantClientService,
    private readonly saml: SamlClientRepository,
    private readonly keys: ProviderKeys,
  ) {}

  /** @throws {AppError} not-found, also for a client of another organization or protocol */
  async get(manager: Manager, clientId: string): Promise<SamlClient> {
    const client = await (manager === null
      ? this.clients.get(clientId)
      : this.tenantClients.get(manager, clientId));
    const settings = (await this.saml.find(client.clientId)) ?? AppError.notFound();
    return { client, settings };
  }

  /** Finds a client for a request of a browser. @returns null if it is unknown, or disabled */
  async findEnabled(clientId: string): Promise<SamlClient | null> {
    const client = await this.clients.findEnabled(clientId);
    const settings = client && (await this.saml.find(clientId));
    return client && settings && { client, settings };
  }

  /**
   * Registers a client of an organization.
   * @throws {AppError} conflict beyond the maximum of clients; validation-error
   */
  register(tenantId: TenantId, actorId: UserId, data: Registration, key: NewKey): Promise<SamlClient> {
    return this.insert(data, key, (traits) => this.tenantClients.register(tenantId, actorId, traits));
  }

  /**
   * Registers a client of the platform, to which people of all organizations sign in.
   * @param actorId null for the command line
   * @throws {AppError} conflict if the client id is taken; validation-error
   */
  registerForPlatform(
    actorId: UserId | null,
    { clientId, firstParty = false, ...data }: Registration & Pick<ClientData, 'clientId' | 'firstParty'>,
    key: NewKey,
  ): Promise<SamlClient> {
    const named = { clientId, firstParty, subjectType: 'pairwise' } as const;
    return this.insert(data, key, (traits) => this.clients.register(actorId, { ...traits, ...named }));
  }

  /** Changes the given fields. @throws {AppError} not-found; validation-error */
  update(
    manager: Manager,
    actorId: UserId | null,
    clientId: string,
    changes: SamlChanges,
  ): Promise<SamlClient> {
    return this.database.transaction(async () => {
      const current = await this.get(manager, clientId);
      const { settings, backchannelLogoutUrl } = settingsOf(current.settings, changes);
      const client = await this.clients.update(
        actorId,
        current.client.id,
        { redirectUris: addressesOf(settings), backchannelLogoutUri: backchannelLogoutUrl },
        'saml',
      );
      await this.saml.update(client.clientId, settings);
      return { client, settings };
    });
  }

  /**
   * Adds a signing key, which the metadata has at once and which signs after 30 days.
   * @throws {AppError} not-found; conflict if one waits already
   */
  rotateKey(manager: Manager, actorId: UserId | null, clientId: string, key: NewKey): Promise<SamlClient> {
    return this.database.transaction(async () => {
      const app = await this.get(manager, clientId);
      await this.clients.recordKey(actorId, app.client.clientId);
      await this.keys.add(app.client.clientId, key);
      return app;
    });
  }

  private insert(
    { name, ...data }: Registration,
    key: NewKey,
    register: (traits: Omit<ClientData, 'clientId'>) => Promise<{ client: Client }>,
  ): Promise<SamlClient> {
    const { settings, backchannelLogoutUrl = null } = settingsOf(DEFAULTS, data);
    return this.database.transaction(async () => {
      const { client } = await register({
        name,
        protocol: 'saml',
        redirectUris: addressesOf(settings),
        backchannelLogoutUri: backchannelLogoutUrl,
      });
      await this.saml.insert(client.clientId, settings);
      await this.keys.insert(client.clientId, key);
      return { client, settings };
    });
  }
}

const addressesOf = ({ consumers }: SamlSettings): string[] => [...new Set(consumers.map(({ url }) => url))];

/** Combines settings with changes. @throws {AppError} validation-error */
function settingsOf(
  current: SamlSettings,
  { metadata, backchannelLogoutUrl: named, ...changes }: SamlChanges,
): { settings: SamlSettings; backchannelLogoutUrl?: string | null | undefined } {
  const { backchannelLogoutUrl = named, ...read } = metadata === undefined ? {} : metadataOf(metadata);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const settings: SamlSettings = { ...current, ...read, ...given };
  requireSound(settings, backchannelLogoutUrl);
  return { settings, backchannelLogoutUrl: named === undefined ? backchannelLogoutUrl : named };
}

/** @throws {AppError} validation-error */
function metadataOf(metadata: string): SpMetadata {
  const read = readSpMetadata(metadata, Date.now());
  if ('fault' in read) throw AppError.violation('metadata', read.fault);
  return read;
}

/** @throws {AppError} validation-error for addresses and certificates that cannot be used */
function requireSound(settings: SamlSettings, backchannelLogoutUrl: string | null | undefined): void {
  const { entityId, consumers, certificates, requireSignedRequests, logoutUrl, logoutBinding } = settings;
  const violations: Violation[] = [];
  const refuse = (propertyPath: string, message: string) => violations.push({ propertyPath, message });
  const refuseUrl = (path: string, url: string | null | undefined) => {
    if (url && (url.length > 500 || !isPlainUrl(url)))
      refuse(path, 'must be an https address (http for localhost) as a browser writes it');
  };
  if (entityId === '' || entityId.length > 500) refuse('entityId', 'must be given, here or by `metadata`');
  else if (!LINE.test(entityId)) refuse('entityId', 'must be a line');
  if (consumers.length === 0) refuse('consumers', 'must be given, here or by `metadata`');
  if (consumers.length > MAX_CONSUMERS) refuse('consumers', `must be ${MAX_CONSUMERS} at most`);
  if (certificates.length > MAX_CERTIFICATES) refuse('certificates', `must be ${MAX_CERTIFICATES} at most`);
  consumers.forEach(({ url, index }, n) => {
    refuseUrl(`consumers[${n}].url`, url);
    if (consumers.findIndex((one) => one.index === index) !== n)
      refuse(`consumers[${n}].index`, 'must not be repeated');
  });
  certificates.forEach((one, n) => {
    const checked = checkCertificate(one);
    if ('fault' in checked) refuse(`certificates[${n}]`, checked.fault);
  });
  if (requireSignedRequests && certificates.length === 0)
    refuse('certificates', 'must be given where requests must be signed');
  refuseUrl('logoutUrl', logoutUrl);
  refuseUrl('backchannelLogoutUrl', backchannelLogoutUrl);
  if ((logoutUrl === null) !== (logoutBinding === null))
    refuse('logoutBinding', 'must be given with `logoutUrl`, and only with it');
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}
