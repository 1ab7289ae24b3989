import type { INestApplicationContext, Type } from '@nestjs/common';
import { VerificationService } from '../audit/index.js';
import { FactorResetService, ResetAuthenticatorsDto } from '../authenticator/index.js';
import { DomainReview } from '../connection/index.js';
import {
  AccessRequestService,
  AccountService,
  AssignmentService,
  AssignmentsQuery,
  AuditEventRepository,
  ErasureList,
  GrantOperatorDto,
  MODULE_NAME,
  OperatorDirectory,
  OperatorService,
  PartnershipService,
  PermissionModuleService,
  RegisterPermissionsDto,
  SignInPolicies,
  SuspensionService,
  TenantLimitsService,
  TenantService,
} from '../iam/index.js';
import type { TenantId, UserId } from '../kernel/index.js';
import { AppError } from '../platform/errors/index.js';
import {
  NewPlatformAccountDto,
  NewPlatformKeyDto,
  PlatformAccountService,
  ServiceAccountOperations,
} from '../machine/index.js';
import { type ItemPage, type Page, readPage, toPage } from '../platform/api/index.js';
import { Database } from '../platform/database/index.js';
import { PLATFORM } from '../platform/events/index.js';
import { RecipientMails } from '../platform/mail/index.js';
import { ValidationPipe } from '../platform/validation/index.js';
import {
  ApiService,
  ClientService,
  RegisterApiDto,
  RegisterSatelliteDto,
  SetReachDto,
  UpdateSatelliteDto,
} from '../client/index.js';
import { ConnectionKeys, RotateConnectionKeyDto } from '../external-identity/index.js';
import { StationService, WorkerService } from '../frontline/index.js';
import { EverythingExport, ImportRuns, OperatedTenants, TenantLimitsDto } from '../operator/index.js';
import { AgentService } from '../openid/index.js';
import {
  ProviderKeys,
  RegisterPlatformSamlClientDto,
  SamlClientResponses,
  SamlClientService,
  UpdateSamlClientDto,
} from '../saml-provider/index.js';
import { LogoutService, RsaKeys, SigningKeyService } from '../session/index.js';
import { EndpointService, EventListener, SubscriptionResponse } from '../webhook/index.js';
import type { Options } from './options.js';

/** Services that the commands use, by the names that they use. */
const SERVICES = {
  accounts: AccountService,
  agents: AgentService,
  apis: ApiService,
  auditVerification: VerificationService,
  connectionKeys: ConnectionKeys,
  domains: DomainReview,
  erasures: ErasureList,
  events: EventListener,
  everything: EverythingExport,
  importRuns: ImportRuns,
  factorResets: FactorResetService,
  auditEvents: AuditEventRepository,
  keys: SigningKeyService,
  rsaKeys: RsaKeys,
  limits: TenantLimitsService,
  logouts: LogoutService,
  mails: RecipientMails,
  operatorRights: OperatorDirectory,
  operators: OperatorService,
  organizations: TenantService,
  operatedTenants: OperatedTenants,
  partnerships: PartnershipService,
  accessRequests: AccessRequestService,
  assignments: AssignmentService,
  database: Database,
  permissions: PermissionModuleService,
  platformAccounts: PlatformAccountService,
  clients: ClientService,
  samlClients: SamlClientService,
  samlKeys: ProviderKeys,
  samlResponses: SamlClientResponses,
  serviceAccounts: ServiceAccountOperations,
  signInPolicies: SignInPolicies,
  stations: StationService,
  suspensions: SuspensionService,
  webhooks: EndpointService,
  workers: WorkerService,
} as const;

/** Inputs that the commands check by the rules of requests. */
const INPUTS = {
  api: RegisterApiDto,
  assignments: AssignmentsQuery,
  clientChanges: UpdateSatelliteDto,
  connectionKey: RotateConnectionKeyDto,
  newClient: RegisterSatelliteDto,
  newPlatformAccount: NewPlatformAccountDto,
  newPlatformKey: NewPlatformKeyDto,
  newSamlClient: RegisterPlatformSamlClientDto,
  operator: GrantOperatorDto,
  permissions: RegisterPermissionsDto,
  reach: SetReachDto,
  reset: ResetAuthenticatorsDto,
  samlClientChanges: UpdateSamlClientDto,
  tenantLimits: TenantLimitsDto,
} as const;

type Instances<T extends Readonly<Record<string, Type>>> = {
  readonly [N in keyof T]: InstanceType<T[N]>;
};

/** Has an instance of each service. */
const ServiceInstances = class {
  constructor(app: INestApplicationContext) {
    for (const [name, type] of Object.entries<Type>(SERVICES))
      Object.assign(this, { [name]: app.get(type, { strict: false }) });
  }
} as new (app: INestApplicationContext) => Instances<typeof SERVICES>;

