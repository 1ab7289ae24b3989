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
import { TextField } from '../../../ui/fields.tsx';
import { wordsOf } from '../../../ui/lines-of.ts';
import { EndedKeys } from './ended-keys.tsx';
import { keyOfKeys } from './service-account-queries.ts';

type Key = components['schemas']['ApiKeyResponse'];

const PATH = '/api/v1/iam/tenants/{id}/service-accounts/{accountId}/keys';

interface Props {
  readonly tenantId: string;
  readonly accountId: string;
  readonly mayCreate: boolean;
}

/** Lists, creates and revokes the keys of a service account. */
export function Keys({ tenantId, accountId, mayCreate }: Props) {
  const path = { id: tenantId, accountId };
  const queryKey = keyOfKeys(tenantId, accountId);
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
          create={async (body, values) => {
            const limited = { ...body, networks: wordsOf(values, 'networks') };
            return (await gatehouse.post(PATH, { params: { path }, body: limited })).data.key;
          }}
          onCreated={() => queryClient.invalidateQueries({ queryKey })}
          onClose={close}
        >
          <TextField label={text('networks')} name="networks" hint={text('keys.networks.hint')} verbatim />
        </NewKey>
      )}
      foot={<EndedKeys tenantId={tenantId} accountId={accountId} />}
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
      await queryClient.invalidateQueries({ queryKey: keyOfKeys(tenantId, accountId) });
      say(text('keys.revoked', { name: item.name }));
    },
  });
  return <KeyItem item={item} revoke={revoke} />;
}
