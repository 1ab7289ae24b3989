import { useState } from 'react';
import type { Scope } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { BulkBar, BulkDialog } from '../../../ui/bulk.tsx';
import { Button } from '../../../ui/button.tsx';
import { useMayTry } from '../allowed.ts';
import { COMMANDS, IssueBadges } from './worker-dialogs.tsx';
import { saveWorkers } from './worker-export.tsx';
import { nameOf, readWorkersAgain, type Worker } from './worker-queries.ts';

const ISSUE_BADGE = 'iam:worker:issue-badge';
/** Scope of each deed. */
const SCOPES = {
  'sign-out': 'iam:worker:update',
  suspend: 'iam:worker:suspend',
  reinstate: 'iam:worker:reinstate',
  remove: 'iam:worker:delete',
} as const satisfies Record<string, Scope>;
type Deed = keyof typeof SCOPES;
const DEEDS = Object.keys(SCOPES) as Deed[];
const ASKED = [ISSUE_BADGE, ...Object.values(SCOPES)] as const;

interface Props {
  readonly tenantId: string;
  readonly workers: readonly Worker[];
  readonly onClear: () => void;
}

/** What can be done with the selected workers. */
export function WorkerBar({ tenantId, workers, onClear }: Props) {
  const [deed, setDeed] = useState<Deed | 'badges' | null>(null);
  const close = () => setDeed(null);
  const may = useMayTry(tenantId, ASKED);
  const withoutBadge = workers.filter(({ badge, status }) => badge === null && status === 'active');
  const leftOf = (one: Deed) => workers.filter(({ status }) => !isDone(one, status));
  return (
    <BulkBar label={text('workers.selected')} count={workers.length} onClear={onClear}>
      {may(ISSUE_BADGE) && withoutBadge.length > 0 && (
        <Button small onPress={() => setDeed('badges')}>
          {text('workers.badges.issue')}
        </Button>
      )}
      {DEEDS.filter((one) => may(SCOPES[one]) && leftOf(one).length > 0).map((one) => (
        <Button key={one} small onPress={() => setDeed(one)}>
          {text(`workers.${one}`)}
        </Button>
      ))}
      <Button small onPress={() => saveWorkers(workers)}>
        {text('trail.export')}
      </Button>
      {deed === 'badges' && <IssueBadges tenantId={tenantId} workers={withoutBadge} onClose={close} />}
      {deed !== null && deed !== 'badges' && (
        <BulkDialog
          title={text(`workers.bulk.${deed}`, { count: leftOf(deed).length })}
          confirm={text(`workers.${deed}`)}
          isDanger={deed !== 'reinstate'}
          items={leftOf(deed)}
          nameOf={nameOf}
          act={({ userId }) => COMMANDS[deed]({ path: { id: tenantId, userId } })}
          said={(count) => text('workers.bulk.done', { count })}
          refused={(count) => text('workers.bulk.refused', { count })}
          onSettled={() => readWorkersAgain(tenantId)}
          onClose={close}
          onDone={onClear}
        >
          <p>{text(`workers.${deed}.text`)}</p>
        </BulkDialog>
      )}
    </BulkBar>
  );
}

/** Whether nothing is left to do. */
const isDone = (deed: Deed, status: Worker['status']): boolean =>
  (deed === 'suspend' && status === 'suspended') || (deed === 'reinstate' && status === 'active');