/**
 * What the commands use of the service. They import only the type, so that help and usage errors
 * do not wait until the service is loaded.
 */
export class Services extends ServiceInstances {
  /** @throws {AppError} validation-error, by the rules of requests */
  async check<N extends keyof typeof INPUTS>(input: N, values: object): Promise<Instances<typeof INPUTS>[N]> {
    const checked: unknown = await new ValidationPipe().transform(values, {
      type: 'body',
      metatype: INPUTS[input],
    });
    return checked as Instances<typeof INPUTS>[N];
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  async assignmentsQuery(options: Options): Promise<AssignmentsQuery> {
    const { thing: on, role, expiring } = options;
    return this.check('assignments', {
      ...(options['account'] !== undefined && { userId: await this.accountId(options) }),
      ...(on !== undefined && { on }),
      ...(role !== undefined && { role }),
      ...(expiring !== undefined && { expiring }),
    });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  async permissionsOf(module: string, given: object): Promise<RegisterPermissionsDto> {
    if (!MODULE_NAME.test(module))
      throw AppError.violation('module', 'must be lower-case letters, digits and hyphens');
    return this.check('permissions', given);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  async operatorRole(options: Options): Promise<GrantOperatorDto> {
    const { role = 'admin', scope } = options;
    const email = await this.address(options);
    return this.check('operator', { email, role, ...(scope !== undefined && { scopes: scope }) });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  platformAccount({ name, role = 'support' }: Options): Promise<NewPlatformAccountDto> {
    return this.check('newPlatformAccount', { name, role });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  platformKey({ name, days, scope, network }: Options): Promise<NewPlatformKeyDto> {
    return this.check('newPlatformKey', {
      name,
      ...(days !== undefined && { days: wholeNumber(days) }),
      ...(scope !== undefined && { scopes: scope }),
      ...(network !== undefined && { networks: network }),
    });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  connectionKey({ kind, days }: Options): Promise<RotateConnectionKeyDto> {
    return this.check('connectionKey', { kind, ...(days !== undefined && { days: wholeNumber(days) }) });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  tenantLimits({ mailsPerDay, openInvitations }: Options): Promise<TenantLimitsDto> {
    return this.check('tenantLimits', {
      ...(mailsPerDay !== undefined && { mailsPerDay: numberOrDefault(mailsPerDay) }),
      ...(openInvitations !== undefined && { openInvitations: numberOrDefault(openInvitations) }),
    });
  }

  /**
   * Gets the id of the account that `--account` names by address or id.
   * @throws {AppError} validation-error if there is none
   */
  accountId({ account }: Options): Promise<UserId> {
    return this.accounts.getId(String(account));
  }

  /**
   * Gets the address of the account that `--account` names by address or id.
   * @throws {AppError} validation-error if there is no account, or it has no address
   */
  async address({ account }: Options): Promise<string> {
    const { email } = await this.accounts.getNamed(String(account));
    if (email === null) throw AppError.violation('account', 'has no address');
    return email;
  }

  /**
   * Gets the id of the organization that `--organization` names.
   * @throws {AppError} validation-error if there is none
   */
  async organizationId({ organization }: Options): Promise<TenantId> {
    const id = String(organization) as TenantId;
    if (!(await this.organizations.findNames([id])).has(id))
      throw AppError.violation('organization', 'no organization with this id');
    return id;
  }

  /** Lists webhooks of the organization that `--organization` names, or of the platform. */
  async listWebhooks(options: Options): Promise<ItemPage<SubscriptionResponse>> {
    const owner = options['organization'] === undefined ? PLATFORM : await this.organizationId(options);
    return this.page(
      options,
      (page) => this.webhooks.list(owner, page),
      (endpoint) => SubscriptionResponse.from(endpoint),
    );
  }

  /**
   * Lists a page of rows, ordered by a key that `id` names.
   * @param list returns one row more than the limit if there is a next page
   * @throws {AppError} validation-error on `limit` or `cursor`
   */
  async page<R extends { readonly id: string }, T>(
    { limit, cursor }: Options,
    list: (page: Page) => Promise<readonly R[]>,
    present: (row: R) => T,
  ): Promise<ItemPage<T>> {
    const page = readPage({ limit, cursor });
    return toPage(await list(page), page, present);
  }
}

/** @returns null for the default of the service */
const numberOrDefault = (text: Options[string]): number | null =>
  text === 'default' ? null : wholeNumber(text);

/** @returns NaN, which the validation refuses, for what has other characters than digits */
function wholeNumber(text: Options[string]): number {
  return /^\d+$/.test(String(text)) ? Number(text) : NaN;
}
