import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Checkbox } from '../../../ui/checkboxes.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { TypeChoice } from './type-choice.tsx';
import {
  nameOf,
  refreshWebhooks,
  type EventType,
  type Subscription,
  type WebhookOwner,
} from './webhook-queries.ts';

const ORDERINGS = ['none', 'subject', 'endpoint'] as const satisfies readonly Subscription['ordering'][];
const SIGNINGS = ['hmac', 'ed25519'] as const satisfies readonly Subscription['signing'][];

interface Props {
  readonly owner: WebhookOwner;
  /** Null for a new one. */
  readonly subscription: Subscription | null;
  readonly types: readonly EventType[];
  readonly onClose: () => void;
  /** Gets what is shown once. */
  readonly onCreated?: (created: { readonly id: string; readonly secret: string }) => void;
}

/** Creates or changes a subscription. */
export function SubscriptionForm({ owner, subscription, types, onClose, onCreated }: Props) {
  const say = useToast();
  const [filters, setFilters] = useState<readonly string[]>(subscription?.types ?? []);
  const [ordering, setOrdering] = useState<Subscription['ordering']>(subscription?.ordering ?? 'none');
  const [signing, setSigning] = useState<Subscription['signing']>(subscription?.signing ?? 'hmac');
  const [includePersonalData, setPersonal] = useState(subscription?.includePersonalData ?? false);
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const body = {
        url: String(values.get('url')).trim(),
        description: textOf(values, 'description') ?? null,
        subjectPrefix: textOf(values, 'subjectPrefix') ?? null,
        types: [...filters],
        ordering,
        signing,
        includePersonalData,
      };
      if (subscription === null) return (await gatehouse.post(`${owner.api}/subscriptions`, { body })).data;
      const params = { path: { id: subscription.id } };
      await gatehouse.patch(`${owner.api}/subscriptions/{id}`, { params, body });
      return null;
    },
    onSuccess: async (created) => {
      await refreshWebhooks(owner);
      onClose();
      if (created) onCreated?.(created);
      else say(text('webhooks.changed'));
    },
  });
  return (
    <Dialog
      title={
        subscription ? text('webhooks.change.title', { name: nameOf(subscription) }) : text('webhooks.new')
      }
      isOpen
      onClose={onClose}
    >
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        <TextField
          label={text('webhooks.url')}
          name="url"
          inputMode="url"
          maxLength={500}
          defaultValue={subscription?.url ?? ''}
          hint={text('webhooks.url.hint')}
          isRequired
          autoFocus
          verbatim
        />
        <TextField
          label={text('webhooks.description')}
          name="description"
          maxLength={200}
          defaultValue={subscription?.description ?? ''}
        />
        <TypeChoice types={types} value={filters} onChange={setFilters} />
        <details className="stack tight">
          <summary>{text('webhooks.more')}</summary>
          <div className="stack">
            <SelectField
              label={text('webhooks.ordering')}
              hint={text(`webhooks.ordering.${ordering}.hint`)}
              options={ORDERINGS.map((one) => [one, text(`webhooks.ordering.${one}`)])}
              value={ordering}
              onChange={(one) => setOrdering(one as Subscription['ordering'])}
            />
            <SelectField
              label={text('webhooks.signing')}
              options={SIGNINGS.map((one) => [one, text(`webhooks.signing.${one}`)])}
              value={signing}
              onChange={(one) => setSigning(one as Subscription['signing'])}
            />
            <TextField
              label={text('webhooks.subject')}
              name="subjectPrefix"
              maxLength={200}
              defaultValue={subscription?.subjectPrefix ?? ''}
              hint={text('webhooks.subject.hint')}
              verbatim
            />
            <Checkbox isSelected={includePersonalData} onChange={setPersonal}>
              {text('webhooks.personal')}
              <span className="small soft line">{text('webhooks.personal.hint')}</span>
            </Checkbox>
          </div>
        </details>
        <FormButtons
          submit={text(subscription ? 'save' : 'webhooks.create')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
