import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useMemberNames } from '../trail-names.ts';
import { refreshConnections, useDenial, type Change, type Connection } from './connection-queries.ts';

const CHANGE = '/api/v1/iam/tenants/{id}/connections/{connectionId}/changes/{changeId}';

interface Props {
  readonly tenantId: string;
  readonly connection: Connection;
}

/** Changes of a connection that wait for an owner, who confirms or refuses each. */
export function Waiting({ tenantId, connection: { id, waiting } }: Props) {
  const denial = useDenial(tenantId, id, 'iam:connection:confirm');
  const nameOf = useMemberNames(
    tenantId,
    waiting.filter((change) => !change.bySetupLink).map((change) => change.requestedBy),
  );
  return (
    <section className="sheet section stack" aria-labelledby="connection-waiting">
      <h2 id="connection-waiting">{text('connections.waiting')}</h2>
      <p className="soft small">{text('connections.waiting.text')}</p>
      {typeof denial.data === 'string' && <p className="hint">{denial.data}</p>}
      <ul className="list" aria-label={text('connections.waiting')}>
        {waiting.map((change) => (
          <li key={change.id}>
            <Item
              tenantId={tenantId}
              connectionId={id}
              change={change}
              actor={change.bySetupLink ? text('connections.waiting.link') : nameOf(change.requestedBy)}
              mayDecide={denial.data === null}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ItemProps {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly change: Change;
  readonly actor: string;
  readonly mayDecide: boolean;
}

function Item({ tenantId, connectionId, change, actor, mayDecide }: ItemProps) {
  const say = useToast();
  const params = { path: { id: tenantId, connectionId, changeId: change.id } };
  const decided = (message: string) => async () => {
    await refreshConnections(tenantId);
    say(message);
  };
  const confirm = useMutation({
    mutationFn: () => gatehouse.post(`${CHANGE}/confirm`, { params }),
    onSuccess: decided(text('connections.waiting.confirmed')),
  });
  const refuse = useMutation({
    mutationFn: () => gatehouse.delete(CHANGE, { params }),
    onSuccess: decided(text('connections.waiting.refused')),
  });
  const error = confirm.error ?? refuse.error;
  return (
    <div className="item plain">
      <span className="what">
        <strong>{text(`connections.waiting.${change.kind}`)}</strong>
        {change.sha256.map((sha256) => (
          <code key={sha256} className="small">
            {sha256}
          </code>
        ))}
        {addressesOf(change).map((address) => (
          <code key={address} className="small">
            {address}
          </code>
        ))}
        <span className="soft small">
          {text('connections.waiting.by', { actor })} · <Time value={change.requestedAt} />
        </span>
        {error && <ErrorNotice error={error} />}
      </span>
      {mayDecide && (
        <span className="end">
          <Button small isPending={refuse.isPending} onPress={() => refuse.mutate()}>
            {text('connections.waiting.refuse')}
          </Button>
          <Button small look="primary" isPending={confirm.isPending} onPress={() => confirm.mutate()}>
            {text('connections.waiting.confirm')}
          </Button>
        </span>
      )}
    </div>
  );
}

/** What settings would name, for the owner to compare with the provider. */
function addressesOf({ settings }: Change): string[] {
  const { issuer, clientId, entityId, ssoUrl, metadataUrl } = settings ?? {};
  return [issuer, clientId, entityId, ssoUrl, metadataUrl].flatMap((value) => value ?? []);
}
