import type { INestApplicationContext, Type } from '@nestjs/common';
import { VerificationService } from '../audit/index.js';
import { FactorResetService, ResetAuthenticatorsDto } from '../authenticator/index.js';
import { DomainReview } from '../connection/index.js';
import {
  AccessRequestService,
  AccountService,
  AssignmentService,
  AssignmentsQuery,
  ErasureList,
  FailedSignIns,
  GrantOperatorDto,
  MODULE_NAME,
  OperatorService,
  PartnershipService,
  PeopleImport,
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
import { EverythingExport, TenantLimitsDto } from '../operator/index.js';
import { AgentService } from '../openid/index.js';
import {
  ProviderKeys,
  RegisterPlatformSamlClientDto,
  SamlClientResponses,
  SamlClientService,
  UpdateSamlClientDto,
} from '../saml-provider/index.js';
import { LogoutService, RsaKeys, SigningKeyService } from '../session/index.js';
import { EventListener } from '../webhook/index.js';
import type { Options } from './options.js';

/**
 * What the commands use of the service. They import only the type, so that help and usage errors
 * do not wait until the service is loaded.
 */
export class Services {
  readonly accounts: AccountService;
  readonly agents: AgentService;
  readonly apis: ApiService;
  readonly auditVerification: VerificationService;
  readonly connectionKeys: ConnectionKeys;
  readonly domains: DomainReview;
  readonly erasures: ErasureList;
  readonly events: EventListener;
  readonly everything: EverythingExport;
  readonly peopleImport: PeopleImport;
  readonly factorResets: FactorResetService;
  readonly failedSignIns: FailedSignIns;
  readonly keys: SigningKeyService;
  readonly rsaKeys: RsaKeys;
  readonly limits: TenantLimitsService;
  readonly logouts: LogoutService;
  readonly operators: OperatorService;
  readonly organizations: TenantService;
  readonly partnerships: PartnershipService;
  readonly accessRequests: AccessRequestService;
  readonly assignments: AssignmentService;
  readonly database: Database;
  readonly permissions: PermissionModuleService;
  readonly platformAccounts: PlatformAccountService;
  readonly clients: ClientService;
  readonly samlClients: SamlClientService;
  readonly samlKeys: ProviderKeys;
  readonly samlResponses: SamlClientResponses;
  readonly serviceAccounts: ServiceAccountOperations;
  readonly signInPolicies: SignInPolicies;
  readonly stations: StationService;
  readonly suspensions: SuspensionService;
  readonly workers: WorkerService;

  constructor(app: INestApplicationContext) {
    const get = <T>(type: Type<T>): T => app.get(type, { strict: false });
    this.accounts = get(AccountService);
    this.agents = get(AgentService);
    this.apis = get(ApiService);
    this.auditVerification = get(VerificationService);
    this.connectionKeys = get(ConnectionKeys);
    this.domains = get(DomainReview);
    this.erasures = get(ErasureList);
    this.events = get(EventListener);
    this.everything = get(EverythingExport);
    this.peopleImport = get(PeopleImport);
    this.factorResets = get(FactorResetService);
    this.failedSignIns = get(FailedSignIns);
    this.keys = get(SigningKeyService);
    this.rsaKeys = get(RsaKeys);
    this.limits = get(TenantLimitsService);
    this.logouts = get(LogoutService);
    this.operators = get(OperatorService);
    this.organizations = get(TenantService);
    this.partnerships = get(PartnershipService);
    this.accessRequests = get(AccessRequestService);
    this.assignments = get(AssignmentService);
    this.database = get(Database);
    this.permissions = get(PermissionModuleService);
    this.platformAccounts = get(PlatformAccountService);
    this.clients = get(ClientService);
    this.samlClients = get(SamlClientService);
    this.samlKeys = get(ProviderKeys);
    this.samlResponses = get(SamlClientResponses);
    this.serviceAccounts = get(ServiceAccountOperations);
    this.signInPolicies = get(SignInPolicies);
    this.stations = get(StationService);
    this.suspensions = get(SuspensionService);
    this.workers = get(WorkerService);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  registration(values: object): Promise<RegisterSatelliteDto> {
    return validate(RegisterSatelliteDto, values);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  changes(values: object): Promise<UpdateSatelliteDto> {
    return validate(UpdateSatelliteDto, values);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  async assignmentsQuery(options: Options): Promise<AssignmentsQuery> {
    const { thing: on, role, expiring } = options;
    return validate(AssignmentsQuery, {
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
    return validate(RegisterPermissionsDto, given);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  api(values: object): Promise<RegisterApiDto> {
    return validate(RegisterApiDto, values);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  reach(values: object): Promise<SetReachDto> {
    return validate(SetReachDto, values);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  samlRegistration(values: object): Promise<RegisterPlatformSamlClientDto> {
    return validate(RegisterPlatformSamlClientDto, values);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  samlChanges(values: object): Promise<UpdateSamlClientDto> {
    return validate(UpdateSamlClientDto, values);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  reset(values: object): Promise<ResetAuthenticatorsDto> {
    return validate(ResetAuthenticatorsDto, values);
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  async operatorRole(options: Options): Promise<GrantOperatorDto> {
    const { role = 'admin', scope } = options;
    const email = await this.address(options);
    return validate(GrantOperatorDto, { email, role, ...(scope !== undefined && { scopes: scope }) });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  platformAccount({ name, role = 'support' }: Options): Promise<NewPlatformAccountDto> {
    return validate(NewPlatformAccountDto, { name, role });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  platformKey({ name, days, scope, network }: Options): Promise<NewPlatformKeyDto> {
    return validate(NewPlatformKeyDto, {
      name,
      ...(days !== undefined && { days: wholeNumber(days) }),
      ...(scope !== undefined && { scopes: scope }),
      ...(network !== undefined && { networks: network }),
    });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  connectionKey({ kind, days }: Options): Promise<RotateConnectionKeyDto> {
    return validate(RotateConnectionKeyDto, { kind, ...(days !== undefined && { days: wholeNumber(days) }) });
  }

  /** @throws {AppError} validation-error, by the rules of requests */
  tenantLimits({ mailsPerDay, openInvitations }: Options): Promise<TenantLimitsDto> {
    return validate(TenantLimitsDto, {
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

async function validate<T extends object>(type: new () => T, values: object): Promise<T> {
  const pipe = new ValidationPipe();
  return (await pipe.transform(values, { type: 'body', metatype: type })) as T;
}

/** @returns null for the default of the service */
const numberOrDefault = (text: Options[string]): number | null =>
  text === 'default' ? null : wholeNumber(text);

/** @returns NaN, which the validation refuses, for what has other characters than digits */
function wholeNumber(text: Options[string]): number {
  return /^\d+$/.test(String(text)) ? Number(text) : NaN;
}
