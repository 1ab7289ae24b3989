import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { BulkBar, BulkDialog } from '../../../ui/bulk.tsx';
import { Button } from '../../../ui/button.tsx';
import { COMMANDS, IssueBadges } from './worker-dialogs.tsx';
import { saveWorkers } from './worker-export.tsx';
import { nameOf, readWorkersAgain, type Worker } from './worker-queries.ts';

const DEEDS = ['sign-out', 'suspend', 'reinstate', 'remove'] as const;
type Deed = (typeof DEEDS)[number];

interface Props {
  readonly tenantId: string;
  readonly workers: readonly Worker[];
  readonly onClear: () => void;
}

/** What can be done with the selected workers. */
export function WorkerBar({ tenantId, workers, onClear }: Props) {
  const [deed, setDeed] = useState<Deed | 'badges' | null>(null);
  const close = () => setDeed(null);
  const withoutBadge = workers.filter(({ badge, status }) => badge === null && status === 'active');
  return (
    <BulkBar label={text('workers.selected')} count={workers.length} onClear={onClear}>
      {withoutBadge.length > 0 && (
        <Button small onPress={() => setDeed('badges')}>
          {text('workers.badges.issue')}
        </Button>
      )}
      {DEEDS.filter((one) => workers.some(({ status }) => !isDone(one, status))).map((one) => (
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
          title={text(`workers.bulk.${deed}`, { count: workers.length })}
          confirm={text(`workers.${deed}`)}
          isDanger={deed !== 'reinstate'}
          items={workers.filter(({ status }) => !isDone(deed, status))}
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
