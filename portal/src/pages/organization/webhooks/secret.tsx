import { rich, text } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Time } from '../../../ui/time.tsx';

/** How a receiver verifies a request; Node.js, and any framework that keeps the body as it came. */
const SNIPPET = `import { verifyWebhook } from '@gatehouse/client/webhooks';

const event = await verifyWebhook(
  { headers: request.headers, body: rawBody },
  { secret: process.env.WEBHOOK_SECRET },
);`;

interface Props {
  readonly title: string;
  readonly secret: string;
  /** Time until which the previous secret signs as well. */
  readonly previousUntil?: string;
  readonly onClose: () => void;
}

/** Shows a new secret, once, and how a receiver uses it. */
export function Secret({ title, secret, previousUntil, onClose }: Props) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{text('webhooks.secret.text')}</p>
      <Copyable label={text('webhooks.secret')} value={secret} />
      {previousUntil !== undefined && (
        <p>{rich('webhooks.secret.previous', { time: () => <Time value={previousUntil} exact /> })}</p>
      )}
      <details>
        <summary>{text('webhooks.verify')}</summary>
        <p className="soft small">{text('webhooks.verify.text')}</p>
        <pre className="code small">{SNIPPET}</pre>
      </details>
      <div className="buttons">
        <Button look="primary" onPress={onClose}>
          {text('webhooks.secret.saved')}
        </Button>
      </div>
    </Dialog>
  );
}
