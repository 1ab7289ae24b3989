import { useRef, useState } from 'react';
import { text } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { download } from '../../../ui/download.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { nameOf, type Worker } from './worker-queries.ts';

/** A badge with its text, which only this page knows. */
export interface PrintableBadge {
  readonly worker: Worker;
  readonly badge: string;
}

/** Paper: A4 with nine cards, or a printer of cards. */
const PAPERS = ['a4', 'card'] as const;
type Paper = (typeof PAPERS)[number];

interface Props {
  readonly badges: readonly PrintableBadge[];
  readonly onClose: () => void;
}

/** Shows badges that cannot be read again, to print or save. */
export function BadgeSheet({ badges, onClose }: Props) {
  const [paper, setPaper] = useState<Paper>('a4');
  const sheet = useRef<HTMLDivElement>(null);
  const save = () => {
    const cards = [...(sheet.current?.querySelectorAll('svg.badge-card') ?? [])];
    cards.forEach((card, n) =>
      download(
        `badge-${badges[n]?.worker.number}.svg`,
        'image/svg+xml',
        new XMLSerializer().serializeToString(card),
      ),
    );
  };
  return (
    <Dialog title={text('workers.badges.title', { count: badges.length })} isOpen onClose={onClose}>
      <p>{text('workers.badges.text')}</p>
      <div className={`badge-sheet ${paper}`} ref={sheet} tabIndex={0} role="group">
        {badges.map((badge) => (
          <BadgeCard key={badge.worker.userId} {...badge} />
        ))}
      </div>
      <SelectField
        label={text('workers.badges.paper')}
        options={PAPERS.map((one) => [one, text(`workers.badges.paper.${one}`)] as const)}
        value={paper}
        onChange={(one) => setPaper(one as Paper)}
      />
      <div className="buttons">
        <Button onPress={onClose}>{text('close')}</Button>
        {badges.length === 1 && <Button onPress={save}>{text('workers.badges.save')}</Button>}
        <Button look="primary" onPress={() => print()}>
          {text('workers.badges.print')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Width of a card, in mm, and of the text on it. */
const WIDTH = 54;
const TEXT_WIDTH = 46;
/** Width of a character, as a part of the size of the letters. */
const CHARACTER = 0.62;

/** A badge of 54 × 86 mm. Sizes are attributes: the policy of the page allows no styles. */
function BadgeCard({ worker, badge }: PrintableBadge) {
  const name = nameOf(worker);
  const line = { x: WIDTH / 2, textAnchor: 'middle', fontFamily: 'sans-serif' } as const;
  return (
    <svg
      className="badge-card"
      xmlns="http://www.w3.org/2000/svg"
      width="54mm"
      height="86mm"
      viewBox="0 0 54 86"
      role="img"
      aria-label={text('workers.badges.of', { name })}
    >
      <rect x="0.1" y="0.1" width="53.8" height="85.8" rx="3" fill="white" stroke="#999" strokeWidth="0.2" />
      <QrCode
        content={badge}
        label={text('workers.badges.code')}
        place={{ x: 3, y: 8, width: 48, height: 48 }}
      />
      <text {...line} y="66" fontSize={sizeOf(name, 5)} fontWeight="bold">
        {name}
      </text>
      <text {...line} y="76" fontSize={sizeOf(worker.number, 6)}>
        {worker.number}
      </text>
    </svg>
  );
}

/** Returns the size of letters at which a text fits, in mm. */
const sizeOf = (content: string, max: number): number =>
  Math.min(max, TEXT_WIDTH / (CHARACTER * content.length));
