import { integerField, MAX_COUNTED, objectField, Output } from '../platform/api/index.js';
import { ChartResponse } from '../platform/counts/index.js';

/** Days within which what ends is shown. */
export const SOON_DAYS = 30;

const figure = (description: string, example: number) =>
  integerField({ min: 0, max: MAX_COUNTED, description, example });
/** A sum of three figures. */
const endingFigure = (description: string, example: number) =>
  integerField({ min: 0, max: 3 * MAX_COUNTED, description, example });
const SOON = `within ${SOON_DAYS} days`;

/** Figures of an organization at present; each is counted up to {@link MAX_COUNTED}. */
export class TenantFiguresResponse {
  @Output(figure(`Active members, counted up to ${MAX_COUNTED} as all of these.`, 228))
  members: number;
  @Output(figure('Active members with a second factor that counts here.', 141))
  membersWithSecondFactor: number;
  @Output(figure('Suspended members.', 3))
  suspendedMembers: number;
  @Output(figure('Invitations that can be accepted.', 15))
  openInvitations: number;
  @Output(figure('Access requests that wait for a decision.', 2))
  waitingAccessRequests: number;
  @Output(figure('Service accounts.', 5))
  serviceAccounts: number;
  @Output(figure('Verified domains.', 2))
  verifiedDomains: number;
  @Output(figure('Domains that were verified and whose DNS record is missing.', 0))
  domainsWithoutRecord: number;
  @Output(figure('Connections for single sign-on.', 2))
  connections: number;
  @Output(figure('Connections by which people can sign in.', 1))
  activeConnections: number;
  @Output(
    figure(
      'Active connections whose last sign-in failed because of the provider or the settings, not the person.',
      1,
    ),
  )
  failingConnections: number;
  @Output(figure('Directories.', 1))
  directories: number;
  @Output(figure('Directories that are not disabled.', 1))
  activeDirectories: number;
  @Output(figure('Webhooks.', 6))
  webhooks: number;
  @Output(figure('Webhooks whose last attempts failed.', 2))
  failingWebhooks: number;
  @Output(figure('Disabled webhooks.', 1))
  disabledWebhooks: number;
  @Output(figure('Webhooks that the service has disabled, such as after days of failures.', 1))
  stoppedWebhooks: number;
  @Output.boolean({ description: 'Whether the sign-in policy requires a second factor.' })
  requiresSecondFactor: boolean;
  @Output(endingFigure(`Memberships and roles that end ${SOON}.`, 4))
  endingAccess: number;
  @Output(figure(`Keys, secrets and public keys of programs that end ${SOON}.`, 1))
  endingKeys: number;
  @Output(figure(`Tokens of directories that end ${SOON}.`, 0))
  endingDirectoryTokens: number;
  @Output(figure(`Certificates of connections that end ${SOON}.`, 1))
  endingCertificates: number;
}

/** Figures of the platform at present. */
export class PlatformFiguresResponse {
  @Output.integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: `Accounts: exactly below ${MAX_COUNTED}, and else an estimate of the database.`,
    example: 1_209,
  })
  people: number;
  @Output.integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: `Organizations: exactly below ${MAX_COUNTED}, and else an estimate of the database.`,
    example: 42,
  })
  organizations: number;
  @Output(figure('Replicas whose job worker was alive within 20 seconds.', 2))
  replicas: number;
  @Output(figure('Jobs that are due and not yet started.', 0))
  waitingJobs: number;
  @Output(figure('Jobs whose last attempt failed.', 0))
  failedJobs: number;
  @Output(figure('Webhooks of all organizations whose last attempts failed.', 2))
  failingWebhooks: number;
}

/** Counts of the last 24 hours and of the last 30 days. */
export class ChartsResponse {
  @Output(objectField(() => ChartResponse))
  hours: ChartResponse;
  @Output(objectField(() => ChartResponse))
  days: ChartResponse;
}

export class TenantOverviewResponse extends ChartsResponse {
  @Output(objectField(() => TenantFiguresResponse))
  present: TenantFiguresResponse;
}

export class PlatformOverviewResponse extends ChartsResponse {
  @Output(objectField(() => PlatformFiguresResponse))
  present: PlatformFiguresResponse;
}
