import {
  dateField,
  Input,
  listField,
  numberField,
  Output,
  textField,
  ulidField,
  wordField,
} from 'gatehouse/api';

const STATES = ['planned', 'dispatched', 'delivered'] as const;
export type ShipmentState = (typeof STATES)[number];

const STATE = wordField(STATES);
const CONTENTS = textField({ max: 200, example: 'Spare parts' });
const SPEED = wordField(['standard', 'express']);
const WEIGHT = numberField({ min: 0.1, max: 40_000, example: 12.5, description: 'Kilograms.' });
const PICKUP = dateField({ description: 'Day on which a carrier fetches it.' });
const MARKS = listField({ max: 10, pattern: /^[a-z]+$/, message: 'must be a word', example: ['fragile'] });

/** Body of a new shipment. */
export class PlanShipmentDto {
  @Input(CONTENTS)
  contents: string;
  @Input(SPEED)
  speed: 'standard' | 'express';
  @Input(WEIGHT)
  weight: number;
  @Input(PICKUP, { optional: true })
  pickupOn?: string;
  @Input(MARKS, { optional: true })
  marks?: string[];
}

/** Query of the list, in addition to that of the page. */
export class ShipmentsQuery {
  @Input(STATE, { optional: true })
  state?: ShipmentState;
}

/** Item of the list, and response to the creation. */
export class ShipmentResponse {
  @Output(ulidField())
  id: string;
  @Output(STATE)
  state: ShipmentState;
  @Output(CONTENTS)
  contents: string;
  @Output(SPEED)
  speed: 'standard' | 'express';
  @Output(WEIGHT)
  weight: number;
  @Output(PICKUP, { nullable: true })
  pickupOn: string | null;
  @Output(MARKS)
  marks: string[];
}
