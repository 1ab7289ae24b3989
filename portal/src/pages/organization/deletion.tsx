import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DeniableButton } from '../../ui/deniable-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { keys } from './organization-queries.ts';
import { inBackground } from '../../session/in-background.ts';

interface Props {
  readonly tenantId: string;
  readonly name: string;
  /** Why the user cannot delete the organization; null if they can. */
  readonly denial: string | null;
  /** Why the user cannot cancel the deletion; null if they can. */
  readonly cancelDenial: string | null;
}

type Content = { readonly kind: string; readonly count: number };

/** Schedules the deletion of an archived organization, and cancels it. */
export function Deletion({ tenantId, name, denial, cancelDenial }: Props) {
  const [asking, setAsking] = useState(false);
  const params = { path: { id: tenantId } };
  const deletion = useQuery({
    queryKey: [...keys.tenant(tenantId), 'deletion'],
    queryFn: async () => (await gatehouse.get('/api/v1/iam/tenants/{id}/deletion', { params })).data,
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tenant(tenantId) });
  const cancel = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/tenants/{id}/deletion', { params }),
    onSuccess: refresh,
  });
  const { data, error } = deletion;
  if (error) return <ErrorNotice error={error} onRetry={() => inBackground(deletion.refetch())} />;
  if (!data) return null;
  const { deletesAt, contents } = data;
  return (
    <section className="sheet section danger" aria-labelledby="deletion">
      <h2 id="deletion">{text('deletion.title')}</h2>
      {deletesAt !== null && (
        <Notice kind="bad" title={text('deletion.scheduled')}>
          <p>{rich('deletion.when', { time: () => <Time value={deletesAt} /> })}</p>
        </Notice>
      )}
      <p>{text('deletion.text')}</p>
      <Contents contents={contents} />
      {cancel.error && <ErrorNotice error={cancel.error} onRetry={() => cancel.mutate()} />}
      {deletesAt === null ? (
        <DeniableButton denial={denial} look="danger" onPress={() => setAsking(true)}>
          {text('deletion.submit')}
        </DeniableButton>
      ) : (
        <DeniableButton denial={cancelDenial} isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          {text('deletion.cancel')}
        </DeniableButton>
      )}
      {asking && (
        <Confirm
          tenantId={tenantId}
          name={name}
          days={Math.ceil(data.delaySeconds / 86_400)}
          onDone={refresh}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

/** Lists what the deletion removes. A kind of another module has the name that the module gives. */
function Contents({ contents }: { readonly contents: readonly Content[] }) {
  const present = contents.filter(({ count }) => count > 0);
  const names: Readonly<Record<string, string>> = {
    members: text('deletion.members'),
    roles: text('deletion.roles'),
    invitations: text('deletion.invitations'),
    'audit-events': text('deletion.events'),
    'service-accounts': text('nav.service-accounts'),
    stations: text('deletion.stations'),
    clients: text('nav.apps'),
    webhooks: text('nav.webhooks'),
    connections: text('connections'),
    things: text('deletion.things'),
    domains: text('connections.domains'),
    directories: text('nav.directories'),
  };
  return (
    <ul>
      {present.map(({ kind, count }) => (
        <li key={kind}>{text('deletion.content', { kind: names[kind] ?? kind, count })}</li>
      ))}
    </ul>
  );
}

interface ConfirmProps {
  readonly tenantId: string;
  readonly name: string;
  readonly days: number;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function Confirm({ tenantId, name, days, onDone, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const schedule = useMutation({
    mutationFn: () =>
      gatehouse.post('/api/v1/iam/tenants/{id}/deletion', {
        params: { path: { id: tenantId } },
        body: { name: typed },
      }),
    onSuccess: async () => {
      onClose();
      await onDone();
    },
  });
  return (
    <Dialog title={text('deletion.confirm.title')} isOpen onClose={onClose} role="alertdialog">
      <Form error={schedule.error} onSubmit={() => schedule.mutate()}>
        <p>{text('deletion.confirm.text', { days })}</p>
        <TextField
          label={text('deletion.confirm.type', { name })}
          name="name"
          value={typed}
          onChange={setTyped}
          maxLength={200}
          isRequired
          verbatim
        />
        <div className="buttons">
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button type="submit" look="danger" isDisabled={typed !== name} isPending={schedule.isPending}>
            {text('deletion.confirm.submit')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
