import { Output, toResponse } from '../../src/platform/api/index.js';

class ParcelResponse {
  @Output.text({ max: 20, example: 'P-1' })
  name: string;
  @Output.time()
  sentAt: string;
  @Output.time({ nullable: true })
  arrivedAt: string | null;
  @Output.boolean({ required: false, example: true })
  lost?: boolean;
}

describe('A response', () => {
  it('has only the declared fields, and dates as times', () => {
    const sentAt = new Date('2026-11-30T10:00:00.000Z');
    const parcel = { name: 'P-1', sentAt, arrivedAt: null, secretHash: 'x' };
    const response = { name: 'P-1', sentAt: '2026-11-30T10:00:00.000Z', arrivedAt: null };
    expect(toResponse(ParcelResponse, parcel)).toStrictEqual(response);
    expect(toResponse(ParcelResponse, { ...parcel, lost: true })).toStrictEqual({ ...response, lost: true });
  });
});
