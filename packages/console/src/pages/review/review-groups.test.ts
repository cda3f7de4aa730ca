import { expect, test } from 'bun:test'
import { groupedItems, ruleOf } from './review-groups'

const item = (id: string, screeningData: Record<string, unknown> | null, sourceAddress: string | null) => ({
  id,
  type: 'DEPOSIT' as const,
  screeningData,
  sourceAddress,
  destinationAddress: null,
})

test('those of one rule and one counterparty stand together, the oldest first', () => {
  const mixer = { reason: 'Received from a mixer' }
  const items = [item('1', mixer, 'a'), item('2', null, 'a'), item('3', mixer, 'a'), item('4', mixer, 'b')]
  expect(groupedItems(items).map(({ id }) => id)).toEqual(['1', '3', '2', '4'])
  expect(groupedItems([])).toEqual([])
})

test.each([
  [{ reason: 'Received from a mixer', tags: ['mixer'] }, 'Received from a mixer'],
  [
    {
      result: {
        sources: [
          { provider: 'ofac', match: true },
          { provider: 'eu', match: false },
        ],
      },
    },
    'Listed by ofac',
  ],
  [{ tags: ['Velocity', 'Mixer'] }, 'Velocity, Mixer'],
  [{ score: 73 }, 'High risk score'],
  [null, 'Stopped without a reason'],
])('the rule of %j: %s', (screeningData, words) => {
  expect(ruleOf({ screeningData: screeningData as Record<string, unknown> | null })).toBe(words)
})
