import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { Empty, List } from './list.tsx';
import { Time } from './time.tsx';

type Event = components['schemas']['AuditEventResponse'];

/** Text of an event, after the name of the actor. An unlisted event is shown by its name. */
const EVENT_TEXTS: Readonly<Record<string, string>> = {
  'account.became-operator': 'became an operator of the platform',
  'account.ceased-as-operator': 'is no longer an operator of the platform',
  'account.created': 'opened the account',
  'account.erased': 'erased the account',
  'account.identity-linked': 'linked an external identity',
  'account.identity-unlinked': 'removed an external identity',
  'account.password-changed': 'changed the password',
  'account.password-reset': 'chose a new password by mail',
  'account.restored': 'was restored by the operator',
  'account.sign-in-failed': 'had wrong passwords tried on the account',
  'account.suspended': 'was suspended by the operator',
  'invitation.accepted': 'accepted an invitation',
  'invitation.created': 'created an invitation',
  'invitation.revoked': 'revoked an invitation',
  'member.became-owner': 'left, so that another member became an owner',
  'member.erased': 'left by erasing the account',
  'member.joined': 'joined the organization',
  'member.removed': 'ended a membership',
  'member.roles-changed': 'changed the roles of a member',
  'role.created': 'created a role',
  'role.deleted': 'deleted a role',
  'role.updated': 'changed a role',
  'satellite.disabled': 'disabled a satellite',
  'satellite.enabled': 'enabled a satellite',
  'satellite.registered': 'registered a satellite',
  'satellite.secret-rotated': 'replaced the secret of a satellite',
  'satellite.updated': 'changed a satellite',
  'session.confirmed': 'confirmed the sign-in',
  'session.ended': 'ended a session',
  'session.external-code-reused': 'was signed out, because a sign-in code was used twice',
  'session.handed-over': 'signed in to a satellite',
  'session.refresh-token-reused': 'was signed out, because an old token was used again',
  'session.satellite-code-reused': 'was signed out, because a satellite code was used twice',
  'session.started': 'signed in',
  'tenant.archived': 'archived the organization',
  'tenant.created': 'created the organization',
  'tenant.renamed': 'renamed the organization',
  'tenant.restored': 'restored the organization',
};

/** Number of wrong passwords, with network and times. */
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

/** Lists audit events, newest first. */
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
            <strong>{nameOf(actorId)}</strong> {EVENT_TEXTS[action] ?? action}
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
