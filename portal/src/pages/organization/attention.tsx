import { useId } from 'react';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { text, type MessageId } from '../../messages/index.ts';
import { PAGE_PATHS as P, pathIn } from '../../session/paths.ts';
import { Check } from '../../ui/icons.tsx';
import type { Allowed, OrganizationProps } from './allowed.ts';

type Present = components['schemas']['TenantOverviewResponse']['present'];

/** Something to do: how urgent it is, how many there are, where it is done, and by whom. */
type Task = readonly [
  tone: 'bad' | 'care' | 'soon',
  count: keyof Present,
  label: MessageId,
  path: string,
  needs: keyof Allowed,
];

/** What fails comes first, then who waits, then what ends. */
const TASKS: readonly Task[] = [
  ['bad', 'failingConnections', 'attention.connections', P.singleSignOn, 'iam:connection:read'],
  ['bad', 'domainsWithoutRecord', 'attention.domains', P.singleSignOn, 'iam:domain:read'],
  ['bad', 'failingWebhooks', 'attention.webhooks', P.webhooks, 'webhooks:subscription:read'],
  ['bad', 'stoppedWebhooks', 'attention.stopped', P.webhooks, 'webhooks:subscription:read'],
  ['care', 'waitingAccessRequests', 'attention.requests', P.accessRequests, 'iam:access-request:decide'],
  ['soon', 'endingCertificates', 'attention.certificates', P.singleSignOn, 'iam:connection:read'],
  ['soon', 'endingDirectoryTokens', 'attention.tokens', P.directories, 'iam:directory:read'],
  ['soon', 'endingKeys', 'attention.keys', P.serviceAccounts, 'iam:service-account:read'],
  ['soon', 'endingAccess', 'attention.access', P.members, 'iam:member:read'],
];

interface Props extends OrganizationProps {
  readonly present: Present;
  /** Whether to say that there is nothing to do. */
  readonly saysNone: boolean;
}

/** Lists what fails, who waits and what ends in an organization, with links to where it is done. */
export function Attention({ present, tenantId, allowed, saysNone }: Props) {
  const id = useId();
  const tasks = TASKS.filter(([, count, , , needs]) => Number(present[count]) > 0 && allowed[needs]);
  if (tasks.length === 0 && !saysNone) return null;
  return (
    <section className="sheet attention" aria-labelledby={id}>
      <h2 id={id}>{text('attention')}</h2>
      {tasks.length === 0 && (
        <p className="calm">
          <Check size={18} /> {text('attention.none')}
        </p>
      )}
      <ul>
        {tasks.map(([tone, count, label, path]) => (
          <li key={count}>
            <Link href={pathIn(path, tenantId)} className="item item-link">
              <span className={`dot ${tone}`} />
              {text(label, { count: Number(present[count]) })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
