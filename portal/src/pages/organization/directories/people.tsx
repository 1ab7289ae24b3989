import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import {
  refreshDirectories,
  useDirectoryUsers,
  type Directory,
  type DirectoryUser,
} from './directory-queries.ts';

type State = DirectoryUser['state'];

const KINDS = { pending: 'care', linked: 'good', refused: 'bad' } as const;
const STATES = Object.keys(KINDS) as State[];
const ANY = 'any';

interface Props {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly mayRetry: boolean;
}

/** Lists the people that a directory has sent, and why some of them are no members. */
export function People({ tenantId, directory: { id }, mayRetry }: Props) {
  const [state, setState] = useState<State>();
  const users = useDirectoryUsers(tenantId, id, state);
  return (
    <section className="stack" aria-labelledby="directory-people">
      <h2 id="directory-people">{text('directories.people')}</h2>
      <div className="filters" role="search">
        <SelectField
          label={text('directories.state')}
          options={[
            [ANY, text('directories.state.any')],
            ...STATES.map((one) => [one, text(`directories.state.${one}`)] as const),
          ]}
          value={state ?? ANY}
          onChange={(one) => setState(one === ANY ? undefined : (one as State))}
        />
      </div>
      <List
        query={users}
        label={text('directories.people')}
        keyOf={(user) => user.id}
        empty={<Empty title={text(state ? 'directories.people.no-match' : 'directories.people.empty')} />}
      >
        {(user) => <Row tenantId={tenantId} directoryId={id} user={user} mayRetry={mayRetry} />}
      </List>
    </section>
  );
}

interface RowProps {
  readonly tenantId: string;
  readonly directoryId: string;
  readonly user: DirectoryUser;
  readonly mayRetry: boolean;
}

function Row({ tenantId, directoryId, user, mayRetry }: RowProps) {
  const { id, userName, state, reason, status, updatedAt } = user;
  const say = useToast();
  const retry = useMutation({
    mutationFn: () =>
      gatehouse.post('/api/v1/iam/tenants/{id}/directories/{directoryId}/users/{userId}/retry', {
        params: { path: { id: tenantId, directoryId, userId: id } },
      }),
    onSuccess: async () => {
      await refreshDirectories(tenantId);
      say(text('directories.retried', { name: userName }));
    },
    onError: () => say(text('directories.not-retried')),
  });
  return (
    <div className="item plain">
      <span className="what">
        <span className="row">
          <strong>{userName}</strong>
          <Badge kind={KINDS[state]}>{text(`directories.state.${state}`)}</Badge>
          {status === 'inactive' && <Badge>{text('directories.inactive')}</Badge>}
        </span>
        {reason !== null && <span className="small">{text(`directories.reason.${reason}`)}</span>}
        <span className="soft small">
          <Time value={updatedAt} />
        </span>
      </span>
      {mayRetry && (state !== 'linked' || reason !== null) && (
        <span className="end">
          <Button
            small
            isPending={retry.isPending}
            aria-label={text('directories.retry-of', { name: userName })}
            onPress={() => retry.mutate()}
          >
            {text('directories.retry')}
          </Button>
        </span>
      )}
    </div>
  );
}
