import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient, useMe } from '../../session/queries.ts';
import { DeniableButton } from '../../ui/deniable-button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { nameOf } from './member-name.ts';
import { useMembers } from './organization-queries.ts';

interface Props {
  readonly tenantId: string;
  /** Why the user cannot transfer the ownership; null if they can. */
  readonly denial: string | null;
}

/** Transfers the ownership to another member. */
export function Ownership({ tenantId, denial }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <section className="sheet section danger" aria-labelledby="ownership">
      <h2 id="ownership">{text('ownership.title')}</h2>
      <p>{text('ownership.text')}</p>
      <DeniableButton denial={denial} look="danger" onPress={() => setAsking(true)}>
        {text('ownership.submit')}
      </DeniableButton>
      {asking && <Transfer tenantId={tenantId} onClose={() => setAsking(false)} />}
    </section>
  );
}

function Transfer({ tenantId, onClose }: { readonly tenantId: string; readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const say = useToast();
  const { data: me } = useMe();
  const { data: members = [] } = useMembers(tenantId, { sort: 'name', ...(query !== '' && { query }) });
  const others = members.filter(({ userId }) => userId !== me?.id);
  const to = others.find(({ userId }) => userId === chosen) ?? others[0];
  const transfer = useMutation({
    mutationFn: async () => {
      if (!to) return;
      await gatehouse.post('/api/v1/iam/tenants/{id}/ownership-transfer', {
        params: { path: { id: tenantId } },
        body: { userId: to.userId },
      });
    },
    onSuccess: async () => {
      if (!to) return;
      onClose();
      say(text('ownership.transferred', { name: nameOf(to) }));
      await queryClient.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      title={text('ownership.confirm.title')}
      confirm={text('ownership.confirm.submit')}
      action={transfer}
      isOpen
      onClose={onClose}
    >
      <p>{text('ownership.confirm.text')}</p>
      <SearchField label={text('ownership.search')} onSearch={setQuery} />
      {to ? (
        <SelectField
          label={text('ownership.member')}
          options={others.map((member) => [member.userId, `${nameOf(member)} (${member.email ?? ''})`])}
          value={to.userId}
          onChange={setChosen}
        />
      ) : (
        <p className="hint">{text('ownership.no-member')}</p>
      )}
    </ConfirmDialog>
  );
}
