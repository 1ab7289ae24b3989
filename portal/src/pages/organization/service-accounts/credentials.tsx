import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { KeyDates } from '../../keys/key-dates.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { ListSection } from '../../../ui/list-section.tsx';
import { useList } from '../../../ui/list.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { ONE } from './service-account-queries.ts';

type Credential = components['schemas']['ClientCredentialResponse'];
type NewCredential = components['schemas']['CreateClientCredentialDto'];

const PATH = `${ONE}/credentials` as const;
/** How a client proves who it is: by a secret, a public key, or the address of its public keys. */
const KINDS = ['secret', 'jwk', 'jwks-uri'] as const;
type Kind = (typeof KINDS)[number];
const DAY_MS = 86_400_000;
/** Lifetimes of a secret to choose from, in days; `longest` for as long as allowed. */
const LIFETIMES = ['longest', '30', '90', '365'];

const queryOf = (tenantId: string, accountId: string) => ['organization', tenantId, 'credentials', accountId];

interface Props {
  readonly tenantId: string;
  readonly accountId: string;
  readonly mayCreate: boolean;
}

/** Lists, creates and removes the client credentials of a service account. */
export function Credentials({ tenantId, accountId, mayCreate }: Props) {
  const path = { id: tenantId, accountId };
  const credentials = useList(
    queryOf(tenantId, accountId),
    async (cursor) => (await gatehouse.get(PATH, { params: { path, query: { cursor } } })).data,
  );
  return (
    <ListSection
      title={text('credentials.list')}
      lead={text('credentials.text')}
      query={credentials}
      empty={text('credentials.empty')}
      emptyText={text('credentials.empty.text')}
      add={mayCreate ? text('credentials.new') : null}
      dialog={(close) => <NewCredentialDialog tenantId={tenantId} accountId={accountId} onClose={close} />}
    >
      {(item) => <CredentialItem tenantId={tenantId} accountId={accountId} item={item} />}
    </ListSection>
  );
}

interface ItemProps {
  readonly tenantId: string;
  readonly accountId: string;
  readonly item: Credential;
}

function CredentialItem({ tenantId, accountId, item }: ItemProps) {
  const { id, kind, name, jwksUri, expiresAt } = item;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const say = useToast();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete(`${PATH}/{credentialId}`, {
        params: { path: { id: tenantId, accountId, credentialId: id } },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryOf(tenantId, accountId) });
      say(text('credentials.removed', { name }));
    },
  });
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>{name}</strong>
          <Badge>{text(kind === 'secret' ? 'credentials.kind.secret' : 'credentials.public-key')}</Badge>
          {isExpired && <Badge kind="bad">{text('keys.expired')}</Badge>}
        </div>
        {jwksUri !== null && <span className="soft small">{jwksUri}</span>}
        <KeyDates item={item} canExpire={kind === 'secret'} />
      </div>
      <div className="end wraps">
        <ConfirmedButton
          action={text('credentials.remove')}
          label={text('credentials.remove-of', { name })}
          title={text('credentials.remove.title', { name })}
          command={remove}
        >
          <p>{text('credentials.remove.text')}</p>
        </ConfirmedButton>
      </div>
    </div>
  );
}

interface NewProps {
  readonly tenantId: string;
  readonly accountId: string;
  readonly onClose: () => void;
}

/** Creates a credential; a secret is then shown once. */
function NewCredentialDialog({ tenantId, accountId, onClose }: NewProps) {
  const [kind, setKind] = useState<Kind>('secret');
  const [days, setDays] = useState('longest');
  const say = useToast();
  const create = useMutation({
    mutationFn: async (body: NewCredential) =>
      (await gatehouse.post(PATH, { params: { path: { id: tenantId, accountId } }, body })).data,
    onSuccess: async ({ name, clientSecret }) => {
      await queryClient.invalidateQueries({ queryKey: queryOf(tenantId, accountId) });
      if (clientSecret !== null) return;
      onClose();
      say(text('credentials.created', { name }));
    },
  });
  const secret = create.data?.clientSecret;
  if (typeof secret === 'string')
    return (
      <ShownOnce
        title={text('credentials.secret.created')}
        lead={text('credentials.secret.text')}
        onClose={onClose}
      >
        <Copyable label={text('credentials.client-id')} value={accountId} />
        <Copyable label={text('credentials.kind.secret')} value={secret} />
      </ShownOnce>
    );
  return (
    <Dialog title={text('credentials.new')} isOpen onClose={onClose}>
      <Form error={create.error} onSubmit={(values) => create.mutate(bodyOf(kind, values, days))}>
        <TextField
          label={text('name')}
          name="name"
          hint={text('keys.name.hint')}
          maxLength={100}
          isRequired
          autoFocus
        />
        <SelectField
          label={text('credentials.kind')}
          name="kind"
          options={KINDS.map((one) => [one, text(`credentials.kind.${one}`)] as const)}
          value={kind}
          onChange={(one) => setKind(one as Kind)}
        />
        {kind === 'secret' && (
          <SelectField
            label={text('keys.lifetime')}
            name="expiresAt"
            options={LIFETIMES.map((one) => [one, lifetimeOf(one)] as const)}
            value={days}
            onChange={setDays}
          />
        )}
        {kind === 'jwk' && (
          <TextArea
            label={text('credentials.jwk')}
            name="jwk"
            hint={text('credentials.jwk.hint')}
            validate={(value) => (parseKey(value) ? null : text('credentials.jwk.not-json'))}
            isRequired
          />
        )}
        {kind === 'jwks-uri' && (
          <TextField label={text('credentials.jwks-uri')} name="jwksUri" type="url" isRequired />
        )}
        <FormButtons submit={text('credentials.create')} isPending={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

const lifetimeOf = (days: string): string =>
  days === 'longest' ? text('credentials.lifetime.longest') : text('keys.days', { days: Number(days) });

/** @param days lifetime of a secret; `longest` for as long as the organization allows */
function bodyOf(kind: Kind, values: FormData, days: string): NewCredential {
  const name = String(values.get('name'));
  if (kind === 'secret' && days === 'longest') return { kind: 'secret', name };
  if (kind === 'secret') return { kind: 'secret', name, expiresAt: endIn(Number(days)) };
  if (kind === 'jwks-uri') return { kind: 'public_key', name, jwksUri: String(values.get('jwksUri')) };
  return { kind: 'public_key', name, jwk: parseKey(String(values.get('jwk'))) ?? { kty: 'EC' } };
}

const endIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** @returns null for a text that is no JSON object */
function parseKey(written: string): NewCredential['jwk'] | null {
  try {
    const key: unknown = JSON.parse(written);
    return typeof key === 'object' && key !== null ? (key as NewCredential['jwk']) : null;
  } catch {
    return null;
  }
}
