import { expect, test } from 'bun:test'
import { type StoryParts, timelineOf } from './timeline'

const of = {
  id: 't',
  type: 'WITHDRAWAL' as const,
  status: 'COMPLETED' as const,
  createdAt: '2026-11-22T20:41:36.100Z',
  network: 'polygon',
}
const at = (ms: number) => `2026-11-22T20:41:36.${ms}Z`

test('what happened stands in its order, each step in words of its own', () => {
  const parts = {
    phases: [
      { name: 'created', status: 'COMPLETED', startedAt: at(100), completedAt: at(100), detail: null },
      { name: 'screening', status: 'FAILED', startedAt: at(100), completedAt: at(250), detail: 'A mixer' },
      { name: 'review', status: 'COMPLETED', startedAt: at(250), completedAt: at(400), detail: null },
      { name: 'execution', status: 'COMPLETED', startedAt: at(400), completedAt: at(500), detail: null },
      { name: 'confirmation', status: 'COMPLETED', startedAt: at(500), completedAt: at(900), detail: null },
    ],
    decisions: [{ decision: 'APPROVED', actor: null, note: null, at: at(399) }],
    entries: [{ number: 24, kind: 'hold', at: at(100) }],
    order: { signedAt: at(450), payer: '0x1' },
    chain: { timestamp: at(460), blockNumber: 7, simulated: true, transactionHash: '0xa', reason: null },
    events: [{ id: 'e', timestamp: at(905) }],
    deliveries: [{ deliveryId: 'd', createdAt: at(910), status: 'delivered' }],
    messages: [{ id: 'm', timestamp: at(251) }],
  } as unknown as StoryParts
  const words = timelineOf(of, parts).map((line) => `${line.is}: ${'title' in line ? line.title : line.key}`)
  expect(words).toEqual([
    'steps: Withdrawal ordered',
    'journal: journal 24',
    'steps: Frozen by screening',
    'log: log m',
    `people: people APPROVED ${at(399)}`,
    'steps: Approved in review',
    'chain: Signed by the wallet',
    'chain: On polygon in block 7, simulated',
    'steps: Carried out',
    'steps: Completed',
    'told: Its participants were told:',
    'told: Webhook delivered',
  ])
})

test('what waits says for what; what is to come is no line', () => {
  const phases = [
    { name: 'created', status: 'COMPLETED', startedAt: at(100), completedAt: at(100), detail: null },
    { name: 'screening', status: 'FAILED', startedAt: at(100), completedAt: at(250), detail: null },
    { name: 'review', status: 'IN_PROGRESS', startedAt: at(250), completedAt: null, detail: null },
    { name: 'execution', status: 'PENDING', startedAt: null, completedAt: null, detail: null },
  ]
  const lines = timelineOf({ ...of, status: 'FROZEN' }, { phases } as unknown as StoryParts)
  expect(lines.map((line) => ('title' in line ? line.title : ''))).toEqual([
    'Withdrawal ordered',
    'Frozen by screening',
    'Waits for a decision',
  ])
})

test('parts that could not be read leave the others', () => {
  expect(timelineOf(of, {})).toEqual([])
})
