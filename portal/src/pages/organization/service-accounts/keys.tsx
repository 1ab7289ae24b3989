import { useMutation } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { ListSection } from '../../../ui/list-section.tsx';
import { useList } from '../../../ui/list.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { KeyItem } from '../../keys/key-item.tsx';
import { NewKey } from '../../keys/new-key.tsx';

type Key = components['schemas']['ApiKeyResponse'];

const PATH = '/api/v1/iam/tenants/{id}/service-accounts/{accountId}/keys';
const queryOf = (tenantId: string, accountId: string) => ['organization', tenantId, 'keys', accountId];

interface Props {
  readonly tenantId: string;
  readonly accountId: string;
  readonly mayCreate: boolean;
}

/** Lists, creates and revokes the keys of a service account. */
export function Keys({ tenantId, accountId, mayCreate }: Props) {
  const path = { id: tenantId, accountId };
  const queryKey = queryOf(tenantId, accountId);
  const keys = useList(
    queryKey,
    async (cursor) => (await gatehouse.get(PATH, { params: { path, query: { cursor } } })).data,
  );
  return (
    <ListSection
      title={text('service-accounts.keys')}
      lead={text('service-accounts.keys.text')}
      query={keys}
      empty={text('service-accounts.no-keys')}
      emptyText={text('service-accounts.no-keys.text')}
      add={mayCreate ? text('keys.new') : null}
      dialog={(close) => (
        <NewKey
          create={async (body) => (await gatehouse.post(PATH, { params: { path }, body })).data.key}
          onCreated={() => queryClient.invalidateQueries({ queryKey })}
          onClose={close}
        />
      )}
    >
      {(item) => <AccountKey tenantId={tenantId} accountId={accountId} item={item} />}
    </ListSection>
  );
}

interface KeyProps {
  readonly tenantId: string;
  readonly accountId: string;
  readonly item: Key;
}

function AccountKey({ tenantId, accountId, item }: KeyProps) {
  const say = useToast();
  const revoke = useMutation({
    mutationFn: () =>
      gatehouse.delete(`${PATH}/{keyId}`, { params: { path: { id: tenantId, accountId, keyId: item.id } } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryOf(tenantId, accountId) });
      say(text('keys.revoked', { name: item.name }));
    },
  });
  return <KeyItem item={item} revoke={revoke} />;
}
