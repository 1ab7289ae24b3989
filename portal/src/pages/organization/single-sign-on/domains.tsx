import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { Form } from '../../../ui/form.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { refreshConnections, useDomains, type Domain } from './connection-queries.ts';
import { Copyable } from '../../../ui/copyable.tsx';

const DOMAINS = '/api/v1/iam/tenants/{id}/domains';
const KINDS = { pending: 'care', verified: 'good', lapsed: 'bad' } as const satisfies Record<
  Domain['status'],
  string
>;

/** Lists, adds and verifies the domains of the organization. */
export function Domains({ tenantId, allowed }: OrganizationProps) {
  const domains = useDomains(tenantId, true);
  const [isAdding, setAdding] = useState(false);
  return (
    <section className="stack" aria-labelledby="domains">
      <div className="row">
        <h2 id="domains">{text('connections.domains')}</h2>
        {allowed['iam:domain:create'] && (
          <Button small onPress={() => setAdding(true)}>
            {text('connections.domains.new')}
          </Button>
        )}
      </div>
      <p className="soft small">{text('connections.domains.text')}</p>
      <List
        query={domains}
        label={text('connections.domains')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('connections.domains.empty')} />}
      >
        {(domain) => <Row tenantId={tenantId} domain={domain} mayVerify={allowed['iam:domain:verify']} />}
      </List>
      {isAdding && <NewDomain tenantId={tenantId} onClose={() => setAdding(false)} />}
    </section>
  );
}

interface RowProps {
  readonly tenantId: string;
  readonly domain: Domain;
  readonly mayVerify: boolean;
}

function Row({ tenantId, domain, mayVerify }: RowProps) {
  const { id, name, status, checkedAt } = domain;
  const say = useToast();
  const [isRemoving, setRemoving] = useState(false);
  const params = { path: { id: tenantId, domainId: id } };
  const verify = useMutation({
    mutationFn: () => gatehouse.post(`${DOMAINS}/{domainId}/verify`, { params }),
    onSuccess: async () => {
      await refreshConnections(tenantId);
      say(text('connections.domains.verified-now', { name }));
    },
  });
  const remove = useMutation({
    mutationFn: () => gatehouse.delete(`${DOMAINS}/{domainId}`, { params }),
    onSuccess: async () => {
      setRemoving(false);
      say(text('connections.domains.removed', { name }));
      await refreshConnections(tenantId);
    },
  });
  return (
    <div className="item plain">
      <div className="what">
        <span className="row">
          <strong>{name}</strong>
          <Badge kind={KINDS[status]}>{text(`connections.domains.${status}`)}</Badge>
        </span>
        {checkedAt !== null && (
          <span className="soft small">
            {rich('connections.domains.checked-at', { time: () => <Time key="time" value={checkedAt} /> })}
          </span>
        )}
        {status !== 'verified' && (
          <div className="stack">
            <p className="small">{text(`connections.domains.${status}.text`)}</p>
            <Copyable label={text('connections.domains.record-name')} value={domain.record.name} />
            <Copyable label={text('connections.domains.record-value')} value={domain.record.value} />
            {verify.error && (
              <ErrorNotice
                error={verify.error}
                titles={{ conflict: 'connections.domains.not-verified' }}
                onRetry={() => verify.mutate()}
              />
            )}
            {mayVerify && (
              <div>
                <Button
                  small
                  isPending={verify.isPending}
                  aria-label={text('connections.domains.verify-of', { name })}
                  onPress={() => verify.mutate()}
                >
                  {text('connections.domains.verify')}
                </Button>
              </div>
            )}
          </div>
        )}
      </div>
      <span className="end">
        <ActionMenu
          label={text('connections.domains.actions', { name })}
          subject={subjectOf('domains', id)}
          actions={[
            {
              label: text('connections.domains.remove'),
              scope: 'iam:domain:delete',
              danger: true,
              run: () => setRemoving(true),
            },
          ]}
        />
      </span>
      <ConfirmDialog
        title={text('connections.domains.remove.title', { name })}
        confirm={text('connections.domains.remove')}
        action={remove}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
      >
        <p>{text('connections.domains.remove.text')}</p>
      </ConfirmDialog>
    </div>
  );
}

interface NewProps {
  readonly tenantId: string;
  readonly onClose: () => void;
}

function NewDomain({ tenantId, onClose }: NewProps) {
  const say = useToast();
  const add = useMutation({
    mutationFn: async (name: string) =>
      (await gatehouse.post(DOMAINS, { params: { path: { id: tenantId } }, body: { name } })).data,
    onSuccess: async ({ name }) => {
      await refreshConnections(tenantId);
      onClose();
      say(text('connections.domains.added', { name }));
    },
  });
  return (
    <Dialog title={text('connections.domains.new')} isOpen onClose={onClose}>
      <Form error={add.error} onSubmit={(values) => add.mutate(String(values.get('name')).trim())}>
        <TextField
          label={text('connections.domains.name')}
          name="name"
          hint={text('connections.domains.name.hint')}
          maxLength={253}
          inputMode="url"
          isRequired
          autoFocus
          verbatim
        />
        <div className="buttons">
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button type="submit" look="primary" isPending={add.isPending}>
            {text('connections.domains.add')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
