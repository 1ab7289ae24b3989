import { text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Subscription } from './webhook-queries.ts';

const KINDS = { active: 'good', failing: 'bad', disabled: '', paused: 'care' } as const;

interface Props {
  readonly subscription: Subscription;
}

/** Whether a subscription gets its events, in a word. */
export function Health({ subscription: { status } }: Props) {
  return <Badge kind={KINDS[status]}>{text(`webhooks.status.${status}`)}</Badge>;
}

/** Says why a subscription gets no events, and what to do. */
export function Trouble({ subscription: { status, reason, failingSince } }: Props) {
  if (status === 'disabled' && reason !== null)
    return (
      <Notice kind={reason === 'by-user' ? 'plain' : 'care'} title={text('webhooks.disabled')}>
        <p>{text(`webhooks.reason.${reason}`)}</p>
      </Notice>
    );
  if (status === 'paused')
    return (
      <Notice kind="care" title={text('webhooks.paused')}>
        <p>{text('webhooks.paused.text')}</p>
      </Notice>
    );
  if (status !== 'failing') return null;
  return (
    <Notice kind="bad" title={text('webhooks.failing')}>
      <p>
        {text('webhooks.failing.text')} {failingSince !== null && <Time value={failingSince} exact />}
      </p>
    </Notice>
  );
}
