import type { components } from '@gatehouse/client';
import { rich, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { List, useList } from '../../../ui/list.tsx';
import { Time } from '../../../ui/time.tsx';
import { KeyDates } from '../../keys/key-dates.tsx';
import { KeyName } from '../../keys/key-name.tsx';
import { keyOfKeys } from './service-account-queries.ts';

type EndedKey = components['schemas']['EndedApiKeyResponse'];

interface Props {
  readonly tenantId: string;
  readonly accountId: string;
}

/** Lists the revoked keys of a service account, folded; nothing without one. */
export function EndedKeys({ tenantId, accountId }: Props) {
  const ended = useList(
    [...keyOfKeys(tenantId, accountId), 'ended'],
    async (cursor) =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/service-accounts/{accountId}/ended-keys', {
          params: { path: { id: tenantId, accountId }, query: { cursor } },
        })
      ).data,
  );
  if (ended.isPending || ended.data?.length === 0) return null;
  return (
    <details className="list disclosure">
      <summary>
        <span className="what">
          <strong>{text('keys.ended')}</strong>
          <span className="soft small">{text('keys.ended.text')}</span>
        </span>
      </summary>
      <List query={ended} label={text('keys.ended')} keyOf={({ id }) => id} empty={null}>
        {(item) => <EndedKeyItem item={item} />}
      </List>
    </details>
  );
}

function EndedKeyItem({ item }: { readonly item: EndedKey }) {
  const { createdAt, lastUsedAt, endedAt, endedByName, reason } = item;
  return (
    <div className="item plain">
      <div className="what">
        <KeyName item={item} />
        <span className="small">
          {rich(`keys.ended.${reason}`, {
            name: endedByName ?? text('trail.actor.erased'),
            time: () => <Time value={endedAt} exact />,
          })}
        </span>
        <KeyDates item={{ createdAt, lastUsedAt, expiresAt: null }} canExpire={false} />
      </div>
    </div>
  );
}
