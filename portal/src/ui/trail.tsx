import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { Empty, List } from './list.tsx';
import { Time } from './time.tsx';

type Event = components['schemas']['AuditEventResponse'];

/** What an event says, after the name of who did it. One that is not listed is shown as it is called. */
const DEEDS: Readonly<Record<string, string>> = {
  'account.became-operator': 'became an operator of the platform',
  'account.ceased-as-operator': 'is no operator of the platform any more',
  'account.created': 'opened the account',
  'account.erased': 'erased the account',
  'account.identity-linked': 'linked another way to sign in',
  'account.identity-unlinked': 'removed a way to sign in',
  'account.password-changed': 'changed the password',
  'account.password-reset': 'chose a new password by mail',
  'account.restored': 'was let in again by the operator',
  'account.sign-in-failed': 'had wrong passwords tried on the account',
  'account.suspended': 'was suspended by the operator',
  'invitation.accepted': 'accepted an invitation',
  'invitation.created': 'invited somebody',
  'invitation.revoked': 'revoked an invitation',
  'member.became-owner': 'left, so that somebody else became an owner',
  'member.erased': 'left by erasing the account',
  'member.joined': 'joined the organization',
  'member.removed': 'ended a membership',
  'member.roles-changed': 'changed the roles of a member',
  'role.created': 'created a role',
  'role.deleted': 'deleted a role',
  'role.updated': 'changed a role',
  'satellite.disabled': 'disabled a property',
  'satellite.enabled': 'enabled a property',
  'satellite.registered': 'registered a property',
  'satellite.secret-rotated': 'gave a property a new secret',
  'satellite.updated': 'changed a property',
  'session.confirmed': 'confirmed the sign-in',
  'session.ended': 'ended a session',
  'session.external-code-reused': 'was signed out, as a sign-in code was used twice',
  'session.handed-over': 'signed in at a property',
  'session.refresh-token-reused': 'was signed out, as somebody used an old token',
  'session.satellite-code-reused': 'was signed out, as a hand-over code was used twice',
  'session.started': 'signed in',
  'tenant.archived': 'archived the organization',
  'tenant.created': 'created the organization',
  'tenant.renamed': 'renamed the organization',
  'tenant.restored': 'restored the organization',
};

/** How many wrong passwords, from which network and when. */
function FailedSignIns({ count, firstAt, lastAt, network }: NonNullable<Event['details']>) {
  return (
    <span className="soft small">
      {count === 1 ? 'Once' : `${count} times`} from{' '}
      {network === null ? 'several networks' : `the network ${network.slice(0, 8)}`}, first{' '}
      <Time value={firstAt} />, last <Time value={lastAt} />
    </span>
  );
}

interface Props {
  readonly query: UseInfiniteQueryResult<readonly Event[]>;
  readonly nameOf: (userId: string) => string;
}

/** What has happened, newest first. */
export function TrailList({ query, nameOf }: Props) {
  return (
    <List
      query={query}
      label="Audit trail"
      className="list trail"
      keyOf={({ id }) => id}
      empty={<Empty title="Nothing has happened yet" />}
    >
      {({ action, actorId, createdAt, details, subject }) => (
        <div className="deed">
          <span>
            <strong>{nameOf(actorId)}</strong> {DEEDS[action] ?? action}
          </span>
          <span className="soft small">
            <Time value={createdAt} />
          </span>
          {details && <FailedSignIns {...details} />}
          <code className="soft small">{subject}</code>
        </div>
      )}
    </List>
  );
}
