import type { ComponentProps } from 'react';
import { text } from '../../../messages/index.ts';
import { Folds } from '../../../ui/folds.tsx';
import { entryOfType, type EventType } from './webhook-queries.ts';

type Props = Pick<
  ComponentProps<typeof Folds<EventType>>,
  'items' | 'isSelected' | 'head' | 'frame' | 'children'
>;

/** Lists types of events by group, with a search. */
export const TypeFolds = (props: Props) => (
  <Folds
    {...props}
    entryOf={entryOfType}
    hasCodes
    label={text('webhooks.types.search')}
    noMatch={text('webhooks.types.no-match')}
  />
);
