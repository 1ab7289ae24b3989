import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { useMyTenants } from '../../session/my-tenants.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, List, useList } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { KeyItem } from '../keys/key-item.tsx';
import { NewKey } from '../keys/new-key.tsx';
import { OnlyThePersonChanges } from './only-the-person.tsx';

type Key = components['schemas']['PersonalKeyResponse'];

const KEY = ['my-keys'];
const reload = () => queryClient.invalidateQueries({ queryKey: KEY });

/**
 * Lists, creates and revokes the keys by which programs act as the user. An operator who acts as
 * the person only reads the list.
 */
export function MyKeys() {
  const keys = useList(
    KEY,
    async (cursor) => (await gatehouse.get('/api/v1/iam/me/keys', { params: { query: { cursor } } })).data,
  );
  const { data: tenants } = useMyTenants();
  const [isCreating, setCreating] = useState(false);
  const active = (tenants ?? []).filter(({ status }) => status === 'active');
  return (
    <Page
      title={text('nav.my-keys')}
      lead={text('my-keys.lead')}
      action={
        active.length > 0 &&
        acting === null && (
          <Button look="primary" onPress={() => setCreating(true)}>
            {text('keys.new')}
          </Button>
        )
      }
    >
      <List
        query={keys}
        label={text('nav.my-keys')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('my-keys.empty')} lead={text('my-keys.empty.text')} />}
      >
        {(item) => <MyKey item={item} organization={tenants?.find(({ id }) => id === item.tenantId)?.name} />}
      </List>
      {acting !== null && <OnlyThePersonChanges />}
      {isCreating && <Create tenants={active} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function MyKey({
  item,
  organization = '–',
}: {
  readonly item: Key;
  readonly organization?: string | undefined;
}) {
  const { id: keyId, name, refusedFor } = item;
  const refusal = refusedFor === null ? null : text(`my-keys.refused.${refusedFor}`);
  const say = useToast();
  const revoke = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/me/keys/{keyId}', { params: { path: { keyId } } }),
    onSuccess: async () => {
      await reload();
      say(text('keys.revoked', { name }));
    },
  });
  return (
    <KeyItem item={item} organization={organization} refusal={refusal} revoke={acting === null && revoke} />
  );
}

interface CreateProps {
  readonly tenants: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

function Create({ tenants, onClose }: CreateProps) {
  const [tenantId, setTenantId] = useState(tenants[0]?.id ?? '');
  return (
    <NewKey
      create={async (body) =>
        (await gatehouse.post('/api/v1/iam/me/keys', { body: { ...body, tenantId } })).data.key
      }
      onCreated={reload}
      onClose={onClose}
    >
      <SelectField
        label={text('my-keys.organization')}
        name="tenantId"
        options={tenants.map(({ id, name }) => [id, name] as const)}
        value={tenantId}
        onChange={setTenantId}
      />
    </NewKey>
  );
}
