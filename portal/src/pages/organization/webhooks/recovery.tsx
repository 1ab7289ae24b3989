import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { refreshWebhooks, showReplay, type Subscription, type WebhookOwner } from './webhook-queries.ts';

const HOUR_MS = 3_600_000;
/** Events are kept for 30 days; the last hour of them may expire before the request arrives. */
const HOURS = { hour: 1, day: 24, week: 168, all: 719 } as const;
type Period = keyof typeof HOURS;
const PERIODS = Object.keys(HOURS) as Period[];

interface Props {
  readonly owner: WebhookOwner;
  readonly subscription: Subscription;
}

/** Delivers the events of a period that were not delivered. */
export function StartRecovery({ owner, subscription, onClose }: Props & { onClose: () => void }) {
  const say = useToast();
  const [period, setPeriod] = useState<Period>('day');
  const start = useMutation({
    mutationFn: async () => {
      const since = new Date(Date.now() - HOURS[period] * HOUR_MS).toISOString();
      await gatehouse.post(`${owner.api}/subscriptions/{id}/recover`, {
        params: { path: { id: subscription.id } },
        body: { since },
      });
      return since;
    },
    onSuccess: (since) => {
      showReplay(owner, subscription.id, since);
      onClose();
      say(text('webhooks.recover.started'));
    },
  });
  return (
    <Dialog title={text('webhooks.recover')} isOpen onClose={onClose}>
      <Form error={start.error} onSubmit={() => start.mutate()}>
        <p>{text('webhooks.recover.text')}</p>
        <SelectField
          label={text('webhooks.recover.since')}
          options={PERIODS.map((one) => [one, text(`webhooks.recover.since.${one}`)])}
          value={period}
          onChange={(one) => setPeriod(one as Period)}
        />
        <FormButtons submit={text('webhooks.recover.start')} isPending={start.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Shows a replay while it goes on, and stops it. */
export function Recovery({ owner, subscription: { id, recoveringSince, recoveryRemaining } }: Props) {
  const stop = useMutation({
    mutationFn: () =>
      gatehouse.delete(`${owner.api}/subscriptions/{id}/recover`, { params: { path: { id } } }),
    onSuccess: () => refreshWebhooks(owner),
  });
  if (recoveringSince === null) return null;
  return (
    <Notice title={text('webhooks.recovering')}>
      <p>{rich('webhooks.recovering.text', { time: () => <Time value={recoveringSince} exact /> })}</p>
      {recoveryRemaining !== null && <p>{text('webhooks.recovering.left', { count: recoveryRemaining })}</p>}
      {stop.error && <ErrorNotice error={stop.error} />}
      <p>
        <Button small isPending={stop.isPending} onPress={() => stop.mutate()}>
          {text('webhooks.recover.stop')}
        </Button>
      </p>
    </Notice>
  );
}
