import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, List, useList } from '../../ui/list.tsx';
import { useToast } from '../../ui/toast.tsx';
import { KeyItem } from '../keys/key-item.tsx';
import { NewKey } from '../keys/new-key.tsx';

type Key = components['schemas']['ApiKeyResponse'];

const PATH = '/api/v1/iam/tenants/{id}/service-accounts/{accountId}/keys';
const queryOf = (tenantId: string, accountId: string) => ['organization', tenantId, 'keys', accountId];

interface Props {
  readonly tenantId: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Lists, creates and revokes the keys of a service account. */
export function ServiceAccountKeys({ tenantId, account: { id: accountId, name }, onClose }: Props) {
  const path = { id: tenantId, accountId };
  const queryKey = queryOf(tenantId, accountId);
  const keys = useList(
    queryKey,
    async (cursor) => (await gatehouse.get(PATH, { params: { path, query: { cursor } } })).data,
  );
  const [isCreating, setCreating] = useState(false);
  if (isCreating)
    return (
      <NewKey
        create={async (body) => (await gatehouse.post(PATH, { params: { path }, body })).data.key}
        onCreated={() => queryClient.invalidateQueries({ queryKey })}
        onClose={() => setCreating(false)}
      />
    );
  return (
    <Dialog title={text('service-accounts.keys-of', { name })} isOpen onClose={onClose}>
      <List
        query={keys}
        label={text('service-accounts.keys')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('service-accounts.no-keys')} />}
      >
        {(item) => <AccountKey tenantId={tenantId} accountId={accountId} item={item} />}
      </List>
      <div className="buttons">
        <Button onPress={onClose}>{text('close')}</Button>
        <Button look="primary" onPress={() => setCreating(true)}>
          {text('keys.new')}
        </Button>
      </div>
    </Dialog>
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
