import { rich, text } from '../../../messages/index.ts';
import { useMe } from '../../../session/queries.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { nameOf } from '../member-name.ts';
import { useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import { type AccessRequest, useDecision, useRequester } from './access-request-queries.ts';

const KINDS = { pending: 'care', approved: 'good', denied: 'bad', withdrawn: '', expired: '' } as const;

interface Props {
  readonly tenantId: string;
  readonly request: AccessRequest;
  /** Whether the user may decide about requests of others. */
  readonly mayDecide: boolean;
}

/** Shows what a member asks for, with the buttons by which it is decided. */
export function AccessRequestCard({ tenantId, request, mayDecide }: Props) {
  const { id, userId, role, on, hours, reason, status, createdAt, until } = request;
  const { data: me } = useMe();
  const { data: member } = useRequester(tenantId, userId);
  const { data: roles = [] } = useRoles(tenantId);
  const say = useToast();
  const decide = useDecision(tenantId, id, (decision) => say(text(`access-requests.done.${decision}`)));
  const name = nameOf(member ?? { name: null, email: null, userId });
  const isOwn = me?.id === userId;
  const press = (decision: Parameters<typeof decide.mutate>[0]) => (
    <Button
      small
      look={decision === 'approve' ? 'primary' : 'plain'}
      isPending={decide.isPending}
      aria-label={text(`access-requests.${decision}.of`, { name })}
      onPress={() => decide.mutate(decision)}
    >
      {text(`access-requests.${decision}`)}
    </Button>
  );
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>{name}</strong>
          {roleNames(roles, [role]).map((one) => (
            <Badge key={one}>{one}</Badge>
          ))}
          <Badge kind={KINDS[status]}>{text(`access-requests.status.${status}`)}</Badge>
        </div>
        <span>{reason}</span>
        {on !== null && <code className="small">{on}</code>}
        <span className="soft small">
          {rich('access-requests.facts', {
            hours: () => String(hours),
            time: () => <Time value={createdAt} />,
          })}
          {until !== null && ' · '}
          {until !== null && rich('access-requests.until', { time: () => <Time value={until} /> })}
        </span>
        {decide.error && <ErrorNotice error={decide.error} />}
      </div>
      {status === 'pending' && (
        <div className="end wraps">
          {isOwn ? (
            press('withdraw')
          ) : mayDecide ? (
            <>
              {press('approve')}
              {press('deny')}
            </>
          ) : null}
        </div>
      )}
    </div>
  );
}
