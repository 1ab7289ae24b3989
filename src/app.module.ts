import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { HeldScopes, SignInConditions } from './ability/index.js';
import { AccessModule } from './access/index.js';
import { AuditModule } from './audit/index.js';
import { AuthenticatorModule, OwnMethods } from './authenticator/index.js';
import { ClientModule, RegisteredScopes } from './client/index.js';
import { ConnectionDirectory, ConnectionModule } from './connection/index.js';
import { DirectoryModule } from './directory/index.js';
import { ExternalIdentityModule } from './external-identity/index.js';
import { FrontlineModule } from './frontline/index.js';
import {
  AssignmentDirectory,
  IamModule,
  MemberAudience,
  MembershipDirectory,
  ThingParents,
} from './iam/index.js';
import { MachineDirectory, MachineModule } from './machine/index.js';
import { type Secret, type Settings, SETTINGS } from './platform/config/index.js';
import { KeyDerivation } from './platform/crypto/index.js';
import {
  DATABASE_DIRECT_URL,
  DATABASE_TIMEOUTS,
  DATABASE_URL,
  type DatabaseTimeouts,
  DatabaseModule,
  TIMEOUTS,
} from './platform/database/index.js';
import { Processes } from './platform/processes/index.js';
import { DiscoveryModule } from './platform/discovery/index.js';
import { DocsController, ErrorsController } from './platform/api/index.js';
import { CallerLocale, ErrorPages, ProblemFilter } from './platform/web/index.js';
import './locales/index.js';
import type { TeamModule } from './options.js';
import { HealthModule } from './platform/health/index.js';
import { ValidationPipe } from './platform/validation/index.js';
import { BudgetsModule } from './platform/budgets/index.js';
import { CountsModule } from './platform/counts/index.js';
import { CleanupModule } from './platform/cleanup/index.js';
import { JobsModule } from './platform/jobs/index.js';
import { LifecycleModule } from './platform/lifecycle/index.js';
import { EventAudience, EventsModule } from './platform/events/index.js';
import { LiveModule } from './platform/live/index.js';
import { MailModule } from './platform/mail/index.js';
import { OpenIdModule } from './openid/index.js';
import { OutboundModule } from './platform/outbound/index.js';
import { ObservabilityModule } from './platform/observability/index.js';
import { RateLimitModule } from './platform/rate-limit/index.js';
import { OverviewModule } from './overview/index.js';
import { OperatorModule } from './operator/index.js';
import { ProfileModule } from './profile/index.js';
import { SamlProviderModule } from './saml-provider/index.js';
import { SatelliteModule } from './satellite/index.js';
import { SessionModule } from './session/index.js';
import { SignInPolicyModule } from './sign-in-policy/index.js';
import { WebhookModule } from './webhook/index.js';
import { PortalModule } from './portal/index.js';

/** Inputs of the application. */
export interface Environment {
  readonly settings: Settings;
  readonly rootSecret: Secret<Buffer>;
  /** null for a process that only describes the API: it connects to no database. */
  readonly databaseUrl: string | null;
  /** Processes of this replica; by default this one only. */
  readonly processes?: Processes;
  /** Replaces {@link DATABASE_TIMEOUTS}, for tests on a slow machine. */
  readonly timeouts?: DatabaseTimeouts;
}

/**
 * What lower modules need of higher ones: three interfaces, and no more. Everything else that needs
 * two modules is above both.
 */
@Global()
@Module({
  imports: [AuthenticatorModule, ClientModule, ConnectionModule, IamModule, MachineModule],
  providers: [
    { provide: EventAudience, useClass: MemberAudience },
    {
      provide: HeldScopes,
      inject: [MembershipDirectory, AssignmentDirectory, MachineDirectory, RegisteredScopes, ThingParents],
      useFactory: (
        members: MembershipDirectory,
        assignments: AssignmentDirectory,
        machines: MachineDirectory,
        clients: RegisteredScopes,
        things: ThingParents,
      ): HeldScopes => ({ members, assignments, machines, clients, things }),
    },
    {
      provide: SignInConditions,
      inject: [OwnMethods, ConnectionDirectory],
      useFactory: (methods: OwnMethods, connections: ConnectionDirectory): SignInConditions => ({
        methods,
        connections,
      }),
    },
  ],
  exports: [EventAudience, HeldScopes, SignInConditions],
})
class UpwardModule {}

/** Composition root. */
@Module({})
export class AppModule {
  /**
   * Assembles the application.
   * @param modules of other teams; docs/extending.md describes how to write one
   */
  static for(
    {
      settings,
      rootSecret,
      databaseUrl,
      processes = new Processes(),
      timeouts = DATABASE_TIMEOUTS,
    }: Environment,
    modules: readonly TeamModule[] = [],
  ): DynamicModule {
    const directUrl = settings.DATABASE_DIRECT_URL?.reveal() ?? databaseUrl ?? '';
    const environment: DynamicModule = {
      module: EnvironmentModule,
      global: true,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: DATABASE_URL, useValue: databaseUrl },
        { provide: DATABASE_DIRECT_URL, useValue: directUrl },
        { provide: TIMEOUTS, useValue: timeouts },
        { provide: Processes, useValue: processes },
        { provide: KeyDerivation, useValue: new KeyDerivation(rootSecret, ...settings.ROOT_SECRET_PREVIOUS) },
      ],
      exports: [SETTINGS, DATABASE_URL, DATABASE_DIRECT_URL, TIMEOUTS, KeyDerivation, Processes],
    };
    return {
      module: AppModule,
      imports: [
        environment,
        ObservabilityModule,
        OutboundModule,
        DatabaseModule,
        DiscoveryModule,
        CleanupModule,
        JobsModule,
        BudgetsModule,
        LifecycleModule,
        EventsModule,
        CountsModule,
        MailModule,
        LiveModule,
        RateLimitModule,
        IamModule,
        AuthenticatorModule,
        MachineModule,
        SessionModule,
        ClientModule,
        ConnectionModule,
        SatelliteModule,
        AuditModule,
        WebhookModule,
        DirectoryModule,
        ExternalIdentityModule,
        OpenIdModule,
        SamlProviderModule,
        OperatorModule,
        OverviewModule,
        ProfileModule,
        SignInPolicyModule,
        FrontlineModule,
        UpwardModule,
        ...(settings.PORTAL === 'on' ? [PortalModule.for(settings)] : []),
        AccessModule,
        HealthModule,
        ...modules,
      ],
      controllers: [DocsController, ErrorsController],
      providers: [
        CallerLocale,
        ErrorPages,
        ProblemFilter,
        { provide: APP_FILTER, useExisting: ProblemFilter },
        { provide: APP_PIPE, useClass: ValidationPipe },
      ],
    };
  }
}

@Module({})
class EnvironmentModule {}
